// The Wordle board: the guesses of a game with their colours, the words that remain, and the best next guesses.

import { Alphabet, ORIGINAL, alphabetOf, clearing } from "/static/lib/alphabet.js";
import { call, follow, names } from "/static/lib/api.js";
import { attempt, board, items, say, wanted } from "/static/lib/board.js";
import { answers, byId, choice, counted, el, figure, fill, lined, lines, percent, table, words } from "/static/lib/dom.js";
import { Draft } from "/static/lib/draft.js";
import { isTaken, rove } from "/static/lib/keys.js";
import { colour, colouring, hasSquares, listen, marks, misspelt, next, openKeyboard, shared, sharedGuesses, sharedNote, sharedRow, showKeyboard, tiles, turn, turnsIn, typingButtons } from "/static/lib/letters.js";
import { pop, turnOver } from "/static/lib/motion.js";
import { optionsIn, showOptions, typed } from "/static/lib/options.js";
import { pasting } from "/static/lib/paste.js";
import { ANSWERS, ANY, answersChoice, hiddenWords, lengthOf, listsOf, weightsChoice } from "/static/lib/weights.js";

const GUESSES = 6;
const MANY = 40; // words that are shown at most
const UNLIKELY = 0.01; // words with a smaller chance are folded away
const OWN = ["turns", "share", "answers", "guesses", "weights"]; // what the board has in forms of its own
const FIXED = ["history", "words", "answer", "guess", "top"]; // what it gives by itself
const COMMANDS = ["wordle/suggest", "wordle/explain", "wordle/analyze"];
const MEASURES = { entropy: "information", expected: "the words left on average", patterns: "the number of patterns", largest: "the words left in the worst case" };
let lists = [ANSWERS];
let files = [];
let position;
let alphabet = ORIGINAL;
let draft; // the guess that is typed, as soon as the alphabet is known
let notes = []; // about the guesses: which were cleared, because they are no words of the list, and which are misspelt
let coming = ""; // the note for the position that is gone to
let opened = false; // whether a phone shows the keyboard before something is typed

const pasteButton = pasting("a shared result with its squares, or guesses such as salet:-y--g", take);
const go = board({
  hint: "Type a guess, click its tiles until the colours are right, and press enter. Paste a shared result to get its colours.",
  brief: "Type a guess, and tap its tiles to colour them.",
  keys: [["a-z", "type a guess"], ["1, 2, ...", "change the colour of this tile"], ["arrows, Space", "go to a tile, and change its colour"], ["Enter", "enter the guess"], ["Backspace", "delete a letter, or take the last guess back"]],
  panels: ["best", "left", "why", "judge"],
  answers: ["best", "left", "why"],
  read: (given, wrong) => ({
    turns: items(given.get("turns"), ",", single, () => wrong("turns")),
    share: items(given.get("share"), ",", sharedRow, () => wrong("share")),
    answers: given.get("answers") ?? ANY,
    guesses: given.get("guesses") ?? "",
    weights: given.get("weights") ?? "",
    options: optionsIn(given, OWN),
  }),
  write: ({ turns, share, answers, guesses, weights, options }) => ({
    ...options,
    turns: turns.map(({ guess, pattern }) => `${guess}:${pattern}`).join(","),
    share: share.join(","),
    answers,
    guesses,
    weights,
  }),
  show,
  reset: (given) => ({ ...given, turns: [], share: [] }),
});

/** Return a turn from "salet:-y--g", or null. */
function single(text) {
  const found = turn(text);
  return found?.patterns.length === 1 ? { guess: found.guess, pattern: found.patterns[0] } : null;
}

function show(given, signal) {
  const entered = position && given.turns.length > position.turns.length;
  const same = position && given.turns.length === position.turns.length; // keep a guess that is being typed
  position = given;
  [notes, coming] = [[coming], ""];
  opened = false;
  ["best", "left", "why", "judge"].forEach((id) => fill(byId(id)));
  attempt(async () => {
    const found = await alphabetOf({ ...listsOf(position), ...guessable(), ...lengthOf(position) }, signal).catch((error) => error);
    if (signal.aborted) return;
    if (found instanceof Alphabet) alphabet = found;
    draft = new Draft(alphabet, same && draft ? alphabet.add("", draft.text) : "");
    if (found instanceof Error) {
      draw(); // so that other lists can be chosen
      throw found;
    }
    if (!keepFitting()) return;
    draw();
    if (entered) turnOver([...byId("game").querySelector(`.tiles:nth-child(${position.turns.length})`).children]);
    await analyse(signal);
  });
}

