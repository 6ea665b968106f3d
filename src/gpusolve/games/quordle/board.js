// The Quordle board: several boards that share their guesses, what each can still hide, and the best next guess.

import { Alphabet, ORIGINAL, alphabetOf, clearing } from "/static/lib/alphabet.js";
import { call, follow, names } from "/static/lib/api.js";
import { attempt, board, items, say, wanted } from "/static/lib/board.js";
import { answers, byId, choice, counted, el, figure, fill, lined, lines, percent, words } from "/static/lib/dom.js";
import { Draft } from "/static/lib/draft.js";
import { rove } from "/static/lib/keys.js";
import { colour, colouring, listen, marks, misspelt, next, openKeyboard, shared, sharedGuesses, sharedNote, sharedRow, showKeyboard, tiles, turn, typingButtons } from "/static/lib/letters.js";
import { pop, turnOver } from "/static/lib/motion.js";
import { optionsIn, showOptions, typed } from "/static/lib/options.js";
import { pasting } from "/static/lib/paste.js";
import { ANSWERS, ANY, answersChoice, hiddenWords, lengthOf, listsOf, weightsChoice } from "/static/lib/weights.js";

const COUNTS = ["2", "4", "8"];
const MOST_LETTERS = 10;
const SPARE = 5; // guesses beyond one for each board
const LEAST_SOLVED = 0.005; // boards that a guess solves on average, of which the list speaks
const OWN = ["boards", "turns", "share", "answers", "guesses", "weights"]; // what the board has in forms of its own
const FIXED = ["history", "hidden", "made", "top"]; // what it gives by itself
let lists = [ANSWERS];
let files = [];
let position;
let alphabet = ORIGINAL;
let draft; // the guess that is typed, as soon as the alphabet is known
let notes = []; // about the guesses: which were cleared, because they are no words of the list, and which are misspelt
let coming = ""; // the note for the position that is gone to
let opened = false; // whether a phone shows the keyboard before something is typed

const pasteButton = pasting("a shared result with its squares", take);
const go = board({
  hint: "Type a guess, click its tiles on each board until the colours are right, and press enter. Paste a shared result to get its colours.",
  brief: "Type a guess, and tap its tiles on each board.",
  keys: [["a-z", "type a guess"], ["arrows, Space", "go to a tile, and change its colour"], ["Enter", "enter the guess"], ["Backspace", "delete a letter, or take the last guess back"]],
  panels: ["best", "left", "judge"],
  answers: ["best", "left"],
  read: (given, wrong) => {
    const known = COUNTS.includes(given.get("boards"));
    if (given.has("boards") && !known) wrong("boards");
    const boards = known ? Number(given.get("boards")) : 4;
    const fits = (found) => (found?.patterns.length === boards ? found : null);
    const turns = items(given.get("turns"), ";", (text) => fits(turn(text)), () => wrong("turns"));
    const share = items(given.get("share"), ";", (rows) => items(rows, ",", sharedRow, () => wrong("share")), () => wrong("share"));
    if (share.length && share.length !== boards) wrong("share");
    return { boards, turns, share: share.length === boards ? share : [], answers: given.get("answers") ?? ANY, guesses: given.get("guesses") ?? "", weights: given.get("weights") ?? "", options: optionsIn(given, OWN) };
  },
  write: ({ boards, turns, share, answers, guesses, weights, options }) => ({
    ...options,
    boards: boards === 4 ? "" : boards,
    answers,
    guesses,
    weights,
    share: share.map((rows) => rows.join(",")).join(";"),
    turns: turns.map(({ guess, patterns }) => `${guess}:${patterns.join(",")}`).join(";"),
  }),
  show,
  reset: (given) => ({ ...given, turns: [], share: [] }),
});

