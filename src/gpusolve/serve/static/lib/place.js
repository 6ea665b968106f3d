// What every page has around its content: the list of games, the dialog to share a position, earlier positions, and the
// service worker, with which the boards can be installed.

import { byId, el, fill } from "./dom.js";
import { shareDialog } from "./share.js";

const KEY = "gpusolve.positions";
const KEPT = 20; // positions of each game
const SHOWN = 3; // on the first page
const STAY = 5000; // milliseconds after which a position is remembered
const game = location.pathname.slice(1);

navigator.serviceWorker?.register("/offline.js").catch(() => {}); // a browser may forbid it

const menu = document.querySelector(".switch");
addEventListener("pointerdown", (event) => menu.contains(event.target) || (menu.open = false));
menu.addEventListener("keydown", (event) => {
  if (event.key !== "Escape") return;
  menu.open = false;
  menu.querySelector("summary").focus();
});

const share = byId("share");
if (share) {
  share.hidden = false;
  share.addEventListener("click", () => shareDialog(document.querySelector("h1").textContent, share.dataset.emoji));
  byId("more").append(el("div", { "data-positions": game }));
  follow();
}
showPositions();

/** Return the positions that this browser remembers: the newest first, each with its game, address and time. */
function positions() {
  try {
    return JSON.parse(localStorage.getItem(KEY)) ?? [];
  } catch {
    return []; // it keeps nothing, or something else
  }
}

function keep(list) {
  try {
    localStorage.setItem(KEY, JSON.stringify(list));
  } catch {
    // it is full, or keeps nothing
  }
}

/** Remember each position at which someone stays. */
function follow() {
  let [seen, since] = [location.search, Date.now()];
  setInterval(() => {
    if (location.search !== seen) [seen, since] = [location.search, Date.now()];
    else if (seen && since && Date.now() - since >= STAY) {
      since = 0;
      const others = positions().filter(({ address }) => address !== location.pathname + seen);
      const mine = others.filter((each) => each.game === game).slice(0, KEPT - 1);
      keep([{ game, address: location.pathname + seen, when: Date.now() }, ...mine, ...others.filter((each) => each.game !== game)]);
      showPositions();
    }
  }, 500);
}

/** Show the positions of each game where the page has room for them. */
function showPositions() {
  for (const place of document.querySelectorAll("[data-positions]")) {
    const name = place.dataset.positions;
    const mine = positions().filter((each) => each.game === name && each.address.startsWith(`/${name}?`));
    const rows = mine.slice(0, share ? KEPT : SHOWN).map(({ address, when }) =>
      el("li", {}, el("a", { href: address }, named(address)), el("time", { dateTime: new Date(when).toISOString() }, ago(when))));
    const forget = el("button", { type: "button", class: "small", onclick: () => {
      keep(positions().filter((each) => each.game !== name));
      showPositions();
    } }, "forget them");
    const open = place.querySelector("details")?.open;
    fill(place, mine.length > 0 && el("details", { open }, el("summary", {}, "earlier positions"), el("ul", { class: "positions" }, rows), forget));
  }
}

/** Return the values in an address as a text. */
function named(address) {
  return [...new URLSearchParams(address.split("?")[1])].map(([, value]) => value).join(" ");
}

function ago(when) {
  const format = new Intl.RelativeTimeFormat("en", { numeric: "auto" });
  const minutes = (Date.now() - when) / 60_000;
  if (minutes < 60) return format.format(-Math.round(minutes), "minute");
  return minutes < 24 * 60 ? format.format(-Math.round(minutes / 60), "hour") : format.format(-Math.round(minutes / 60 / 24), "day");
}
