"""One game against a hidden answer, or against the adversary, always with the best guess."""

from __future__ import annotations

from dataclasses import dataclass, field
from pathlib import Path
from random import Random

from gpusolve import checks
from gpusolve.backend import Backend, open_backend
from gpusolve.errors import BadInput
from gpusolve.games.wordle import rules
from gpusolve.games.wordle._suggest import rank
from gpusolve.games.wordle.analysis.strategies import reply_after
from gpusolve.games.wordle.analysis.trees import read_strategy
from gpusolve.games.wordle.history import after
from gpusolve.games.wordle.rules import Advice
from gpusolve.games.wordle.tables import PartitionTable
from gpusolve.games.wordle.variant import Variant, check_variant
from gpusolve.games.wordle.weights.chances import likely
from gpusolve.games.wordle.weights.mistakes import check_first, not_accepted
from gpusolve.games.wordle.wordlist import word_list
from gpusolve.result import FLAT, Result, Rows, reported, written
from gpusolve.runs.seeds import check_seed, random_seed
from gpusolve.wordlists import Words


@dataclass(frozen=True, repr=False)
class PlayedTurn(Result):
    """One guess of a game.

    Attributes
    ----------
    guess : str
        The guess.
    pattern : int
        Its pattern, 0..242 for five letters.
    remaining : int
        Number of answers that were possible before the guess.
    """

    guess: str
    pattern: int = field(metadata=written("marks"))
    remaining: int

    @property
    def marks(self) -> str:
        """The pattern as text, such as ``-y--g``."""
        return rules.pattern_text(self.pattern, rules.length_of(self.guess))


@dataclass(frozen=True, repr=False)
class Game(Rows[PlayedTurn], schema="wordle.play/2"):
    """A game that was played to its end.

    Attributes
    ----------
    turns : list of PlayedTurn
        The guesses. The last one is the answer.
    adversary : bool
        Whether it was played against the adversary, which hides no word.
    seed : int or None
        The seed of a random answer.
    sort : str
        What made a guess the best; ``strategy`` if a tree file was played.
    variant : Variant
        The words and the rules.
    """

    turns: list[PlayedTurn]
    adversary: bool
    seed: int | None
    sort: str
    variant: Variant = field(repr=False, metadata=FLAT)

    @reported
    def answer(self) -> str:
        """The answer, or the word that the adversary had to concede."""
        return self.turns[-1].guess


def play(
    answer: str | None = None,
    variant: Variant | None = None,
    *,
    random: bool = False,
    adversary: bool = False,
    first: str | None = None,
    sort: Advice = "exact",
    strategy: Path | None = None,
    seed: int | None = None,
    backend: Backend | None = None,
) -> Game:
    """Watch a game, or get help in your own.

    It is played against an answer or an adversary, always with the best guess.

    Parameters
    ----------
    answer : str, optional
        The hidden word. On the command line without it, you enter the patterns of your own game.
    variant : Variant, optional
        The words and the rules. By default every accepted word can be the answer, each with its chance; a strategy and
        the adversary play the original game.
    random : bool, default False
        Hide a random answer.
    adversary : bool, default False
        Play against an adversary that hides no word: each guess gets the pattern that leaves most words, as in the game
        Absurdle. Among equals, it is the one with the fewest greens, then yellows.
    first : str, optional
        First guess. By default the best guess.
    sort : {"exact", "entropy", "expected", "patterns", "largest"}
        Measure by which guesses are ranked. ``exact``: the mean number of guesses to the end where it is known (few
        answers remain, or the original lists before the first guess), else entropy, with a bonus for guesses that can
        be the answer.
    strategy : Path, optional
        Play the strategy in this tree file.
    seed : int, optional
        Seed of all random choices, 0 to 2^64 - 1. By default a random one, which the result has.
    backend : Backend, optional
        The device. By default the one that ``GPUSOLVE_DEVICE`` names, or else ``auto``.

    Returns
    -------
    Game
        The guesses. The last one is the answer.

    Raises
    ------
    BadInput
        If `answer` is not among the answers or `first` not among the guesses, if there is an adversary and an answer
        or neither, or if the strategy is for other words, begins with another word than `first`, or has no reply.

    Examples
    --------
    ``gpusolve wordle play crane``

    >>> [turn.guess for turn in play("crane")]
    ['salet', 'beard', 'cezve', 'crane']
    >>> [turn.guess for turn in play(adversary=True, sort="largest")]
    ['arise', 'bludy', 'chump', 'touch', 'vouch']
    """
    variant = check_variant(variant)
    checks.check_choice("sort", sort, rules.ADVICE)
    listed = variant.answers
    if strategy is None and not adversary:
        variant = likely(variant)
    if seed is not None and not random:
        raise BadInput(f"seed {seed}: expected a random answer as well")
    if random:
        if answer is not None or adversary:
            raise BadInput("random: expected neither an answer nor the adversary")
        seed = random_seed() if seed is None else seed
        answer = random_answer(listed, seed=seed)
    if (answer is None) != adversary:
        raise BadInput("answer: expected a hidden word, or the adversary, which hides none")
    if answer is not None:
        answer = rules.parse_word(answer, variant.length, variant.digraphs)
        if answer not in variant.answers:
            raise BadInput(f"answer '{answer}': {not_accepted(answer, variant.answers, 'answers')}")
    first = check_first(first, variant)
    tree = None if strategy is None else read_strategy(strategy, variant)
    if tree is not None and first not in (None, tree.guess):
        raise BadInput(f"first guess '{first}': the strategy begins with {tree.guess}")
    backend = open_backend(backend)
    turns: list[PlayedTurn] = []
    while not turns or not rules.solves(turns[-1].guess, turns[-1].pattern):
        history = [(turn.guess, turn.pattern) for turn in turns]
        if sort == "exact" and tree is None and (turns or first is None):
            table: PartitionTable = rank(history, variant, sort=sort, count=1, backend=backend)
        else:
            table = after(history, variant, "entropy" if sort == "exact" else sort, backend)
        guess = first if first and not turns else table.best
        if tree is not None:
            reply = reply_after(tree, history)
            if reply is None:
                hidden = "against the adversary" if answer is None else f"when {answer} is hidden"
                raise BadInput(f"tree {strategy}: no reply after {len(turns)} guesses, {hidden}")
            guess = reply
        if answer is None:
            code = rules.reply(guess, table.answers, scoring=variant.scoring)
        else:
            code = rules.pattern(guess, answer, scoring=variant.scoring)
        turns.append(PlayedTurn(guess, code, len(table.answers)))
    return Game(turns, adversary, seed, sort if tree is None else "strategy", variant)


def random_answer(answers: Words = "wordle-answers", *, seed: int) -> str:
    """Draw an answer. The same seed gives the same answer. Raises BadInput unless `seed` is from 0 to 2^64 - 1.

    >>> random_answer(["crane", "trace"], seed=1)
    'crane'
    """
    return Random(check_seed(seed)).choice(word_list(answers))
