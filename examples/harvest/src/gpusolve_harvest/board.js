// The board of Harvest: a field of digits, and the walk that reaps the most. It shows how little a board needs.

import { call } from "/static/lib/api.js";
import { attempt, board, say } from "/static/lib/board.js";
import { byId, el, figure, fill } from "/static/lib/dom.js";

const STEPS = { l: [0, -1], r: [0, 1], u: [-1, 0], d: [1, 0] };
let position;

const go = board({
  hint: "Enter rows of digits and the number of steps; the best walk from the upper left corner lights up.",
  panels: ["result"],
  read: (given) => ({ field: given.get("field") ?? "131/925/347", steps: Number(given.get("steps") ?? 4) }),
  write: ({ field, steps }) => ({ field, steps }),
  reset: () => ({ field: "131/925/347", steps: 4 }),
  show(given, signal) {
    position = given;
    draw(new Set());
    attempt(() => solve(signal));
  },
});

function draw(reaped) {
  const rows = position.field.split("/");
  const grid = el("div", { class: "grid", role: "group", "aria-label": "field" });
  grid.style.setProperty("--columns", rows[0].length);
  rows.forEach((row, r) => [...row].forEach((digit, c) => grid.append(el("span", { class: `cell ${reaped.has(`${r},${c}`) ? "home" : ""}` }, digit))));
  const field = el("input", { type: "text", id: "field", value: position.field, onchange: () => go({ ...position, field: field.value.trim() }) });
  const steps = el("input", { type: "number", id: "steps", min: 0, value: position.steps, onchange: () => go({ ...position, steps: Number(steps.value) }) });
  fill(byId("game"), grid, el("label", { for: "field" }, "field"), field, el("label", { for: "steps" }, "steps"), steps);
}

async function solve(signal) {
  say("searching");
  const found = await call("harvest/solve", position, signal);
  say("");
  let [row, column] = [0, 0];
  const reaped = new Set(["0,0"]);
  for (const step of found.path) {
    [row, column] = [row + STEPS[step][0], column + STEPS[step][1]];
    reaped.add(`${row},${column}`);
  }
  draw(reaped);
  fill(byId("result"), el("h2", {}, `${figure(found.reaped)} reaped`), el("p", { class: "words" }, found.path));
}
