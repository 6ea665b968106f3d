// What all boards share: the position is the address, so that it can be copied, and back and forward undo and redo.

import { byId, el, fill } from "./dom.js";
import { isTaken } from "./keys.js";

const HIDDEN = "answers are hidden"; // what the browser remembers for the next visit
const SHOWN = "answersshown"; // the event of the document when they are shown again
const QUICKLY = 250; // milliseconds between two positions of someone who moves on quickly
let before = -Infinity; // when answers were wanted last
const LONGEST = 80; // characters of a wrong value that are shown
let standing = ["", ""]; // the text and the kind of the line that stays at this position when others have been shown
const KEYS = [["Tab", "from the board to the answers, and on"], ["arrows", "inside of both"], ["?", "this list"]];

/**
 * Run a board.
 *
 * `hint` says how to use it, `brief` the same in the one line that a phone shows at first, `keys` are pairs of a key and what it does, and `panels` are the ids of the parts of the answer,
 * from top to bottom; those in `answers` can be hidden by people who want to find them. `read(parameters, wrong)` returns the position in the address, and calls
 * `wrong(name)` for a parameter that it cannot read; `write(position)` returns an object of the address'
 * parameters, and `show(position, signal)` draws it. The signal is aborted as soon as another position is shown; work that
 * follows it ends then. `reset(position)` returns a new position. Returns `go(position)`, which moves on;
 * `go(position, true)` does so without a step for undo.
 */
export function board({ hint, brief = "", keys = [], panels, answers = [], read, write, show, reset }) {
  fill(byId("hint"), el("span", {}, hint), brief && el("span", { class: "brief" }, brief));
  fill(byId("answer"), panels.map((id) => el("div", { id, class: answers.includes(id) ? "found" : "" })));
  fill(byId("keys"), help(hint, [...keys, ...KEYS]));
  fill(byId("bar"), bar(answers.length > 0, reset && (() => go(reset(read(new URLSearchParams(location.search), () => {}))))));
  addEventListener("keydown", (event) => event.key === "?" && !isTaken(event) && byId("keys").showModal());
  let work = new AbortController();

  function update() {
    work.abort();
    work = new AbortController();
    const given = new URLSearchParams(location.search);
    const wrong = new Set();
    const position = read(given, (name) => wrong.add(name));
    const faults = [...wrong].map((name) => `${name} ${shortened(given.get(name) ?? "")}`.trim());
    document.body.classList.toggle("begun", given.size > 0);
    announce(faults.length ? `the address is wrong, so this is another position: ${faults.join(", ")}` : "", "error");
    show(position, work.signal);
  }

  function go(position, silently = false) {
    const given = Object.entries(write(position)).filter(([, value]) => value !== "" && value !== undefined && value !== null);
    const address = `${location.pathname}?${new URLSearchParams(given)}`;
    if (address !== location.pathname + location.search) history[silently ? "replaceState" : "pushState"](null, "", address);
    update();
  }

  addEventListener("popstate", update);
  update();
  return go;
}

/** The text of the dialog that `?` opens. */
function help(hint, keys) {
  return [
    el("h2", {}, "How to use this board"),
    el("p", {}, hint),
    el("h2", {}, "Keys"),
    el("dl", {}, keys.map(([key, about]) => el("div", {}, el("dt", {}, el("kbd", {}, key)), el("dd", {}, about)))),
    el("div", { class: "buttons" }, el("button", { type: "button", class: "main", onclick: () => byId("keys").close() }, "close")),
  ];
}

/** The buttons for undo, redo, a new position, the options and the help. On a phone they stay at the lower edge. */
function bar(hides, reset) {
  const button = (label, text, onclick) => el("button", { type: "button", "aria-label": label, title: label, onclick }, text);
  const hide = el("button", { type: "button", "aria-pressed": "false", title: "hide the answers, to find them yourself", onclick: () => toggle(!document.body.classList.contains("hidden-answers")) }, "hide");
  const toggle = (hidden) => {
    document.body.classList.toggle("hidden-answers", hidden);
    hide.setAttribute("aria-pressed", String(hidden));
    localStorage.setItem(HIDDEN, hidden ? "yes" : "");
    document.dispatchEvent(new Event(SHOWN));
  };
  toggle(hides && localStorage.getItem(HIDDEN) === "yes");
  const options = el("button", { type: "button", id: "options-button", "aria-expanded": "false", "aria-controls": "settings", onclick: () => {
    options.setAttribute("aria-expanded", String(document.body.classList.toggle("options-open")));
  } }, "options");
  return [
    button("undo", "\u21b6", () => history.back()),
    button("redo", "\u21b7", () => history.forward()),
    reset && el("button", { type: "button", onclick: reset }, "new"),
    hides && hide,
    options,
    button("help and keys", "?", () => byId("keys").showModal()),
  ];
}

/**
 * Return when answers that nobody has asked for are wanted: someone sees the page, has not hidden them, and stays at the position
 * for a moment after moving on quickly. Until then the server has nothing to do. Throws if the signal is aborted.
 */
export async function wanted(signal) {
  const [last, now] = [before, performance.now()];
  before = now;
  if (now - last < QUICKLY) await new Promise((done) => setTimeout(done, QUICKLY));
  while (!signal.aborted && (document.hidden || document.body.classList.contains("hidden-answers")))
    await new Promise((done) => ["visibilitychange", SHOWN].forEach((name) => document.addEventListener(name, done, { once: true, signal })));
  signal.throwIfAborted();
}

/** Return what `parse` makes of the items of a list in an address, such as "r3.u2"; `fail()` is called if it makes nothing of one. */
export function items(text, separator, parse, fail) {
  const found = (text ?? "").split(separator).filter(Boolean).map(parse);
  if (!found.every(Boolean)) fail();
  return found.filter(Boolean);
}

const shortened = (text) => (text.length > LONGEST ? `${text.slice(0, LONGEST)}...` : text);

/** Show a line about what happens, or an error; screen readers read it. Without a text, the line that was announced is shown. */
export function say(text, kind = "") {
  const [shown, its] = text ? [text, kind] : standing;
  fill(byId("news"), shown && el("span", { class: its }, shown));
}

/** Show a line that stays until the position changes. */
export function announce(text, kind = "") {
  standing = [text, kind];
  say("");
}

/**
 * Run a request, and show its error unless it was aborted because the position has changed. What was shown in the answer as
 * `pending` does not come then.
 */
export async function attempt(work) {
  try {
    await work();
  } catch (error) {
    if (error.name === "AbortError") return;
    document.querySelectorAll("#answer .pending").forEach((each) => each.remove());
    say(error.message, "error");
  }
}
