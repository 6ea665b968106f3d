// The Tetris board: paint or paste a position, see the ranked placements, place pieces, review a recorded game.

import { call, follow } from "/static/lib/api.js";
import { attempt, board, say, wanted } from "/static/lib/board.js";
import { curve } from "/static/lib/curve.js";
import { byId, choice, counted, el, figure, fill, fold, folded, percent, table } from "/static/lib/dom.js";
import { isTaken, oneStop, rove } from "/static/lib/keys.js";
import { fieldsOf, optionsIn, showOptions, typed } from "/static/lib/options.js";
import { pasting } from "/static/lib/paste.js";
import { timeline } from "/static/lib/timeline.js";
import { after, isGame, packed, partsOf, turnsOf } from "./tetris/games.js";
import { PIECES, colour, levelAt, lookOf, pieceIcon, placementPicture, turnedOf } from "./tetris/pieces.js";
import { ABOVE, COLUMNS, EMPTY, ROWS, USUAL_START, integer, parametersOf, plain, rowsOf, text } from "./tetris/texts.js";

const RATES = ["30", "25", "20", "15", "12", "10"].map((rate) => [`${rate}hz`, `${rate} taps per second`]);
const REACHES = [["free", "unlimited time"], ...RATES, ["slow5", "five quick taps, then a pause"], ["das", "holding the button"]];
const REACH = /^(free|das|(slow5|\d\d?hz|\d+(,\d+)*)(\+tuck)?)$/;
const TUCK = "+tuck";
const BINARY = "data:application/octet-stream;base64,"; // what a file's content begins with that is no text
const GAMES = [["", "230 lines, to level 29"], ["430", "430 lines, to level 49"], ["double", "430 lines, two rows a drop from level 39 on"]];
const AT_FIRST = 3; // placements whose pictures are surely whole
const LEAST_ROWS = 8; // of a picture
const ALL = 40; // no piece has more placements
const OWN = ["board", "piece", "next", "lines", "level", "reach", "game", "from", "start", "at"]; // what the board has in forms of its own
const FIXED = ["following", "mine", "playouts", "top", "seed", "hz", "taps", "delay_ms", "max_lines", "double_killscreen"]; // what it gives by itself
const AT_ONCE = 60; // placements of a recorded game that are judged by one request, so that the curve grows
const FREE = "free"; // the placements that the command considers unless taps are chosen
const NARROW = 3; // frames of a window that needs care
const PAUSE = 300; // milliseconds between two pieces when it plays by itself
let position;
let painting = null; // what a drag paints
let playing = false;
let review = { turns: [], losses: [] };
let touched = ""; // the cells of the placement that a finger has chosen to look at

addEventListener("popstate", () => { playing = false; });

/** Return the position in an address; `wrong(name)` is called for a parameter that cannot be read. */
function readAddress(given, wrong = () => {}) {
  const get = (name, parse, otherwise) => {
    const text = given.get(name) ?? "";
    const found = text && parse(text);
    if (text && found === null) wrong(name);
    return text && found !== null ? found : otherwise;
  };
  const matching = (test) => (text) => (test(text) ? text : null);
  const piece = matching((text) => PIECES.includes(text));
  return {
    rows: get("board", rowsOf, EMPTY),
    piece: get("piece", piece, "T"),
    next: get("next", piece, ""),
    lines: get("lines", integer, 0),
    level: given.get("game") ? null : get("level", integer, null), // the lines of a recorded game tell its levels
    reach: get("reach", matching((text) => REACH.test(text)), FREE),
    game: get("game", matching(isGame), ""),
    from: given.get("from") ?? "", // the board and the lines with which the game begins, if not with an empty board
    start: get("start", integer, USUAL_START),
    at: get("at", integer, 0),
    options: optionsIn(given, OWN),
  };
}

const pasteButton = pasting("a board (rows of . and #, letters or squares, 200 digits, ten hexadecimal columns, an array) or an address of StackRabbit", take);