/** Return whether all guesses are for words of the list. Otherwise go to the position with those that are. */
function keepFitting() {
  const turns = position.turns.filter(({ guess, pattern }) => alphabet.fits(guess, pattern));
  const share = position.share.every((row) => row.length === alphabet.length) ? position.share : [];
  coming = clearing(position.turns, turns, share !== position.share, alphabet);
  if (coming) go({ ...position, turns, share }, true);
  return !coming;
}

/** Return the field of a request that says which words may be guessed, if the server is not to choose them. */
function guessable() {
  return position.guesses ? { guesses: position.guesses } : {};
}

/** The pattern of the guess that is typed. */
function expected() {
  return draft.pattern(position.turns, position.share[position.turns.length]);
}

function solved() {
  return position.turns.length > 0 && /^g+$/.test(position.turns.at(-1).pattern);
}

/** Whether the game has ended: the word is found, or no guess is left. */
function over() {
  return solved() || position.turns.length >= GUESSES;
}

function draw() {
  document.body.classList.toggle("plain", alphabet.plain);
  const rows = position.turns.map(({ guess, pattern }, number) => tiles(guess, pattern, alphabet, (i) => recolour(number, i)));
  if (!over()) {
    const row = tiles(draft.text, expected(), alphabet, (i) => recolour(position.turns.length, i));
    row.classList.add("draft");
    row.addEventListener("click", open);
    rows.push(row);
  }
  while (rows.length < GUESSES) rows.push(tiles("", position.share[rows.length] ?? " ".repeat(alphabet.length), alphabet));
  fill(byId("game"), rove(el("div", { class: "rows" }, rows), -1), lines(notes), typingButtons(over() ? null : open, pasteButton("paste a result")));
  showKeyboard(marks(position.turns, alphabet), alphabet, press, !over() && (opened || draft.text !== ""));
  const known = (all, value) => (all.includes(value) ? all : [...all, value]);
  showOptions(
    { paths: COMMANDS, own: [...OWN, ...FIXED], first: ["mode"], options: position.options, change: (options) => go({ ...position, options }) },
    answersChoice(lists, position.answers, (answers) => go({ ...position, answers })),
    choice("words that may be guessed", [["", "those of the game"], ...known(lists, position.guesses || ANSWERS)], position.guesses, (guesses) => go({ ...position, guesses })),
    weightsChoice(files, position.answers, position.weights, (weights) => go({ ...position, weights })),
  );
}

function open() {
  opened = true;
  openKeyboard();
}

/** Give a tile its next colour; the row after the guesses that were entered is the one that is typed. */
function recolour(number, place) {
  const changed = (pattern) => pattern.slice(0, place) + next(pattern[place]) + pattern.slice(place + 1);
  if (number === position.turns.length) {
    draft.recolour(place, expected());
    draw();
  } else go({ ...position, turns: position.turns.map((each, n) => (n === number ? { ...each, pattern: changed(each.pattern) } : each)) });
}

function press(key) {
  if (!draft || over()) return;
  if (key === "Backspace") {
    if (!draft.text && position.turns.length) return go({ ...position, turns: position.turns.slice(0, -1) });
    draft.press(key);
  } else if (key === "Enter") {
    if (draft.isWhole) return go({ ...position, turns: [...position.turns, { guess: draft.text, pattern: expected() }] });
    say(`a guess has ${alphabet.length} letters`);
  } else draft.press(key);
  draw();
  if (draft.isWhole) say(colouring(draft.text));
  if (key !== "Backspace" && key !== "Enter") pop(byId("game").querySelector(".draft .tile:not(.empty):nth-last-child(1 of :not(.empty))"));
}

/** Put a suggested guess on the board; its colours are still to be set. */
function attemptGuess(guess) {
  draft = new Draft(alphabet, guess);
  draw();
  colour(guess);
}

/** Return the fields of a request that say what is played. */
async function rules(path, signal) {
  const hidden = await hiddenWords(position, alphabet, signal);
  const others = hidden.weights?.content && !alphabet.original; // then every answer may be guessed, with a weight or without
  return { ...(await typed(path, position.options)), ...hidden, ...(others ? { guesses: position.answers } : {}), ...guessable() };
}

