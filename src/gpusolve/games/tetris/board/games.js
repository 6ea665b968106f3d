// Recorded games, as the address has them: for each piece its letter and its place.

import { BOXES } from "./pieces.js";
import { ABOVE, COLUMNS, EMPTY, ROWS, integer, rowsOf } from "./texts.js";

/** Return some turns, [piece, orientation, row, column], as they are in the address. */
export const packed = (turns) => turns.map(([piece, orientation, row, column]) => piece + (orientation * 220 + row * 10 + column).toString(36).padStart(2, "0")).join("");

/** Return a placement of a review as a turn. */
export const turnOf = ({ piece, place: [column, turned, lowest] }) => [piece, turned, ROWS + ABOVE + 1 - lowest - BOXES[piece][turned].split("/").length, column - 1];

/** Return the rows after cells were filled by a piece and full rows removed, and the number of those. */
export function after(rows, cells, piece) {
  const filled = rows.map((row) => [...row]);
  for (const [r, c] of cells) if (r >= ABOVE) filled[r - ABOVE][c] = piece;
  const left = filled.map((row) => row.join("")).filter((row) => row.includes("."));
  return { rows: [...EMPTY.slice(left.length), ...left], cleared: ROWS - left.length };
}

/** Return the turns of a game in the address, each with the position before it. */
export function turnsOf({ game, from }) {
  const [first, cleared] = from.split(" ");
  let [rows, lines] = [rowsOf(first) ?? EMPTY, integer(cleared) ?? 0];
  const states = game.match(/.{3}/g);
  return states.map((state, at) => {
    const number = Number.parseInt(state.slice(1), 36);
    const [orientation, row, column] = [Math.floor(number / 220), Math.floor((number % 220) / 10), number % 10];
    const box = BOXES[state[0]][orientation]?.split("/") ?? [];
    const cells = box.flatMap((line, r) => [...line].flatMap((mark, c) => (mark === "#" ? [[row + r, column + c]] : [])));
    const turn = { rows, lines, piece: state[0], next: states[at + 1]?.[0] ?? "", cells, mine: `${column + 1},${orientation},${ROWS + ABOVE - Math.max(...cells.map(([r]) => r))}` };
    const made = after(rows, cells.filter(([r, c]) => r < ROWS + ABOVE && c < COLUMNS), state[0]);
    [rows, lines] = [made.rows, lines + made.cleared];
    return turn;
  });
}
