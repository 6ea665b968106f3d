// The Quiddler board: build words from the uncovered cards of a deal, and compare your plan with the proven best one.

import { call } from "/static/lib/api.js";
import { attempt, board, controls, say } from "/static/lib/board.js";
import { byId, el, figure, fill, table } from "/static/lib/dom.js";
import { optionsIn, showOptions, typed } from "/static/lib/options.js";

const DEAL = "n w u th r y y i / a c j o u n b i";
const OWN = ["deal", "plan", "shown"]; // what the board has in forms of its own
let position;
let draft = []; // the cards of the word that is being spelled: [pile, 0 for its top card or 1 for its bottom card]
let redraw = () => {};

const go = board({
  hint: "Click cards to spell a word, then finish it. Cards below become free after the word; a free top card may move to an empty pile by itself.",
  panels: ["plan", "best"],
  read: (given) => ({ deal: given.get("deal") ?? DEAL, plan: (given.get("plan") ?? "").split(" ").filter(Boolean), shown: given.get("shown") === "yes", options: optionsIn(given, OWN) }),
  write: ({ deal, plan, shown, options }) => ({ ...options, deal, plan: plan.join(" "), shown: shown ? "yes" : "" }),
  show,
});

function show(given, signal) {
  position = given;
  draft = [];
  fill(byId("best"));
  draw([]);
  attempt(async () => {
    if (position.plan.length) await check(signal);
    else fill(byId("plan"), el("p", {}, "no words yet"));
    if (position.shown) await solve(signal);
  });
}

function rows() {
  return position.deal.split("/").map((row) => row.trim().split(/\s+/));
}

/** Draw the deal. `used` are cards of finished words, by name; which of two equal cards is used does not matter. */
function draw(used) {
  redraw = () => draw(used);
  const left = [...used];
  const [tops, bottoms] = rows();
  const taken = (card) => {
    const at = left.indexOf(card);
    if (at >= 0) left.splice(at, 1);
    return at >= 0;
  };
  const gone = [tops.map(taken), bottoms.map(taken)];
  const card = (name, pile, level) => {
    const place = draft.findIndex(([p, l]) => p === pile && l === level);
    return el("button", {
      type: "button",
      class: `cell ${place >= 0 ? "home" : ""}`,
      disabled: gone[level][pile],
      "aria-pressed": place >= 0 ? "true" : "false",
      "aria-label": `${name}, ${level ? "bottom" : "top"} card of pile ${pile + 1}`,
      onclick: () => {
        if (place >= 0) draft.splice(place, 1);
        else draft.push([pile, level]);
        draw(used);
      },
    }, gone[level][pile] ? "" : name);
  };
  const grid = el("div", { class: "grid cards8", role: "group", "aria-label": "the eight piles, top cards above" });
  grid.style.setProperty("--columns", 8);
  grid.append(...(tops ?? []).map((name, pile) => card(name, pile, 0)), ...(bottoms ?? []).map((name, pile) => card(name, pile, 1)));
  const word = draft.map(([pile, level]) => rows()[level][pile]);
  const text = el("input", { type: "text", id: "deal", value: position.deal, onchange: () => go({ ...position, deal: text.value, plan: [], shown: false }) });
  const spelled = word.map((name) => (name.length > 1 ? `(${name})` : name)).join("");
  fill(
    byId("game"),
    grid,
    el("p", { "aria-live": "polite" }, "word: ", el("strong", {}, word.join("") || "none")),
    el("div", { class: "buttons" },
      el("button", { type: "button", class: "main", id: "finish", disabled: !word.length, onclick: () => go({ ...position, plan: [...position.plan, spelled] }) }, "finish the word"),
      el("button", { type: "button", onclick: () => { draft = []; draw(used); } }, "clear")),
    el("div", { class: "buttons" },
      el("button", { type: "button", onclick: () => go({ ...position, shown: true }) }, "show the best plan"),
      el("button", { type: "button", onclick: () => attempt(random) }, "random deal")),
    controls(() => go({ ...position, plan: [], shown: false })),
    el("label", { for: "deal" }, "deal: top cards / bottom cards"), text,
  );
  showOptions(["quiddler/check", "quiddler/solve"], [...OWN, "seed", "top"], position.options, (options) => go({ ...position, options }));
}

/** Typing spells a word: a letter takes a card of it that is free, or else a card of two letters that begins with it. */
function press(event) {
  if (/^(INPUT|SELECT|TEXTAREA)$/.test(event.target.tagName) || event.ctrlKey || event.metaKey || event.altKey) return;
  const cards = [...byId("game").querySelectorAll(".cards8 .cell:not(:disabled)[aria-pressed=false]")];
  const letter = event.key.toLowerCase();
  const card = /^[a-z]$/.test(letter) && (cards.find((each) => each.textContent === letter) ?? cards.find((each) => each.textContent.startsWith(letter)));
  if (card) card.click();
  else if (event.key === "Backspace" && draft.length) {
    draft.pop();
    redraw();
  } else if (event.key === "Enter" && draft.length && event.target.tagName !== "BUTTON") byId("finish").click();
  else return;
  event.preventDefault();
}

async function random() {
  const { tops, bottoms } = await call("quiddler/deal", {});
  go({ ...position, deal: `${tops.join(" ")} / ${bottoms.join(" ")}`, plan: [], shown: false });
}

async function check(signal) {
  try {
    const options = await typed("quiddler/check", position.options);
    const { plan } = await call("quiddler/check", { ...options, plan: position.plan.join(" "), deal: position.deal }, signal);
    fill(byId("plan"), showPlan("your plan", plan));
    draw(plan.steps.flatMap(({ cards }) => cards));
  } catch (error) {
    if (error.name === "AbortError") throw error;
    fill(byId("plan"), el("p", {}, position.plan.join(" ")), el("button", { type: "button", onclick: () => go({ ...position, plan: position.plan.slice(0, -1) }) }, "take the last word back"));
    say(error.message, "error");
  }
}

async function solve(signal) {
  say("solving");
  const options = await typed("quiddler/solve", position.options);
  const found = await call("quiddler/solve", { ...options, deal: position.deal, top: 1 }, signal);
  say("");
  const reach = found.goal === "any" ? "that use all cards" : "with this score";
  fill(byId("best"), el("h2", {}, "The best plan"), showPlan(`proven; ${figure(found.n_plans)} plan${found.n_plans === 1 ? "" : "s"} ${reach}`, found.plans[0]));
}

function showPlan(title, plan) {
  const columns = [{ name: "word" }, { name: "cards" }, { name: "points", figure: true }, { name: "bonus", figure: true }];
  const cells = plan.steps.map(({ word, cards, points, bonus }) => [word, cards.join(" "), figure(points), figure(bonus)]);
  return [el("p", {}, el("strong", {}, `${figure(plan.score)} points`), plan.left.length ? `, with ${plan.left.join(" ")} left` : ", with all cards used"), table(title, columns, cells)];
}

addEventListener("keydown", press);