function history() {
  return position.turns.map(({ guess, pattern }) => `${guess}:${pattern}`);
}

/** Show what remains and the best guesses: first by entropy, which is quick, then exactly, unless another measure is chosen. */
async function analyse(signal) {
  if (!over()) await wanted(signal);
  const played = await rules("wordle/suggest", signal);
  for (const sort of position.options.sort ? [position.options.sort] : ["entropy", "exact"]) {
    const asked = { ...played, history: history(), sort, top: 15 };
    const found = await (sort === "exact" ? follow("wordle/suggest", asked, null, signal) : call("wordle/suggest", asked, signal));
    const unknown = misspelt(found.unknown);
    if (unknown.some((line) => !notes.includes(line))) {
      notes.push(...unknown);
      draw();
    }
    if (found.solved) fill(byId("left"), el("p", {}, `solved in ${position.turns.length}`), lines(about(found)));
    else if (over()) fill(byId("left"), el("p", {}, "no guess is left; it was one of "), lines(about(found)), likeliest(found));
    if (over()) return judge(signal);
    const { remaining, rows } = found;
    fill(byId("left"), el("h2", {}, counted(remaining.length, "possible answer")), lines(about(found)), likeliest(found));
    const valued = rows.some((row) => row.mean !== null);
    const columns = [
      { name: "guess" },
      { name: "\u2713", title: "whether the guess can be the answer" },
      { name: "guesses", title: "mean number of guesses to the end, with best play", figure: true },
      { name: "now", title: "chance that this guess is the answer", figure: true },
      { name: "next", title: "chance that this guess or the next one is the answer", figure: true },
      { name: "in six", title: "chance to find the answer within six guesses, where it is known", figure: true },
      { name: "bits", title: "information that the guess gives", figure: true },
      { name: "largest", title: "answers left in the worst case", figure: true },
    ];
    const cells = rows.map((row) => [
      el("button", { type: "button", class: "word", onclick: () => attemptGuess(row.guess) }, row.guess),
      row.is_answer ? el("span", { class: "possible", role: "img", "aria-label": "can be the answer" }, "\u2713") : "",
      figure(row.mean, 3),
      percent(row.solved_now),
      percent(row.solved_next),
      percent(withinSix(row, found.sort === "exact")),
      figure(row.entropy, 2),
      figure(row.largest),
    ]);
    const by = valued ? `best guesses, by the ${found.sort} number of guesses to the end; \u2713 can be the answer` : `best guesses, by ${MEASURES[found.sort] ?? found.sort}; \u2713 can be the answer`;
    fill(byId("best"), answers(by, columns, cells), el("div", { class: "buttons" }, el("button", { type: "button", onclick: () => attempt(() => explain(signal)) }, "why this word?")));
    if (sort === "entropy" && valued) return;
  }
}

/** Return what a reader should know about the words that remain. */
function about({ unpublished, widened, solved: ended, remaining }) {
  const found = [];
  if (widened) found.push("No listed answer fits, so every word that may be guessed counts as a possible answer.");
  if (!ended && unpublished !== null) {
    if (remaining.length > 1) found.push(`With a chance of ${percent(unpublished, 0)}, the answer is not in the published list.`);
    else if (unpublished > 0) found.push("It is not in the published list of answers.");
  }
  return found;
}

/** Return the words that remain, the likeliest first and with their chances; the unlikely ones are folded away. */
function likeliest({ remaining, chances }) {
  const likely = chances.filter((chance) => chance >= UNLIKELY).length;
  if (!likely || chances.every((chance) => chance === chances[0])) return words(remaining, MANY);
  const shown = Math.min(likely, MANY);
  const one = (word, i) => el("li", {}, el("span", { class: "words", dir: "auto" }, word), ` ${percent(chances[i], 0)}`);
  const rest = remaining.slice(shown);
  const below = likely > shown ? "" : `, each below ${percent(UNLIKELY, 0)}`;
  const folded = rest.length > 0 && el("details", {}, el("summary", {}, `${figure(rest.length)} more${below}`), words(rest, rest.length));
  return [el("ul", { class: "chances" }, remaining.slice(0, shown).map(one)), folded];
}

/**
 * Return the chance to find the answer with the guesses that are left, or null. An `exact` number of guesses exists only if
 * every answer can be found; with two guesses left, the second one is right for one answer of each pattern.
 */