function show(given, signal) {
  const entered = position && given.boards === position.boards && given.turns.length > position.turns.length;
  const same = draft && given.boards === position.boards && given.turns.length === position.turns.length;
  position = given;
  [notes, coming] = [[coming], ""];
  opened = false;
  ["best", "left", "judge"].forEach((id) => fill(byId(id)));
  attempt(async () => {
    const found = await alphabetOf({ ...listsOf(position), ...guessable(), ...lengthOf(position) }, signal).then(playable).catch((error) => error);
    if (signal.aborted) return;
    if (found instanceof Alphabet) alphabet = found;
    draft = new Draft(alphabet, same ? alphabet.add("", draft.text) : "");
    if (found instanceof Error) {
      draw(); // so that other lists can be chosen
      throw found;
    }
    if (!keepFitting()) return;
    draw();
    if (entered) turnOver([...byId("game").querySelectorAll(`.tiles:nth-of-type(${position.turns.length}) > *`)]);
    await analyse(signal);
  });
}

/** Return the alphabet. Throws an Error if its words are longer than those of Quordle. */
function playable(found) {
  if (found.length <= MOST_LETTERS) return found;
  throw new Error(`the words of this list have ${found.length} letters: expected at most ${MOST_LETTERS} for Quordle`);
}

/** Return whether all guesses are for words of the list. Otherwise go to the position with those that are. */
function keepFitting() {
  const turns = position.turns.filter(({ guess, patterns }) => alphabet.fits(guess, ...patterns));
  const share = position.share.flat().every((row) => row.length === alphabet.length) ? position.share : [];
  coming = clearing(position.turns, turns, share !== position.share, alphabet);
  if (coming) go({ ...position, turns, share }, true);
  return !coming;
}

/** Return the field of a request about a single board that says which words may be guessed, if they are not the original ones. */
function guessable() {
  const guesses = position.guesses || (position.answers === ANSWERS ? "" : position.answers);
  return guesses ? { guesses } : {};
}

/** The patterns of the guess that is typed. */
function expected() {
  return Array.from({ length: position.boards }, (_, n) => draft.pattern(alone(n), position.share[n]?.[position.turns.length], n));
}

/** Return the turns of one board. */
const alone = (number) => position.turns.map(({ guess, patterns }) => ({ guess, pattern: patterns[number] }));

/** Return the number of the guess that solved a board, or -1. */
function solvedAt(number) {
  return position.turns.findIndex(({ patterns }) => /^g+$/.test(patterns[number]));
}

function over() {
  return Array.from({ length: position.boards }, (_, n) => solvedAt(n)).every((at) => at >= 0);
}

function draw() {
  document.body.classList.toggle("plain", alphabet.plain);
  const each = Array.from({ length: position.boards }, (_, number) => {
    const end = solvedAt(number);
    const rows = position.turns.slice(0, end < 0 ? undefined : end + 1).map(({ guess, patterns }, at) =>
      tiles(guess, patterns[number], alphabet, (i) => {
        const changed = patterns[number].slice(0, i) + next(patterns[number][i]) + patterns[number].slice(i + 1);
        const turns = position.turns.map((turn, t) => (t === at ? { guess, patterns: patterns.map((p, n) => (n === number ? changed : p)) } : turn));
        go({ ...position, turns });
      }),
    );
    if (end < 0) {
      const row = tiles(draft.text, expected()[number], alphabet, (i) => {
        draft.recolour(i, expected()[number], number);
        draw();
      });
      row.classList.add("draft");
      row.addEventListener("click", open);
      rows.push(row);
    }
    return el("div", { class: "rows", role: "group", "aria-label": `board ${number + 1}` }, el("p", { class: "note" }, `board ${number + 1}`), rows);
  });
  const seen = marks(position.turns.flatMap(({ guess, patterns }) => patterns.map((pattern) => ({ guess, pattern }))), alphabet);
  const known = (value) => (lists.includes(value) ? lists : [...lists, value]);
  const boards = el("div", { class: alphabet.length > 5 ? "quordle long" : "quordle" }, each); // two long boards do not fit side by side
  boards.style.setProperty("--turns", (position.turns.length + 1) * Math.ceil(position.boards / 2));
  fill(byId("game"), rove(boards, -1), lines(notes), typingButtons(over() ? null : open, pasteButton("paste a result")));
  showKeyboard(seen, alphabet, press, !over() && (opened || draft.text !== ""));
  showOptions(
    { paths: ["quordle/suggest", "quordle/analyze"], own: [...OWN, ...FIXED], first: ["mode"], options: position.options, change: (options) => go({ ...position, options }) },
    choice("boards", COUNTS, String(position.boards), (boards) => go({ ...position, boards: Number(boards), turns: [], share: [] })),
    answersChoice(lists, position.answers, (answers) => go({ ...position, answers })),
    choice("words that may be guessed", [["", "those of the game"], ...known(position.guesses || ANSWERS)], position.guesses, (guesses) => go({ ...position, guesses })),
    weightsChoice(files, position.answers, position.weights, (weights) => go({ ...position, weights })),
  );
}

