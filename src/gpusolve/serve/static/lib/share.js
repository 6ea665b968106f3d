// The dialog that shares a position: its address, a text with coloured squares, and a QR code.

import { el, fill } from "./dom.js";

const SQUARES = { g: "\u{1f7e9}", y: "\u{1f7e8}", "-": "\u2b1b", "#": "\u{1f7e6}", ".": "\u2b1b" };
const squares = (marks) => [...marks].map((mark) => SQUARES[mark] ?? mark).join("");

/** Return a position as rows of squares: from colours or a field of cells in its address, or from the words of a grid that are lit up. */
export function picture(given) {
  const lit = [...document.querySelectorAll("#game .own.slides [data-row]")].map((cell) => (cell.classList.contains("home") ? "g" : "."));
  const size = Math.sqrt(lit.length);
  if (size) return Array.from({ length: size }, (_, row) => squares(lit.slice(row * size, (row + 1) * size)));

  const turns = [...(given.get("turns") ?? "").matchAll(/:([-yg,]+?)(?=[,;][^-yg,]|$)/g)];
  if (turns.length) return turns.map(([, patterns]) => patterns.split(",").map(squares).join(" "));
  const rows = (given.get("board") ?? "").split("/");
  return rows.every((row) => /^[#.]+$/.test(row)) ? rows.map(squares) : [];
}

/** Open the dialog. */
export function shareDialog(title, emoji) {
  const address = location.href;
  const said = [...document.querySelectorAll("[data-share]")].map((each) => each.textContent); // what a board says of the position
  const text = [`${emoji} ${title}`.trim(), ...said, ...picture(new URLSearchParams(location.search)), address].join("\n");
  const copied = el("p", { role: "status" });
  const copy = (what, name) => el("button", { type: "button", onclick: () =>
    navigator.clipboard.writeText(what).then(() => fill(copied, `${name} copied`), () => fill(copied, "the browser does not let this page copy: select the text")) }, `copy ${name}`);
  const send = navigator.share && el("button", { type: "button", onclick: () => navigator.share({ title, text }).catch(() => {}) }, "send to ...");
  const tooLong = (event) => event.target.replaceWith(el("p", { class: "note" }, "The address is too long for a QR code."));
  const code = () => el("img", { class: "code", src: `/qr.svg?${new URLSearchParams({ address })}`, alt: "QR code of the address", onerror: tooLong });
  const here = ["localhost", "127.0.0.1", "[::1]"].includes(location.hostname);
  const dialog = el("dialog", { class: "share", "aria-label": "share this position", onclose: () => dialog.remove(), onclick: (event) => event.target === dialog && dialog.close() },
    el("h2", {}, "Share this position"),
    el("textarea", { rows: Math.min(12, text.split("\n").length + 2), readOnly: true, "aria-label": "text to share", value: text }),
    el("div", { class: "buttons" }, copy(address, "address"), copy(text, "text"), send),
    here ? el("p", { class: "note" }, "This server answers on this machine only, so the address leads nowhere on a phone. To open boards on other machines, start it with ", el("code", {}, "gpusolve serve --host 0.0.0.0 --public NAME"), ".") : code(),
    copied,
    el("div", { class: "buttons" }, el("button", { type: "button", onclick: () => dialog.close() }, "close")));
  document.body.append(dialog);
  dialog.showModal();
}
