"""The kernels of Wordle, compared with the same loops in C, with C code that compares letters, and with naive NumPy.

The table of 12,972 words against themselves runs on all threads and on one; comparisons with C use one thread.
"""

from __future__ import annotations

import ctypes
import resource
import subprocess
import tempfile
from collections.abc import Callable
from functools import partial
from math import comb
from pathlib import Path
from statistics import median

import numpy as np

from gpusolve.backend import Backend, open_backend
from gpusolve.games.wordle import Solution, Variant, cpu, groups, kernels, simulate, solve
from gpusolve.games.wordle.cpu import lengths
from gpusolve.games.wordle.grouping.kernels import Separation
from gpusolve.games.wordle.kernels import Letters
from gpusolve.games.wordle.proof.kernels import start_bounds
from gpusolve.games.wordle.rules import Mode
from gpusolve.games.wordle.wordlist import word_list
from harness import Row, Work, ratio, side_by_side

ALIKE = (
    "batch catch hatch latch match patch watch bight eight fight light might night right sight tight wight bound found"
)
"""Words that few guesses tell apart."""
TRIPLES = 2_000
"""Number of random triples of answers that are tested one by one."""


def rows(backend: Backend) -> list[Row]:
    """Return all measurements on a CPU."""
    guesses, answers = word_list("wordle-guesses").letters, word_list("wordle-answers").letters
    return [
        *_whole(backend, guesses),
        *_beside_c(backend, guesses, guesses),
        *_beside_c(backend, guesses, answers),
        *_lengths(),
        *[row for length in (6, 8) for row in _long_beside_c(backend, length)],
        *_exact(backend),
        *_groups(backend),
    ]


def _exact(backend: Backend) -> list[Row]:
    """Measure the search for the exact total of a first guess, without the work before and after it."""
    starts: list[tuple[str, Mode]] = [("salet", "easy"), ("trace", "easy"), ("salet", "hard")]
    solutions_of: dict[str, list[Solution]] = {}
    for _ in range(4):
        for start, mode in starts:
            solution = solve([], Variant.load(mode=mode), first=start, backend=backend)
            solutions_of.setdefault(f"{start}, {mode}: {solution.total:,} guesses, proven", []).append(solution)
    rows = []
    for name, solutions in solutions_of.items():
        seconds = median(solution.seconds for solution in solutions[1:])
        rows.append(Row(name, seconds, f"{solutions[-1].states / seconds:,.0f} states/s"))
    return rows


def _lengths() -> list[Row]:
    """Measure words of five, six and eight letters, on one thread: random words, as many as Wordle's."""
    backend, rows = open_backend("cpu:1"), []
    runs: dict[str, Callable[[], object]] = {}
    for length in (5, 6, 8):
        random = np.random.default_rng(length)
        guesses, answers = (random.integers(0, 26, (n, length), dtype=np.uint8) for n in (12_972, 2_315))
        terms = kernels.terms_of(guesses)
        runs[f"patterns, {length} letters"] = partial(kernels.pattern_matrix, backend, terms, answers)
        runs[f"with statistics, {length} letters"] = partial(kernels.partition, backend, terms, answers)
    seconds = side_by_side(runs, backend)
    for name, times in seconds.items():
        middle, kind = median(times), name.split(",")[0]
        beside = f"{ratio(seconds, name, f'{kind}, 5 letters'):.2f} x 5 letters"
        rate = f"{middle / (12_972 * 2_315) * 1e9:.3f} ns per pattern"
        rows.append(Row(f"12,972 x 2,315 random words, {name}", middle, rate, beside))
    return rows


