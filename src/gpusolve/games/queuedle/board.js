// The Queuedle board: slide letters into the grid, watch the words that form, and let a search find the best board.

import { call, follow } from "/static/lib/api.js";
import { attempt, board, items, say, wanted } from "/static/lib/board.js";
import { answers, byId, choice, counted, el, figure, fill, words } from "/static/lib/dom.js";
import { drag, shift } from "/static/lib/drag.js";
import { isTaken, oneStop, rove } from "/static/lib/keys.js";
import { glide } from "/static/lib/motion.js";
import { moveList } from "/static/lib/moves.js";
import { optionsIn, showOptions, typed } from "/static/lib/options.js";
import { pasting } from "/static/lib/paste.js";
import { timeline } from "/static/lib/timeline.js";

const GRID = "fndoi/eedgr/aadqs/oeilx/eyatg";
const QUEUE = "aikiueieexuatov";
const CELLS = 25; // of the site's grid
const SITE_QUEUE = 15;
const OWN = ["grid", "queue", "moves", "day"]; // what the board has in forms of its own
const FIXED = ["puzzle", "zone", "puzzle_dictionary", "time_limit", "hidden"]; // what it gives by itself
const QUICK = 2; // seconds for the answer that comes by itself
const NEXT = 6; // slides that are shown at most
const OPPOSITE = { u: "d", d: "u", l: "r", r: "l" };
const ARROWS = { u: "\u25b2\ufe0e", d: "\u25bc\ufe0e", l: "\u25c0\ufe0e", r: "\u25b6\ufe0e" };
const STEPS = { u: [0, -1], d: [0, 1], l: [-1, 0], r: [1, 0] };
const NAMES = { u: "up", d: "down", l: "left", r: "right" };
const nameOf = ([kind, number]) => `${"ud".includes(kind) ? "column" : "row"} ${number} ${NAMES[kind]}`;
const signOf = ([kind, number]) => `${ARROWS[kind]} ${number}`;
const MOVES = /^[udlr][1-6]$/;
let position;
let searching = null;
let seconds = "10";
let line = 1; // the number of the row and the column that the arrow keys slide
let pulled = 0; // how far a drag has brought a line, in pixels

let best = null; // the best score within reach that is known for this position

const pasteButton = pasting("the 25 letters of the site's grid, and then those of the queue that it shows; or slides such as r3 u2", take);
const go = board({
  hint: "Slide a row or a column with the arrows or by dragging: the next letter of the queue comes in. A line keeps its first direction. Paste the site's grid to get its whole queue.",
  brief: "Drag a row or a column to slide it.",
  keys: [["1-6", "choose a row and a column by their number"], ["arrows", "slide the chosen row or column"], ["Backspace", "take the last slide back"]],
  panels: ["search", "result", "next", "state", "day"],
  answers: ["next"],
  read: (given, wrong) => {
    const isGrid = isSquare(given.get("grid") ?? GRID);
    const isQueue = /^[a-z]*$/.test(given.get("queue") ?? "");
    if (!isGrid) wrong("grid");
    if (!isQueue) wrong("queue");
    const [grid, queue] = isGrid && isQueue ? [given.get("grid") ?? GRID, given.get("queue") ?? (given.has("grid") ? "" : QUEUE)] : [GRID, QUEUE];
    const moves = items(given.get("moves"), ".", (move) => (MOVES.test(move) && Number(move[1]) <= grid.split("/").length ? move : null), () => wrong("moves"));
    if (moves.length > queue.length) wrong("moves");
    const day = given.get("day") ?? ""; // the day on which the grid is the puzzle, with our words
    return { grid, queue, moves: moves.slice(0, queue.length), day, options: optionsIn(given, OWN) };
  },
  write: ({ grid, queue, moves, day, options }) => ({ ...options, grid, queue, moves: moves.join("."), day }),
  show,
  reset: (given) => ({ ...given, moves: [] }),
});

/** Return whether a text is a grid: 3 to 6 rows of as many letters. */
function isSquare(text) {
  const rows = text.split("/");
  return rows.length >= 3 && rows.length <= 6 && rows.every((row) => row.length === rows.length && /^[a-z]+$/.test(row));
}

