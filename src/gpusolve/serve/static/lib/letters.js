// Guesses and their patterns, for Wordle and Quordle: a pattern has a character for each letter, - for grey, y for yellow, g for green.

import { fold } from "./alphabet.js";
import { say } from "./board.js";
import { byId, counted, el, fill } from "./dom.js";
import { isTaken, isWorked, rove } from "./keys.js";

export const COLOURS = { "-": "grey", y: "yellow", g: "green" };
const MARKS = { "🟩": "g", "🟧": "g", "🟨": "y", "🟦": "y", "⬛": "-", "⬜": "-" };
// The letters of the keyboards that people know. The keys of other letters follow in rows of at most ROW keys.
const LAYOUTS = [
  "qwertyuiop asdfghjkl zxcvbnm",
  "ερτυθιοπ ασδφγηξκλ ζχψωβνμ",
  "йцукенгшщзхъ фывапролджэ ячсмитьбю",
  "קראטוןםפ שדגכעיחלךף זסבהנמצתץ",
  "ضصثقفغعهخحجد شسيبلاتنمكط ئءؤرىةوزظ",
].map((layout) => layout.split(" ").map((row) => [...row]));
const ROW = 10;

/** Return the next colour of a tile that was clicked. */
export const next = (mark) => ({ "-": "y", y: "g", g: "-" })[mark];

/** Return a guess and its patterns from "salet:-y--g" or "carle:-y---,----y", or null. */
export function turn(text) {
  const match = /^(\p{L}[\p{L}\p{M}]*):([-yg]{2,12}(?:,[-yg]{2,12})*)$/u.exec(fold(text));
  return match && { guess: match[1], patterns: match[2].split(",") };
}

/** Return a row of an address' shared result, such as "-y--g", or null. */
export const sharedRow = (text) => (/^[-yg]{2,12}$/.test(text) ? text : null);

/** Return the turns in a text that someone pasted, such as "salet:-y--g craft:ggggg". */
export function turnsIn(text) {
  const found = fold(text).matchAll(/(?<![\p{L}\p{M}])(\p{L}[\p{L}\p{M}]*):([-yg]{2,12})(?![-yg])/gu);
  return [...found].map(([, guess, pattern]) => ({ guess, pattern }));
}

/** Return the patterns of `length` marks in a line of a text that someone shared, such as ["-y--g"]. */
function patterns(line, length) {
  const marks = [...line.replace(/[\ufe0f\u200e\u200f]/g, "")].map((sign) => MARKS[sign] ?? " ").join("");
  const rows = marks.match(/[-yg]+/g) ?? [];
  return rows.filter((row) => row.length % length === 0).flatMap((row) => row.match(RegExp(`.{${length}}`, "g")));
}

/** Return whether a text has rows of squares. */
export const hasSquares = (text) => /(?:[🟩🟧🟨🟦⬛⬜]\ufe0f?){2}/u.test(text);

/**
 * Return the boards in a text that someone shared, each as its patterns in order. Boards are side by side in a line, and
 * a line without patterns separates those above from those below.
 */
export function shared(text, length) {
  const boards = [];
  let row = [];
  for (const line of text.split("\n")) {
    const found = patterns(line, length);
    if (!found.length) row = [];
    else if (!row.length) boards.push(...(row = found.map((each) => [each])));
    else found.forEach((each, i) => row[i]?.push(each));
  }
  return boards;
}

/** Return the guesses that follow the patterns in a text that someone shared; an address in it is no guess. */
export function sharedGuesses(text, alphabet) {
  const lines = text.split("\n");
  const last = lines.findLastIndex((line) => patterns(line, alphabet.length).length);
  const rest = lines.slice(last + 1).join(" ").replace(/\S*[./]\S*/g, " ");
  return (fold(rest).match(/[\p{L}\p{M}]+/gu) ?? []).filter((word) => alphabet.fits(word));
}

/** Return what was read from a shared result: the colours of some guesses, and the first of these. */
export const sharedNote = (colours, guesses) =>
  `the colours of ${counted(colours, "guess", "guesses")}${guesses ? ` and ${counted(guesses, "guess", "guesses")}` : ""}${guesses < colours ? "; now type the guesses" : ""}`;