def _long_beside_c(backend: Backend, length: int) -> list[Row]:
    """Measure patterns and statistics of random words of six to ten letters on one thread: in Numba and in C."""
    library = _compile_c()
    random = np.random.default_rng(length)
    guesses, answers = (random.integers(0, 26, (n, length), dtype=np.uint8) for n in (12_972, 2_315))
    size, cells = len(answers), 3**length
    guess_terms, terms = kernels.prepare(backend, kernels.terms_of(guesses), answers)
    columns = terms.shape[1]
    nlogn = kernels.nlogn_table(size)
    out = [np.empty((len(guesses), columns), np.uint16) for _ in range(2)]
    stats = [_stats(len(guesses)) for _ in range(2)]
    found = [stat.reshape(1, -1) for stat in stats[0][:4]] + [stats[0][4].view(np.bool_).reshape(1, -1)]
    members, sizes, number = np.arange(size), np.array([size], np.int32), np.zeros(cells, np.int32)
    matrix = np.ascontiguousarray(kernels.pattern_matrix(backend, kernels.terms_of(guesses), answers))
    runs = {
        "numba": lambda: cpu.patterns_16(0, len(guesses), guess_terms, length, terms, columns, out[0]),
        "c": lambda: library.patterns_16(*_c(0, len(guesses), guess_terms, length, terms, columns, out[1])),
        "numba statistics": lambda: lengths.measure(matrix, members, sizes, cells, nlogn, 0, *found),
        "c statistics": lambda: library.measure_16(
            *_c(len(guesses), size, members, matrix, size, cells, nlogn, number, *stats[1])
        ),
    }
    seconds = side_by_side(runs, backend)
    assert np.array_equal(out[0], out[1])
    assert np.array_equal(out[0][:, :size], matrix)
    assert all(np.array_equal(a, b) for a, b in zip(*stats, strict=True))
    rows = []
    for name, label in (("", "patterns"), (" statistics", "statistics of patterns")):
        for form, beside in (("numba", "c"), ("c", "")):
            middle = median(seconds[form + name])
            times = f"{ratio(seconds, form + name, beside + name):.2f} x {beside + name}" if beside else ""
            written = "Numba, 1 thread" if beside else "gcc, the same form"
            rate = f"{middle / (len(guesses) * size) * 1e9:.3f} ns per pattern"
            rows.append(
                Row(f"12,972 x 2,315 random words of {length} letters, {label}, {written}", middle, rate, times)
            )
    return rows


def _groups(backend: Backend) -> list[Row]:
    """Measure the proof that any three answers can be told apart within two guesses, and the test of single triples."""
    guesses, answers = word_list("wordle-guesses"), word_list("wordle-answers")
    separation = Separation.of(backend, guesses, answers)
    triples = np.random.default_rng(0).permuted(np.tile(np.arange(len(answers)), (TRIPLES, 1)), axis=1)[:, :3]
    triples_on_device = backend.asarray(np.ascontiguousarray(triples, dtype=np.int32))
    runs = {
        "proof": lambda: groups(size=3, max_guesses=2, backend=backend),
        "triples": lambda: separation.turns(triples_on_device),
    }
    seconds = side_by_side(runs, backend)
    times = ratio(seconds, "triples", "proof") * comb(len(answers), 3) / TRIPLES
    middle, each = median(seconds["proof"]), median(seconds["triples"]) / TRIPLES
    return [
        Row("any 3 of 2,315 answers within 2: wordle groups", middle, "", f"trying all triples: {times:,.0f} x this"),
        Row(f"{TRIPLES:,} triples tried", median(seconds["triples"]), f"{each * 1e6:.3f} µs per triple"),
    ]