function open() {
  opened = true;
  openKeyboard();
}

function press(key) {
  if (!draft || over()) return;
  if (key === "Backspace") {
    if (!draft.text && position.turns.length) return go({ ...position, turns: position.turns.slice(0, -1) });
    draft.press(key);
  } else if (key === "Enter") {
    if (!draft.isWhole) return say(`a guess has ${alphabet.length} letters`);
    return go({ ...position, turns: [...position.turns, made(draft.text, expected())] });
  } else draft.press(key);
  draw();
  if (draft.isWhole) say(colouring(draft.text));
  if (key !== "Backspace") byId("game").querySelectorAll(".draft").forEach((row) => pop(row.querySelector(".tile:nth-last-child(1 of :not(.empty))")));
}

/** Return a turn. A solved board keeps its answer, so the patterns after it do not matter. */
function made(guess, patterns) {
  return { guess, patterns: patterns.map((pattern, n) => (solvedAt(n) >= 0 ? "-".repeat(alphabet.length) : pattern)) };
}

/** Return the fields of a request that say which words there are, and the options that the command has. */
async function chosen(path, signal) {
  const { guesses } = position;
  const lists = { ...(await hiddenWords(position, alphabet, signal)), ...(guesses ? { guesses } : {}) };
  return { ...(await typed(path, position.options)), ...lists };
}

async function analyse(signal) {
  if (over()) return judge(signal);
  await wanted(signal);
  await first(signal);
  const history = position.turns.map(({ guess, patterns }) => `${guess}:${patterns.map((pattern, n) => (solvedEarlier(n, guess) ? "" : pattern)).join(",")}`);
  const found = await follow("quordle/suggest", { history, boards: position.boards, ...(await chosen("quordle/suggest", signal)), top: 10 }, null, signal);
  const widened = found.widened.map((n) => `board ${n}`).join(", ");
  say(widened && `${widened}: not in the list of answers, so all words that can be guessed are possible there`);
  showLeft(found.remaining);
  const within = position.boards + SPARE;
  const columns = [
    { name: "guess" },
    { name: "guesses", title: "guesses in all on average, judged by playing on many times", figure: true },
    { name: `in ${within}`, title: `chance to solve all boards within ${within} guesses, judged by playing on many times`, figure: true },
    { name: "solves", title: "boards that the guess solves on average", figure: true },
    { name: "bits", title: "information that the guess gives", figure: true },
  ];
  const rows = found.rows.map((row) => [
    tryButton(row.guess),
    figure(row.mean, 2), percent(row.chance), row.solves < LEAST_SOLVED ? "" : figure(row.solves, 2), figure(row.bits, 2),
  ]);
  const order = found.rows.some((row) => row.mean !== null) ? "fewest guesses in all on average first" : "those that leave least to find out first";
  fill(byId("best"), rows.length ? answers(`best guesses for all boards together, ${order}`, columns, rows) : el("p", {}, "no guess is left"));
}

