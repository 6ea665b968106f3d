// The Quiddler board: build words from the uncovered cards of a deal, and compare your plan with the proven best one.

import { call, follow } from "/static/lib/api.js";
import { attempt, board, items, say, wanted } from "/static/lib/board.js";
import { answers, byId, counted, el, figure, fill, table as list } from "/static/lib/dom.js";
import { isTaken, isWorked, rove } from "/static/lib/keys.js";
import { optionsIn, showOptions, typed } from "/static/lib/options.js";
import { pasting } from "/static/lib/paste.js";

const DEAL = "n w u th r y y i / a c j o u n b i";
const PLACES = 8;
const TWO_LETTERS = ["cl", "er", "in", "qu", "th"];
const SIXTEEN = "the sixteen cards of a deal: the top cards, a slash, and the cards below them";
const OWN = ["deal", "plan"]; // what the board has in forms of its own
const COMMANDS = ["quiddler/check", "quiddler/solve", "quiddler/suggest"];
let position;
let draft = []; // the cards of the word that is being spelled: their positions in the deal, from 1
let yours = { steps: [], left: [] }; // the words played, as the server checked them

const pasteButton = pasting(SIXTEEN, take);
const go = board({
  hint: "Click cards to spell a word, then finish it. The cards below become free after the word; you can also click one below if a place is empty, to which its top card then moves.",
  brief: "Tap cards to spell a word, then finish it.",
  keys: [["a-z", "take a card with this letter"], ["Enter", "finish the word"], ["Backspace", "put a card back, or take the last word back"]],
  panels: ["best", "plan"],
  answers: ["best"],
  read: (given, wrong) => {
    const isDeal = isTable(given.get("deal") ?? DEAL);
    if (!isDeal) wrong("deal");
    const plan = items(given.get("plan"), " ", (word) => (/^[a-z()]+(:\d+(-\d+)*)?$/i.test(word) ? word : null), () => wrong("plan"));
    return { deal: isDeal ? (given.get("deal") ?? DEAL) : DEAL, plan: isDeal ? plan : [], options: optionsIn(given, OWN) };
  },
  write: ({ deal, plan, options }) => ({ ...options, deal, plan: plan.join(" ") }),
  show,
  reset: (given) => ({ ...given, plan: [] }),
});

function show(given, signal) {
  position = given;
  draft = [];
  yours = { steps: [], left: [] };
  fill(byId("best"));
  fill(byId("plan"), el("p", {}, position.plan.length ? position.plan.map((word) => word.split(":")[0]).join(" ") : "no words yet"));
  draw();
  attempt(async () => {
    if (hasHidden()) await suggest(signal);
    else {
      const legal = !position.plan.length || (await check(signal));
      if (legal) await solve(signal);
    }
  });
}

/** Return the cards in a text: a word that names a card is that card, brackets hold one, and other letters are one each. */
function cardsIn(text) {
  const tokens = text.toLowerCase().split(/[\s,;|]+/).filter(Boolean);
  return tokens.flatMap((token) => (TWO_LETTERS.includes(token) ? [token] : [...token.matchAll(/\(([^()]*)\)|(.)/g)].map(([, card, other]) => card ?? other)));
}

/** Return whether a text can be a deal: at most eight cards in each of two rows, or up to sixteen in one. */
function isTable(text) {
  const rows = text.split("/").map(cardsIn);
  const fits = rows.length === 2 ? rows.every((row) => row.length <= PLACES) : rows.length === 1 && rows[0].length <= 2 * PLACES;
  return fits && rows.flat().some((card) => card !== ".") && rows.flat().every(isCard);
}

/** Return whether a text is a card; a point stands for none. */
function isCard(card) {
  return /^[a-z.?]$/.test(card) || TWO_LETTERS.includes(card);
}

/** Go to the deal in the field, or say what is wrong with it. */
function enter(text) {
  const wrong = text.split("/").flatMap(cardsIn).find((card) => !isCard(card));
  if (wrong) say(`${wrong} is no card: expected a letter, (qu), (in), (er), (th) or (cl), ? or a point`, "error");
  else if (!take(text)) say(`expected ${SIXTEEN}`, "error");
}

