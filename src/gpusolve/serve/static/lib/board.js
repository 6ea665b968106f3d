// What all boards share: the position is the address, so that it can be copied, and back and forward undo and redo.

import { byId, el, fill } from "./dom.js";

/**
 * Run a board.
 *
 * `hint` is a line that says how to use it, and `panels` are the ids of the parts of the answer, from top to bottom.
 * `read(parameters)` returns the position in the address, `write(position)` an object of the address' parameters, and
 * `show(position, signal)` draws it. The signal is aborted as soon as another position is shown; work that follows it
 * ends then. Returns `go(position)`, which moves on; `go(position, true)` does so without a step for undo.
 */
export function board({ hint, panels, read, write, show }) {
  fill(byId("hint"), hint);
  fill(byId("answer"), panels.map((id) => el("div", { id })));
  let work = new AbortController();

  function update() {
    work.abort();
    work = new AbortController();
    say("");
    show(read(new URLSearchParams(location.search)), work.signal);
  }

  addEventListener("popstate", update);
  update();
  return (position, silently = false) => {
    const given = Object.entries(write(position)).filter(([, value]) => value !== "" && value !== undefined && value !== null);
    const address = `${location.pathname}?${new URLSearchParams(given)}`;
    if (address !== location.pathname + location.search) history[silently ? "replaceState" : "pushState"](null, "", address);
    update();
  };
}

/** Show a line about what happens, or an error; screen readers read it. */
export function say(text, kind = "") {
  fill(byId("news"), text && el("span", { class: kind }, text));
}

/** Run a request, and show its error unless it was aborted because the position has changed. */
export async function attempt(work) {
  try {
    await work();
  } catch (error) {
    if (error.name !== "AbortError") say(error.message, "error");
  }
}

/** The buttons for undo, redo and a new position, and a button that copies the address. */
export function controls(reset) {
  const copy = el("button", { type: "button", onclick: async () => {
    await navigator.clipboard.writeText(location.href).then(() => say("address copied"), () => say(location.href));
  } }, "copy address");
  return el(
    "div",
    { class: "buttons" },
    el("button", { type: "button", "aria-label": "undo", title: "undo", onclick: () => history.back() }, "\u21b6"),
    el("button", { type: "button", "aria-label": "redo", title: "redo", onclick: () => history.forward() }, "\u21b7"),
    el("button", { type: "button", onclick: reset }, "new"),
    copy,
  );
}
