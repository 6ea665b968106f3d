// Texts that people paste: with Ctrl+V outside of fields, or into a dialog, which a phone needs. The board says what it has read.

import { announce, attempt } from "./board.js";
import { byId, el } from "./dom.js";

/**
 * Take the texts that are pasted. `about` says what can be pasted, as in "expected a board". `take(text)` goes to the position
 * that a text describes and returns what it has read, such as "3 guesses", or nothing if it can read nothing; it may throw an
 * Error with one line. Returns a function that makes a button with a name, which opens the dialog.
 */
export function pasting(about, take) {
  const read = (text) => attempt(async () => {
    const found = await take(text.trim());
    if (!found) throw new Error(`nothing was read from the pasted text: expected ${about}`);
    announce(`pasted: ${found}`);
  });
  addEventListener("paste", (event) => {
    const text = event.clipboardData.getData("text");
    if (/^(INPUT|TEXTAREA)$/.test(event.target.tagName) || !text.trim()) return;
    event.preventDefault();
    read(text);
  });
  return (name) => el("button", { type: "button", onclick: () => open(about, read) }, name);
}

function open(about, read) {
  const field = el("textarea", { rows: 6, "aria-label": "text to paste" });
  const dialog = el("dialog", { class: "paste", "aria-label": "paste a text", onclose: () => dialog.remove() },
    el("h2", {}, "Paste"),
    el("p", { class: "note" }, `${about[0].toUpperCase()}${about.slice(1)}.`),
    field,
    el("div", { class: "buttons" },
      el("button", { type: "button", class: "main", onclick: () => { dialog.close(); read(field.value); } }, "read it"),
      el("button", { type: "button", onclick: () => dialog.close() }, "close")));
  byId("more").append(dialog);
  dialog.showModal();
}
