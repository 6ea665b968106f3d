// The pieces: their shapes, their colours at each level, and small pictures of them and of placements.

export const PIECES = [..."ILJTZSO"];
export const BOXES = { // the filled cells of each orientation's box, row by row, as in rules/board.py
  I: ["####", "#/#/#/#"], L: ["###/#", "##/.#/.#", "..#/###", "#/#/##"], J: ["###/..#", ".#/.#/##", "#/###", "##/#/#"],
  T: ["###/.#", ".#/##/.#", ".#/###", "#/##/#"], Z: ["##/.##", ".#/##/#"], S: [".##/##", "#/##/.#"], O: ["##/##"],
};
const TURNED = { 1: ["as it comes"], 2: ["as it comes", "turned once"], 4: ["as it comes", "turned right", "turned twice", "turned left"] };
// The console has two colours for each last digit of the level: J and S have the first one, L and Z the second one, and the
// others are white with an edge in the first one.
const COLOURS = [
  ["#0058f8", "#3cbcfc"], ["#00a800", "#80d010"], ["#d800cc", "#f878f8"], ["#0058f8", "#58d854"], ["#e40058", "#58f898"],
  ["#58f898", "#6888fc"], ["#f83800", "#7c7c7c"], ["#6844fc", "#a80020"], ["#0058f8", "#f83800"], ["#f83800", "#fca044"],
];
const LOOKS = { J: "one", S: "one", L: "two", Z: "two", T: "white", I: "white", O: "white" };
const SVG = "http://www.w3.org/2000/svg";

/** Return the class of a filled cell with this letter. */
export const lookOf = (mark) => LOOKS[mark] ?? "one";

/** Return how a piece lies. */
export const turnedOf = (piece, turned) => TURNED[BOXES[piece].length][turned];

/** Return the level after a number of lines, for a game that starts at some level. */
export function levelAt(lines, start) {
  const first = Math.min(10 * start + 10, Math.max(100, 10 * start - 50)); // lines until the first new level
  return lines < first ? start : start + 1 + Math.floor((lines - first) / 10);
}

/** Give everything in an element the colours of a level. */
export function colour(element, level) {
  const [one, two] = COLOURS[level % COLOURS.length];
  element.style.setProperty("--one", one);
  element.style.setProperty("--two", two);
}

function svg(tag, attributes, ...children) {
  const made = document.createElementNS(SVG, tag);
  for (const [name, value] of Object.entries(attributes)) made.setAttribute(name, value);
  made.append(...children);
  return made;
}

/** Return a path of unit squares at cells [row, column]. */
const squares = (cells) => cells.map(([row, column]) => `M${column + 0.06} ${row + 0.06}h.88v.88h-.88z`).join("");

/** Return a picture of a piece as it comes. */
export function pieceIcon(piece) {
  const rows = BOXES[piece][0].split("/");
  const cells = rows.flatMap((row, r) => [...row].flatMap((mark, c) => (mark === "#" ? [[r, c]] : [])));
  return svg("svg", { viewBox: `0 0 ${rows[0].length} ${rows.length}`, "aria-hidden": "true", class: "icon" }, svg("path", { d: squares(cells), fill: "currentColor" }));
}

/** Return a picture of the rows of a board from row `top` on, with a piece at some cells; full rows are underlined. */
export function placementPicture(rows, cells, top) {
  const filled = rows.flatMap((row, r) => [...row].flatMap((mark, c) => (mark === "." ? [] : [[r - top, c]])));
  const placed = cells.map(([r, c]) => [r - top, c]);
  const isFull = (row, r) => [...row].every((mark, c) => mark !== "." || cells.some(([y, x]) => y === r && x === c));
  const full = rows.flatMap((row, r) => (isFull(row, r) ? [`M0 ${r - top + 0.5}H10`] : [])).join("");
  return svg(
    "svg",
    { viewBox: `0 0 10 ${rows.length - top}`, "aria-hidden": "true" },
    svg("path", { d: squares(filled), class: "stack" }),
    svg("path", { d: squares(placed), class: "piece" }),
    svg("path", { d: full, class: "full" }),
  );
}
