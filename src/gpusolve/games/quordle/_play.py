"""One game, played by a strategy against known hidden words."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from gpusolve.backend import Backend, open_backend
from gpusolve.checks import check_choice
from gpusolve.errors import BadInput
from gpusolve.games.quordle import joint, kernels
from gpusolve.games.quordle.lists import Lists
from gpusolve.games.quordle.ratings import rank_guesses
from gpusolve.games.quordle.rules import MODES, STRATEGIES, Game, Mode, Strategy, check_max_guesses
from gpusolve.games.quordle.variant import Variant, check_hidden, check_made, check_variant
from gpusolve.runs.seeds import check_seed, random_seed


def play(
    hidden: Sequence[str],
    *,
    variant: Variant | None = None,
    strategy: Strategy = "joint",
    mode: Mode = "classic",
    given: Sequence[str] = (),
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
    mode : {"classic", "sequence"}
        ``sequence``: a board opens when the boards before it are solved, and then shows all guesses. Only ``joint``
        plays it, and it judges guesses over the open board.
    given : sequence of str
        Guesses that the game makes at the start (Rescue). Only ``joint`` goes on after them.
    max_guesses : int, optional
        Number of guesses after which the game is lost, with those given, from the number of boards to 64. By default
        boards + 5, or boards + 6 in sequence.
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
        For words that are not among the answers, for a word that is hidden twice, for numbers out of range, and for
        a simple strategy in sequence or after given guesses.

    Examples
    --------
    >>> article = Variant.load("quordle-article")
    >>> play(["hello", "world", "tests", "value"], variant=article, strategy="left-to-right").guesses[:3]
    ['aback', 'dding', 'elope']
    """
    variant = check_variant(variant)
    words = check_hidden(hidden, variant)
    check_choice("mode", mode, MODES)
    max_guesses = check_max_guesses(max_guesses, len(words), mode)
    check_choice("strategy", strategy, STRATEGIES)
    begun = check_made(given, variant)
    if len(begun) > max_guesses:
        raise BadInput(f"given: {len(begun)} guesses: expected at most {max_guesses}, which the game allows")
    seed = random_seed() if seed is None else check_seed(seed)
    answers = np.array([[variant.answers.place[word] for word in words]], np.uint16)
    backend = open_backend(backend)
    if begun or mode != "classic":
        if strategy != "joint":
            raise BadInput(f"strategy {strategy}: expected joint in sequence, or after given guesses")
        return _play_on(words, variant=variant, mode=mode, begun=begun, max_guesses=max_guesses, backend=backend)
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


def _play_on(
    words: Sequence[str], *, variant: Variant, mode: Mode, begun: Sequence[str], max_guesses: int, backend: Backend
) -> Game:
    """Play a game after its first guesses: each time the guess that `suggest` ranks first, over the open boards."""
    lists = Lists.prepare(backend, variant, widened=False)
    fitting, turns, made = [lists.listed for _ in words], [0] * len(words), list[str]()
    while not all(turns) and len(made) < max_guesses:
        if len(made) < len(begun):
            guess = begun[len(made)]
        else:
            unsolved = [fit for fit, turn in zip(fitting, turns, strict=True) if not turn]
            closed = 0 if mode == "classic" else len(turns) - turns.index(0) - 1
            guess = rank_guesses(
                backend,
                unsolved if mode == "classic" else unsolved[:1],
                variant=variant,
                tables=lists.tables,
                guesses_left=max_guesses - len(made) - closed,
                is_first=not made,
            )[0].guess
        made.append(guess)
        column = lists.codes[:, variant.dictionary.place[guess]]
        for board, word in enumerate(words):
            if not turns[board]:
                code = column[variant.answers.place[word]]
                fitting[board] = fitting[board][column[fitting[board]] == code]
                turns[board] = len(made) if guess == word else 0
    return Game(made, turns)
