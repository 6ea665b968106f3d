// The Q-less board: lay twelve dice as a crossword that is checked as it grows; get hints, all solutions, a rating.

import { call, follow } from "/static/lib/api.js";
import { attempt, board, controls, say } from "/static/lib/board.js";
import { byId, el, figure, fill } from "/static/lib/dom.js";
import { drag, shift } from "/static/lib/drag.js";
import { optionsIn, showOptions, typed } from "/static/lib/options.js";

const SIZE = 12;
const ROLL = "cddeeimprtwx";
const SHOWN = 60;
const OWN = ["roll", "grid"];
const FIXED = ["words", "max_solutions", "must", "order", "time_limit", "top"]; // what it gives by itself
const REMEMBERED = "qless dictionary"; // the one chosen last, for a visit without one in the address
let position;
let cursor = [5, 2];
let downwards = false;
let searching = null;
let shown; // the signal that ends with the position

const go = board({
  hint: "Drag letters onto the grid, or choose a cell and type; the space key changes the direction. All letters must form one crossword.",
  panels: ["state", "help", "solutions"],
  read: (given) => {
    const roll = /^[a-z]{3,14}$/.test(given.get("roll") ?? "") ? given.get("roll") : ROLL;
    const options = optionsIn(given, OWN);
    if (!given.size && localStorage.getItem(REMEMBERED)) options.dictionary = localStorage.getItem(REMEMBERED);
    return { roll, grid: lettersOf(roll, rowsOf(given.get("grid") ?? "")), options };
  },
  write: ({ roll, grid, options }) => ({ ...options, roll, grid: grid.map((row) => row.join("").replace(/\.+$/, "")).join("/").replace(/\/+$/, "") }),
  show,
});

function rowsOf(text) {
  const rows = text.split("/");
  return Array.from({ length: SIZE }, (_, r) => Array.from({ length: SIZE }, (_, c) => (/[a-z]/.test(rows[r]?.[c] ?? "") ? rows[r][c] : ".")));
}

/** Return a grid without letters that the roll does not have. */
function lettersOf(roll, grid) {
  const left = [...roll];
  return grid.map((row) => row.map((letter) => (left.includes(letter) ? left.splice(left.indexOf(letter), 1)[0] : ".")));
}

function show(given, signal) {
  searching?.abort();
  position = given;
  shown = signal;
  ["help", "solutions"].forEach((id) => fill(byId(id)));
  draw();
  attempt(() => check(signal));
  signal.addEventListener("abort", () => searching?.abort());
}

/** Return the letters of the roll that are not on the grid. */
function hand() {
  const left = [...position.roll];
  for (const letter of position.grid.flat()) if (left.includes(letter)) left.splice(left.indexOf(letter), 1);
  return left;
}

function put(row, column, letter) {
  const grid = position.grid.map((cells, r) => cells.map((cell, c) => (r === row && c === column ? letter : cell)));
  go({ ...position, grid });
}

function move(from, to) {
  const grid = position.grid.map((cells) => [...cells]);
  const letter = grid[from[0]][from[1]];
  grid[from[0]][from[1]] = grid[to[0]][to[1]];
  grid[to[0]][to[1]] = letter;
  go({ ...position, grid });
}

