// The Tetris board: paint or paste a position, see the ranked placements, place pieces, review a recorded game.

import { call, follow } from "/static/lib/api.js";
import { attempt, board, controls, say } from "/static/lib/board.js";
import { curve } from "/static/lib/curve.js";
import { byId, choice, el, figure, fill, percent, table } from "/static/lib/dom.js";
import { fieldsOf, optionsIn, showOptions, typed } from "/static/lib/options.js";
import { timeline } from "/static/lib/timeline.js";

const ROWS = 20;
const COLUMNS = 10;
const ABOVE = 2; // rows of the board that the console does not show
const PIECES = [..."ILJTZSO"];
const BOXES = { // the filled cells of each orientation's box, row by row, as in rules/board.py
  I: ["####", "#/#/#/#"], L: ["###/#", "##/.#/.#", "..#/###", "#/#/##"], J: ["###/..#", ".#/.#/##", "#/###", "##/#/#"],
  T: ["###/.#", ".#/##/.#", ".#/###", "#/##/#"], Z: ["##/.##", ".#/##/#"], S: [".##/##", "#/##/.#"], O: ["##/##"],
};
const RATES = ["30", "25", "20", "15", "12", "10"].map((rate) => [`${rate}hz`, `${rate} taps per second`]);
const REACHES = [["free", "unlimited time"], ...RATES, ["slow5", "five quick taps, then a pause"], ["das", "holding the button"]];
const TUCK = "+tuck";
const BINARY = "data:application/octet-stream;base64,"; // what a file's content begins with that is no text
const TURNED = { 1: ["as it comes"], 2: ["as it comes", "turned once"], 4: ["as it comes", "turned right", "turned twice", "turned left"] };
const CELLS = /^[.0_#1-9xXILJTZSOiljtzso-]+$/;
const SQUARES = [..."\u25a0\u2588\u{1f7e5}\u{1f7e7}\u{1f7e8}\u{1f7e9}\u{1f7e6}\u{1f7ea}\u{1f7eb}"];
const NO_SQUARES = [..."\u25a1\u2591\u2b1b\u2b1c"];
const THEIR_PIECES = [..."IOLJTSZ"]; // the numbers of pieces in addresses of StackRabbit
const FRAMES_PER_SECOND = 60.0988;
const GAMES = [["", "230 lines, to level 29"], ["430", "430 lines, to level 49"], ["double", "430 lines, two rows a drop from level 39 on"]];
const EMPTY = Array.from({ length: ROWS }, () => ".".repeat(COLUMNS));
const ALL = 40; // no piece has more placements
const OWN = ["board", "piece", "next", "lines", "level", "reach", "game", "from", "start", "at"]; // what the board has in forms of its own
const FIXED = ["following", "mine", "playouts", "top", "seed", "hz", "taps", "delay_ms", "max_lines", "double_killscreen"]; // what it gives by itself
const USUAL_START = 19; // the level at which games start unless somebody says otherwise
const AT_ONCE = 60; // placements of a recorded game that are judged by one request, so that the curve grows
const PAUSE = 300; // milliseconds between two pieces when it plays by itself
let position;
let painting = null; // what a drag paints
let playing = false;
let review = { turns: [], losses: [] };

addEventListener("popstate", () => { playing = false; });

const readAddress = (given) => ({
  rows: rowsOf(given.get("board") ?? "") ?? EMPTY,
  piece: PIECES.includes(given.get("piece")) ? given.get("piece") : "T",
  next: PIECES.includes(given.get("next")) ? given.get("next") : "",
  lines: integer(given.get("lines")) ?? 0,
  level: given.get("game") ? null : integer(given.get("level")), // the lines of a recorded game tell its levels
  reach: /^(free|das|(slow5|\d\d?hz|\d+(,\d+)*)(\+tuck)?)$/.test(given.get("reach") ?? "") ? given.get("reach") : "30hz",
  game: /^([ILJTZSO][0-9a-z]{2})+$/.test(given.get("game") ?? "") ? given.get("game") : "",
  from: given.get("from") ?? "", // the board and the lines with which the game begins, if not with an empty board
  start: integer(given.get("start")) ?? USUAL_START,
  at: integer(given.get("at")) ?? 0,
  options: optionsIn(given, OWN),
});

const go = board({
  hint: "Paint cells, or paste a board: rows of . and #, letters or squares, 200 digits, ten hexadecimal columns, an array, or an address of StackRabbit. Point at a placement to see it; click to place the piece.",
  panels: ["review", "presses", "placements", "plan"],
  read: readAddress,
  write: ({ rows, piece, next, lines, level, reach, game, from, start, at, options }) => {
    const settings = { ...options, level: level ?? "", reach: reach === "30hz" ? "" : reach };
    return game ? { ...settings, game, from, at: at || "", start: start === USUAL_START ? "" : start } : { ...settings, board: text(rows), piece, next, lines: lines || "" };
  },
  show,
});

/** Return a way to reach placements, with a last press at any moment if it is by tapping. */
function withTuck(rhythm, tuck) {
  return rhythm === "free" || rhythm === "das" ? rhythm : rhythm + tuck;
}

/** Return a number that somebody typed, or null; the server says which numbers are possible. */
function integer(given) {
  return /^\d{1,5}$/.test(given ?? "") ? Number(given) : null;
}

/** Return an array in JSON as rows of text, and other text as it is; `parse_board` reads the same. */
function unpacked(given) {
  if (!given.trim().startsWith("[")) return given;
  try {
    const value = JSON.parse(given);
    const rows = value.some((row) => Array.isArray(row) || typeof row === "string") ? value : [value];
    const cell = (each) => (typeof each === "string" ? each.trim() || "." : each ? "#" : ".");
    const lines = rows.map((row) => (Array.isArray(row) ? row.map(cell).join("") : String(row)));
    return lines.length === 1 ? lines[0] : lines.join("/");
  } catch {
    return "";
  }
}

/** Return the 20 rows of a board as text, in each form that `suggest` accepts; null if it is no board. */
function rowsOf(text) {
  const hasBlack = text.includes("\u2b1b"); // black squares are empty, and white ones only where there are no black ones
  const given = [...unpacked(text).replaceAll("\ufe0f", "")].map((mark) => (SQUARES.includes(mark) || (mark === "\u2b1c" && hasBlack) ? "#" : NO_SQUARES.includes(mark) ? "." : mark)).join("");
  const columns = given.trim().split(/[\s,]+/);
  if (columns.length === COLUMNS && columns.every((each) => /^(0x)?[0-9a-f]{1,6}$/i.test(each))) {
    const bits = columns.map((each) => Number.parseInt(each, 16));
    return Array.from({ length: ROWS }, (_, r) => bits.map((column) => ((column >> (ROWS - 1 - r)) & 1 ? "#" : ".")).join(""));
  }
  const cells = given.replace(/\s/g, "");
  const whole = !cells.includes("/") && CELLS.test(cells) && cells.length % COLUMNS === 0;
  const parts = whole ? cells.match(/.{10}/g) ?? [] : given.split(/[/\n\r]+/).map((row) => row.replace(/[|\s,]/g, "")).filter(Boolean);
  const seen = parts.slice(-ROWS);
  if (!seen.length || parts.length > ROWS + ABOVE || parts.some((row) => row.length !== COLUMNS || !CELLS.test(row))) return null;
  return [...EMPTY.slice(seen.length), ...seen.map((row) => row.replace(/[0_-]/g, ".").replace(/[^.]/g, "#"))];
}

/** Return the start level of a game with a level at a number of lines, "" for the usual one; from 19 on the lines tell the level. */
function startFor(level, lines) {
  return level === String(USUAL_START) || (Number(level) > USUAL_START && lines !== "0") ? "" : level;
}

/** Return what an address of StackRabbit or of this board says, as the parameters of an address of this board; else null. */
function parametersOf(address) {
  if (!address.includes("board=") || !address.includes("&")) return null;
  const given = new URLSearchParams(address.trim().replace(/^[^?]*\?/, ""));
  const piece = given.get("currentPiece");
  if (!piece) return given.has("piece") ? given : null;
  const letter = (name) => (/^[0-6]$/.test(name) ? THEIR_PIECES[Number(name)] : (name ?? "").toUpperCase());
  const timeline = given.get("inputFrameTimeline") ?? "";
  const frames = given.get("reactionTime");
  return new URLSearchParams(Object.entries({
    board: given.get("board"),
    piece: letter(piece),
    next: letter(given.get("nextPiece")),
    lines: given.get("lines") ?? "",
    start_level: startFor(given.get("level") ?? "", given.get("lines") ?? "0"),
    reach: /^X[.-]+$/.test(timeline) && 60 % timeline.length === 0 ? `${60 / timeline.length}hz` : "",
    delay_ms: frames && frames !== "0" ? String(Math.round((Number(frames) * 1000) / FRAMES_PER_SECOND)) : "",
  }).filter(([, value]) => value));
}

/** Return a board as text, without the empty rows at the top. */
function text(rows) {
  const first = rows.findIndex((row) => row.includes("#"));
  return first < 0 ? "" : rows.slice(first).join("/");
}

function show(given, signal) {
  position = given;
  fill(byId("presses"));
  if (position.game) openGame();
  else closeGame();
  draw();
  attempt(() => (playing ? playOn(signal) : suggest(signal)));
}

function draw() {
  const grid = el("div", { class: "grid well", role: "group", "aria-label": "board" });
  grid.style.setProperty("--columns", COLUMNS);
  position.rows.forEach((row, r) =>
    [...row].forEach((mark, c) =>
      grid.append(el("button", {
        type: "button",
        class: `cell ${mark === "#" ? "filled" : "gap"}`,
        tabIndex: r === ROWS - 1 && c === 0 ? 0 : -1,
        "data-row": r,
        "data-column": c,
        "aria-label": `row ${ROWS - r}, column ${c + 1}: ${mark === "#" ? "filled" : "empty"}`,
        onclick: (event) => event.detail === 0 && toggle(r, c),
      })),
    ),
  );
  grid.addEventListener("pointerdown", (event) => paint(event, true));
  grid.addEventListener("pointermove", (event) => painting && paint(event, false));
  grid.addEventListener("keydown", walk);
  const number = (label, value, change) =>
    el("label", {}, label, el("input", { type: "number", min: 0, value: value ?? "", onchange: (event) => change(integer(event.target.value)) }));
  const tuck = position.reach.endsWith(TUCK) ? TUCK : "", rhythm = position.reach.replace(TUCK, "");
  const file = el("input", { type: "file", accept: ".json,.ngf,.gz,application/json", onchange: () => attempt(() => openFile(file.files[0])) });
  fill(
    byId("game"),
    grid,
    el("div", { class: "options" },
      choice("piece", PIECES, position.piece, (piece) => edit({ piece })),
      choice("next piece", [["", "unknown"], ...PIECES], position.next, (next) => edit({ next })),
      choice("taps", REACHES.some(([name]) => name === rhythm) ? REACHES : [...REACHES, rhythm], rhythm, (reach) => go({ ...position, reach: withTuck(reach, tuck) })),
      choice("last press", [["", "in time with the taps"], [TUCK, "a tuck or a spin at any moment"]], tuck, (last) => go({ ...position, reach: withTuck(rhythm, last) })),
      choice("game", GAMES, gameOf(position.options), (game) => edit({}, rulesOfGame(game))),
      number("reaction time in ms", integer(position.options.delay_ms), (delay) => edit({}, { delay_ms: delay ? String(delay) : "" })),
      number("lines", position.lines, (lines) => edit({ lines: lines ?? 0 })),
      number("level, if not by lines", position.level, (level) => edit({ level }))),
    el("div", { class: "buttons" },
      el("button", { type: "button", class: "main", id: "auto", onclick: () => { playing = !playing; if (playing) edit({}); else go(position); } }, playing ? "stop" : "play on")),
    controls(() => edit({ rows: EMPTY, lines: 0 })),
    el("details", { open: Boolean(position.game) }, el("summary", {}, "games"),
      el("div", { class: "buttons" }, el("button", { type: "button", onclick: () => attempt(playGame) }, "play a game")),
      el("label", {}, "open a game that play --out wrote, or a recording by NestrisChamps (.ngf)", file)),
  );
  showOptions(["tetris/suggest", "tetris/play"], [...OWN, ...FIXED], position.options, (options) => go({ ...position, options }));
}

/** Change the position, or some rules. It is then no longer one of a recorded game, but has the same start level. */
function edit(change, changed = {}) {
  const options = Object.entries({ ...position.options, ...startOf(position), ...changed }).filter(([, value]) => value !== "");
  go({ ...position, options: Object.fromEntries(options), game: "", ...change });
}

/** Return which of GAMES the rules describe; null for another one. */
function gameOf({ max_lines: lines = "", double_killscreen: doubled = "" }) {
  const named = doubled === "yes" ? "double" : "430";
  if (lines === "430") return named;
  return lines === "" && doubled !== "yes" ? "" : null;
}

/** Return the rules of one of GAMES; "" stands for the default. */
function rulesOfGame(game) {
  return { max_lines: game && "430", double_killscreen: game === "double" ? "yes" : "" };
}

/** Return the start level of a recorded game as an option; the usual one is the option's default. */
function startOf({ game, start }) {
  return game ? { start_level: start === USUAL_START ? "" : String(start) } : {};
}

function toggle(row, column) {
  edit({ rows: position.rows.map((cells, r) => (r === row ? cells.slice(0, column) + (cells[column] === "#" ? "." : "#") + cells.slice(column + 1) : cells)) });
}

/** Paint cells while the button is down; letting go makes one step of the position. */
function paint(event, first) {
  const cell = document.elementFromPoint(event.clientX, event.clientY)?.closest("#game [data-row]");
  if (!cell) return;
  if (first) {
    if (event.button) return;
    event.target.releasePointerCapture?.(event.pointerId); // a finger paints the cells that it passes
    painting = { look: cell.classList.contains("filled") ? "gap" : "filled", row: Number(cell.dataset.row), column: Number(cell.dataset.column) };
    addEventListener("pointerup", () => {
      painting = null;
      const cells = [...byId("game").querySelectorAll("[data-row]")].map((each) => (each.classList.contains("filled") ? "#" : "."));
      edit({ rows: Array.from({ length: ROWS }, (_, r) => cells.slice(r * COLUMNS, (r + 1) * COLUMNS).join("")) });
    }, { once: true });
  }
  const [row, column] = [Number(cell.dataset.row), Number(cell.dataset.column)];
  const steps = Math.max(Math.abs(row - painting.row), Math.abs(column - painting.column), 1); // a quick pointer skips cells
  for (let step = 0; step <= steps; step++) {
    const between = (from, to) => Math.round(from + ((to - from) * step) / steps);
    const passed = cellAt(between(painting.row, row), between(painting.column, column));
    passed.classList.remove("filled", "gap");
    passed.classList.add(painting.look);
  }
  painting = { ...painting, row, column };
}

function cellAt(row, column) {
  return byId("game").querySelector(`[data-row="${row}"][data-column="${column}"]`);
}

function walk(event) {
  const step = { ArrowUp: [-1, 0], ArrowDown: [1, 0], ArrowLeft: [0, -1], ArrowRight: [0, 1] }[event.key];
  const { row, column } = event.target.dataset;
  if (!step || row === undefined) return;
  event.preventDefault();
  cellAt(Number(row) + step[0], Number(column) + step[1])?.focus();
}

/** Return the rules of the position as fields of a command's request: the same for advice, reviews and games. */
async function rules(path) {
  const options = { ...position.options, ...startOf(position) };
  const { enum: policies } = (await fieldsOf(path)).policy;
  if (options.policy && !policies.includes(options.policy)) delete options.policy, delete options.breadths; // of games alone
  return { ...(await typed(path, options)), reach: position.reach };
}

/** Return the request for a position: with the level if it was given, else with the lines. */
async function ask({ rows, piece, next, lines, level }, more) {
  const progress = level === null ? { lines } : { level };
  return { ...(await rules("tetris/suggest")), board: rows.join("/"), piece, ...(next ? { following: next } : {}), ...progress, seed: 1, ...more };
}

/** Rank the placements: first without chances, which is quick, then with playouts. */
async function suggest(signal) {
  const turn = position.game ? review.turns[position.at] : null;
  if (position.game && !turn) {
    fill(byId("plan"));
    return fill(byId("placements"), el("p", {}, "the end of the game"));
  }
  for (const playouts of [0, 100]) {
    const more = { playouts, top: ALL, ...(playouts ? {} : { games: 0 }), ...(turn ? { mine: turn.mine } : {}) };
    const asked = await ask(position, more);
    rank(await (playouts ? follow("tetris/suggest", asked, null, signal) : call("tetris/suggest", asked, signal)));
    if (turn && !playouts) preview({ cells: turn.cells, presses: [] });
  }
}

/** Show the ranked placements. */
function rank({ rows, mine, placements, plan, score }) {
  const columns = [
    { name: "placement" },
    { name: "loss", title: "points that the placement costs beside the best one", figure: true },
    { name: "tetris", title: "chance of a tetris within the next 20 pieces", figure: true },
    { name: "risk", title: "chance of topping out within the next 20 pieces", figure: true },
  ];
  const listed = mine && mine.rank > rows.length ? [...rows, mine] : rows;
  const cells = listed.map((row) => {
    const played = mine && String(row.cells) === String(mine.cells) ? "played: " : "";
    const look = () => preview(row);
    return [
      el("button", { type: "button", onclick: () => place(row), onpointerenter: look, onfocus: look, onpointerleave: clear, onblur: clear }, `${played}column ${row.column}, ${TURNED[BOXES[position.piece].length][row.turned]}`),
      figure(row.value - rows[0].value),
      percent(row.tetris_chance),
      percent(row.risk),
    ];
  });
  fill(byId("placements"), table(`${figure(placements)} placements of ${position.piece}, the best first`, columns, cells));
  showPlan(plan, score);
}

/** Show where the piece goes with each next piece; with a known one and no reaction time there is nothing to plan. */
function showPlan(plan, score) {
  const played = plan.some(({ mean }) => mean !== null);
  if (plan.length < 2 && !played) return fill(byId("plan"));
  const columns = [{ name: "if next" }, { name: "placement" }, { name: "chance", figure: true }, { name: "score to come", title: "points until the end of the game, as the player expects them", figure: true }];
  if (played) columns.push({ name: "played to the end", title: "mean points of games that went on to their end, and their standard deviation", figure: true });
  const rows = plan.map(({ following, chance, place: [column, turned, row], score: expected, mean, deviation }) => [
    following, `column ${column}, ${TURNED[BOXES[position.piece].length][turned]}, row ${row}`, percent(chance), figure(expected),
    ...(played ? [`${figure(mean)} ± ${figure(deviation)}`] : []),
  ]);
  const total = score === null ? "" : `: ${figure(score)} points to come`;
  fill(byId("plan"), table(`the plan${total}`, columns, rows));
}

function cellsOf(row) {
  return row.cells.map(([r, c]) => cellAt(r - ABOVE, c)).filter(Boolean);
}

/** Show where a placement lies, which rows it clears, and the presses that lead to it. */
function preview(row) {
  clear();
  cellsOf(row).forEach((cell) => cell.classList.add("chosen"));
  for (let r = 0; r < ROWS; r++) {
    const cells = [...byId("game").querySelectorAll(`[data-row="${r}"]`)];
    if (cells.every((cell) => cell.matches(".filled, .chosen"))) cells.forEach((cell) => cell.classList.add("cleared"));
  }
  const presses = row.presses.join(" ").replace(/(down ?)+$/, "");
  const lines = row.cleared ? `; clears ${row.cleared} line${row.cleared === 1 ? "" : "s"}` : "";
  if (row.presses.length) fill(byId("presses"), el("p", { class: "words" }, `presses: ${presses || "none"}${lines}`));
}

function clear() {
  byId("game").querySelectorAll(".chosen, .cleared").forEach((cell) => cell.classList.remove("chosen", "cleared"));
}

/** Return the rows after cells were filled and full rows removed, and the number of those. */
function after(rows, cells) {
  const filled = rows.map((row) => [...row]);
  for (const [r, c] of cells) if (r >= ABOVE) filled[r - ABOVE][c] = "#";
  const left = filled.map((row) => row.join("")).filter((row) => row.includes("."));
  return { rows: [...EMPTY.slice(left.length), ...left], cleared: ROWS - left.length };
}

/** Place the piece and continue with the next one; the one after it is not known yet, or drawn at random. */
function place(row, next = "") {
  const { rows, cleared } = after(position.rows, row.cells);
  edit({ rows, piece: position.next || any(), next, lines: position.lines + cleared });
}

function any() {
  return PIECES[Math.floor(Math.random() * PIECES.length)];
}

/** Place the best placement after a moment. The new position then does the same. */
async function playOn(signal) {
  let found;
  try {
    found = await call("tetris/suggest", await ask(position, { playouts: 0, games: 0, top: ALL }), signal);
  } catch (error) {
    playing = error.name === "AbortError" && playing;
    if (!playing) draw();
    throw error; // the game is over
  }
  rank(found);
  await new Promise((done) => setTimeout(done, PAUSE));
  if (playing && !signal.aborted) place(found.rows[0], any());
}

// --- recorded games ---------------------------------------------------------------------------------------------------

/** Let the player play a whole game, and open it. */
async function playGame() {
  await loadGame(await follow("tetris/play", { ...(await rules("tetris/play")), seed: Math.floor(Math.random() * 2 ** 31) }));
}

async function openFile(file) {
  const bytes = new Uint8Array(await file.arrayBuffer());
  const text = new TextDecoder().decode(bytes);
  await loadGame(text.trimStart().startsWith("{") ? await call("tetris/replay", { file: { content: text } }) : await recorded(bytes));
}

/** Return a game that NestrisChamps recorded, up to the first placement that was misread; reaction time and taps stay as they are. */
async function recorded(bytes) {
  let binary = "";
  for (let at = 0; at < bytes.length; at += 1 << 15) binary += String.fromCharCode(...bytes.subarray(at, at + (1 << 15)));
  const found = await follow("tetris/review", { game: { content: BINARY + btoa(binary) }, playouts: 0 });
  const rows = found.rows.filter(({ number }, index) => number === index + 1);
  if (!rows.length || rows[0].lines > rows[0].cleared) throw new Error("expected a recording from the beginning of a game");
  const turns = rows.map(({ piece, place: [column, turned, lowest] }) => [piece, turned, ROWS + ABOVE + 1 - lowest - BOXES[piece][turned].split("/").length, column - 1]);
  const { delay_ms: delay, double_killscreen: doubled } = position.options;
  return { ...found, turns, lines: rows.at(-1).lines, reach: position.reach, delay_ms: Number(delay ?? 0), double_killscreen: doubled === "yes" };
}

async function loadGame({ turns, start: first, start_level: start, score, lines, max_lines, delay_ms, double_killscreen, source, reach }) {
  const game = turns.map(([piece, orientation, row, column]) => piece + (orientation * 220 + row * 10 + column).toString(36).padStart(2, "0")).join("");
  const fields = await fieldsOf("tetris/suggest");
  const own = { max_lines, delay_ms, double_killscreen: double_killscreen ? "yes" : false, source };
  const options = { ...position.options };
  for (const [name, value] of Object.entries(own)) {
    if (value === fields[name].default) delete options[name]; // the address has what differs
    else options[name] = String(value);
  }
  const from = first?.replace(/( [ILJTZSO])+/, "") ?? "";
  go({ ...position, game, from, start, reach, options, level: null, at: 0 });
  say(`${score === undefined ? "" : `${figure(score)} points, `}${figure(lines)} lines, ${figure(turns.length)} pieces`);
}

/** Return the turns of a game in the address, each with the position before it. */
function turnsOf({ game, from }) {
  const [first, cleared] = from.split(" ");
  let [rows, lines] = [rowsOf(first) ?? EMPTY, integer(cleared) ?? 0];
  const states = game.match(/.{3}/g);
  return states.map((state, at) => {
    const number = Number.parseInt(state.slice(1), 36);
    const [orientation, row, column] = [Math.floor(number / 220), Math.floor((number % 220) / 10), number % 10];
    const box = BOXES[state[0]][orientation]?.split("/") ?? [];
    const cells = box.flatMap((line, r) => [...line].flatMap((mark, c) => (mark === "#" ? [[row + r, column + c]] : [])));
    const turn = { rows, lines, piece: state[0], next: states[at + 1]?.[0] ?? "", cells, mine: `${column + 1},${orientation},${ROWS + ABOVE - Math.max(...cells.map(([r]) => r))}` };
    const made = after(rows, cells.filter(([r, c]) => r < ROWS + ABOVE && c < COLUMNS));
    [rows, lines] = [made.rows, lines + made.cleared];
    return turn;
  });
}

/** Take the position from the turn of the game in the address, and compute what each placement lost. */
function openGame() {
  const key = [position.game, position.from, position.start, position.reach, JSON.stringify(position.options)].join();
  if (review.key !== key) {
    review.work?.abort();
    const turns = turnsOf(position);
    const steps = timeline("piece", turns.length, (at) => go({ ...position, at }, true), position.at);
    review = { key, turns, start: position.start, losses: [], missed: new Set(), steps, work: new AbortController() };
  }
  if (review.work.signal.aborted) review.work = new AbortController();
  if (!review.judging) attempt(() => judge(review));
  const turn = review.turns[position.at];
  if (turn) Object.assign(position, { rows: turn.rows, piece: turn.piece, next: turn.next, lines: turn.lines });
  else position.rows = after(review.turns.at(-1).rows, review.turns.at(-1).cells).rows;
  review.steps.set(position.at);
  drawReview();
}

function closeGame() {
  review.steps?.stop();
  review.work?.abort();
  fill(byId("review"));
}

/** Judge the placements of the game, some at a time; the position after them tells the next piece. */
async function judge(mine) {
  mine.judging = true;
  const line = ({ rows, piece, mine: placed }) => `${text(rows) || EMPTY[0]} ${piece} ${placed}`;
  const own = await rules("tetris/review");
  try {
    while (mine.losses.length < mine.turns.length) {
      const first = mine.losses.length;
      const turns = mine.turns.slice(first, first + AT_ONCE + 1);
      const settings = { ...own, lines: turns[0].lines, playouts: 0 };
      const { rows } = await follow("tetris/review", { game: { content: turns.map(line).join("\n") }, ...settings }, null, mine.work.signal);
      const judged = new Map(rows.map((row) => [row.number, row]));
      for (let number = 1; number <= Math.min(turns.length, AT_ONCE); number++) {
        const { loss, missed } = judged.get(number) ?? {}; // a placement that the rules do not allow is left out
        if (missed) mine.missed.add(mine.losses.length);
        mine.losses.push(loss ?? 0);
      }
      drawReview();
    }
  } finally {
    mine.judging = false;
  }
}

function drawReview() {
  if (!position.game) return;
  const { turns, losses } = review;
  const jump = (at) => go({ ...position, at });
  const worst = losses.reduce((best, loss, at) => (loss > (losses[best] ?? -1) ? at : best), 0);
  const sum = losses.reduce((total, loss) => total + loss, 0);
  const lost = losses[position.at];
  fill(
    byId("review"),
    el("h2", {}, losses.length < turns.length ? `judging: ${figure(losses.length)} of ${figure(turns.length)} placements` : `${figure(sum)} points lost in ${figure(turns.length)} placements`),
    curve("points lost by each placement; heights grow with their square root", Array.from(turns, (_, at) => losses[at]), position.at, jump),
    review.steps.element,
    lost === undefined ? "" : el("p", {}, `this placement loses ${figure(lost)} points${review.missed.has(position.at) ? " and misses a tetris" : ""}`),
    el("div", { class: "buttons" },
      el("button", { type: "button", disabled: !losses.length, onclick: () => jump(worst) }, losses.length ? `the worst placement: ${figure(losses[worst])} points` : "the worst placement"),
      el("button", { type: "button", onclick: () => edit({}) }, "analyse from here")),
  );
}

addEventListener("paste", (event) => {
  const given = event.clipboardData.getData("text");
  const address = parametersOf(given), rows = rowsOf(given);
  if ((!address && !rows) || /^(INPUT|TEXTAREA)$/.test(event.target.tagName)) return;
  event.preventDefault();
  if (address) go(readAddress(address));
  else edit({ rows });
});
