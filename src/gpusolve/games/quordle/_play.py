"""One game, played by a strategy against known hidden words."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from gpusolve.backend import Backend, open_backend
from gpusolve.checks import check_choice
from gpusolve.games.quordle import joint, kernels
from gpusolve.games.quordle.rules import STRATEGIES, Game, Strategy, check_max_guesses
from gpusolve.games.quordle.variant import Variant, check_hidden, check_variant
from gpusolve.runs.seeds import check_seed, random_seed


def play(
    hidden: Sequence[str],
    *,
    variant: Variant | None = None,
    strategy: Strategy = "joint",
    max_guesses: int | None = None,
    seed: int | None = None,
    backend: Backend | None = None,
) -> Game:
    """Play one game against known hidden words.

    Parameters
    ----------
    hidden : sequence of str
        The hidden words, one for each board: 1 to 32 different answers of the variant.
    variant : Variant, optional
        The word lists and the scoring. By default those of the original game.
    strategy : str
        The strategy that plays: ``joint``, or a simple one that guesses the proposal of one board.
    max_guesses : int, optional
        Number of guesses after which the game is lost, from the number of boards to 64. By default boards + 5.
    seed : int, optional
        Seed of the strategy ``random``. By default a random seed.
    backend : Backend, optional
        The device. By default the one that ``GPUSOLVE_DEVICE`` names.

    Returns
    -------
    Game
        The guesses, and the guess that solved each board.

    Raises
    ------
    BadInput
        For words that are not among the answers, for a word that is hidden twice, and for numbers out of range.

    Examples
    --------
    >>> article = Variant.load("quordle-article")
    >>> play(["hello", "world", "tests", "value"], variant=article, strategy="left-to-right").guesses[:3]
    ['aback', 'dding', 'elope']
    """
    variant = check_variant(variant)
    words = check_hidden(hidden, variant)
    max_guesses = check_max_guesses(max_guesses, len(words))
    check_choice("strategy", strategy, STRATEGIES)
    seed = random_seed() if seed is None else check_seed(seed)
    answers = np.array([[variant.answers.place[word] for word in words]], np.uint16)
    backend = open_backend(backend)
    if strategy == "joint":
        opening = kernels.openings(backend, joint.prepare(backend, variant))
        games = joint.play(backend, answers, opening, max_guesses)
        names = variant.dictionary
    else:
        tables = kernels.simple_tables(backend, variant.answers, variant.player, variant.scoring)
        games = kernels.simple_games(backend, answers, tables, strategy=strategy, max_guesses=max_guesses, seed=seed)
        names = variant.answers
    made = [names[word] for word in games.guessed[0] if word != kernels.NO_WORD]
    return Game(made, games.turns[0].tolist())