def works(backend: Backend, scale: float) -> dict[str, Work]:
    """Return the calls to compare between devices: random words against themselves, greedy games, groups of answers."""
    size = max(50, round(14_855 * scale**0.5))
    words = np.random.default_rng(0).integers(0, 26, (size, 5), dtype=np.uint8)
    terms = kernels.terms_of(words)
    patterns = kernels.pattern_matrix(open_backend("cpu"), terms, words).T
    chosen = range(0, size, 1000)
    few = word_list("wordle-answers")[:: max(1, round(1 / scale**0.5))]
    variant = Variant.load(answers=few) if scale >= 0.001 else Variant.load(guesses=few, answers=few)
    return {
        f"{size:,} x {size:,} patterns, to the host": Work(
            lambda: kernels.pattern_matrix(backend, terms, words),
            lambda found: int(found.size),
            "patterns",
            "kernel under 0.3 ms",
        ),
        f"{size:,} x {size:,} statistics": Work(
            lambda: vars(kernels.partition(backend, terms, words)),
            lambda found: int(found["patterns"].size) * size,
            "patterns",
            "kernel under 0.3 ms",
        ),
        f"bounds of {len(chosen)} of {size:,} first words": Work(
            lambda: start_bounds(backend, terms, words, patterns=patterns, chosen=chosen),
            lambda found: len(found) * size * size,
            "patterns",
        ),
        f"{len(variant.answers):,} games, greedy": Work(lambda: simulate(variant, backend=backend).turns, len, "games"),
        **{
            f"{size:,} x {size:,} patterns, {length} letters": _long_work(backend, size, length)
            for length in (6, 8, 12)
        },
        **_group_works(backend, scale),
    }


def _long_work(backend: Backend, size: int, length: int) -> Work:
    """Return a call that computes the patterns of random longer words against themselves."""
    words = np.random.default_rng(0).integers(0, 26, (size, length), dtype=np.uint8)
    terms = kernels.terms_of(words)
    return Work(
        lambda: kernels.pattern_matrix(backend, terms, words),
        lambda found: int(found.size),
        "patterns",
        "kernel under 1 ms",
    )


def _group_works(backend: Backend, scale: float) -> dict[str, Work]:
    """Return calls that find the groups of three and of five answers that cannot be told apart within two guesses.

    A group of five grows from groups of four on the device; groups of four are found on the host. Groups of five are
    those of fewer answers, because on two cores they would take ten minutes otherwise.
    """
    words, few = word_list("wordle-answers"), ALIKE.split()

    def work(size: int, answers: list[str]) -> Work:
        guesses = word_list("wordle-guesses") if scale >= 0.1 else few
        return Work(
            lambda: groups(size=size, max_guesses=2, answers=answers, guesses=guesses, backend=backend).members,
            lambda members: comb(len(answers), size),
            "groups",
        )

    chosen = {3: words[::2], 5: words[::10]} if scale >= 0.1 else {3: few, 5: few}
    return {f"any {size} of {len(chosen[size]):,} answers within 2": work(size, chosen[size]) for size in chosen}


