// Guesses and their patterns, for Wordle and Quordle: a pattern is five characters, - for grey, y for yellow, g for green.

import { el } from "./dom.js";

export const COLOURS = { "-": "grey", y: "yellow", g: "green" };
export const LENGTH = 5;
const MARKS = { "🟩": "g", "🟧": "g", "🟨": "y", "🟦": "y", "⬛": "-", "⬜": "-" };
const ROWS = ["qwertyuiop", "asdfghjkl", "zxcvbnm"];

/** Return the next colour of a tile that was clicked. */
export const next = (mark) => ({ "-": "y", y: "g", g: "-" })[mark];

/** Return a guess and its pattern from "salet:-y--g", or null. */
export function turn(text) {
  const match = /^([a-z]{5}):([-yg]{5})$/.exec(text);
  return match && { guess: match[1], pattern: match[2] };
}

/** Return the patterns in a line of a text that someone shared, such as ["-y--g"]. */
function patterns(line) {
  const marks = [...line.replace(/\ufe0f/g, "")].map((sign) => MARKS[sign] ?? " ").join("");
  return marks.match(/[-yg]{5}/g) ?? [];
}

/**
 * Return the boards in a text that someone shared, each as its patterns in order. Boards are side by side in a line, and
 * a line without patterns separates those above from those below.
 */
export function shared(text) {
  const boards = [];
  let row = [];
  for (const line of text.split("\n")) {
    const found = patterns(line);
    if (!found.length) row = [];
    else if (!row.length) boards.push(...(row = found.map((each) => [each])));
    else found.forEach((each, i) => row[i]?.push(each));
  }
  return boards;
}

/** Return the guesses that follow the patterns in a text that someone shared; an address in it is no guess. */
export function sharedGuesses(text) {
  const lines = text.split("\n");
  const last = lines.findLastIndex((line) => patterns(line).length);
  const rest = lines.slice(last + 1).join(" ").replace(/\S*[./]\S*/g, " ").toLowerCase();
  return rest.match(/\b[a-z]{5}\b/g) ?? [];
}

/** Return a row of tiles. `click(i)` is called for a click on tile i; without it they are no buttons. */
export function tiles(letters, pattern, click) {
  return el(
    "div",
    { class: "tiles", role: "group", "aria-label": letters || "empty row" },
    Array.from({ length: LENGTH }, (_, i) => {
      const letter = letters[i] ?? "";
      const colour = letter || pattern[i] !== " " ? COLOURS[pattern[i]] ?? "empty" : "empty";
      const label = letter ? `${letter}, ${colour}` : "empty";
      if (!click || !letter) return el("span", { class: `tile ${letter ? colour : `empty ${colour}`}` }, letter);
      return el("button", { type: "button", class: `tile ${colour}`, "aria-label": `${label}: change`, onclick: () => click(i) }, letter);
    }),
  );
}

/** Return a keyboard on the screen. `known` maps letters to the best mark seen; `press` gets a letter, Enter or Backspace. */
export function keyboard(known, press) {
  const key = (name, text, label) =>
    el("button", { type: "button", class: `key ${COLOURS[known[name]] ?? ""}`, "aria-label": label ?? name, onclick: () => press(name) }, text ?? name);
  return el(
    "div",
    { class: "keyboard", role: "group", "aria-label": "keyboard" },
    ROWS.map((row, i) =>
      el("div", {}, i === 2 && key("Enter", "\u23ce", "enter the guess"), [...row].map((letter) => key(letter)), i === 2 && key("Backspace", "\u232b", "delete a letter")),
    ),
  );
}

/** Return the best mark that each letter has got. */
export function marks(turns) {
  const known = {};
  for (const { guess, pattern } of turns)
    [...guess].forEach((letter, i) => {
      if ("-yg".indexOf(pattern[i]) > "-yg".indexOf(known[letter] ?? "")) known[letter] = pattern[i];
    });
  return known;
}

/** Call `press` for keys that are typed while no field has the focus. */
export function listen(press) {
  addEventListener("keydown", (event) => {
    if (event.ctrlKey || event.metaKey || event.altKey || /^(INPUT|SELECT|TEXTAREA)$/.test(event.target.tagName)) return;
    const key = event.key.length === 1 ? event.key.toLowerCase() : event.key;
    const button = event.target.tagName === "BUTTON" || event.target.tagName === "SUMMARY";
    if (/^[a-z]$/.test(key) || key === "Backspace" || (key === "Enter" && !button)) {
      event.preventDefault();
      press(key);
    }
  });
}