const go = board({
  hint: "Paint cells, or paste a board: rows of . and #, letters or squares, 200 digits, ten hexadecimal columns, an array, or an address of StackRabbit. Point at a placement to see it; click to place the piece.",
  keys: [["arrows, Space", "go to a cell, and fill or empty it"], ["i l j t z s o", "choose the piece; with Shift the next one"], ["Enter", "on a placement: place the piece"]],
  panels: ["placements", "presses", "plan", "review"],
  answers: ["placements", "plan"],
  read: readAddress,
  write: ({ rows, piece, next, lines, level, reach, game, from, start, at, options }) => {
    const settings = { ...options, level: level ?? "", reach: reach === FREE ? "" : reach };
    return game ? { ...settings, game, from, at: at || "", start: start === USUAL_START ? "" : start } : { ...settings, board: text(rows), piece, next, lines: lines || "" };
  },
  show,
  reset: (given) => ({ ...given, game: "", rows: EMPTY, lines: 0 }),
});

/** Return a way to reach placements, with a last press at any moment if it is by tapping. */
function withTuck(rhythm, tuck) {
  return rhythm === "free" || rhythm === "das" ? rhythm : rhythm + tuck;
}

function show(given, signal) {
  position = given;
  touched = "";
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
        class: `cell ${mark === "." ? "gap" : `filled ${lookOf(mark)}`}`,
        "data-row": r,
        "data-column": c,
        "data-mark": mark,
        "aria-label": `row ${ROWS - r}, column ${c + 1}: ${mark === "." ? "empty" : "filled"}`,
        onclick: (event) => event.detail === 0 && toggle(r, c),
      })),
    ),
  );
  grid.addEventListener("pointerdown", (event) => paint(event, true));
  grid.addEventListener("pointermove", (event) => painting && paint(event, false));
  grid.addEventListener("keydown", walk);
  const auto = el("button", { type: "button", class: "main", id: "auto", onclick: () => { playing = !playing; if (playing) edit({}); else go(position); } }, playing ? "stop" : "play on");
  const pickers = el("div", { class: "pickers" },
    picker("piece", PIECES, position.piece, (piece) => edit({ piece })),
    picker("next piece", [...PIECES, ""], position.next, (next) => edit({ next })),
    auto);
  fill(byId("game"), el("div", { class: "console" }, pickers, oneStop(grid, (ROWS - 1) * COLUMNS)));
  colour(document.body, position.level ?? levelAt(position.lines, integer(startOf(position).start_level ?? position.options.start_level) ?? USUAL_START));
  showSettings();
}

/** Return a choice of pieces by their pictures; "" stands for an unknown one. */
function picker(label, pieces, chosen, change) {
  const buttons = pieces.map((piece) => el("button", { type: "button", "aria-label": `${label}: ${piece || "unknown"}`, "aria-pressed": String(piece === chosen), onclick: () => change(piece) }, piece ? pieceIcon(piece) : "?"));
  return el("div", { class: "picker", role: "group", "aria-label": label }, el("p", {}, label), rove(el("div", {}, buttons), pieces.indexOf(chosen)));
}

/** Show the rules that can be chosen, and the ways to open a game. */
function showSettings() {
  const tuck = position.reach.endsWith(TUCK) ? TUCK : "", rhythm = position.reach.replace(TUCK, "");
  const file = el("input", { type: "file", accept: ".json,.ngf,.gz,application/json", onchange: () => attempt(() => openFile(file.files[0])) });
  const progressed = { lines: position.lines ? String(position.lines) : "", level: position.level === null ? "" : String(position.level) };
  const change = ({ lines = "", level = "", ...options }) => {
    if (lines === progressed.lines && level === progressed.level) go({ ...position, options });
    else edit({ lines: integer(lines) ?? 0, level: integer(level) });
  };
  showOptions(
    { paths: ["tetris/suggest", "tetris/play", "tetris/review"], own: [...OWN.filter((name) => !(name in progressed)), ...FIXED], first: ["delay_ms", "lines", "level"], options: { ...position.options, ...given(progressed) }, change },
    choice("taps", REACHES.some(([name]) => name === rhythm) ? REACHES : [...REACHES, rhythm], rhythm, (reach) => go({ ...position, reach: withTuck(reach, tuck) })),
    choice("last press", [["", "in time with the taps"], [TUCK, "a tuck or a spin at any moment"]], tuck, (last) => go({ ...position, reach: withTuck(rhythm, last) })),
    pasteButton("paste a board"),
    choice("game", GAMES, gameOf(position.options), (game) => edit({}, rulesOfGame(game))),
    el("details", { class: "line", open: Boolean(position.game) }, el("summary", {}, "games"),
      el("div", { class: "buttons" }, el("button", { type: "button", onclick: () => attempt(playGame) }, "play a game")),
      el("label", {}, "open a game that play --out wrote, or a recording by NestrisChamps (.ngf)", file)),
  );
}

