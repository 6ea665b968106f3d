// The board for sliding tiles: move tiles by hand, let a search find a shortest solution, and step through it.

import { call, follow } from "/static/lib/api.js";
import { attempt, board, say, wanted } from "/static/lib/board.js";
import { byId, choice, counted, el, figure, fill, table } from "/static/lib/dom.js";
import { drag, shift } from "/static/lib/drag.js";
import { isTaken, oneStop, rove } from "/static/lib/keys.js";
import { glide } from "/static/lib/motion.js";
import { moveList } from "/static/lib/moves.js";
import { optionsIn, showOptions, typed } from "/static/lib/options.js";
import { pasting } from "/static/lib/paste.js";
import { timeline } from "/static/lib/timeline.js";

const SIDES = [2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12];
const fits = ([rows, columns]) => rows * columns <= 25 || Math.max(rows, columns) <= 7;
const SHAPES = SIDES.flatMap((rows) => SIDES.map((columns) => [rows, columns])).filter(fits);
const SIZES = SHAPES.map(([rows, columns]) => [`${rows}x${columns}`, `${rows} x ${columns}`]);
const GOALS = [["blank-first", "gap first"], ["blank-last", "gap last"], ["columns", "columns"], ["snake", "snake"], ["spiral", "spiral"]];
const STEPS = { U: [-1, 0], D: [1, 0], L: [0, -1], R: [0, 1] }; // of the gap
const BACK = { U: "D", D: "U", L: "R", R: "L" };
const ARROWS = { ArrowUp: "D", ArrowDown: "U", ArrowLeft: "R", ArrowRight: "L" }; // an arrow moves a tile
const POINTERS = { U: "\u2191", D: "\u2193", L: "\u2190", R: "\u2192" };
const WAYS = { U: "up", D: "down", L: "left", R: "right" };
const NEXT = 6; // moves that are shown at most
const START = "8 6 7 2 5 4 3 0 1";
const OWN = ["size", "board", "moves", "solution", "goal"]; // what the board has in forms of its own
const QUICK = 3; // seconds for the answer that comes by itself
const LARGE = 16; // boards with more cells take long, so as few of them as possible are solved
let position;
let solving = null;
let steps = null;
let showing = false; // a step of the solution, instead of the position
let shown = []; // the tiles as they are drawn
let pulled = 0; // how far a drag has brought the tiles, in pixels
let wrong = new Set(); // the moves by hand that led away from the goal

const pasteButton = pasting("the tiles of a board, row by row with 0 for the gap, or moves of the gap such as RDLU", take);
const go = board({
  hint: "Click or drag a tile in the row or column of the gap, or use the arrow keys. Solve finds a shortest solution and proves it.",
  brief: "Tap or drag a tile beside the gap.",
  keys: [["arrows", "slide the tile that lies on the other side of the gap"]],
  panels: ["next", "result", "search"],
  answers: ["next"],
  read: (given, wrong) => {
    const [rows, columns] = (given.get("size") ?? "3x3").split("x").map(Number);
    const [tiles, goal, options] = [numbers(given.get("board") ?? START), given.get("goal") || "blank-first", optionsIn(given, OWN)];
    const faults = [
      [!named(SIZES, `${rows}x${columns}`), "size"],
      [rows * columns !== tiles.length || !alike(tiles, goal), "board"],
      [!named(GOALS, goal) && numbers(goal).length !== rows * columns, "goal"],
      [/[^UDLR]/.test(given.get("moves") ?? ""), "moves"],
      [/[^UDLR]/.test(given.get("solution") ?? ""), "solution"],
    ].filter(([is]) => is).map(([, name]) => name);
    const start = { rows: 3, columns: 3, tiles: numbers(START), goal: "blank-first", moves: "", solution: "", options };
    faults.forEach(wrong);
    if (faults.length) return start;
    return { rows, columns, tiles, goal, moves: given.get("moves") ?? "", solution: given.get("solution") ?? "", options };
  },
  write: ({ rows, columns, tiles, goal, moves, solution, options }) => ({
    ...options,
    size: `${rows}x${columns}`,
    board: tiles.join("."),
    goal: goal === "blank-first" ? "" : goal,
    moves,
    solution,
  }),
  show,
  reset: (given) => ({ ...given, moves: "", solution: "" }),
});

function named(choices, name) {
  return choices.some((each) => [each].flat()[0] === name);
}

function numbers(text) {
  return text.split(/[^\d]+/).filter(Boolean).map(Number);
}

function inOrder(tiles) {
  return [...tiles].sort((a, b) => a - b);
}

