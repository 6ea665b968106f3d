// Recorded games, as the address has them: for each piece its letter and its place.

import { BOXES } from "./pieces.js";
import { ABOVE, COLUMNS, EMPTY, ROWS, integer, plain, rowsOf } from "./texts.js";

const PART = "."; // between the parts of a game; a recording has several where boards were misread
const BEGIN = ";"; // between the positions with which the parts begin

/** Return some turns, [piece, orientation, row, column], as they are in the address. */
export const packed = (turns) => turns.map(([piece, orientation, row, column]) => piece + (orientation * 220 + row * 10 + column).toString(36).padStart(2, "0")).join("");

/** Return whether a text is a game in an address. */
export const isGame = (text) => /^([ILJTZSO][0-9a-z]{2})+(\.([ILJTZSO][0-9a-z]{2})+)*$/.test(text);

/** Return a review of a recording as {game, from} of the address: a new part begins where a board does not follow from the one before. */
export function partsOf({ rows, boards }) {
  const parts = [];
  let expected = null; // the board after the last placement
  rows.forEach((row, i) => {
    const before = plain(rowsOf(boards[i]));
    const turn = turnOf(row);
    if (String(before) !== String(expected)) parts.push({ from: `${boards[i]} ${row.lines - row.cleared}`, turns: [] });
    parts.at(-1).turns.push(turn);
    expected = plain(after(before, cellsOf(turn), row.piece).rows);
  });
  return { game: parts.map(({ turns }) => packed(turns)).join(PART), from: parts.map(({ from }) => from).join(BEGIN) };
}

/** Return a placement of a review as a turn. */
export const turnOf = ({ piece, place: [column, turned, lowest] }) => [piece, turned, ROWS + ABOVE + 1 - lowest - BOXES[piece][turned].split("/").length, column - 1];

/** Return the rows after cells were filled by a piece and full rows removed, and the number of those. */
export function after(rows, cells, piece) {
  const filled = rows.map((row) => [...row]);
  for (const [r, c] of cells) if (r >= ABOVE) filled[r - ABOVE][c] = piece;
  const left = filled.map((row) => row.join("")).filter((row) => row.includes("."));
  return { rows: [...EMPTY.slice(left.length), ...left], cleared: ROWS - left.length };
}

/** Return the cells of a turn, and no others than those of the board. */
function cellsOf([piece, orientation, row, column]) {
  const box = BOXES[piece][orientation]?.split("/") ?? [];
  const cells = box.flatMap((line, r) => [...line].flatMap((mark, c) => (mark === "#" ? [[row + r, column + c]] : [])));
  return cells.filter(([r, c]) => r < ROWS + ABOVE && c < COLUMNS);
}

/** Return the turns of a game in the address, each with the position before it. `last` says that the next turn begins a new part. */
export function turnsOf({ game, from }) {
  const begins = from.split(BEGIN);
  return game.split(PART).flatMap((part, number) => {
    const [first = "", cleared] = (begins[number] ?? "").split(" ");
    let [rows, lines] = [rowsOf(first) ?? EMPTY, integer(cleared) ?? 0];
    const states = part.match(/.{3}/g);
    return states.map((state, at) => {
      const value = Number.parseInt(state.slice(1), 36);
      const placed = [state[0], Math.floor(value / 220), Math.floor((value % 220) / 10), value % 10];
      const cells = cellsOf(placed);
      const lowest = ROWS + ABOVE - Math.max(...cells.map(([r]) => r));
      const turn = { rows, lines, piece: state[0], next: states[at + 1]?.[0] ?? "", cells, mine: `${placed[3] + 1},${placed[1]},${lowest}`, last: at === states.length - 1 };
      const made = after(rows, cells, state[0]);
      [rows, lines] = [made.rows, lines + made.cleared];
      return turn;
    });
  });
}