/** Return those of some values that are given. */
function given(values) {
  return Object.fromEntries(Object.entries(values).filter(([, value]) => value !== ""));
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
  edit({ rows: position.rows.map((cells, r) => (r === row ? cells.slice(0, column) + (cells[column] === "." ? "#" : ".") + cells.slice(column + 1) : cells)) });
}

/** Paint cells while the button is down; letting go makes one step of the position. */
function paint(event, first) {
  const cell = document.elementFromPoint(event.clientX, event.clientY)?.closest("#game [data-row]");
  if (!cell) return;
  if (first) {
    if (event.button) return;
    event.target.releasePointerCapture?.(event.pointerId); // a finger paints the cells that it passes
    painting = { mark: cell.dataset.mark === "." ? "#" : ".", row: Number(cell.dataset.row), column: Number(cell.dataset.column) };
    addEventListener("pointerup", () => {
      painting = null;
      const cells = [...byId("game").querySelectorAll("[data-row]")].map((each) => each.dataset.mark);
      edit({ rows: Array.from({ length: ROWS }, (_, r) => cells.slice(r * COLUMNS, (r + 1) * COLUMNS).join("")) });
    }, { once: true });
  }
  const [row, column] = [Number(cell.dataset.row), Number(cell.dataset.column)];
  const steps = Math.max(Math.abs(row - painting.row), Math.abs(column - painting.column), 1); // a quick pointer skips cells
  for (let step = 0; step <= steps; step++) {
    const between = (from, to) => Math.round(from + ((to - from) * step) / steps);
    const passed = cellAt(between(painting.row, row), between(painting.column, column));
    if ((passed.dataset.mark === ".") === (painting.mark === ".")) continue;
    passed.dataset.mark = painting.mark;
    passed.className = `cell ${painting.mark === "." ? "gap" : "filled"}`;
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
  return { ...(await rules("tetris/suggest")), board: plain(rows).join("/"), piece, ...(next ? { following: next } : {}), ...progress, seed: 1, ...more };
}

/** Rank the placements: first without chances, which is quick, then with playouts. */
async function suggest(signal) {
  const turn = position.game ? review.turns[position.at] : null;
  if (position.game && !turn) {
    fill(byId("plan"));
    return fill(byId("placements"), el("p", {}, "the end of the game"));
  }
  await wanted(signal);
  for (const playouts of [0, 100]) {
    const more = { playouts, top: ALL, ...(playouts ? {} : { games: 0 }), ...(turn ? { mine: turn.mine } : {}) };
    const asked = await ask(position, more);
    rank(await (playouts ? follow("tetris/suggest", asked, null, signal) : call("tetris/suggest", asked, signal)));
    if (turn && !playouts) preview({ cells: turn.cells, presses: [] });
  }
}

/** Show the ranked placements as pictures, and the best one on the board. */
function rank({ rows, mine, placements, plan, score }) {
  const listed = mine && mine.rank > rows.length ? [...rows, mine] : rows;
  const filled = position.rows.findIndex((row) => /[^.]/.test(row));
  const tops = rows.slice(0, AT_FIRST).flatMap(({ cells }) => cells.map(([r]) => r - ABOVE));
  const top = Math.max(0, Math.min(filled < 0 ? ROWS : filled, ...tops, ROWS - LEAST_ROWS) - 1);
  const cards = listed.map((row, place) => card(row, row.value - rows[0].value, String(row.cells) === String(mine?.cells), top, folded(place)));
  const list = rove(el("div", { class: "placements foldable", role: "group", "aria-label": "placements, the best first" }, cards));
  fill(byId("placements"), el("p", { class: "note" }, `${figure(placements)} placements of ${position.piece}, the best first`), list, ...fold(list, listed.length));
  byId("game").querySelectorAll(".best").forEach((cell) => cell.classList.remove("best"));
  if (rows.length) cellsOf(rows[0]).forEach((cell) => cell.classList.add("best"));
  showPlan(plan, score);
}

/** Return the picture of a placement with its loss and chances; a click places the piece there. With a reaction time, the next piece can make another placement better than the planned one. */
function card(row, loss, isPlayed, top, kind) {
  const look = () => preview(row);
  const chances = row.tetris_chance === null ? [] : [`tetris ${percent(row.tetris_chance, 0)}`, `risk ${percent(row.risk, 0)}`];
  const points = figure(Math.abs(loss));
  const lost = loss > 0 ? [`loses ${points} points`, `\u2212${points}`] : loss < 0 ? [`with luck ${points} points better`, `+${points}`] : ["the best", "best"];
  const name = `${isPlayed ? "played: " : ""}column ${row.column}, ${turnedOf(position.piece, row.turned)}`;
  return el("button", {
    type: "button",
    class: `placement ${kind}`,
    "aria-label": `${name}: ${lost[0]}${chances.map((each) => `, ${each}`).join("")}`,
    title: `${name}; chances of a tetris and of topping out within the next 20 pieces`,
    onclick: (event) => {
      const seen = touched === String(row.cells);
      touched = String(row.cells);
      if (event.pointerType !== "touch" || seen) return place(row);
      look();
      say("tap it again to place the piece");
    },
    onpointerenter: look,
    onfocus: look,
    onpointerleave: (event) => event.pointerType !== "touch" && clear(),
    onblur: clear,
  }, placementPicture(position.rows, row.cells.map(([r, c]) => [r - ABOVE, c]), top), el("span", { class: "loss" }, lost[1]), isPlayed && el("small", {}, "played"), row.window !== null && row.window <= NARROW && el("small", {}, timing(row)), chances.map((each) => el("small", { class: "chance" }, each)));
}

/** Show where the piece goes with each next piece; with a known one and no reaction time there is nothing to plan. */
function showPlan(plan, score) {
  const played = plan.some(({ mean }) => mean !== null);
  if (plan.length < 2 && !played) return fill(byId("plan"));
  const columns = [{ name: "if next" }, { name: "placement" }, { name: "chance", figure: true }, { name: "score to come", title: "points until the end of the game, as the player expects them", figure: true }];
  if (played) columns.push({ name: "played to the end", title: "mean points of games that went on to their end, and their standard deviation", figure: true });
  const rows = plan.map(({ following, chance, place: [column, turned, row], score: expected, mean, deviation }) => [
    following, `column ${column}, ${turnedOf(position.piece, turned)}, row ${row}`, percent(chance), figure(expected),
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
  const window = timing(row), made = row.made < 1 ? `; ${percent(row.made)} get there` : "";
  if (row.presses.length) fill(byId("presses"), el("p", { class: "words" }, `presses: ${presses || "none"}${lines}${window && `; window: ${window}`}${made}`));
}

/** Return the frames in which the press that needs most care may come; nothing where presses need no care. */
function timing({ window = null }) {
  return window === null ? "" : `${window} frame${window === 1 ? "" : "s"}`;
}

function clear() {
  byId("game").querySelectorAll(".chosen, .cleared").forEach((cell) => cell.classList.remove("chosen", "cleared"));
}

/** Place the piece and continue with the next one; the one after it is not known yet, or drawn at random. */
function place(row, next = "") {
  const { rows, cleared } = after(position.rows, row.cells, position.piece);
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
  if (text.trimStart().startsWith("{")) await loadGame(await call("tetris/replay", { file: { content: text } }));
  else await openRecording(bytes);
}

/** Open a game that NestrisChamps recorded, from wherever the recording begins; reaction time, taps and misses stay as they are. */
async function openRecording(bytes) {
  let binary = "";
  for (let at = 0; at < bytes.length; at += 1 << 15) binary += String.fromCharCode(...bytes.subarray(at, at + (1 << 15)));
  const found = await follow("tetris/review", { game: { content: BINARY + btoa(binary) }, playouts: 0 });
  const { delay_ms: delay, double_killscreen: doubled, miss } = position.options;
  const own = { reach: position.reach, delay_ms: Number(delay ?? 0), double_killscreen: doubled === "yes", miss: miss?.split(",") ?? [] };
  await goTo({ ...found, ...partsOf(found), ...own });
  const left = found.skipped.length ? `; ${figure(found.skipped.length)} placements were misread and are left out` : "";
  say(`${figure(found.rows.at(-1).lines)} lines, ${figure(found.rows.length)} pieces${left}`);
}

/** Open a game that the command played. */
async function loadGame(found) {
  await goTo({ ...found, game: packed(found.turns), from: found.start?.replace(/( [ILJTZSO])+/, "") ?? "" });
  say(`${figure(found.score)} points, ${figure(found.lines)} lines, ${figure(found.turns.length)} pieces`);
}

/** Go to a game as the address has it, with the rules by which it was played. */
async function goTo({ game, from, start_level: start, max_lines, delay_ms, double_killscreen, miss, source, reach }) {
  const fields = await fieldsOf("tetris/suggest");
  const own = { max_lines, delay_ms, double_killscreen: double_killscreen ? "yes" : false, source };
  const options = { ...position.options };
  for (const [name, value] of Object.entries(own)) {
    if (value === fields[name].default) delete options[name]; // the address has what differs
    else options[name] = String(value);
  }
  if (miss.length) options.miss = miss.join(",");
  else delete options.miss;
  go({ ...position, game, from, start, reach, options, level: null, at: 0 });
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
  else position.rows = after(review.turns.at(-1).rows, review.turns.at(-1).cells, review.turns.at(-1).piece).rows;
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
  const line = ({ rows, piece, mine: placed }) => `${text(plain(rows)) || EMPTY[0]} ${piece} ${placed}`;
  const own = await rules("tetris/review");
  try {
    while (mine.losses.length < mine.turns.length) {
      const first = mine.losses.length;
      const end = mine.turns.findIndex(({ last }, at) => at >= first && (last || at === first + AT_ONCE)) + 1;
      const turns = mine.turns.slice(first, end); // with the one after them, if it follows from them
      const number = Math.min(turns.length, AT_ONCE);
      const settings = { ...own, lines: turns[0].lines, playouts: 0 };
      const { rows } = await follow("tetris/review", { game: { content: turns.map(line).join("\n") }, ...settings }, null, mine.work.signal);
      const judged = new Map(rows.map((row) => [row.number, row]));
      for (let each = 1; each <= number; each++) {
        const { loss, missed } = judged.get(each) ?? {}; // a placement that the rules do not allow is left out
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

addEventListener("keydown", (event) => {
  const piece = event.key.toUpperCase();
  if (isTaken(event) || !PIECES.includes(piece)) return;
  event.preventDefault();
  edit(event.shiftKey ? { next: piece } : { piece });
});

/** Go to the position in a text, and return what was read. */
function take(given) {
  const address = parametersOf(given), rows = address ? null : rowsOf(given);
  if (address) go(readAddress(address));
  else if (rows) edit({ rows });
  else return "";
  return `${address ? "a position" : "a board"} with ${counted(position.rows.join("").replaceAll(".", "").length, "filled cell")}`;
}