/** Return a row of tiles. `click(i)` is called for a click on tile i; without it they are no buttons. */
export function tiles(guess, pattern, alphabet, click) {
  const letters = alphabet.split(guess);
  const row = el(
    "div",
    { class: "tiles", role: "group", "aria-label": guess || "empty row", dir: alphabet.direction },
    [...pattern].map((mark, i) => {
      const letter = letters[i] ?? "";
      const colour = COLOURS[mark] ?? "empty";
      const label = letter ? `${letter}, ${colour}` : "empty";
      const kind = `tile ${letter ? "" : "empty "}${colour}${alphabet.digraphs.has(letter) ? " digraph" : ""}`;
      if (!click || !letter) return el("span", { class: kind }, letter);
      return el("button", { type: "button", class: kind, "aria-label": `${label}: change`, onclick: () => click(i) }, letter);
    }),
  );
  row.style.setProperty("--length", pattern.length);
  return row;
}

/** Return the rows of keys for letters: those of the keyboard with most of them in the answers, then the others in their order. */
function rowsOf({ letters, digraphs, counts }) {
  const number = (rows) => rows.flat().reduce((sum, letter) => sum + (counts[letter] ?? 0), 0);
  const best = LAYOUTS.reduce((one, other) => (number(other) > number(one) ? other : one));
  const layout = best.map((row) => row.filter((letter) => letters.includes(letter)));
  const order = new Intl.Collator().compare;
  const others = letters.filter((letter) => !layout.flat().includes(letter)).sort(order);
  const kinds = [others.filter((letter) => !digraphs.has(letter)), others.filter((letter) => digraphs.has(letter))];
  const inRows = (keys, size) => (keys.length ? [keys.slice(0, size), ...inRows(keys.slice(size), size)] : []);
  return [...layout.filter((row) => row.length), ...kinds.flatMap((keys) => inRows(keys, Math.ceil(keys.length / Math.ceil(keys.length / ROW))))];
}

/** Return a note about each guess that may not be made, with the words that were probably meant: guess -> words, as the commands report them. */
export const misspelt = (unknown) =>
  Object.entries(unknown).map(([guess, near]) => `${guess} is not in the list of guesses${near.length ? `: did you mean ${near.join(" or ")}?` : ""}`);

/** Return what to do with a guess whose letters are there. */
export const colouring = (guess) => `set the colours of ${guess} by its tiles, then press enter`;

/** Bring the focus to the tiles of a suggested guess, whose colours are still to be set. */
export function colour(guess) {
  byId("game").querySelector(".draft .tile").focus();
  say(colouring(guess));
}

/** Open the keyboard on a phone, which shows it as long as a guess is being typed. */
export const openKeyboard = () => document.body.classList.add("typing");

/** Return the buttons below the boards: on a phone, one that opens the keyboard unless the game is over, and one that pastes a result. */
export const typingButtons = (open, paste) =>
  rove(el("div", { class: "buttons" }, open && el("button", { type: "button", class: "main phone", onclick: open }, "type a guess"), paste));

/**
 * Show a keyboard on the screen. `known` maps letters to the best mark seen; `press` gets a letter, Enter or Backspace. A
 * phone shows it as long as a guess is being `typed`.
 */
export function showKeyboard(known, alphabet, press, typed) {
  const key = (name, text, label) => {
    const kind = `key ${COLOURS[known[name]] ?? ""}${label ? " action" : ""}`;
    return el("button", { type: "button", class: kind, "aria-label": label ?? name, onclick: () => press(name) }, text ?? name);
  };
  const rows = rowsOf(alphabet);
  const made = el(
    "div",
    { class: "keyboard", role: "group", "aria-label": "keyboard" },
    rows.map((row, i) => {
      const last = i === rows.length - 1;
      return el("div", {}, last && key("Enter", "\u23ce", "enter the guess"), row.map((letter) => key(letter)), last && key("Backspace", "\u232b", "delete a letter"));
    }),
  );
  fill(byId("typing"), rove(made));
  document.body.classList.toggle("typing", typed);
}

/** Return the best mark that each letter has got. */
export function marks(turns, alphabet) {
  const known = {};
  for (const { guess, pattern } of turns)
    alphabet.split(guess).forEach((letter, i) => {
      if ("-yg".indexOf(pattern[i]) > "-yg".indexOf(known[letter] ?? " ")) known[letter] = pattern[i];
    });
  return known;
}

/** Call `press` for keys that are typed while no field has the focus: letters, combining marks, Enter and Backspace. */
export function listen(press) {
  addEventListener("keydown", (event) => {
    if (isTaken(event)) return;
    if (/^(\p{L}\p{M}*|\p{M})$/u.test(event.key) || event.key === "Backspace" || (event.key === "Enter" && !isWorked(event))) {
      event.preventDefault();
      press(event.key);
    }
  });
}
