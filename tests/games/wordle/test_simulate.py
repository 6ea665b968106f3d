"""The greedy strategy against every answer: compared with single games, and with a plain loop over the rules."""

from __future__ import annotations

import pytest

from gpusolve.backend import Backend, open_backend
from gpusolve.games.wordle import Variant, kernels, play, rules, simulate
from gpusolve.games.wordle.rules import Measure, Mode
from gpusolve.games.wordle.wordlist import word_list
from recorded import recorded

GUESSES, ANSWERS = word_list("wordle-guesses"), word_list("wordle-answers")
CPU = open_backend("cpu")


@pytest.mark.parametrize("mode", rules.MODES)
@pytest.mark.parametrize("sort", rules.MEASURES)
def test_the_games_are_those_of_play(mode: Mode, sort: Measure) -> None:
    answers = ANSWERS[::23]
    variant = Variant.load(GUESSES, answers, mode=mode)
    result = simulate(variant, sort=sort, backend=CPU)
    for i in range(0, len(answers), 9):
        game = play(answers[i], variant, sort=sort, backend=CPU)
        assert len(game) == result.turns[i]
        history = [(turn.guess, turn.pattern) for turn in game]
        for n, (guess, code) in enumerate(history):
            assert code == rules.pattern(guess, answers[i])
            assert rules.allowed(guess, history[:n], mode)
            assert game[n].remaining == sum(rules.consistent(word, history[:n]) for word in answers)


@pytest.mark.parametrize(
    ("variant", "first"),
    [
        (Variant.load(answers=ANSWERS[::40], guess_hidden_only=True), None),
        (Variant.load(answers=ANSWERS[::40], scoring="presence"), None),
        (Variant.load(answers=ANSWERS[::40]), "salet"),
        (Variant.load(weights={word: 1 + 5 * (i % 7) for i, word in enumerate(ANSWERS[::12])}), None),
    ],
)
def test_the_games_are_those_of_play_in_other_variants(variant: Variant, first: str | None) -> None:
    result = simulate(variant, first=first, backend=CPU)
    lengths = [len(play(word, variant, first=first, sort="entropy", backend=CPU)) for word in variant.answers[::7]]
    assert lengths == result.turns[::7].tolist()


def test_every_device_plays_by_the_rules(backend: Backend) -> None:
    answers = ANSWERS[::40]
    variant = Variant.load(sorted({*GUESSES[::5], *answers}), answers)
    expected = recorded("wordle/greedy", lambda: greedy_turns(variant.guesses[:], answers))
    assert simulate(variant, backend=backend).turns.tolist() == expected


def greedy_turns(guesses: list[str], answers: list[str]) -> list[int]:
    """Return the number of guesses that the strategy needs for each answer, by the rules and the kernels' n log2 n."""
    nlogn = kernels.nlogn_table(len(answers)).tolist()

    def solve(members: list[str], depth: int) -> dict[str, int]:
        best: tuple[int, bool, dict[int, list[str]]] | None = None
        for guess in members[:1] if len(members) < 3 else guesses:
            cells: dict[int, list[str]] = {}
            for answer in members:
                cells.setdefault(rules.pattern(guess, answer), []).append(answer)
            cost = (sum(nlogn[len(cell)] for cell in cells.values()), guess not in members, cells)
            best = cost if best is None or cost[:2] < best[:2] else best
        assert best is not None
        turns: dict[str, int] = {}
        for code, cell in best[2].items():
            turns |= {cell[0]: depth} if code == rules.SOLVED else solve(cell, depth + 1)
        return turns

    turns = solve(answers, 1)
    return [turns[answer] for answer in answers]


def test_all_answers() -> None:
    result = simulate(first="salet", backend=CPU)
    assert result.total == 7946  # the optimal strategy after salet takes 7,920: published
    assert sum(result.distribution.values()) == len(ANSWERS)
    assert result.distribution == {1: 0, 2: 79, 3: 1206, 4: 982, 5: 46, 6: 2}
    assert result.worst == ["hover", "poker"]
    assert result.lost == 0
    assert simulate(Variant.load(mode="ultra-hard"), backend=CPU).lost == 9