function show(given, signal) {
  searching?.abort();
  best = null;
  const made = position && position.grid === given.grid && position.queue === given.queue && given.moves.length === position.moves.length + 1;
  position = given;
  const queue = position.queue.slice(position.moves.length);
  fill(byId("search"));
  fill(byId("result"));
  fill(byId("next"));
  draw(slid(position.moves), queue);
  if (made) slideIn(position.moves.at(-1));
  signal.addEventListener("abort", () => searching?.abort());
  attempt(() => check(signal));
  attempt(() => suggestNext(signal));
  fill(byId("day"));
  if (position.day) attempt(() => tellDay(signal));
}

/** Return a slide as lists of moves show it. */
const labelled = (move) => ({ text: signOf(move), name: nameOf(move) });

/** Return the rows after these moves. */
function slid(moves) {
  let rows = position.grid.split("/");
  moves.forEach((move, i) => {
    const line = Number(move[1]) - 1;
    const letter = position.queue[i] ?? "";
    if (move[0] === "l") rows = rows.map((row, n) => (n === line ? row.slice(1) + letter : row));
    else if (move[0] === "r") rows = rows.map((row, n) => (n === line ? letter + row.slice(0, -1) : row));
    else {
      const column = rows.map((row) => row[line]).join("");
      const after = move[0] === "u" ? column.slice(1) + letter : letter + column.slice(0, -1);
      rows = rows.map((row, n) => row.slice(0, line) + after[n] + row.slice(line + 1));
    }
  });
  return rows;
}

function allowed(move) {
  const { moves, queue } = position;
  return moves.length < queue.length && !moves.includes(OPPOSITE[move[0]] + move[1]);
}

function slide(move) {
  line = Number(move[1]);
  if (allowed(move)) go({ ...position, moves: [...position.moves, move] });
  else say(position.moves.length < position.queue.length ? `${"ud".includes(move[0]) ? "column" : "row"} ${move[1]} slides only the other way` : "the queue is empty", "error");
}

/** Let a line glide to where a slide has brought it, from where it was or where it was let go. */
function slideIn([kind, number]) {
  const cells = [...byId("game").querySelectorAll(`[data-${"lr".includes(kind) ? "row" : "column"}="${number}"]`)];
  const left = cells[0].offsetWidth + 4 - pulled;
  const [right, down] = STEPS[kind];
  glide(cells, -right * left, -down * left);
  pulled = 0;
}

/** Show the next slides of the best line that a short search finds, and mark the first one on the board. */
async function suggestNext(signal) {
  const { moves, queue } = position;
  if (moves.length >= queue.length) return;
  await wanted(signal);
  fill(byId("next"), el("p", { class: "note pending" }, "looking for the next slides"));
  const fields = await chosen("queuedle/solve");
  const seed = fields.strategy === "best-first" ? {} : { seed: 1 };
  offer(await follow("queuedle/solve", { ...seed, ...fields, moves: moves.join(" "), time_limit: QUICK }, (name, content) => {
    if (name === "interim") offer(content);
  }, signal));
}

/** Show the next slides of a line from this position, unless a better one is shown already. */
function offer({ score, moves: line, proven = false }) {
  const { moves } = position;
  if (best && (best.score > score || (best.score === score && (best.proven || !proven)))) return;
  best = { score, proven };
  const next = line.slice(moves.length, moves.length + NEXT);
  if (!next.length) return fill(byId("next"), el("p", {}, `no slide leads to more than ${figure(score)} points${proven ? "" : ", as far as a quick search tells"}`));
  document.querySelectorAll("#game .arrow").forEach((arrow) => arrow.classList.toggle("best", arrow.dataset.move === next[0]));
  const buttons = next.map((move, i) => el("button", { type: "button", class: i ? "" : "main", "aria-label": `slide ${nameOf(move)}${i ? `, move ${i + 1}` : ""}`, onclick: () => go({ ...position, moves: [...moves, ...next.slice(0, i + 1)] }) }, signOf(move)));
  fill(byId("next"), el("p", {}, el("b", {}, counted(score, "point")), ` within reach${proven ? ", proven" : ", at least"}`), rove(el("div", { class: "buttons next", role: "group", "aria-label": "the next slides" }, buttons)));
}