function draw() {
  const grid = el("div", { class: "grid crossword", role: "grid", "aria-label": "crossword" });
  grid.style.setProperty("--columns", SIZE);
  position.grid.forEach((cells, row) => {
    const line = el("div", { role: "row" });
    cells.forEach((letter, column) => {
      const chosen = cursor[0] === row && cursor[1] === column;
      line.append(el("button", {
        type: "button",
        role: "gridcell",
        class: `cell ${letter === "." ? "gap" : ""} ${chosen ? "chosen" : ""}`,
        tabIndex: chosen ? 0 : -1,
        "data-row": row,
        "data-column": column,
        "aria-label": `row ${row + 1}, column ${column + 1}: ${letter === "." ? "empty" : letter}`,
        onclick: () => {
          if (chosen) downwards = !downwards;
          cursor = [row, column];
          draw();
          focusCursor();
        },
        onpointerdown: (event) => letter !== "." && carry(event, letter, [row, column]),
      }, letter === "." ? "" : letter));
    });
    grid.append(line);
  });
  const letters = hand();
  const text = el("input", { type: "text", id: "roll", value: position.roll, onchange: () => go({ ...position, roll: text.value.trim().toLowerCase(), grid: rowsOf("") }) });
  fill(
    byId("game"),
    el("div", { class: "hand", role: "group", "aria-label": "letters in hand" }, letters.length ? letters.map((letter) => el("button", {
      type: "button",
      class: "cell",
      onclick: () => type(letter),
      onpointerdown: (event) => carry(event, letter, null),
    }, letter)) : el("span", {}, "all letters are on the grid")),
    grid,
    el("p", { class: "note" }, `typing goes ${downwards ? "down" : "to the right"}`),
    el("div", { class: "buttons" },
      el("button", { type: "button", onclick: () => attempt(() => hint(1)) }, "hint"),
      el("button", { type: "button", onclick: () => attempt(() => hint(2)) }, "two words"),
      el("button", { type: "button", onclick: () => attempt(solve) }, "all solutions"),
      el("button", { type: "button", onclick: () => attempt(rate) }, "how hard?"),
      el("button", { type: "button", onclick: () => attempt(roll) }, "roll the dice")),
    controls(() => go({ ...position, grid: rowsOf("") })),
    el("label", { for: "roll" }, "letters"), text,
  );
  showOptions(["qless/check", "qless/hint", "qless/rate", "qless/solve"], [...OWN, ...FIXED], position.options, (options) => {
    localStorage.setItem(REMEMBERED, options.dictionary ?? "");
    go({ ...position, options });
  });
}

function focusCursor() {
  document.querySelector(".crossword .chosen")?.focus();
}

/** Put a letter at the cursor, and move the cursor on. */
function type(letter) {
  const [row, column] = cursor;
  if (position.grid[row][column] !== letter && !hand().includes(letter)) return say(`no ${letter} is left`, "error");
  cursor = downwards ? [Math.min(row + 1, SIZE - 1), column] : [row, Math.min(column + 1, SIZE - 1)];
  put(row, column, letter);
  focusCursor();
}

/** Drag a letter from the hand (`from` is null) or from a cell, to a cell or off the grid. */
function carry(event, letter, from) {
  const tile = event.currentTarget;
  drag(event, {
    move: (right, down) => shift([tile], right, down),
    drop: (target) => {
      const cell = target?.closest("[data-row]");
      const to = cell && [Number(cell.dataset.row), Number(cell.dataset.column)];
      if (to) cursor = to;
      if (from && to) move(from, to);
      else if (from) put(...from, ".");
      else if (to) put(...to, letter);
    },
  });
}

function key(event) {
  if (/^(INPUT|SELECT|TEXTAREA)$/.test(event.target.tagName) || event.ctrlKey || event.metaKey || event.altKey) return;
  const inGrid = event.target.closest?.(".crossword") || event.target === document.body;
  const steps = { ArrowUp: [-1, 0], ArrowDown: [1, 0], ArrowLeft: [0, -1], ArrowRight: [0, 1] };
  if (!inGrid) return;
  if (steps[event.key]) {
    cursor = cursor.map((at, i) => Math.max(0, Math.min(SIZE - 1, at + steps[event.key][i])));
    draw();
    focusCursor();
  } else if (event.key === " ") {
    downwards = !downwards;
    draw();
    focusCursor();
  } else if (event.key === "Backspace" || event.key === "Delete") {
    const [row, column] = cursor;
    if (position.grid[row][column] === "." && event.key === "Backspace")
      cursor = downwards ? [Math.max(row - 1, 0), column] : [row, Math.max(column - 1, 0)];
    put(...cursor, ".");
    focusCursor();
  } else if (/^[a-z]$/i.test(event.key)) type(event.key.toLowerCase());
  else return;
  event.preventDefault();
}

/** Return the rows of the smallest box around the letters, or nothing. */
function boxed() {
  const rows = position.grid.map((row) => row.join("")).filter((row, r, all) => all.slice(0, r + 1).some((each) => /[a-z]/.test(each)) && all.slice(r).some((each) => /[a-z]/.test(each)));
  const first = Math.min(...rows.map((row) => row.search(/[a-z]/)).filter((at) => at >= 0));
  return rows.map((row) => row.slice(first).replace(/\.+$/, "") || ".").join("/");
}

