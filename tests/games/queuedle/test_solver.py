"""How Queuedle is solved: against all games where there are few, against recorded results where there are many."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from gpusolve.backend import Backend, open_backend
from gpusolve.errors import BadInput
from gpusolve.games.queuedle import auto, memory, rules
from gpusolve.games.queuedle._solve import STRATEGIES, solve
from gpusolve.games.queuedle.auto import beams_in_rounds
from gpusolve.games.queuedle.restarts import best_of_runs
from gpusolve.games.queuedle.searches import Solution, Solver
from gpusolve.runs import checkpoint
from gpusolve.wordlists import load_words
from recorded import recorded
from search.toy import PlainHeap

CPU = open_backend("cpu")
SPEC = rules.parse_puzzle("fndoi/eedgr/aadqs/oeilx/eyatg", "aikiueieexuatov")
SMALL = rules.parse_puzzle("tsea/enop/adis/ttre", "eat")
LARGE = rules.parse_puzzle("estate/teases/qtsets/assest/stqtes/attest", "se")  # of few letters: quickly ranked
WORDS = load_words("scowl-70")


@pytest.fixture(scope="module")
def solver() -> Solver:
    return Solver(SPEC, WORDS, CPU)


@pytest.fixture(scope="module")
def small() -> Solver:
    return Solver(SMALL, WORDS, CPU)


def plain_best(puzzle: rules.Puzzle, words: frozenset[str]) -> int:
    """The best score of all games."""

    def best(position: rules.Position) -> int:
        ways = (best(rules.slide(position, move)) for move in rules.legal_moves(position))
        return max(rules.score(position.grid, words), *ways, 0)

    return best(rules.Position(puzzle.grid, puzzle.queue))


def check(solver: Solver, found: Solution) -> Solution:
    """The moves are legal and give the score."""
    position = rules.replay(solver.puzzle, found.moves)[-1]
    assert rules.score(position.grid, solver.words) == found.score
    return found


def outcome(found: Solution) -> list[object]:
    """What is the same on every device."""
    return [found.score, rules.moves_text(found.moves), found.generated]


def test_every_search_finds_the_best_of_all_games(small: Solver) -> None:
    best = plain_best(SMALL, small.words)
    for found in (
        small.beam(10_000),
        small.beam(10_000, "potential", seed=5),
        small.beam(10_000, endings=2),
        small.best_first(),
        small.best_first("score", batch=1),
        beams_in_rounds(small, seed=1, time_limit=20.0),
    ):
        assert check(small, found).score == best
        assert found.complete
        assert found.proven


def searches(backend: Backend) -> dict[str, list[object]]:
    """Score, slides and states generated of small searches."""
    solver = Solver(rules.parse_puzzle("tsea/enop/adis/ttre", "eatns"), WORDS, backend)
    return {
        "beam": outcome(solver.beam(60, endings=2)),
        "seeded beam": outcome(solver.beam(60, "potential", seed=2)),
        "best-first": outcome(solver.best_first(expanded=300, batch=50)),
    }


def test_every_device_gives_what_was_recorded(backend: Backend) -> None:
    assert searches(backend) == recorded("queuedle/small", lambda: searches(CPU))


def test_the_searches_give_what_was_recorded(solver: Solver) -> None:
    found = {
        "beam": outcome(check(solver, solver.beam(10_000))),
        "potential": outcome(check(solver, solver.beam(10_000, "potential"))),
        "seeded beam": outcome(check(solver, solver.beam(3000, seed=7))),
        "endings": outcome(check(solver, solver.beam(50, endings=3))),
        "best-first": outcome(check(solver, solver.best_first(expanded=20_000))),
        "published": outcome(check(solver, solver.best_first("score", 1500, 1, lossy=True))),
        "published, remaining": outcome(check(solver, solver.best_first("score+remaining", 1500, 1, lossy=True))),
    }
    assert found == recorded("queuedle/example", lambda: found)


def test_no_slide_without_a_queue() -> None:
    empty = Solver(rules.parse_puzzle("east/tttt/eeee/aaaa"), WORDS, CPU)
    for found in (empty.beam(), empty.beam(10, "potential", endings=3), empty.best_first(), beams_in_rounds(empty)):
        assert (found.score, found.moves, found.proven) == (19, [], True)


def test_a_beam_does_not_depend_on_memory_nor_on_luck(solver: Solver) -> None:
    whole = solver.beam(3000)
    assert not whole.proven
    least = memory.fixed_bytes(solver.boards, 1) + 3000 * memory.width_bytes(solver.boards) + 28 * 20 * 100
    tight = solver.beam(3000, memory=-(-least // (1 << 20)))
    assert (tight.score, tight.moves, tight.generated) == (whole.score, whole.moves, whole.generated)
    assert solver.beam(3000, seed=7) != solver.beam(3000, seed=8)
    first, second = solver.beam(3000, seed=7), solver.beam(3000, seed=7)
    assert (first.score, first.moves) == (second.score, second.moves)


def test_memory_that_is_too_little(solver: Solver) -> None:
    with pytest.raises(BadInput, match=r"memory 250: too little for a beam of 1,000,000: expected at least \d+ MiB"):
        solver.beam(1_000_000, memory=250)
    with pytest.raises(BadInput, match="memory 10: too little for a beam of 1:"):
        beams_in_rounds(solver, memory=10, time_limit=1.0)
    six = Solver(LARGE, WORDS, CPU)
    for search in (beams_in_rounds, lambda six, memory: six.beam(10, memory=memory)):
        with pytest.raises(BadInput, match=r"memory 300: too little for a beam of \d+: expected at least [\d,]+ MiB"):
            search(six, memory=300)
    assert "scores" not in vars(six)  # refused before a table is made


def test_memory_that_the_machine_does_not_have(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(memory, "_free_bytes", lambda: 292 << 20)
    six = Solver(LARGE, WORDS, CPU)
    for search in (beams_in_rounds, Solver.beam, Solver.best_first):
        with pytest.raises(BadInput, match=r"a search of a 6x6 grid wants [\d,]+ MiB, and 292 are free"):
            search(six)


@pytest.mark.skipif(not Path("/proc/self/status").exists(), reason="there is no /proc to read the peak from")
def test_the_memory_is_kept() -> None:
    """A process of its own tells what it took at most, in KiB."""
    program = "from gpusolve.cli import main; main(); print(open('/proc/self/status').read())"
    arguments = "queuedle solve --grid lpaie/priio/atuaj/ziafa/cgaee --queue aweaeetn --strategy beam --width 300000"
    arguments += " --memory 285 --device cpu --quiet"
    command = [sys.executable, "-c", program, *arguments.split()]
    done = subprocess.run(command, capture_output=True, text=True, check=True)
    assert "beam: " in done.stdout
    peak = next(line for line in done.stdout.splitlines() if line.startswith("VmHWM:"))
    assert int(peak.split()[1]) < 285 << 10


def test_a_time_limit_gives_the_best_so_far(solver: Solver) -> None:
    for found in (solver.beam(200_000, time_limit=0.02), solver.best_first(time_limit=0.0)):
        assert not check(solver, found).complete
        assert not found.proven


def test_endings_are_no_worse(solver: Solver) -> None:
    assert check(solver, solver.beam(50, endings=3)).score >= solver.beam(50).score


def test_a_time_limit_cuts_the_endings(solver: Solver) -> None:
    """All of them would take half a minute on two cores."""
    found = check(solver, solver.beam(5000, endings=5, time_limit=0.5))
    assert not found.complete
    assert not found.proven
    assert found.seconds < 15


def test_the_batches_of_endings_do_not_matter(solver: Solver, monkeypatch: pytest.MonkeyPatch) -> None:
    whole = solver.beam(300, endings=2)
    monkeypatch.setattr(type(CPU), "batch", lambda backend, bytes_per_item: 7)
    assert outcome(solver.beam(300, endings=2)) == outcome(whole)


@pytest.mark.parametrize("strategy", STRATEGIES)
def test_what_does_not_apply_to_a_strategy_is_refused(strategy: Any) -> None:
    given: dict[str, Any] = {
        "heuristic": "score", "width": 5, "expanded": 5, "batch": 5, "lossy": True, "endings": 1, "states": 9,
        "restarts": 2, "memory": 4096, "workers": "2", "seed": 1, "checkpoint": Path("x"), "resume": Path("x"),
    }  # fmt: skip
    assert {name for names in STRATEGIES.values() for name in names} == given.keys()
    for name in given.keys() - set(STRATEGIES[strategy]):
        with pytest.raises(BadInput, match=f"^{name}: expected with strategy .*, not {strategy}$"):
            solve(SMALL, WORDS, strategy, backend=CPU, **{name: given[name]})


def test_solve_is_the_searches(small: Solver) -> None:
    found = solve(SMALL, WORDS, "beam", width=100, heuristic="potential", seed=4, endings=1, memory=400, backend=CPU)
    expected = small.beam(100, "potential", 400, 4, 1)
    assert (outcome(found), found.seed) == (outcome(expected), 4)
    found = solve(SMALL, WORDS, "best-first", heuristic="score", expanded=90, batch=7, lossy=True, backend=CPU)
    assert (outcome(found), found.seed) == (outcome(small.best_first("score", 90, 7, True)), None)
    with pytest.raises(BadInput, match="strategy breadth-first: expected"):
        solve(SMALL, WORDS, "breadth-first")  # type: ignore[arg-type]


LONG = rules.parse_puzzle("tsea/enop/adis/ttre", SPEC.queue)


def test_autos_plan_grows_in_turns() -> None:
    rounds = [auto.plan(3, number) for number in range(200)]
    widths = [this.width for this in rounds]
    assert widths == sorted(widths)
    assert (widths[0], widths[1], widths[-1]) == (auto.FIRST_WIDTH, auto.SECOND_WIDTH, auto.WIDEST)
    assert [this.turn for this in rounds[:10]] == [1, 0, 0, 0, 0, 1, 1, 1, 1, 2]
    assert [this.restart > 0 for this in rounds[:6]] == [False, False, True, True, True, False]
    assert [this.own for this in rounds[:6]] == [False, False, True, True, False, False]
    plain = {this.turn: this.salt for this in rounds if this.plain}
    assert list(plain) == list(range(1, 50, 3))
    assert len(set(plain.values())) == len(plain)
    assert {this.salt for this in rounds if not this.plain} == {0} == {plain[1]}
    assert rounds == [auto.plan(3, number) for number in range(200)] != [auto.plan(4, number) for number in range(200)]
    assert max(auto.plan(3, number, 500).width for number in range(200)) == 500


def run_auto(solver: Solver, states: int, seed: int = 3, **more: Any) -> Solution:
    return check(solver, beams_in_rounds(solver, states, seed=seed, **more))


def test_a_larger_budget_goes_on_where_a_smaller_one_ends(tmp_path: Path) -> None:
    long, file = Solver(LONG, WORDS, CPU), tmp_path / "auto.ckpt"
    told: list[tuple[int, int]] = []
    whole = run_auto(long, 12_000_000, progress=lambda *so_far: told.append(so_far))
    assert (whole.complete, whole.proven, whole.seed) == (True, False, 3)
    assert whole.generated >= 12_000_000
    assert told == sorted(told)
    assert told[-1] == (whole.generated, whole.score)
    assert outcome(whole) == recorded("queuedle/auto", lambda: outcome(whole))
    for states in (1, 500_000, 6_000_000):
        part = run_auto(long, states, checkpoint=file)
        assert (part.complete, part.generated >= states) == (True, True)
        assert part.rounds <= whole.rounds
        assert part.score == [best for generated, best in told if generated <= part.generated][-1]
        again = run_auto(long, 12_000_000, resume=file)
        assert (outcome(again), again.rounds) == (outcome(whole), whole.rounds)
        assert again.seconds > part.seconds
    assert run_auto(long, 5_000_000, resume=file).generated == whole.generated  # has had its budget already
    with pytest.raises(BadInput, match="made with seed 3, not with 4"):
        run_auto(long, 12_000_000, seed=4, resume=file)


class Stop(BaseException):
    """What a signal raises, wherever the run is."""


def test_a_run_that_is_stopped_anywhere_goes_on_to_the_same_end(tmp_path: Path) -> None:
    long, file = Solver(LONG, WORDS, CPU), tmp_path / "auto.ckpt"
    whole = run_auto(long, 12_000_000)
    random, stops = np.random.default_rng(5), 0

    def stop(generated: int, best: int) -> None:
        if random.random() < 0.04:
            raise Stop

    more: dict[str, Any] = {"checkpoint": file}
    while True:
        try:
            found = run_auto(long, 12_000_000, progress=stop, **more)
            break
        except Stop:
            stops, more = stops + 1, {"resume": file}
    assert stops
    assert (outcome(found), found.rounds) == (outcome(whole), whole.rounds)


def test_autos_time_limit_cuts_a_round_that_is_then_done_again(tmp_path: Path) -> None:
    long, file = Solver(LONG, WORDS, CPU), tmp_path / "auto.ckpt"
    whole = run_auto(long, 12_000_000)
    first = check(long, beams_in_rounds(long, None, seed=3, time_limit=0.0, checkpoint=file))
    assert (first.rounds, first.complete) == (1, False)
    second = check(long, beams_in_rounds(long, None, time_limit=0.0, resume=file))  # each sitting gets on
    assert (second.rounds, second.complete, second.seed) == (2, False, 3)
    assert second.score >= first.score
    cut = check(long, beams_in_rounds(long, 12_000_000, time_limit=0.15, resume=file))
    assert cut.rounds >= 3
    assert cut.complete == (cut.rounds == whole.rounds)
    assert outcome(run_auto(long, 12_000_000, resume=file)) == outcome(whole)


def test_restarts_are_the_runs_of_their_seeds(tmp_path: Path) -> None:
    long, file = Solver(LONG, WORDS, CPU), tmp_path / "runs.ckpt"
    alone = [run_auto(long, 2_000_000, seed=seed) for seed in (3, 4, 5)]
    told: list[tuple[int, int]] = []
    whole = solve(
        LONG, WORDS, restarts=3, states=2_000_000, seed=3, progress=lambda *so_far: told.append(so_far), backend=CPU
    )
    best = max(alone, key=lambda one: one.score)
    assert (whole.score, whole.moves, whole.seed, whole.complete) == (best.score, best.moves, 3, True)
    assert (whole.generated, whole.rounds) == tuple(
        sum(getattr(one, name) for one in alone) for name in ("generated", "rounds")
    )
    assert told == sorted(told)
    cut = best_of_runs(long, 3, 2_000_000, seed=3, time_limit=0, checkpoint=file)
    assert (cut.complete, cut.rounds) == (False, 1)
    again = best_of_runs(long, 3, 2_000_000, workers=2, resume=file)
    assert (outcome(again), again.rounds) == (outcome(whole), whole.rounds)
    with pytest.raises(BadInput, match="made with restarts 3, not with 2"):
        best_of_runs(long, 2, resume=file)
    settings, _ = checkpoint.load(file, "queuedle.restarts")
    wrong: list[Any] = [[{}], "xyz", [{}, {}, 5], [{}, {}, {"score": 9}]]
    for runs in wrong:
        checkpoint.save(file, "queuedle.restarts", settings, {"runs": runs, "seconds": 1})
        with pytest.raises(BadInput, match="damaged"):
            best_of_runs(long, 3, resume=file)


@pytest.mark.parametrize("restarts", [0, -1, 1.5, "2", True])
def test_numbers_of_restarts_that_are_none(restarts: Any) -> None:
    with pytest.raises(BadInput, match=f"restarts {restarts}: expected a whole number"):
        solve(LONG, WORDS, restarts=restarts, backend=CPU)


def test_workers_want_restarts() -> None:
    with pytest.raises(BadInput, match="workers 2: expected with restarts, which are what they share"):
        solve(LONG, WORDS, workers=2, backend=CPU)


@pytest.mark.parametrize(
    "wrong",
    [{"score": 1000}, {"moves": [99]}, {"turn_score": 1}, {"turn_moves": None},
     {"moves": "l1"}, {"moves": None}, {"rounds": -1}, {"rounds": "x"},
     {"generated": 1.5}, {"proven": 1}, {"more": 1}, {"rounds": 0}],
)  # fmt: skip
def test_a_checkpoint_that_no_run_saved_is_refused(wrong: dict[str, Any], tmp_path: Path) -> None:
    long, file = Solver(LONG, WORDS, CPU), tmp_path / "auto.ckpt"
    run_auto(long, 1, checkpoint=file)
    settings, state = checkpoint.load(file, "queuedle.auto")
    checkpoint.save(file, "queuedle.auto", settings, state | wrong)
    with pytest.raises(BadInput, match="damaged: it does not hold what a run saves"):
        run_auto(long, 100, resume=file)


def test_a_proven_result_is_not_searched_for_again(small: Solver, tmp_path: Path) -> None:
    file = tmp_path / "auto.ckpt"
    first = beams_in_rounds(small, seed=3, checkpoint=file)
    second = beams_in_rounds(small, resume=file)
    assert (first.proven, outcome(second), second.rounds, second.proven) == (True, outcome(first), first.rounds, True)


def published(words: frozenset[str], expanded: int, remaining: bool) -> tuple[int, tuple[int, ...], int]:
    """The published search in plain Python: score, moves, states put into the queue."""
    heap, visited, best, pushed = PlainHeap(), set(), (-1, ()), 0
    heap.push(0, rules.Position(SPEC.grid, SPEC.queue))
    for _ in range(expanded):
        position = heap.pop()
        score = rules.score(position.grid, words)
        best = max(best, (score, position.moves), key=lambda found: found[0])
        fnv = 2166136261
        for letter in "".join(position.grid):
            fnv = (fnv ^ ord(letter) - ord("a")) * 16777619 & 0xFFFFFFFF
        if fnv in visited:
            continue
        visited.add(fnv)
        for move in rules.legal_moves(position):
            after = rules.slide(position, move)
            heap.push(rules.score(after.grid, words) + remaining * (15 - len(position.moves)), after)
            pushed += 1
    return *best, pushed


@pytest.mark.parametrize("heuristic", ["score", "score+remaining"])
def test_the_published_search_is_what_it_does_in_plain_python(solver: Solver, heuristic: str) -> None:
    found = solver.best_first(heuristic, 600, batch=1, lossy=True)
    expected = published(solver.words, 600, heuristic == "score+remaining")
    assert (found.score, tuple(found.moves), found.generated) == expected


@pytest.mark.slow
def test_six_by_six() -> None:
    solver = Solver(LARGE, WORDS, CPU)
    found = {name: outcome(check(solver, solver.beam(5, name))) for name in ("score", "potential")}
    assert found == recorded("queuedle/six", lambda: found)
