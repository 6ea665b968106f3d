// The guess that is typed in Wordle and Quordle, with its colours: at first those that earlier guesses leave no choice about.

import { next } from "./letters.js";

export class Draft {
  #clicked = new Map(); // "board place" -> the colour that was clicked there

  constructor(alphabet, text = "") {
    this.alphabet = alphabet;
    this.text = text;
  }

  /** Add a letter, or take back the last one with its colours. */
  press(key) {
    if (key !== "Backspace") this.text = this.alphabet.add(this.text, key);
    else {
      this.text = this.alphabet.shorten(this.text);
      const place = this.alphabet.split(this.text).length;
      for (const each of [...this.#clicked.keys()]) if (each.endsWith(` ${place}`)) this.#clicked.delete(each);
    }
  }

  get isWhole() {
    return this.alphabet.isWhole(this.text);
  }

  /** Return the pattern on a board after some turns there, each with its guess and pattern; `given` if a shared result says it. */
  pattern(turns, given, board = 0) {
    const pattern = given ?? least(this.alphabet.split(this.text), turns, this.alphabet);
    return [...pattern].map((mark, place) => this.#clicked.get(`${board} ${place}`) ?? mark).join("");
  }

  /** Give a tile, which has a colour in this pattern, its next one. */
  recolour(place, pattern, board = 0) {
    this.#clicked.set(`${board} ${place}`, next(pattern[place]));
  }
}

/**
 * Return the pattern of some letters that earlier turns allow, with as little colour as possible: a letter that was green at
 * the same place is green again, and one that is known to be in the answer is not grey.
 */
function least(letters, turns, alphabet) {
  const green = {}; // place -> its letter
  const times = {}; // letter -> how often the answer has it at least
  for (const { guess, pattern } of turns) {
    const seen = {};
    alphabet.split(guess).forEach((letter, place) => {
      if (pattern[place] === "g") green[place] = letter;
      if (pattern[place] !== "-") seen[letter] = (seen[letter] ?? 0) + 1;
    });
    for (const letter in seen) times[letter] = Math.max(times[letter] ?? 0, seen[letter]);
  }
  const greens = letters.map((letter, place) => green[place] === letter);
  letters.forEach((letter, place) => { if (greens[place]) times[letter] -= 1; });
  return Array.from({ length: alphabet.length }, (_, place) => (greens[place] ? "g" : times[letters[place]]-- > 0 ? "y" : "-")).join("");
}