/** Return the button that puts a guess on the boards. */
const tryButton = (guess) => el("button", { type: "button", class: "word", onclick: () => { draft = new Draft(alphabet, guess); draw(); colour(guess); } }, guess);

/** Show what remains on each board, and a good guess for it alone: that is quick. */
async function first(signal) {
  const open = Array.from({ length: position.boards }, (_, n) => n).filter((n) => solvedAt(n) < 0);
  const one = (n) => alone(n).map(({ guess, pattern }) => `${guess}:${pattern}`);
  const hidden = await hiddenWords(position, alphabet, signal);
  const found = await Promise.all(open.map((n) => call("wordle/suggest", { history: one(n), ...hidden, ...guessable(), sort: "entropy", top: 1 }, signal)));
  const unknown = misspelt(Object.assign({}, ...found.map((each) => each.unknown)));
  if (unknown.some((line) => !notes.includes(line))) {
    notes.push(...unknown);
    draw();
  }
  const remaining = Array(position.boards).fill([]);
  open.forEach((n, i) => { remaining[n] = found[i].remaining ?? []; });
  showLeft(remaining);
  const cells = open.map((n, i) => [tryButton(found[i].rows?.[0].guess ?? ""), `${n + 1}`, figure(found[i].rows?.[0].entropy, 2)]);
  fill(byId("best"), answers("a first answer: the guess with the most information for each board alone", [{ name: "guess" }, { name: "board" }, { name: "bits", figure: true }], cells));
}

function showLeft(remaining) {
  fill(byId("left"), remaining.flatMap((list, n) => (solvedAt(n) >= 0 ? el("h2", {}, `board ${n + 1}: solved`) : [el("h2", {}, `board ${n + 1}: ${figure(list.length)} possible`), words(list, 12)])));
}

/** Whether a board was solved before the first turn with this guess. */
function solvedEarlier(number, guess) {
  const end = solvedAt(number);
  return end >= 0 && end < position.turns.findIndex((turn) => turn.guess === guess);
}

async function judge(signal) {
  const hidden = Array.from({ length: position.boards }, (_, n) => position.turns[solvedAt(n)].guess);
  const found = await follow("quordle/analyze", { hidden: hidden.join(","), made: position.turns.map(({ guess }) => guess), ...(await chosen("quordle/analyze", signal)) }, null, signal);
  say("");
  const columns = [
    { name: "guess" },
    { name: "guesses", title: "guesses in all on average after this one", figure: true },
    { name: "best" },
    { name: "its guesses", title: "guesses in all on average after the best one", figure: true },
    { name: "left", title: "words that fitted each board before the guess" },
  ];
  const rows = found.rows.map(({ made, best, left }) => [made.guess, figure(made.mean, 2), best.guess, figure(best.mean, 2), left.map((n) => figure(n)).join(" ")]);
  fill(byId("judge"), el("h2", {}, `All boards solved in ${position.turns.length}`), lined("your guesses beside the best ones", columns, rows));
}

listen(press);

/** Go to the shared result in a text, and return what was read. */
function take(text) {
  const share = shared(text, alphabet.length);
  if (!share.length) return "";
  if (!COUNTS.includes(String(share.length))) throw new Error(`a shared result of ${share.length} boards: expected ${COUNTS.join(", ")}`);
  const rows = Math.max(...share.map((board) => board.length));
  position = { ...position, boards: share.length, share, turns: [] };
  draft = new Draft(alphabet);
  for (const guess of sharedGuesses(text, alphabet)) position.turns.push(made(guess, expected()));
  go(position);
  return `${counted(share.length, "board")}: ${sharedNote(rows, position.turns.length)}`;
}

attempt(async () => {
  const known = await names();
  files = known.files;
  lists = [...known.wordlists.filter((name) => /^(wordle|quordle)-/.test(name)), ...known.own, ...known.files];
  if (draft) draw();
});