/** Go to the deal in a text, and return what was read. */
function take(text) {
  if (!isTable(text)) return "";
  go({ ...position, deal: text.toLowerCase().replace(/\s+/g, " "), plan: [] });
  return counted(dealt().filter((card) => card !== ".").length, "card");
}

/** Return the cards of the deal in the order in which it is written, top cards first; a point stands for none. */
function dealt() {
  const rows = position.deal.split("/").map(cardsIn);
  const [tops, bottoms] = rows.length > 1 ? rows : [rows[0].slice(0, PLACES), rows[0].slice(PLACES)];
  return [tops, bottoms].flatMap((row) => Array.from({ length: PLACES }, (_, i) => row[i] ?? "."));
}

function hasHidden() {
  return dealt().includes("?");
}

/** Return what lies on each place, the bottom card first, after the words played. A card is its position in the deal, from 1. */
function table(cards) {
  const places = Array.from({ length: PLACES }, (_, i) => [i + PLACES + 1, i + 1].filter((card) => cards[card - 1] !== "."));
  for (const step of yours.steps) {
    for (const { from_place, to_place } of step.moves) places[to_place - 1].push(places[from_place - 1].pop());
    for (const place of step.places) places[place - 1].pop();
  }
  return places;
}

/** Draw the table: on each place the uncovered card, and the card below it, which an empty place lets one uncover. */
function draw() {
  const cards = dealt();
  const places = table(cards);
  const name = (card) => cards[card - 1];
  const covered = places.filter((pile) => pile.length > 1).map(([card]) => card);
  const room = places.filter((pile) => !pile.length).length - draft.filter((card) => covered.includes(card)).length;
  const cell = (card, about, isBelow) => {
    if (card === undefined) return el("span", { class: isBelow ? "" : "cell gap" });
    const chosen = draft.includes(card);
    const closed = name(card) === "?" || (isBelow && !chosen && room < 1);
    return el("button", {
      type: "button",
      class: `cell ${chosen ? "home" : ""} ${isBelow ? "covered" : ""}`,
      disabled: closed,
      "data-card": card,
      "data-letters": name(card),
      "aria-pressed": chosen ? "true" : "false",
      "aria-label": `${name(card) === "?" ? "hidden" : name(card)}, ${about}${isBelow && !closed ? ", an empty place lets you uncover it" : ""}`,
      onclick: () => {
        draft = chosen ? draft.filter((each) => each !== card) : [...draft, card];
        draw();
      },
    }, name(card));
  };
  const grid = el("div", { class: "grid cards8", role: "group", "aria-label": "the eight places: uncovered cards, and below them the covered ones" });
  grid.style.setProperty("--columns", PLACES);
  grid.append(
    ...places.map((pile, i) => cell(pile.at(-1), `${pile.length > 1 ? "top" : "only"} card of pile ${i + 1}`, false)),
    ...places.map((pile, i) => cell(pile.length > 1 ? pile[0] : undefined, `covered card of pile ${i + 1}`, true)),
  );
  const word = draft.map(name);
  const text = el("input", { type: "text", id: "deal", value: position.deal, onchange: () => enter(text.value) });
  const spelled = word.map((card) => (card.length > 1 ? `(${card})` : card)).join("");
  fill(
    byId("game"),
    rove(grid),
    rove(el("div", { class: "spelling" },
      el("strong", { "aria-live": "polite", "aria-label": `word: ${word.join("") || "none"}`, role: "img" }, word.join("") || "\u2026"),
      el("button", { type: "button", class: "main", id: "finish", disabled: !word.length || hasHidden(), onclick: () => attempt(() => add(word.join(""), `${spelled}:${draft.join("-")}`)) }, "finish the word"),
      el("button", { type: "button", disabled: !word.length, onclick: () => { draft = []; draw(); } }, "clear"),
      el("button", { type: "button", onclick: () => attempt(random) }, "random deal"), pasteButton("paste"))),
  );
  showOptions(
    { paths: COMMANDS, own: [...OWN, "seed", "top"], options: position.options, change: (options) => go({ ...position, options }) },
    el("label", { class: "line", for: "deal" }, "deal: top cards / bottom cards, with a point for a card that is gone and ? for a hidden one", text),
  );
}

