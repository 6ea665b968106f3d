// The alphabet of a word list of Wordle and Quordle: the length of its words, its letters, and how a text is divided into them.

import { call } from "/static/lib/api.js";

// A character with the combining marks after it, as the game's rules read it.
const LETTER = /\p{L}[\u0300-\u036f\u0483-\u0487\u0591-\u05bd\u05bf\u05c1\u05c2\u05c7\u064b-\u065f\u0670]{0,2}/gu;
// Letters whose case folding is more than lower case.
const FOLDED = { ß: "ss", ς: "σ", ſ: "s", և: "եւ", µ: "μ", ŉ: "ʼn", "i\u0307": "i" };
const LATIN = [..."abcdefghijklmnopqrstuvwxyz"];
const known = new Map(); // the fields of a request -> the alphabet

/** Return a text as words are compared: in lower case and composed (NFC). */
export const fold = (text) => text.normalize("NFC").toLowerCase().replace(/[ßςſևµŉ]|i\u0307/g, (letter) => FOLDED[letter]).normalize("NFC");

export class Alphabet {
  /** Make an alphabet from the answer of `wordle/letters`. If all letters are a-z, it has all of a-z. */
  constructor({ length, letters, digraphs, right_to_left: rightToLeft }) {
    const found = letters.map(({ letter }) => letter);
    this.length = length;
    this.counts = Object.fromEntries(letters.map(({ letter, counts }) => [letter, counts.reduce((one, other) => one + other)])); // in the answers
    this.letters = found.every((letter) => LATIN.includes(letter)) ? LATIN : found;
    this.digraphs = new Set(digraphs);
    this.original = length === 5 && this.letters === LATIN && !digraphs.length; // guesses are then those of the original game
    this.direction = rightToLeft ? "rtl" : "ltr";
    const capitals = new Set(this.letters.map((letter) => letter.toUpperCase()));
    this.plain = capitals.size < this.letters.length || /\p{Script=Georgian}/u.test(this.letters[0]); // shown without capitals
    this.characters = new Set([...this.letters, ...digraphs].flatMap((letter) => [...letter, ...letter.normalize("NFD")]));
    if (this.characters.has("σ")) this.characters.add("ς"); // at the end of the words that the server sends
  }

  /** Return the letters of a folded text: the longest digraph that fits, from left to right. */
  split(text) {
    const plain = text.match(LETTER) ?? [];
    const letters = [];
    for (let i = 0; i < plain.length; i += 1) {
      const n = [3, 2].find((n) => this.digraphs.has(plain.slice(i, i + n).join("")) && i + n <= plain.length) ?? 1;
      letters.push(plain.slice(i, i + n).join(""));
      i += n - 1;
    }
    return letters;
  }

  /** Return a text with what was typed after it, or without it if it is no letter of the alphabet or there is no room. */
  add(text, typed) {
    const longer = fold(text + typed);
    return this.holds(longer) && this.split(longer).length <= this.length ? longer : text;
  }

  /** Return a text without its last letter. */
  shorten(text) {
    return this.split(text).slice(0, -1).join("");
  }

  /** Return whether a text has as many letters as the words of the list. */
  isWhole(text) {
    return this.split(text).length === this.length;
  }

  /** Return whether a guess and its patterns are for words of the list. */
  fits(guess, ...patterns) {
    return this.holds(guess) && this.isWhole(guess) && patterns.every((pattern) => pattern.length === this.length);
  }

  /** Return whether a text has no characters but those of the alphabet. */
  holds(text) {
    return [...text].every((character) => this.characters.has(character));
  }
}

/** The alphabet of the original lists. */
export const ORIGINAL = new Alphabet({ length: 5, letters: [], digraphs: [] });

/** Return the alphabet of the lists that the fields of a request name; without fields, that of the original lists. */
export async function alphabetOf(fields, signal) {
  const key = JSON.stringify(fields);
  if (key === "{}") return ORIGINAL;
  if (!known.has(key)) known.set(key, new Alphabet(await call("wordle/letters", fields, signal)));
  return known.get(key);
}

/** Return a note about guesses and a shared result that are cleared because they are not for the words of the list, or nothing. */
export function clearing(turns, kept, withShare, alphabet) {
  const guesses = [...new Set(turns.filter((turn) => !kept.includes(turn)).map(({ guess }) => guess))];
  if (!guesses.length && !withShare) return "";
  const what = guesses.length ? guesses.join(", ") : "the shared result";
  const others = guesses.length && guesses.every((guess) => !alphabet.holds(guess));
  return `cleared ${what}: the words of this list have ${others ? "other letters" : `${alphabet.length} letters`}`;
}
