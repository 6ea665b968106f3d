// How likely the answers of Wordle and Quordle are: the choices on their boards, and the fields of requests.

import { call, names } from "/static/lib/api.js";
import { say } from "/static/lib/board.js";
import { choice } from "/static/lib/dom.js";

export const ANSWERS = "wordle-answers";
export const ANY = ""; // as the commands do: the list in use, or every accepted word, each with its chance
const GUESSES = "wordle-guesses";
const FREQUENT = "frequencies"; // by how often words occur in texts, which the server computes; "frequencies:de" for German
const LANGUAGES = "ar bg ca cs da de el en es fa fi fil fr he hu id is it lt lv mk ms nb nl pl pt ro ru sh sk sl sv tr uk vi".split(" ");
const MOST = 100000; // characters that a field can have: of a longer list, the most frequent words are taken
const frequencies = new Map(); // language and list -> its weights as text

/** Return the language of texts in which words are counted, or undefined for other weights. */
function languageOf(weights) {
  const [kind, language = "en"] = weights.split(":");
  return kind === FREQUENT ? language : undefined;
}

let inUse; // the list of answers that `gpusolve lists use` has made the default
names().then(({ used }) => { inUse = used[location.pathname.slice(1)]?.answers; });

/** Return the choice of the possible answers, which has `lists` and the one that is chosen. */
export function answersChoice(lists, answers, change) {
  const offered = answers === ANY || lists.includes(answers) ? lists : [...lists, answers];
  return choice("possible answers", [[ANY, inUse ? `the list in use, ${inUse}` : "every accepted word, by chance"], ...offered], answers, change);
}

/** Return the controls with which the weights of some answers are chosen; `files` are those that the server offers. */
export function weightsChoice(files, answers, weights, change) {
  const language = languageOf(weights);
  const chosen = language ? FREQUENT : weights;
  const options = [["", answers === ANY ? "by their chances" : "all equally likely"], [FREQUENT, "by how often they occur"], ...files.map((name) => [name, name])];
  if (!options.some(([name]) => name === chosen)) options.push([chosen, chosen]);
  const names = new Intl.DisplayNames("en", { type: "language" });
  const languages = LANGUAGES.map((code) => [code, names.of(code)]).sort(([, one], [, other]) => one.localeCompare(other));
  return [
    choice("how likely the answers are", options, chosen, change),
    language && choice("language of the texts", languages, language, (code) => change(code === "en" ? FREQUENT : `${FREQUENT}:${code}`)),
  ];
}

/** Return the fields of a request that say which lists there are. */
export function listsOf({ answers, weights }) {
  return { ...(answers === ANY ? {} : { answers }), ...(weights && !languageOf(weights) ? { weights } : {}) };
}

/** Return the field of a request that says how long the words are, if it was chosen. */
export const lengthOf = ({ options }) => (options.length ? { length: Number(options.length) } : {});

/** Return the fields of a request that say what can be hidden. With weights, the answers are the words that have one. */
export async function hiddenWords({ answers, weights }, alphabet, signal) {
  const language = languageOf(weights);
  if (!language) return listsOf({ answers, weights });
  const key = `${language} ${answers}`;
  if (!frequencies.has(key)) {
    say("looking up how often the words occur");
    const { length, digraphs } = alphabet;
    const { words: found } = await call("wordle/words", { language, guesses: answers || GUESSES, length, top: 20000 }, signal);
    const declared = digraphs.size ? [`# digraphs: ${[...digraphs].join(" ")}`] : [];
    const lines = [...declared, ...found.map(({ word, weight }) => `${word} ${weight}`)].join("\n");
    frequencies.set(key, lines.length > MOST ? lines.slice(0, lines.lastIndexOf("\n", MOST)) : lines);
    say("");
  }
  return { weights: { content: frequencies.get(key) } };
}