/** Play a word, or say why it cannot be played. */
async function add(word, entry) {
  const plan = [...position.plan, entry];
  const before = position;
  try {
    await judged(plan);
  } catch (error) {
    const reason = error.message.replace(/^not legal: word \d+, '[^']*': /, "");
    throw new Error(reason === error.message ? reason : `${word} cannot be played: ${reason}`);
  }
  if (position === before) go({ ...position, plan });
}

/** Return the plan of some words as the server plays it. Throws an Error if it is not legal. */
async function judged(plan, signal) {
  const options = await typed("quiddler/check", position.options);
  return (await call("quiddler/check", { ...options, plan: plan.join(" "), deal: position.deal }, signal)).plan;
}

/** Typing spells a word: a letter takes a card of it that is free, or else a card of two letters that begins with it. */
function press(event) {
  if (isTaken(event)) return;
  const cards = [...byId("game").querySelectorAll(".cards8 .cell:not(:disabled)[aria-pressed=false]")];
  const letter = event.key.toLowerCase();
  const card = /^[a-z]$/.test(letter) && (cards.find((each) => each.textContent === letter) ?? cards.find((each) => each.textContent.startsWith(letter)));
  if (card) card.click();
  else if (event.key === "Backspace" && draft.length) {
    draft.pop();
    draw();
  } else if (event.key === "Backspace" && position.plan.length) go({ ...position, plan: position.plan.slice(0, -1) });
  else if (event.key === "Enter" && draft.length && !isWorked(event)) byId("finish").click();
  else return;
  event.preventDefault();
}

async function random() {
  const { tops, bottoms } = await call("quiddler/deal", {});
  go({ ...position, deal: `${tops.join(" ")} / ${bottoms.join(" ")}`, plan: [] });
}

/** Play the words on the server, and show them. Returns whether they are legal. */
async function check(signal) {
  try {
    yours = await judged(position.plan, signal);
    fill(byId("plan"), soFar(), stepsOf("your plan", yours.steps));
    draw();
    return true;
  } catch (error) {
    if (error.name === "AbortError") throw error;
    fill(byId("plan"), el("p", {}, position.plan.map((word) => word.split(":")[0]).join(" ")), el("button", { type: "button", onclick: () => go({ ...position, plan: position.plan.slice(0, -1) }) }, "take the last word back"));
    say(error.message, "error");
    return false;
  }
}

/** Show the best way to go on, and what each word played has lost. */
async function solve(signal) {
  await wanted(signal);
  const options = await typed("quiddler/solve", position.options);
  const found = await follow("quiddler/solve", { ...options, plan: position.plan.join(" "), deal: position.deal, top: 1 }, null, signal);
  const [best] = found.plans;
  const rest = best.steps.slice(yours.steps.length);
  const reach = found.goal === "any" ? "that use all cards" : "with this score";
  const title = `proven; ${figure(found.n_plans)} plan${found.n_plans === 1 ? "" : "s"} ${reach}`;
  const columns = [{ name: "word" }, { name: "cards", title: "each card with its place" }, { name: "first move", title: "top cards moved to empty places before" }, { name: "points", figure: true }, { name: "bonus", figure: true }];
  const cells = rest.map((step, i) => [
    el("button", { type: "button", class: "word", "aria-label": `play ${rest.slice(0, i + 1).map(({ word }) => word).join(", ")}`, onclick: () => go({ ...position, plan: [...position.plan, ...rest.slice(0, i + 1).map(entry)] }) }, step.word),
    ...cellsOf(step).slice(1),
  ]);
  const heading = el("h2", {}, yours.steps.length ? "The best way to go on" : "The best plan");
  fill(byId("best"), heading, summary(best), rest.length > 0 && answers(title, columns, cells));
  if (yours.steps.length) {
    const lost = found.lost.reduce((sum, each) => sum + each, 0);
    fill(byId("plan"), soFar(best.score), stepsOf("your plan", yours.steps, found.lost), el("p", {}, lost ? `you lost ${counted(lost, "point")}` : "you lost no point"));
  }
}