def _beside_c(backend: Backend, guesses: Letters, answers: Letters) -> list[Row]:
    """Measure patterns and statistics on one thread: in Numba, in C, by comparing letters in C, and in NumPy."""
    library = _compile_c()
    size = len(answers)
    guess_terms, terms = kernels.prepare(backend, kernels.terms_of(guesses), answers)
    columns = terms.shape[1]
    by_position = np.zeros((5, columns), np.uint8)
    by_position[:, :size] = answers.T
    nlogn = kernels.nlogn_table(size)
    out = [np.empty((len(guesses), columns), np.uint8) for _ in range(3)]
    stats = [_stats(len(guesses)) for _ in range(2)]
    starts, sizes = np.zeros(1, np.int32), np.array([size], np.int32)
    few = guesses[:: len(guesses) // 100]
    runs = {
        "numba": lambda: cpu.patterns(0, len(guesses), guess_terms, terms, columns, out[0]),
        "c": lambda: library.patterns(*_c(0, len(guesses), guess_terms, terms, columns, out[1])),
        "comparing": lambda: library.patterns_by_comparing(*_c(0, len(guesses), guesses, by_position, columns, out[2])),
        "numpy": lambda: _numpy_patterns(few, answers),
        "numba statistics": lambda: cpu.partition(
            0, len(guesses), guess_terms, len(guesses), terms, columns, starts, sizes, nlogn, *stats[0]
        ),
        "c statistics": lambda: library.partition(
            *_c(0, len(guesses), guess_terms, terms, columns, size, nlogn, *stats[1])
        ),
    }
    seconds = side_by_side(runs, backend)
    assert np.array_equal(out[0][:, :size], out[1][:, :size])
    assert np.array_equal(out[0][:, :size], out[2][:, :size])
    few_terms = kernels.terms_of(few)
    assert np.array_equal(_numpy_patterns(few, answers), kernels.pattern_matrix(backend, few_terms, answers))
    assert all(np.array_equal(a, b) for a, b in zip(*stats, strict=True))

    pairs = len(guesses) * size
    what = f"{len(guesses):,} x {size:,}"

    def row(label: str, name: str, beside: str, pairs: int = pairs, scale: float = 1.0) -> Row:
        middle = median(seconds[name])
        times = f"{ratio(seconds, name, beside) * scale:.2f} x {beside}" if name != beside else ""
        return Row(f"{what} {label}", middle, f"{middle / pairs * 1e9:.3f} ns per pattern", times)

    return [
        row("patterns, Numba, 1 thread", "numba", "c"),
        row("patterns, gcc, the same form", "c", "c"),
        row("patterns, gcc, comparing letters", "comparing", "numba"),
        row(f"patterns, NumPy, {len(few)} guesses", "numpy", "numba", len(few) * size, len(guesses) / len(few)),
        row("with statistics, Numba, 1 thread", "numba statistics", "c statistics"),
        row("with statistics, gcc, the same form", "c statistics", "c statistics"),
    ]


def _whole(backend: Backend, words: Letters) -> list[Row]:
    """Measure the statistics of all words against themselves, on all threads and on one."""

    def whole(device: Backend) -> object:
        return kernels.partition(device, kernels.terms_of(words), words)

    devices = {device.name: device for device in (backend, open_backend("cpu:1"))}
    seconds = side_by_side({name: partial(whole, device) for name, device in devices.items()}, backend)
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 2**10
    rows = []
    for name, device in devices.items():
        middle = median(seconds[name])
        memory = f"peak memory of this process {peak:.0f} MiB"
        beside = memory if device is backend else f"{ratio(seconds, name, backend.name):.2f} x {backend.name}"
        label = f"{len(words):,} x {len(words):,} with statistics, kernels.partition, {device.about}"
        rate = f"{middle / len(words) ** 2 * 1e9:.3f} ns per pattern"
        rows.append(Row(label, middle, rate, beside))
    return rows


def _numpy_patterns(guesses: Letters, answers: Letters) -> np.ndarray:
    """Compute patterns naively: green letters, then yellow ones one by one, on arrays of shape (guesses, answers)."""
    green = guesses[:, None, :] == answers[None, :, :]
    open_answers = np.where(green, 255, answers[None, :, :])
    total = (2 * green * 3 ** np.arange(5)).sum(axis=2)
    for i in range(5):
        matches = (open_answers == guesses[:, None, i, None]) & ~green[:, :, i, None]
        hit = matches.any(axis=2)
        total += hit * 3**i
        first = matches.argmax(axis=2)
        np.put_along_axis(
            open_answers,
            first[:, :, None],
            np.where(hit[:, :, None], 255, np.take_along_axis(open_answers, first[:, :, None], 2)),
            2,
        )
    return np.asarray(total, np.uint8)


def _stats(items: int) -> list[np.ndarray]:
    return [np.zeros(items, dtype) for dtype in (np.int32, np.int32, np.int64, np.int64, np.uint8)]


def _compile_c() -> ctypes.CDLL:
    with tempfile.TemporaryDirectory() as folder:
        library = Path(folder) / "wordle.so"
        source = Path(__file__).with_suffix(".c")
        subprocess.run(["gcc", "-O3", "-march=native", "-shared", "-fPIC", str(source), "-o", str(library)], check=True)
        return ctypes.CDLL(str(library))


def _c(*arguments: np.ndarray | int) -> list[ctypes.c_void_p | ctypes.c_long]:
    return [ctypes.c_long(a) if isinstance(a, int) else ctypes.c_void_p(a.ctypes.data) for a in arguments]