/** Draw a board. It is locked unless it is the position: a step of a solution, or the best board so far. */
function draw(rows, queue, locked = false) {
  const size = rows.length;
  const arrow = (kind, line) =>
    el("button", {
      type: "button",
      class: "arrow",
      "aria-label": `slide ${nameOf(kind + line)}`,
      "data-move": kind + line,
      disabled: locked || !allowed(kind + line),
      onclick: () => slide(kind + line),
    }, ARROWS[kind]);
  const grid = el("div", { class: `grid ${locked ? "" : "own"} slides`, role: "group", "aria-label": rows.join(", ") });
  grid.style.setProperty("--columns", size + 2);
  const lines = Array.from({ length: size }, (_, i) => i + 1);
  const edge = (kind) => [el("span"), ...lines.map((line) => arrow(kind, line)), el("span")];
  grid.append(...edge("u"));
  rows.forEach((row, n) => {
    grid.append(arrow("l", n + 1), ...[...row].map((letter, column) => el("span", { class: "cell", "data-row": n + 1, "data-column": column + 1 }, letter)), arrow("r", n + 1));
  });
  grid.append(...edge("d"));
  if (!locked) grid.addEventListener("pointerdown", pull);
  const text = el("input", { type: "text", value: position.grid, id: "grid", onchange: enter });
  const rest = el("input", { type: "text", value: position.queue, id: "queue", onchange: enter });
  const isHidden = size ** 2 === CELLS && position.queue.length < SITE_QUEUE;
  const button = (label, work) => el("button", { type: "button", onclick: () => attempt(work) }, label);
  fill(
    byId("game"),
    oneStop(grid),
    el("p", { class: "queue words", "aria-label": `queue: ${queue || "empty"}`, role: "img" }, queue ? [...queue].map((letter) => el("span", {}, letter)) : "the queue is empty"),
    rove(el("div", { class: "buttons" },
      el("button", { type: "button", class: "main", onclick: () => attempt(solve) }, "find the best board"), button("today", daily), pasteButton("paste"),
      isHidden && button("find the whole queue of this grid", () => findDay(position.grid + position.queue)),
      isHidden && position.moves.length < position.queue.length && button("the next slide, with the rest hidden", suggest))),
  );
  showOptions(
    { paths: ["queuedle/check", "queuedle/solve", "queuedle/suggest"], own: [...OWN, ...FIXED], options: position.options, change: (options) => go({ ...position, options }) },
    choice("seconds for a search", ["2", "10", "60", "300"], seconds, (value) => { seconds = value; }),
    el("label", { class: "line", for: "grid" }, "grid", text),
    el("label", { class: "line", for: "queue" }, "queue", rest),
  );
}

const lettersOf = (text) => text.toLowerCase().replace(/[\s,;|/]+/g, "");

function enter() {
  const typed = byId("grid").value.trim().toLowerCase().replace(/[\s,]+/g, "/");
  const length = Math.sqrt(lettersOf(typed).length);
  const grid = [3, 4, 5, 6].includes(length) ? lettersOf(typed).match(new RegExp(`.{${length}}`, "g")).join("/") : typed;
  if (!isSquare(grid)) return say("expected 3 to 6 rows of as many letters, separated by /", "error");
  const queue = lettersOf(byId("queue").value);
  const wrong = /[^a-z]/.exec(queue);
  if (wrong) return say(`the queue has ${wrong[0]}: expected letters a-z`, "error");
  go({ ...position, grid, queue, moves: [], day: "" });
}

/** Go to the site's puzzle with the letters in a text, or play the slides in it, and return what was read. */
async function take(text) {
  const moves = text.toLowerCase().split(/[\s,.;]+/).filter(Boolean);
  if (moves.every((move) => MOVES.test(move) && Number(move[1]) <= position.grid.split("/").length)) {
    go({ ...position, moves: moves.slice(0, position.queue.length) });
    return counted(position.moves.length, "slide");
  }
  const letters = lettersOf(text);
  if (!/^[a-z]+$/.test(letters) || letters.length < CELLS || letters.length > CELLS + SITE_QUEUE) return "";
  await findDay(letters);
  return `${CELLS} letters of the grid${letters.length > CELLS ? ` and ${letters.length - CELLS} of the queue` : ""}`;
}