async function check(signal) {
  const left = hand();
  const placed = position.roll.length - left.length;
  if (!placed) return fill(byId("state"), el("p", {}, `${position.roll.length} letters to place`));
  try {
    const found = await call("qless/check", { ...(await typed("qless/check", position.options)), grid: boxed() }, signal);
    const all = left.length ? `a crossword so far, ${left.length} letters left` : "solved: every letter is in one crossword";
    fill(byId("state"), el("h2", {}, all), el("p", { class: "words" }, marked(found.words, found.doubtful)), explained(found.words, found.doubtful));
  } catch (error) {
    if (error.name === "AbortError") throw error;
    fill(byId("state"), el("p", { class: "error" }, error.message));
  }
}

async function hint(count) {
  const found = await call("qless/hint", { ...(await typed("qless/hint", position.options)), roll: position.roll, words: count }, shown);
  fill(byId("help"), el("p", {}, `${marked(found.words, found.doubtful)}: of a solution with ${found.solution_words} words`), explained(found.words, found.doubtful));
}

/** Return words in one line, with * after those that are only in some dictionaries. */
function marked(words, doubtful) {
  return words.map((word) => (doubtful.includes(word) ? `${word}*` : word)).join(" ");
}

/** Return what the mark says, or nothing. */
function explained(words, doubtful) {
  return words.some((word) => doubtful.includes(word)) && el("p", { class: "note" }, "* only in some dictionaries");
}

async function rate() {
  const found = await follow("qless/rate", { ...(await typed("qless/rate", position.options)), roll: position.roll }, null, shown);
  say("");
  const facts = Object.entries(found).filter(([name, value]) => !/^schema|^device|seconds$|^roll$/.test(name) && typeof value !== "object");
  fill(byId("help"), el("dl", {}, facts.map(([name, value]) => el("div", {}, el("dt", {}, name.replaceAll("_", " ")), el("dd", {}, typeof value === "number" ? figure(value, Number.isInteger(value) ? 0 : 2) : String(value))))));
}

async function roll() {
  const found = await call("qless/roll", {});
  go({ ...position, roll: found.roll, grid: rowsOf("") });
}

/** Show solutions as they are found. A click on one puts it on the grid. */
async function solve() {
  searching?.abort();
  searching = new AbortController();
  const list = el("div", { class: "solutions" });
  let count = 0;
  const title = el("h2", {}, "solutions");
  fill(byId("solutions"), title, el("div", { class: "buttons" }, el("button", { type: "button", onclick: () => searching?.abort() }, "stop")), list);
  try {
    const found = await follow("qless/solve", { ...(await typed("qless/solve", position.options)), roll: position.roll, max_solutions: 1000 }, (name, content) => {
      if (name === "job") { // also when a request that failed is made again
        count = 0;
        list.replaceChildren();
      }
      if (name !== "object" || !content.grid) return;
      count += 1;
      fill(title, `${figure(count)} solutions so far`);
      if (count <= SHOWN) list.append(small(content.grid));
    }, searching.signal);
    say("");
    fill(title, found.solutions ? `${figure(found.solutions)} solution${found.solutions === 1 ? "" : "s"}${found.complete ? "" : " or more"}` : "no solution, proven");
    for (const each of list.children) mark(each, found.doubtful);
    list.prepend(...[...list.children].filter((each) => !each.dataset.doubtful));
  } catch (error) {
    if (error.name === "AbortError") say("stopped");
    else throw error;
  }
}

/** Say below a solution which of its words are only in some dictionaries. */
function mark(solution, doubtful) {
  const rows = solution.dataset.grid.split("/");
  const columns = [...rows[0]].map((_, c) => rows.map((row) => row[c] ?? ".").join(""));
  const known = new Set(doubtful);
  const rare = [...rows, ...columns].flatMap((line) => line.split(".")).filter((run) => known.has(run));
  if (!rare.length) return;
  solution.dataset.doubtful = "yes";
  solution.append(el("span", { class: "note" }, `only in some dictionaries: ${[...new Set(rare)].join(" ")}`));
}

function small(grid) {
  return el("button", { type: "button", class: "small", "data-grid": grid, "aria-label": `put ${grid} on the grid`, onclick: () => {
    const rows = grid.split("/");
    const [above, before] = [Math.min(1, SIZE - rows.length), Math.min(2, SIZE - Math.max(...rows.map((row) => row.length)))];
    go({ ...position, grid: rowsOf("/".repeat(above) + rows.map((row) => ".".repeat(before) + row).join("/")) });
  } }, el("pre", {}, grid.replaceAll("/", "\n").replaceAll(".", " ")));
}

addEventListener("keydown", key);
