// Small helpers to build a page. Text is always set as text, so nothing from a request or an answer becomes markup.

import { rove } from "./keys.js";

const FIRST = 3; // answers that a phone shows; the others fold
const LONG = 14; // letters of an answer beside which a phone has no room for figures
let unfolded = ""; // the position at which they were unfolded

/**
 * Return a new element. Properties that start with "on" are listeners, "class", "list" and names with a dash are attributes,
 * and all others are properties; a property of undefined or null is left out.
 */
export function el(tag, properties = {}, ...children) {
  const made = document.createElement(tag);
  for (const [name, value] of Object.entries(properties)) {
    if (value === undefined || value === null) continue;
    if (name.startsWith("on")) made.addEventListener(name.slice(2), value);
    else if (["class", "role", "for", "list"].includes(name) || name.includes("-")) made.setAttribute(name, value);
    else made[name] = value;
  }
  made.append(...children.flat(Infinity).filter((child) => child !== null && child !== undefined && child !== false));
  return made;
}

/** Replace what is in an element. If the focus was in it, the new element with the same label, or at the same place, gets it. */
export function fill(element, ...children) {
  const focused = element.contains(document.activeElement) ? document.activeElement : null;
  const alike = (one) => [...element.querySelectorAll(one.tagName)];
  const place = focused && alike(focused).indexOf(focused);
  element.replaceChildren(...children.flat(Infinity).filter((child) => child !== null && child !== undefined && child !== false));
  if (!focused || element.contains(document.activeElement)) return;
  const name = (one) => one.id || one.getAttribute("aria-label") || one.textContent;
  const now = alike(focused);
  (now.find((one) => name(one) === name(focused)) ?? now[Math.min(place, now.length - 1)])?.focus({ preventScroll: true });
}

/** Return the element with this id. */
export const byId = (id) => document.getElementById(id);

/** Return a number with commas, or with some digits after the point. */
export const figure = (value, digits = 0) =>
  value === null || value === undefined
    ? ""
    : value.toLocaleString("en", { minimumFractionDigits: digits, maximumFractionDigits: digits });

/** Return a number with what it counts, as in "3 guesses". */
export const counted = (number, one, many = `${one}s`) => `${figure(number)} ${number === 1 ? one : many}`;

/** Return a chance as a percentage. */
export const percent = (chance, digits = 1) => (chance === null || chance === undefined ? "" : `${figure(100 * chance, digits)} %`);

/**
 * Return a table that scrolls in its own frame. A column is {name, title, figure}, where `title` explains it; a cell is
 * text or an element.
 */
export function table(caption, columns, rows) {
  const kind = (column) => (column.figure ? "figure" : undefined);
  return el(
    "div",
    { class: "wide", role: "region", tabIndex: 0, "aria-label": caption },
    el(
      "table",
      { class: "list" },
      el("caption", {}, caption),
      el("thead", {}, el("tr", {}, columns.map((column) => el("th", { scope: "col", class: kind(column), title: column.title }, column.name)))),
      el("tbody", {}, rows.map((row) => el("tr", {}, row.map((cell, i) => el("td", { class: kind(columns[i]) }, cell))))),
    ),
  );
}

/**
 * Return a table of ranked answers, the best first, where the first cell of each row is a button, or text. It is one stop of the Tab
 * key. A column of figures without any value is left out. Where it is too narrow for its columns, each row is a few lines in which the numbers have their names, and the rows
 * after the first ones fold on a phone.
 */
export function answers(caption, allColumns, allRows) {
  const used = allColumns.map(({ figure }, i) => !figure || allRows.some((row) => row[i] !== ""));
  const columns = allColumns.filter((_, i) => used[i]);
  const rows = allRows.map((row) => row.filter((_, i) => used[i]));
  const letters = Math.max(0, ...rows.map(([first]) => [...(first.textContent ?? first)].length));
  const element = lined(caption, columns, rows, letters > LONG);
  element.classList.add("foldable");
  [...element.tBodies[0].rows].forEach((row, n) => { row.className = folded(n); });
  element.style.setProperty("--letters", letters); // room for the buttons
  return [rove(element), ...fold(element, rows.length)];
}

/**
 * Return a table. Where it is too narrow for its columns, each row is a few lines in which the numbers have their names; a first
 * cell that is `long` has a line of its own.
 */
export function lined(caption, columns, rows, long = true) {
  const cell = (content, { name, figure }, i) => el("td", { class: i && figure ? "figure" : undefined, "data-name": i ? name : undefined }, content);
  return el(
    "table",
    { class: `list answers ${long ? "long" : ""}` },
    el("caption", {}, caption),
    el("thead", {}, el("tr", {}, columns.map(({ name, title, figure }) => el("th", { scope: "col", class: figure && "figure", title }, name)))),
    el("tbody", {}, rows.map((row) => el("tr", {}, row.map((content, i) => cell(content, columns[i], i))))),
  );
}

/**
 * Return the button that unfolds the answers in an element after the first ones; a wide screen shows all of them, without it.
 * Better answers at the same position stay unfolded.
 */
export function fold(element, count) {
  const unfold = () => {
    unfolded = location.href;
    element.classList.add("whole");
  };
  const more = el("button", { type: "button", class: "more", onclick: unfold }, `${figure(count - FIRST)} more`);
  if (unfolded === location.href) unfold();
  return count > FIRST ? [more] : [];
}

/** Return the class of an answer at a place from 0: on a phone, those after the first ones fold. */
export const folded = (place) => (place < FIRST ? "" : "later");

/** Return a list of words that shows the first ones and folds the others. */
export function words(list, shown = 40) {
  const text = (some) => el("p", { class: "words", dir: "auto" }, some.join(" "));
  const rest = list.slice(shown);
  return [text(list.slice(0, shown)), rest.length > 0 && el("details", {}, el("summary", {}, `${figure(rest.length)} more`), text(rest))];
}

/** Return lines that a reader should know; empty ones are left out. */
export const lines = (texts) => texts.filter(Boolean).map((text) => el("p", { class: "note", role: "status" }, text));

/** Return a labelled choice. `choices` are values, or pairs of a value and a text. */
export function choice(label, choices, value, onchange) {
  const options = choices.map((each) => {
    const [name, text] = Array.isArray(each) ? each : [each, each];
    return el("option", { value: name, selected: name === value }, text);
  });
  const select = el("select", { onchange: () => onchange(select.value) }, options);
  return el("label", {}, label, select);
}