function withinSix(row, exact) {
  const left = GUESSES - position.turns.length;
  if (left === 1) return row.solved_now;
  if (left === 2) return row.solved_next;
  return left > 2 && exact && row.mean !== null ? 1 : null;
}

/** Show what the guess that is typed, or else the best one, does with the answers that remain. */
async function explain(signal) {
  const guess = draft.isWhole ? { guess: draft.text } : {};
  const found = await follow("wordle/explain", { ...(await rules("wordle/explain", signal)), history: history(), ...guess }, null, signal);
  say("");
  const cells = found.cells.map((cell) => [
    tiles(found.guess, cell.pattern, alphabet),
    figure(cell.words.length),
    el("span", { class: "words", dir: "auto" }, cell.words.slice(0, 12).join(" "), cell.words.length > 12 ? " ..." : ""),
    cell.guess,
  ]);
  const columns = [{ name: "colours" }, { name: "words", figure: true }, { name: "which" }, { name: "then" }];
  const others = Object.keys(found.best ?? {}).filter((word) => word !== found.guess);
  const least = Math.min(...Object.values(found.best ?? {}));
  const mean = found.mean ? `${found.exact ? "" : "at most "}${figure(found.mean, 3)} guesses on average` : "";
  const beside = others.length ? `${found.total > least ? `; better is ${figure(least / found.weight, 3)}, with` : "; as good:"} ${others.join(", ")}` : "";
  fill(byId("why"), el("h2", {}, `Why ${found.guess}`), el("p", {}, mean + beside), table("after this guess", columns, cells));
}

/** Judge a finished game move by move. */
async function judge(signal) {
  const made = solved() ? position.turns.map(({ guess }) => guess) : history();
  const found = await follow("wordle/analyze", { ...(await rules("wordle/analyze", signal)), words: made }, null, signal);
  const columns = [
    { name: "guess" },
    { name: "skill", title: "99 for the best guess, less for guesses that cost more", figure: true },
    { name: "luck", title: "how rare it is that so few likely words remain", figure: true },
    { name: "lost", title: "guesses more than the best guess on average", figure: true },
    { name: "left", title: "likely answers after the guess: those that have 99 % of the chances together", figure: true },
    { name: "best" },
  ];
  const cells = found.moves.map((move) => [
    tiles(move.guess, move.pattern, alphabet),
    figure(move.skill),
    figure(move.luck),
    figure(move.lost, 2),
    figure(move.likely_left),
    move.best,
  ]);
  const reasons = found.moves.map((move) => el("p", {}, el("b", {}, move.guess.toUpperCase()), " ", move.reason));
  fill(byId("judge"), el("h2", {}, "Your game"), lined(`skill ${figure(found.skill)}, luck ${figure(found.luck)}`, columns, cells), reasons);
}

listen(press);
addEventListener("keydown", (event) => {
  const place = Number(event.key) - 1;
  if (isTaken(event) || over() || !(place in alphabet.split(draft?.text ?? ""))) return;
  event.preventDefault();
  recolour(position.turns.length, place);
});

/** Go to the guesses or to the shared result in a text, and return what was read. */
function take(text) {
  const fits = ({ guess, pattern }) => alphabet.fits(guess, pattern);
  const turns = turnsIn(text);
  const fitting = turns.filter(fits);
  const wrong = text.split(/[\s,;]+/).find((entry) => /^[\p{L}\p{M}]+:(?!\/\/)/u.test(entry) && !turnsIn(entry).some(fits));
  const [share = []] = shared(text, alphabet.length);
  const guesses = sharedGuesses(text, alphabet).slice(0, share.length);
  if (fitting.length) {
    if (wrong) throw new Error(`${wrong} was not read: expected a guess of ${alphabet.length} letters and its colours, such as salet:-y--g`);
    go({ ...position, turns: fitting, share: [] });
    return counted(fitting.length, "guess", "guesses");
  }
  if (share.length) {
    go({ ...position, turns: guesses.map((guess, i) => ({ guess, pattern: share[i] })), share });
    return sharedNote(share.length, guesses.length);
  }
  if (turns.length || hasSquares(text)) throw new Error(`this list has words of ${alphabet.length} letters: expected guesses of this length`);
  return "";
}

attempt(async () => {
  const known = await names();
  lists = [...known.wordlists.filter((name) => /^(wordle|quordle)-/.test(name)), ...known.own, ...known.files];
  files = known.files;
  if (draft) draw();
});
