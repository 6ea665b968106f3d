// The Q-less board: lay twelve dice as a crossword that is checked as it grows; get hints, all solutions, a rating.

import { call, follow } from "/static/lib/api.js";
import { attempt, board, say, wanted } from "/static/lib/board.js";
import { byId, counted, el, figure, fill, fold, folded } from "/static/lib/dom.js";
import { drag, shift } from "/static/lib/drag.js";
import { isTaken, oneStop, rove } from "/static/lib/keys.js";
import { optionsIn, showOptions, typed } from "/static/lib/options.js";
import { pasting } from "/static/lib/paste.js";

const SIZE = 12;
const ROLL = "cddeeimprtwx";
const SHOWN = 60;
const MOST = 1000; // solutions that are looked for
const FEWEST = 3; // letters of a crossword
const FEW = 12; // solutions that are looked for without being asked
const ROLLS = /^[a-z]{3,14}$/; // what qless solve takes; other letters, with ? for a blank, are arranged
const SECONDS = 10; // for an arrangement
const TILES = /^[a-z?]{1,144}$/;
const OWN = ["roll", "grid"];
const FIXED = ["tiles", "words", "max_solutions", "time_limit", "top", "seed"]; // what it gives by itself
const REMEMBERED = "qless dictionary"; // the one chosen last, for a visit without one in the address
let position;
let cursor = [5, 2];
let downwards = false;
let searching = null;
let shown; // the signal that ends with the position

