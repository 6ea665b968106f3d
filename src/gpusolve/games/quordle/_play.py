"""One game, played by a strategy against known hidden words."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

import numpy as np

from gpusolve.backend import Backend, open_backend
from gpusolve.checks import check_choice, words_of
from gpusolve.errors import BadInput
from gpusolve.games.quordle import joint, kernels
from gpusolve.games.quordle.lists import Lists, left_after
from gpusolve.games.quordle.ratings import rank_guesses
from gpusolve.games.quordle.rules import MODES, STRATEGIES, Mode, Strategy, Turn, check_max_guesses, turns_of
from gpusolve.games.quordle.variant import Variant, check_hidden, check_made, check_variant
from gpusolve.games.wordle.rules import pattern
from gpusolve.games.wordle.weights.chances import likely
from gpusolve.result import FLAT, Result, reported
from gpusolve.runs.seeds import check_seed, random_seed


@dataclass(frozen=True, repr=False)
class Game(Result, schema="quordle.play/2"):
    """A finished game.

    Attributes
    ----------
    hidden : list of str
        The hidden words, one for each board.
    strategy : str
        The strategy that played.
    mode : {"classic", "sequence"}
        When boards opened.
    given : list of str
        The guesses that the game made at the start.
    guesses : list of str
        The guesses in order.
    board_turns : list of int
        For each board the number of the guess that solved it, counted from 1; 0 if it was not solved.
    seed : int
        The seed of the strategy ``random``.
    variant : Variant
        The word lists and the scoring.
    """

    hidden: list[str]
    strategy: Strategy
    mode: Mode
    given: list[str]
    guesses: list[str]
    board_turns: list[int]
    seed: int
    variant: Variant = field(repr=False, metadata=FLAT)

    @reported
    def won(self) -> bool:
        """Whether every board is solved."""
        return all(self.board_turns)

    @reported
    def turns(self) -> list[Turn]:
        """The guesses, each with the patterns that the boards showed."""
        return turns_of(self.hidden, self.guesses, self.variant.scoring, self.mode)


def play(
    hidden: Sequence[str] | str = (),
    *,
    strategy: Strategy = "joint",
    mode: Mode = "classic",
    given: Sequence[str] | str = (),
    max_guesses: int | None = None,
    variant: Variant | None = None,
    seed: int | None = None,
    backend: Backend | None = None,
) -> Game:
    """Watch a game against hidden words, or get help in your own game.

    Parameters
    ----------
    hidden : str or sequence of str
        The hidden words, one for each board, 1 to 32 different answers. If one is not among the answers of the original
        game, ``joint`` plays it with the advice of `suggest`, which counts on every word that can be guessed. On the
        command line without hidden words, you enter the patterns of your own game.
    strategy : str
        Strategy that plays. ``joint`` judges every guess over all boards; the other strategies are simple: they choose
        a board and guess the word that it proposes.
    mode : {"classic", "sequence"}
        When boards open. ``classic``: all at the start; ``sequence``: each when the boards before it are solved; then
        it shows all guesses, and guesses are judged over the open board. Only ``joint`` plays it.
    given : str or sequence of str
        Guesses that the game makes at the start (Rescue), separated by commas, such as ``crane,moist``. Only ``joint``
        goes on after them. By default none.
    max_guesses : int, optional
        Number of guesses after which the game is lost, with those given, up to 64. By default the number of boards +
        5, or + 6 in sequence.
    variant : Variant, optional
        The word lists and the scoring. By default those of the original game.
    seed : int, optional
        Seed of all random choices, 0 to 2^64 - 1. By default a random one, which the result has.
    backend : Backend, optional
        The device. By default the one that ``GPUSOLVE_DEVICE`` names, or else ``auto``.

    Returns
    -------
    Game
        The guesses, and the guess that solved each board.

    Raises
    ------
    BadInput
        For words that are not accepted, for a word that is hidden twice, for numbers out of range, and for
        a simple strategy in sequence or after given guesses.

    Examples
    --------
    ``gpusolve quordle play hello world tests value --answers quordle-article --strategy least-correct``

    >>> article = Variant.load("quordle-article")
    >>> play(["hello", "world", "tests", "value"], variant=article, strategy="left-to-right").guesses[:3]
    ['aback', 'dding', 'elope']
    """
    variant = check_variant(variant)
    check_choice("mode", mode, MODES)
    check_choice("strategy", strategy, STRATEGIES)
    may_be_any = variant.any_answer and strategy == "joint"
    words = check_hidden(words_of(hidden), variant, listed=not may_be_any)
    max_guesses = check_max_guesses(max_guesses, len(words), mode)
    begun = check_made(words_of(given), variant)
    if len(begun) > max_guesses:
        raise BadInput(f"given: {len(begun)} guesses: expected at most {max_guesses}, which the game allows")
    seed = random_seed() if seed is None else check_seed(seed)
    backend = open_backend(backend)
    unlisted = not all(word in variant.answers for word in words)
    if unlisted:
        variant = likely(variant)
    if begun or unlisted or mode != "classic":
        if strategy != "joint":
            raise BadInput(f"strategy {strategy}: expected joint in sequence, or after given guesses")
        made, turns = _play_on(words, variant=variant, mode=mode, begun=begun, max_guesses=max_guesses, backend=backend)
        return Game(words, strategy, mode, begun, made, turns, seed, variant)
    answers = np.array([[variant.answers.place[word] for word in words]], np.uint16)
    if strategy == "joint":
        opening = kernels.openings(backend, joint.prepare(backend, variant))
        games = joint.play(backend, answers, opening, max_guesses)
        names = variant.guesses
    else:
        tables = kernels.simple_tables(backend, variant.answers, variant.player, variant.scoring)
        games = kernels.simple_games(backend, answers, tables, strategy=strategy, max_guesses=max_guesses, seed=seed)
        names = variant.answers
    made = [names[word] for word in games.guessed[0] if word != kernels.NO_WORD]
    return Game(words, strategy, mode, begun, made, games.turns[0].tolist(), seed, variant)


def _play_on(
    words: Sequence[str], *, variant: Variant, mode: Mode, begun: Sequence[str], max_guesses: int, backend: Backend
) -> tuple[list[str], list[int]]:
    """Play a game after its first guesses: each time the guess that `suggest` ranks first, over the open boards.

    Returns the guesses, and for each board the number of the guess that solved it.
    """
    turns, made = [0] * len(words), list[str]()
    while not all(turns) and len(made) < max_guesses:
        if len(made) < len(begun):
            guess = begun[len(made)]
        else:
            unsolved = [word for word, turn in zip(words, turns, strict=True) if not turn]
            closed = 0 if mode == "classic" else len(turns) - turns.index(0) - 1
            shown = unsolved if mode == "classic" else unsolved[:1]
            histories = [[(guess, pattern(guess, word, scoring=variant.scoring)) for guess in made] for word in shown]
            lists = Lists.prepare(backend, left_after(backend, variant, histories))
            guess = rank_guesses(
                backend,
                lists.fitting,
                variant=lists.variant,
                tables=lists.tables,
                guesses_left=max_guesses - len(made) - closed,
                is_first=not made,
            )[0].guess
        made.append(guess)
        turns = [turn or len(made) * (guess == word) for turn, word in zip(turns, words, strict=True)]
    return made, turns
