// How likely the answers of Wordle and Quordle are: the choices on their boards, and the fields of requests.

import { call } from "/static/lib/api.js";
import { say } from "/static/lib/board.js";
import { choice } from "/static/lib/dom.js";

const ANSWERS = "wordle-answers";
const FREQUENT = "frequencies"; // weights by how often words occur in English texts, which the server computes
const frequencies = new Map(); // list -> its weights as text

/** Return the control with which the weights are chosen; `files` are those that the server offers. */
export function weightsChoice(files, chosen, change) {
  const options = [["", "all equally likely"], [FREQUENT, "by how often they occur"], ...files.map((name) => [name, name])];
  if (!options.some(([name]) => name === chosen)) options.push([chosen, chosen]);
  return choice("how likely the answers are", options, chosen, change);
}

/** Return the fields of a request that say what can be hidden. With weights, the answers are the words that have one. */
export async function hiddenWords({ answers, weights }, signal) {
  if (!weights) return { answers };
  if (weights !== FREQUENT) return { weights, ...(answers === ANSWERS ? {} : { answers }) };
  if (!frequencies.has(answers)) {
    say("looking up how often the words occur");
    const { words: found } = await call("wordle/words", { language: "en", guesses: answers, top: 20000 }, signal);
    frequencies.set(answers, found.map(({ word, weight }) => `${word} ${weight}`).join("\n"));
    say("");
  }
  return { weights: { content: frequencies.get(answers) } };
}