const pasteButton = pasting("the letters of a roll, or up to 144 tiles with ? for a blank", take);
const go = board({
  hint: "Drag letters onto the grid, or choose a cell and type; the space key changes the direction. All letters must form one crossword.",
  brief: "Drag letters, or tap a cell and then letters.",
  keys: [["arrows", "choose a cell"], ["a-z", "lay a letter"], ["Space", "change the direction"], ["Backspace", "take a letter back"]],
  panels: ["state", "help", "solutions"],
  answers: ["solutions"],
  read: (given, wrong) => {
    const roll = TILES.test(given.get("roll") ?? "") ? given.get("roll") : ROLL;
    if (given.has("roll") && roll !== given.get("roll")) wrong("roll");
    const asked = rowsOf(given.get("grid") ?? "");
    const grid = lettersOf(roll, asked);
    const rows = (given.get("grid") ?? "").split("/");
    if (String(grid) !== String(asked) || rows.length > SIZE || rows.some((row) => row.length > SIZE || !/^[a-z.]*$/.test(row))) wrong("grid");
    const options = optionsIn(given, OWN);
    if (!given.size && localStorage.getItem(REMEMBERED)) options.dictionary = localStorage.getItem(REMEMBERED);
    return { roll, grid, options };
  },
  write: ({ roll, grid, options }) => ({ ...options, roll, grid: grid.map((row) => row.join("").replace(/\.+$/, "")).join("/").replace(/\/+$/, "") }),
  show,
  reset: (given) => ({ ...given, grid: rowsOf("") }),
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
  signal.addEventListener("abort", () => searching?.abort());
  if (!ROLLS.test(position.roll)) return attempt(() => arrange(signal));
  draw();
  attempt(() => check(signal));
  attempt(async () => {
    await wanted(signal);
    await solve(FEW);
  });
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
  const button = (label, work) => el("button", { type: "button", onclick: () => attempt(work) }, label);
  fill(
    byId("game"),
    letters.length ? rove(el("div", { class: "hand", role: "group", "aria-label": "letters in hand" }, letters.map((letter) => el("button", {
      type: "button",
      class: "cell",
      onclick: () => type(letter),
      onpointerdown: (event) => carry(event, letter, null),
    }, letter)))) : el("p", {}, "all letters are on the grid"),
    oneStop(grid, cursor[0] * SIZE + cursor[1]),
    rove(el("div", { class: "buttons" }, button("hint", () => hint(1)), button("two words", () => hint(2)), button("how hard?", rate), button("roll", roll))),
  );
  settings(["qless/check", "qless/hint", "qless/rate", "qless/solve"]);
}

/** Show the options of some commands, and the field for the letters. */
function settings(paths) {
  const text = el("input", { type: "text", id: "roll", value: position.roll, onchange: () => attempt(async () => enter(text.value)) });
  const change = (options) => {
    localStorage.setItem(REMEMBERED, options.dictionary ?? "");
    go({ ...position, options });
  };
  showOptions({ paths, own: [...OWN, ...FIXED], first: ["dictionary"], options: position.options, change }, el("label", { class: "line" }, "letters: 3 to 14 of a roll, or up to 144 tiles with ? for a blank", text), pasteButton("paste letters"));
}

/** Go to the letters in a text, and return what was read. */
function take(text) {
  enter(text);
  return counted(position.roll.length, "letter");
}

function enter(text) {
  const roll = text.toLowerCase().replace(/[\s,]+/g, "");
  if (!TILES.test(roll)) throw new Error("expected 1 to 144 letters, with ? for a blank");
  go({ ...position, roll, grid: rowsOf("") });
}

/** Show a crossword of more tiles than a roll has, or with blanks. */
async function arrange(signal) {
  fill(byId("state"));
  fill(byId("game"), el("p", {}, `${position.roll.length} tiles`), el("p", { class: "words" }, [...position.roll].sort().join(" ")));
  settings(["qless/arrange"]);
  const found = await follow("qless/arrange", { ...(await typed("qless/arrange", position.options)), tiles: position.roll, seed: 1, time_limit: SECONDS }, null, signal);
  say("");
  if (!found.grid) return fill(byId("state"), el("p", {}, found.unsolvable || "no arrangement found within the time"));
  const rows = found.grid.split("/");
  const grid = el("div", { class: "grid crossword", role: "img", "aria-label": rows.join(", ") });
  grid.style.setProperty("--columns", rows[0].length);
  rows.forEach((row) => grid.append(el("div", { role: "row" }, [...row].map((letter) => el("span", { class: `cell ${letter === "." ? "gap" : ""}` }, letter === "." ? "" : letter)))));
  byId("game").prepend(grid);
  fill(byId("state"), el("h2", {}, `All ${position.roll.length} tiles in ${found.words.length} words`), el("p", { class: "words" }, marked(found.words, found.doubtful)), explained(found.words, found.doubtful), found.blanks && el("p", { class: "note" }, `blanks: ${found.blanks}`));
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
  if (isTaken(event) || !ROLLS.test(position.roll)) return;
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
  if (placed < FEWEST) return fill(byId("state"));
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
  const { solutions, shapes, everyday_solutions: everyday, shapes_tried: tried, on_dice: possible, difficulty } = found;
  const facts = [
    ["difficulty", difficulty === null ? "no solution of everyday words was found" : /day$/.test(difficulty) ? `as hard as a ${difficulty[0].toUpperCase()}${difficulty.slice(1)}` : difficulty],
    ["solutions", figure(solutions)],
    ["solutions of everyday words", figure(everyday)],
    ["shapes of solutions", figure(shapes)],
    ["shapes to try for ten solutions of everyday words", tried === null ? "there are fewer than ten" : figure(tried)],
    ["can be rolled with the dice", possible ? "yes" : "no"],
  ];
  fill(byId("help"), el("dl", {}, facts.map(([name, value]) => el("div", {}, el("dt", {}, name), el("dd", {}, value)))));
}

async function roll() {
  const found = await call("qless/roll", {});
  go({ ...position, roll: found.roll, grid: rowsOf("") });
}

/** Show solutions as they are found, up to a number or all. A click on one puts it on the grid. */
async function solve(most) {
  searching?.abort();
  const { signal } = searching = new AbortController();
  const list = el("div", { class: "solutions foldable" });
  let count = 0;
  const title = el("h2", {}, "solutions");
  const stop = el("div", { class: "buttons" }, el("button", { type: "button", onclick: () => searching?.abort() }, "stop"));
  fill(byId("solutions"), title, !most && stop, list);
  try {
    const found = await follow("qless/solve", { ...(await typed("qless/solve", position.options)), roll: position.roll, max_solutions: most ?? MOST }, (name, content) => {
      if (name === "job") { // also when a request that failed is made again
        count = 0;
        list.replaceChildren();
      }
      if (name !== "object" || !content.grid) return;
      count += 1;
      fill(title, `${figure(count)} solutions so far`);
      if (count <= SHOWN) list.append(small(content.grid));
    }, signal);
    if (!most) say("");
    stop.remove();
    fill(title, found.solutions ? `${figure(found.solutions)} solution${found.solutions === 1 ? "" : "s"}${found.complete ? "" : " or more"}` : "no solution, proven");
    for (const each of list.children) mark(each, found.doubtful);
    list.prepend(...[...list.children].filter((each) => !each.dataset.doubtful));
    [...list.children].forEach((each, i) => folded(i) && each.classList.add(folded(i)));
    rove(list).after(...fold(list, list.children.length));
    if (most && !found.complete) byId("solutions").append(el("div", { class: "buttons" }, el("button", { type: "button", onclick: () => attempt(() => solve()) }, "all solutions")));
  } catch (error) {
    if (error.name !== "AbortError") throw error;
    stop.remove();
    if (!most && !shown.aborted) say("stopped");
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