/** Return whether tiles are those of a goal: each number once, unless the goal is written out. */
function alike(tiles, goal) {
  const expected = named(GOALS, goal) ? tiles.map((_, i) => i) : inOrder(numbers(goal));
  return inOrder(tiles).every((tile, i) => tile === expected[i]) && tiles.filter((tile) => tile === 0).length === 1;
}

/** Return the tile of each cell in the goal. */
function goalTiles({ rows, columns, tiles, goal } = position) {
  if (!named(GOALS, goal)) return numbers(goal);
  const order = inOrder(tiles).slice(1);
  if (goal === "blank-first") return [0, ...order];
  let lines = Array.from({ length: rows }, (_, row) => Array.from({ length: columns }, (_, column) => row * columns + column));
  const turned = (all) => all[0]?.map((_, i) => all.map((line) => line[i])) ?? [];
  let cells = lines.flatMap((line, row) => (goal === "snake" && row % 2 ? line.reverse() : line));
  if (goal === "columns") cells = turned(lines).flat();
  if (goal === "spiral") for (cells = []; lines.length; lines = turned(lines).reverse()) cells.push(...lines.shift());
  const solved = Array(tiles.length).fill(0);
  order.forEach((tile, i) => (solved[cells[i]] = tile));
  return solved;
}

function show(given, signal) {
  solving?.abort();
  solving = null;
  position = given;
  const here = walk(position.tiles, position.moves);
  steps?.stop();
  steps = null;
  wrong = new Set();
  fill(byId("next"));
  fill(byId("search"));
  draw(here);
  fill(byId("result"));
  if (position.solution) showSolution(here);
  else {
    showOwn(here);
    attempt(() => suggest(here, signal));
  }
  signal.addEventListener("abort", () => solving?.abort());
}

function made() {
  return position.moves.length;
}

function isHome(tiles) {
  const solved = goalTiles();
  return tiles.every((tile, cell) => tile === solved[cell]);
}

/** Show the moves that were made by hand. */
function showOwn(here) {
  if (!made()) return;
  const list = moveList("your moves", labels(position.tiles, position.moves), made(), (n) => go({ ...position, moves: position.moves.slice(0, n) }), wrong);
  const compared = el("button", { type: "button", onclick: () => attempt(compare) }, "compare with the optimum");
  const title = `${isHome(here) ? "solved in " : ""}${counted(made(), "move")}`;
  fill(byId("result"), el("h2", {}, title), el("div", { class: "buttons" }, compared), el("div", { id: "compared" }), list);
}

/** Return the tiles after moves of the gap. A move that leads off the board is left out. */
function walk(tiles, moves) {
  let now = tiles;
  for (const move of moves) now = moved(now, move) ?? now;
  return now;
}

/** Return the tiles after one move of the gap, or null if it leads off the board. */
function moved(tiles, move) {
  const gap = tiles.indexOf(0);
  const [down, right] = STEPS[move];
  const row = Math.floor(gap / position.columns) + down;
  const column = (gap % position.columns) + right;
  if (row < 0 || row >= position.rows || column < 0 || column >= position.columns) return null;
  const after = [...tiles];
  const from = row * position.columns + column;
  [after[gap], after[from]] = [after[from], 0];
  return after;
}

/** Return the moves of the gap that bring it to a cell of its row or column, or nothing. */
function towards(tiles, cell) {
  const gap = tiles.indexOf(0);
  const [row, column] = [Math.floor(gap / position.columns), gap % position.columns];
  const [toRow, toColumn] = [Math.floor(cell / position.columns), cell % position.columns];
  if (row === toRow) return (toColumn > column ? "R" : "L").repeat(Math.abs(toColumn - column));
  if (column === toColumn) return (toRow > row ? "D" : "U").repeat(Math.abs(toRow - row));
  return "";
}

function play(moves) {
  const all = position.moves;
  if (moves.length === 1 && BACK[moves] === all.at(-1)) go({ ...position, moves: all.slice(0, -1), solution: "" });
  else if (moves) go({ ...position, moves: all + moves, solution: "" });
}

