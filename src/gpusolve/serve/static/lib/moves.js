// A list of moves, where each is a button that goes to the position after it.

import { el } from "./dom.js";
import { rove } from "./keys.js";

/** Return the list. A move is {text, name}, where the name is what screen readers read. `at` is the number of moves made, `wrong` a set of numbers of moves to mark, `choose(n)` is called for a click. */
export function moveList(label, moves, at, choose, wrong = new Set()) {
  return rove(el(
    "ol",
    { class: "moves", "aria-label": label },
    moves.map(({ text, name }, i) =>
      el("li", {}, el("button", {
        type: "button",
        class: `small ${wrong.has(i + 1) ? "wrong" : ""}`,
        "aria-current": i + 1 === at ? "step" : null,
        "aria-label": `move ${i + 1}: ${name}${wrong.has(i + 1) ? ", a move away from the goal" : ""}`,
        onclick: () => choose(i + 1),
      }, text)),
    ),
  ), Math.max(0, at - 1));
}
