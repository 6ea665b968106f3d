// Boards and addresses as people write them: rows of text, squares, numbers, arrays, and the addresses of StackRabbit.

import { PIECES } from "./pieces.js";

export const ROWS = 20;
export const COLUMNS = 10;
export const ABOVE = 2; // rows of the board that the console does not show
export const EMPTY = Array.from({ length: ROWS }, () => ".".repeat(COLUMNS));
const CELLS = /^[.0_#1-9xXILJTZSOiljtzso-]+$/;
const SQUARES = [..."\u25a0\u2588\u{1f7e5}\u{1f7e7}\u{1f7e8}\u{1f7e9}\u{1f7e6}\u{1f7ea}\u{1f7eb}"];
const NO_SQUARES = [..."\u25a1\u2591\u2b1b\u2b1c"];
const THEIR_PIECES = [..."IOLJTSZ"]; // the numbers of pieces in addresses of StackRabbit
const FRAMES_PER_SECOND = 60.0988;
export const USUAL_START = 19; // the level at which games start unless somebody says otherwise

/** Return a number that somebody typed, or null; the server says which numbers are possible. */
export const integer = (given) => (/^\d{1,5}$/.test(given ?? "") ? Number(given) : null);

/** Return a cell of a board: . if it is empty, the letter of the piece that lies there, or # if that is not known. */
const markOf = (mark) => (/[0_.-]/.test(mark) ? "." : PIECES.includes(mark) ? mark : "#");

/** Return a board with # for every filled cell, as requests have it. */
export const plain = (rows) => rows.map((row) => row.replace(/[A-Z]/g, "#"));

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

/** Return the 20 rows of a board as text, in each form that `suggest` accepts, with the letters of pieces; null if it is no board. */
export function rowsOf(text) {
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
  return [...EMPTY.slice(seen.length), ...seen.map((row) => [...row.toUpperCase()].map(markOf).join(""))];
}

/** Return the start level of a game with a level at a number of lines, "" for the usual one; from 19 on the lines tell the level. */
function startFor(level, lines) {
  return level === String(USUAL_START) || (Number(level) > USUAL_START && lines !== "0") ? "" : level;
}

/** Return what an address of StackRabbit or of this board says, as the parameters of an address of this board; else null. */
export function parametersOf(address) {
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
export function text(rows) {
  const first = rows.findIndex((row) => /[^.]/.test(row));
  return first < 0 ? "" : rows.slice(first).join("/");
}