/** Show the best next moves: those of the best solution that a short search finds. */
async function suggest(here, signal) {
  if (isHome(here)) return fill(byId("next"), el("h2", {}, "This is the goal"));
  await wanted(signal);
  const show = (moves, about) => {
    const first = labels(here, moves.slice(0, NEXT));
    const buttons = first.map(({ text, name }, i) => el("button", { type: "button", class: i ? "" : "main", "aria-label": name, onclick: () => play(moves.slice(0, i + 1)) }, text));
    fill(byId("next"), el("h2", {}, `${counted(moves.length, "move")} to the goal`), el("p", { class: "note" }, about), rove(el("div", { class: "buttons next", role: "group", "aria-label": "the next moves" }, buttons)));
  };
  fill(byId("next"), el("p", { class: "note pending" }, "looking for the next moves"));
  const fields = { ...(await typed("sliding/solve", position.options)), board: [asText(here)], goal: asGoal(position.goal), time_limit: QUICK };
  const found = await follow("sliding/solve", fields, (name, content) => {
    if (name === "interim" && content.moves) show(content.moves, `at most ${figure(content.ratio, 2)} times the optimum; the search goes on`);
  }, signal);
  if (found.moves) show(found.moves, found.proven ? "proven: no shorter solution exists" : `not proven: at least ${figure(found.lower_bound)}`);
  else if (!byId("next").querySelector("button")) fill(byId("next"), el("p", {}, `at least ${figure(found.lower_bound)} moves; solve searches on`));
}

/** Return what some moves of the gap do, each as {text, name}: the tile that slides, and where to. */
function labels(tiles, moves) {
  let now = tiles;
  return [...moves].map((move) => {
    const after = moved(now, move);
    if (!after) return { text: "\u2013", name: "no move" }; // it leads off the board
    const tile = after[now.indexOf(0)];
    now = after;
    return { text: `${tile} ${POINTERS[BACK[move]]}`, name: `tile ${tile} ${WAYS[BACK[move]]}` };
  });
}

/** Draw the board. It is locked while it shows a step of the solution. */
function draw(tiles, locked = false) {
  showing = locked;
  const grid = el("div", { class: "grid", role: "group", "aria-label": "board" });
  grid.style.setProperty("--columns", position.columns);
  const solved = goalTiles();
  tiles.forEach((tile, cell) => {
    const name = tile ? `tile ${tile}, row ${Math.floor(cell / position.columns) + 1}, column ${(cell % position.columns) + 1}` : "gap";
    const moves = locked ? "" : towards(tiles, cell);
    grid.append(
      el("button", {
        type: "button",
        class: `cell ${tile === 0 ? "gap" : tile === solved[cell] ? "home" : ""}`,
        "aria-label": name,
        disabled: !moves,
        onclick: () => play(moves),
        onpointerdown: (event) => slide(event, cell, moves),
      }, tile ? String(tile) : ""),
    );
  });
  const text = el("input", { type: "text", id: "text", value: tiles.join(" "), onchange: () => attempt(async () => enter(text.value)) });
  fill(
    byId("game"),
    oneStop(grid),
    rove(el("div", { class: "buttons" }, el("button", { type: "button", class: "main", disabled: locked, onclick: () => attempt(solve) }, "solve"), el("button", { type: "button", onclick: () => attempt(scramble) }, "scramble"), pasteButton("paste"))),
  );
  if (shown.length === tiles.length) slideIn([...grid.children], tiles);
  shown = tiles;
  const size = choice("size", SIZES, `${position.rows}x${position.columns}`, (size) => {
    const [rows, columns] = size.split("x").map(Number);
    const tiles = Array.from({ length: rows * columns }, (_, i) => i);
    const goal = named(GOALS, position.goal) ? position.goal : "blank-first";
    position = { ...position, rows, columns, tiles, goal, moves: "", solution: "" };
    attempt(scramble);
  });
  showOptions(
    { paths: ["sliding/solve"], own: [...OWN, "time_limit"], options: position.options, change: (options) => go({ ...position, options }) },
    size,
    choice("goal", named(GOALS, position.goal) ? GOALS : [...GOALS, [position.goal, "as written"]], position.goal, (goal) => go({ ...position, goal, solution: "" })),
    el("button", { type: "button", onclick: () => go({ ...position, goal: asText(tiles).replaceAll(" / ", "/").replaceAll(" ", "."), solution: "" }) }, "this board is the goal"),
    el("label", { class: "line" }, "tiles, row by row, 0 for the gap", text),
  );
}

/** Let the tiles that moved glide from where they were drawn, or were let go. */
function slideIn(cells, tiles) {
  const size = cells[0].offsetWidth + 4;
  const solved = goalTiles();
  tiles.forEach((tile, cell) => {
    const before = shown.indexOf(tile);
    const [right, down] = [(before % position.columns) - (cell % position.columns), Math.floor(before / position.columns) - Math.floor(cell / position.columns)];
    if (tile && Math.abs(right) + Math.abs(down) === 1) glide([cells[cell]], right * (size - pulled), down * (size - pulled));
  });
  pulled = 0;
}