/** A drag that starts in the grid slides the row or the column in which it started. */
function pull(event) {
  const { row, column } = event.target.dataset;
  if (!row) return;
  const line = (name, number) => event.currentTarget.querySelectorAll(`[data-${name}="${number}"]`);
  const size = event.target.offsetWidth + 4;
  const near = (pixels) => Math.max(-size, Math.min(size, pixels));
  const lines = [line("row", row), line("column", column)];
  const along = (right, down) => Math.abs(right) > Math.abs(down);
  drag(event, {
    move: (right, down) => {
      lines.forEach((each) => shift(each, 0, 0));
      if (along(right, down)) shift(lines[0], near(right), 0);
      else shift(lines[1], 0, near(down));
    },
    drop: (_, right, down) => {
      const move = along(right, down) ? (right > 0 ? "r" : "l") + row : (down > 0 ? "d" : "u") + column;
      pulled = allowed(move) ? Math.abs(near(along(right, down) ? right : down)) : 0;
      slide(move);
    },
  });
}

/** Return the fields of a request that say which puzzle it is, and the options that the command has. */
async function chosen(path) {
  return { ...(await typed(path, position.options)), puzzle: `${position.grid} ${position.queue}` };
}

/** Return the puzzle of a day that a browser in this zone has, with the words that the options name. */
async function puzzleOf(day, signal) {
  const options = await typed("queuedle/daily", position.options);
  return call("queuedle/daily", { ...options, ...(day ? { day: [day] } : {}), zone: Intl.DateTimeFormat().resolvedOptions().timeZone }, signal);
}

async function daily() {
  const { grid, queue, date } = await puzzleOf();
  go({ ...position, grid: grid.join("/"), queue, moves: [], day: date });
}

/** Find the day on which the site shows these letters, and its whole queue. */
async function findDay(letters) {
  const { grid, queue, date, zone } = await call("queuedle/daily", { day: [letters] });
  go({ ...position, grid: grid.join("/"), queue, moves: [], day: "" });
  fill(byId("day"), el("p", {}, `the site's puzzle of ${date} in ${zone}: its whole queue is known`));
}

/** Say whose puzzle this is, and whether the site may have another one. */
async function tellDay(signal) {
  const { grid, queue, date, note } = await puzzleOf(position.day, signal);
  if (grid.join("/") !== position.grid || queue !== position.queue) return;
  fill(byId("day"), el("p", {}, `the puzzle of ${date}`), note && [el("p", { class: "note" }, note), el("div", { class: "buttons" }, pasteButton("paste the site's grid instead"))]);
}

/** Show the score and the words of the board, and light the words up. */
async function check(signal) {
  const { queue, moves } = position;
  const found = await call("queuedle/check", { ...(await chosen("queuedle/check")), moves: moves.join(" ") }, signal);
  const last = found.boards.at(-1);
  const list = moveList("your slides", moves.map(labelled), moves.length, (n) => go({ ...position, moves: moves.slice(0, n) }));
  fill(byId("state"), el("h2", { "data-share": "" }, `${counted(last.score, "point")} after ${moves.length} of ${queue.length} slides`), words(last.words.map(({ word }) => word)), list);
  light(last.words);
}

/** Mark the cells that belong to a word: lines are the rows, and then the columns. */
function light(entries) {
  const cells = [...document.querySelectorAll("#game [data-row]")];
  const size = Math.sqrt(cells.length);
  for (const { line, start, word } of entries) {
    const cellsOfLine = line < size ? cells.slice(line * size, (line + 1) * size) : cells.filter((_, n) => n % size === line - size);
    cellsOfLine.slice(start, start + word.length).forEach((cell) => cell.classList.add("home"));
  }
}

