// Controls to go through the steps of something: buttons, a slider, and play.

import { el, fill } from "./dom.js";

const PAUSE = 350; // milliseconds between steps

/**
 * Return {element, stop, set} for steps 0 to `last`. `show(at)` draws a step; `unit` is the name of one step. `stop()` ends
 * playing, and `set(at)` marks a step that is drawn already.
 */
export function timeline(unit, last, show, at = 0) {
  let timer = null;
  const where = el("p", { "aria-live": "polite" });
  const slider = el("input", { type: "range", min: 0, max: last, value: at, "aria-label": `${unit}s shown`, oninput: () => move(Number(slider.value)) });
  const play = el("button", { type: "button", class: "main", onclick: () => (timer ? stop() : start()) }, "play");
  const button = (label, text, target) => el("button", { type: "button", "aria-label": label, onclick: () => { stop(); move(target()); } }, text);

  function set(to) {
    at = Math.max(0, Math.min(last, to));
    slider.value = at;
    fill(where, `${unit} ${at} of ${last}`);
  }

  function move(to) {
    set(to);
    show(at);
    if (at === last) stop();
  }

  function start() {
    if (at === last) at = -1;
    timer = setInterval(() => move(at + 1), PAUSE);
    fill(play, "pause");
  }

  function stop() {
    clearInterval(timer);
    timer = null;
    fill(play, "play");
  }

  const element = el(
    "section",
    { class: "player", "aria-label": "controls" },
    where,
    el(
      "div",
      { class: "buttons" },
      button("to the start", "|\u25c0\ufe0e", () => 0),
      button(`back one ${unit}`, "\u25c0\ufe0e", () => at - 1),
      play,
      button(`forward one ${unit}`, "\u25b6\ufe0e", () => at + 1),
      button("to the end", "\u25b6\ufe0e|", () => last),
    ),
    slider,
  );
  set(at);
  return { element, stop, set };
}