/** Slide the tiles between the one that is dragged and the gap, as far as one cell. */
function slide(event, cell, moves) {
  if (!moves) return;
  const cells = [...event.currentTarget.parentElement.children];
  const gap = cells.findIndex((each) => each.classList.contains("gap"));
  const step = (gap - cell) / moves.length;
  const between = cells.filter((_, i) => i !== gap && (i - cell) * (i - gap) <= 0 && (i - cell) % step === 0);
  const [down, right] = STEPS[BACK[moves[0]]];
  const size = event.currentTarget.offsetWidth + 4;
  const far = (x, y) => Math.max(0, Math.min(size, x * right + y * down));
  drag(event, {
    move: (x, y) => shift(between, right * far(x, y), down * far(x, y)),
    drop: (_, x, y) => {
      if (far(x, y) <= size / 3) return;
      pulled = far(x, y);
      play(moves);
    },
  });
}

/** Enter the tiles or play the moves in a text, and return what was read. */
function take(text) {
  if (/^[UDLR\s]+$/i.test(text)) {
    play(text.toUpperCase().replace(/\s/g, ""));
    return counted(text.replace(/\s/g, "").length, "move");
  }
  if (!/^[\d_\s.,/|]+$/.test(text)) return "";
  enter(text);
  return counted(numbers(text.replaceAll("_", "0")).length, "cell");
}

function enter(text) {
  const tiles = numbers(text.replaceAll("_", "0"));
  const sizes = SHAPES.filter(([rows, columns]) => rows * columns === tiles.length);
  const lines = text.trim().split(/[/\n]/).length;
  const same = ([rows, columns]) => (lines > 1 ? rows === lines : rows === position.rows && columns === position.columns);
  const square = ([rows, columns]) => rows === columns;
  const size = sizes.find(same) ?? sizes.find(square) ?? sizes.find(([rows, columns]) => rows <= columns);
  if (!size || !alike(tiles, position.goal))
    throw new Error("expected each tile once, from 0 for the gap to the number of cells less one, or the tiles of the goal");
  const entered = { ...position, rows: size[0], columns: size[1], tiles, moves: "", solution: "" };
  const goal = [position.goal, "blank-last", "blank-first"].find((goal) => named(GOALS, goal) && reaches({ ...entered, goal }));
  go({ ...entered, goal: goal ?? position.goal });
}

/** Return whether moves lead from a board to its goal: each of them swaps the gap with a tile next to it. */
function reaches(board) {
  const solved = goalTiles(board);
  const cells = board.tiles.map((tile) => solved.indexOf(tile));
  let odd = 0;
  cells.forEach((cell, i) => (odd += cells.slice(i + 1).filter((later) => later < cell).length));
  const gap = board.tiles.indexOf(0);
  const steps = (cell) => Math.floor(cell / board.columns) + (cell % board.columns);
  return (odd + steps(gap) + steps(cells[gap])) % 2 === 0;
}

async function scramble() {
  const { rows, columns, goal } = position;
  const found = await call("sliding/scramble", { rows, columns, goal: asGoal(goal) });
  go({ ...position, tiles: found.boards[0], moves: "", solution: "" });
}

/** Return a goal as requests have it: a name, or the rows of its tiles. */
function asGoal(goal) {
  return named(GOALS, goal) ? goal : asText(numbers(goal));
}

function asText(tiles) {
  const { rows, columns } = position;
  return Array.from({ length: rows }, (_, row) => tiles.slice(row * columns, (row + 1) * columns).join(" ")).join(" / ");
}

/** Follow a request until it ends or someone stops it. Returns null if it was stopped. */
async function search(body, news) {
  solving?.abort();
  solving = new AbortController();
  const stop = el("button", { type: "button", onclick: () => solving?.abort() }, "stop");
  const rest = el("div");
  fill(byId("search"), el("div", { class: "buttons" }, stop), rest);
  try {
    const found = await follow("sliding/solve", { ...(await typed("sliding/solve", position.options)), ...body, goal: asGoal(position.goal) }, (name, content) => {
      news(name, content, rest);
    }, solving.signal);
    say("");
    return found;
  } catch (error) {
    if (error.name !== "AbortError") throw error;
    say("stopped");
    return null;
  } finally {
    stop.remove();
  }
}