/** Show the next words with the best expected scores. The player types the table after a word, with the cards turned up. */
async function suggest(signal) {
  fill(byId("plan"), el("p", {}, "Some cards are hidden: type the table after each word, with a point for a card that is gone and the cards that were turned up."));
  await wanted(signal);
  const found = await follow("quiddler/suggest", { ...(await typed("quiddler/suggest", position.options)), deal: [position.deal], seed: 1 }, null, signal);
  const columns = [{ name: "word" }, { name: "cards", title: "each card with its place" }, { name: "expected", title: "points from here to the end", figure: true }, ...(found.exact ? [] : [{ name: "error", figure: true, title: "standard error" }])];
  const name = ({ words, moved }) => (moved ? `move ${moved} to an empty place` : words.join(", ") || "end the game");
  const shown = new Set(); // cards of the same letters with the same cards below them are the same play
  const plays = found.plays.filter((play) => {
    const key = `${name(play)} ${play.expected}`;
    return !shown.has(key) && shown.add(key);
  });
  const placed = ({ cards, positions }) => cards.map((card, i) => `${card}\u2009${((positions[i] - 1) % PLACES) + 1}`).join(", ");
  const rows = plays.map((play) => [el("span", { class: "word" }, name(play)), placed(play), figure(play.expected, 1), ...(found.exact ? [] : [figure(play.error, 1)])]);
  const about = found.exact ? "exact expected scores from here on" : `means of ${found.samples} samples, as if the hidden cards were turned up after this word`;
  fill(byId("best"), el("h2", {}, "The next word"), answers(about, columns, rows));
}

/** Return a step as a word of a plan that says which cards it takes. */
const entry = ({ cards, positions }) => `${cards.map((card) => (card.length > 1 ? `(${card})` : card)).join("")}:${positions.join("-")}`;

/** Return the cells of a step of a plan. */
const cellsOf = ({ word, cards, places, moves, points, bonus }) => [
  word, cards.map((card, n) => `${card}\u2009${places[n]}`).join(", "),
  moves.map(({ card, from_place, to_place }) => `${card} from ${from_place} to ${to_place}`).join(", "),
  figure(points), bonus ? figure(bonus) : "",
];

/** Return a line with the points of your words, and the score at the end with the best play, if it is known. */
function soFar(reach) {
  const points = yours.steps.reduce((sum, step) => sum + step.points + step.bonus, 0);
  const end = yours.left.length ? (reach === undefined ? "" : `, ${figure(reach)} at the end with the best play`) : ", with all cards used";
  return el("p", {}, el("strong", {}, `${counted(points, "point")}${yours.left.length ? " so far" : ""}`), end);
}

/** Return a line with the score of a plan. */
const summary = (plan) => el("p", {}, el("strong", {}, counted(plan.score, "point")), plan.left.length ? `, with ${plan.left.join(" ")} left` : ", with all cards used");

/** Return some steps of a plan; `lost` are the points that each step lost. */
function stepsOf(title, steps, lost) {
  const columns = [
    { name: "word" }, { name: "cards", title: "each card with its place" }, { name: "first move", title: "top cards moved to empty places before" },
    { name: "points", figure: true }, { name: "bonus", figure: true }, ...(lost ? [{ name: "lost", figure: true, title: "how much less can be reached after this word" }] : []),
  ];
  const cells = steps.map((step, i) => [...cellsOf(step), ...(lost ? [figure(lost[i])] : [])]);
  return list(title, columns, cells);
}

addEventListener("keydown", press);
