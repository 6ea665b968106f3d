// Small helpers to build a page. Text is always set as text, so nothing from a request or an answer becomes markup.

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

/** Return a list of words that shows the first ones and folds the others. */
export function words(list, shown = 40) {
  const text = (some) => el("p", { class: "words", dir: "auto" }, some.join(" "));
  const rest = list.slice(shown);
  return [text(list.slice(0, shown)), rest.length > 0 && el("details", {}, el("summary", {}, `${figure(rest.length)} more`), text(rest))];
}

/** Return a labelled choice. `choices` are values, or pairs of a value and a text. */
export function choice(label, choices, value, onchange) {
  const options = choices.map((each) => {
    const [name, text] = Array.isArray(each) ? each : [each, each];
    return el("option", { value: name, selected: name === value }, text);
  });
  const select = el("select", { onchange: () => onchange(select.value) }, options);
  return el("label", {}, label, select);
}