async function solve() {
  const here = walk(position.tiles, position.moves);
  const bounds = [];
  let first = "";
  const found = await search({ board: [asText(here)] }, (name, content, rest) => {
    if (name === "job") bounds.length = 0; // also when a request that failed is made again
    if (name !== "interim") return;
    if (content.moves) first = `first answer: ${figure(content.moves.length)} moves, at most ${figure(content.ratio, 2)} times the optimum`;
    else bounds.push(content);
    fill(rest, el("p", {}, first), nodes(bounds));
  });
  if (!found) return;
  if (found.moves === null) say(`no solution yet: at least ${found.lower_bound} moves`);
  else if (found.moves === "") say("this is the goal");
  else go({ ...position, solution: found.moves });
  const proven = found.proven ? "proven: no shorter solution exists" : "not proven";
  fill(byId("search"), el("p", {}, `${figure(found.length)} moves, ${proven}; ${figure(found.expanded)} nodes`), nodes(found.bounds));
}

function nodes(bounds) {
  const columns = [{ name: "moves", figure: true }, { name: "nodes", figure: true }, { name: "seconds", figure: true }];
  const rows = bounds.map(({ bound, expanded, seconds }) => [figure(bound), figure(expanded), figure(seconds, 3)]);
  return table("nodes searched for each bound", columns, rows);
}

/**
 * Compare the moves by hand with the optimum: solve boards between them, and mark the moves that led away from the goal.
 *
 * A move changes the distance to the goal by one. So if the distance changes from one board to a later one by as many as
 * there are moves between them, all of these moves are alike; if not, the board in the middle is solved as well.
 */
async function compare() {
  const boards = [position.tiles];
  for (const move of position.moves) boards.push(moved(boards.at(-1), move) ?? boards.at(-1));
  const last = boards.length - 1;
  const lengths = Array(boards.length).fill(null);
  const ask = async (places) => {
    let solved = 0;
    await search({ board: places.map((at) => asText(boards[at])) }, (name, content) => {
      if (name === "job") solved = 0;
      if (name !== "object") return;
      lengths[places[solved++]] = content.length;
      say(`${figure(solved)} of ${figure(places.length)} boards solved`);
    });
    return places.every((at) => lengths[at] !== null);
  };
  const all = position.tiles.length <= LARGE;
  if (!(await ask(all ? [...lengths.keys()] : [0, last]))) return;
  let open = all ? [] : [[0, last]];
  showCompared(boards, lengths);
  while (open.length) {
    open = open.flatMap(([from, to]) => {
      const step = Math.sign(lengths[to] - lengths[from]);
      if (to - from > 1 && Math.abs(lengths[to] - lengths[from]) < to - from) return [[from, to]];
      for (let at = from + 1; at < to; at++) lengths[at] = lengths[at - 1] + step;
      return [];
    });
    const middle = ([from, to]) => Math.floor((from + to) / 2);
    const complete = !open.length || (await ask(open.map(middle)));
    if (!complete) return;
    open = open.flatMap(([from, to]) => [[from, middle([from, to])], [middle([from, to]), to]]);
    showCompared(boards, lengths);
  }
}

/** Show what the comparison has found: the lengths of shortest solutions, or null where one is not known. */
function showCompared(boards, lengths) {
  const [best, left] = [lengths[0], lengths.at(-1)];
  const more = made() + left - best;
  say("");
  wrong = new Set(lengths.flatMap((length, i) => (i && length !== null && lengths[i - 1] !== null && length > lengths[i - 1] ? [i] : [])));
  showOwn(boards.at(-1));
  const known = lengths.includes(null) ? "at least " : "";
  const away = wrong.size ? `; ${known}${figure(wrong.size)} of them led away from the goal` : "";
  const rest = left ? `, and ${figure(left)} more are needed` : "";
  fill(byId("compared"), el("p", {}, `The optimum is ${counted(best, "move")}. You made ${figure(made())}${away}${rest}: ${more ? `${figure(more)} more than the optimum` : "as few as possible"}.`));
}

/** Show the solution with a timeline. Moves made by hand before it are compared with it. */
function showSolution(start) {
  const boards = [start];
  for (const move of position.solution) boards.push(moved(boards.at(-1), move) ?? boards.at(-1));
  const own = made() ? el("p", {}, `${figure(made())} moves by hand before, ${figure(made() + position.solution.length)} in all`) : "";
  const list = el("div");
  const mark = (at) => fill(list, moveList("the solution", labels(start, position.solution), at, (n) => {
    steps.set(n);
    step(n);
  }));
  const step = (at) => {
    draw(boards[at], at > 0);
    mark(at);
  };
  steps = timeline("move", boards.length - 1, step);
  mark(0);
  fill(byId("result"), el("h2", {}, `${counted(position.solution.length, "move")} to the goal`), own, steps.element, list);
}

addEventListener("keydown", (event) => {
  const move = ARROWS[event.key];
  if (!move || showing || isTaken(event) || event.target.closest?.("#answer")) return;
  event.preventDefault();
  if (moved(walk(position.tiles, position.moves), move)) play(move);
});