async function solve() {
  searching?.abort();
  const mine = new AbortController();
  const { signal } = mine;
  searching = mine;
  const { queue } = position;
  const stop = el("button", { type: "button", onclick: () => mine.abort() }, "stop");
  const found = el("p");
  fill(byId("search"), el("div", { class: "buttons" }, stop), found);
  try {
    const fields = await chosen("queuedle/solve");
    const seed = fields.strategy === "best-first" ? {} : { seed: 1 };
    const solution = await follow("queuedle/solve", { ...seed, ...fields, moves: position.moves.join(" "), time_limit: Number(seconds) }, (name, content) => {
      if (name !== "interim") return;
      offer(content);
      fill(found, `the best board so far: ${counted(content.score, "point")} in ${counted(content.moves.length, "slide")}`);
      draw(slid(content.moves), queue.slice(content.moves.length), true);
      attempt(() => lightUp(content.moves, signal));
    }, signal);
    say("");
    fill(byId("search"));
    offer(solution);
    showSolution(solution);
  } catch (error) {
    if (error.name !== "AbortError") throw error;
    stop.remove();
    say("stopped");
  } finally {
    mine.abort();
  }
}

/** Compare the next slides if the letters of the site's queue after the known ones are hidden. */
async function suggest() {
  searching?.abort();
  const mine = new AbortController();
  searching = mine;
  const hidden = SITE_QUEUE - position.queue.length;
  const fields = { ...(await chosen("queuedle/suggest")), moves: position.moves.join(" "), hidden, seed: 1 };
  const found = await follow("queuedle/suggest", { ...fields, puzzle: [fields.puzzle] }, null, mine.signal);
  say("");
  const columns = [{ name: "slide" }, { name: "expected", figure: true }, ...(found.exact ? [] : [{ name: "error", figure: true, title: "standard error" }])];
  const button = (move) => (move ? el("button", { type: "button", class: "small", "aria-label": nameOf(move), onclick: () => slide(move) }, signOf(move)) : "end the game");
  const rows = found.slides.map(({ move, expected, error }) => [button(move), figure(expected, 1), ...(found.exact ? [] : [figure(error, 1)])]);
  const about = found.exact ? "exact expected scores" : `means of ${found.samples} samples, as if the ${hidden} hidden letters were known after this slide`;
  fill(byId("result"), el("h2", {}, "The next slide"), answers(about, columns, rows));
}

/** Light up the words of the board after these slides, unless another one is shown by then. */
async function lightUp(moves, signal) {
  const shown = byId("game").firstChild;
  const { boards } = await call("queuedle/check", { ...(await chosen("queuedle/check")), moves: moves.join(" ") }, signal);
  if (byId("game").firstChild === shown) light(boards.at(-1).words);
}

function showSolution(found) {
  const list = el("div");
  const steps = timeline("slide", found.boards.length - 1, at);
  function at(step) {
    const { grid, queue, score, words: entries } = found.boards[step];
    draw(grid, queue, true);
    light(entries);
    const moves = moveList("the best slides", found.moves.map(labelled), step, (n) => {
      steps.set(n);
      at(n);
    });
    fill(list, el("p", {}, `${counted(score, "point")} after ${counted(step, "slide")}`), words(entries.map(({ word }) => word)), moves);
  }
  steps.set(found.boards.length - 1);
  at(found.boards.length - 1);
  const proven = found.proven ? "which is proven to be the best" : "the best found";
  const use = el("button", { type: "button", onclick: () => go({ ...position, moves: found.moves }) }, "play these slides");
  const made = found.lost.map((lost, i) => `${signOf(found.moves[i])} lost ${figure(lost)}`).join(", ");
  const lost = made && el("p", { class: "lost" }, `your slides: ${made}${found.lost_proven ? "" : ", as far as a quick search tells"}`);
  fill(byId("result"), el("h2", {}, `${counted(found.score, "point")} in ${counted(found.moves.length, "slide")}, ${proven}`), lost, steps.element, list, use);
}

addEventListener("keydown", (event) => {
  if (isTaken(event) || event.target.closest?.("#answer")) return;
  const kind = { ArrowUp: "u", ArrowDown: "d", ArrowLeft: "l", ArrowRight: "r" }[event.key];
  const size = position.grid.split("/").length;
  if (kind) slide(kind + Math.min(line, size));
  else if (/^[1-6]$/.test(event.key) && Number(event.key) <= size) {
    line = Number(event.key);
    say(`row and column ${line}: an arrow key slides it`);
  } else if (event.key === "Backspace" && position.moves.length) go({ ...position, moves: position.moves.slice(0, -1) });
  else return;
  event.preventDefault();
});
