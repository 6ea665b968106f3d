"""Everything that gpusolve reads from outside, each with valid contents: files, checkpoints, tables, texts, settings.

A reader gets a file, or a text, and gives a result or raises a GpusolveError. ``test_fuzz.py`` checks that these
readers reach every function of the package that reads a file, a checkpoint, a table, the environment or a typed text.
"""

from __future__ import annotations

import contextlib
import io
import json
import os
import shutil
import sys
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from functools import cache, partial
from pathlib import Path
from typing import Any, TypeAlias

import numpy as np

from faults import mutations
from faults.mutations import Change
from gpusolve import backend, cli
from gpusolve.backend import open_backend
from gpusolve.errors import BadInput, Exit
from gpusolve.games import qless, queuedle, quiddler, quordle, sliding, tetris, wordle
from gpusolve.games.quordle import rules as boards
from gpusolve.games.sliding.databases import tilesets
from gpusolve.games.tetris.measuring.results import read_results
from gpusolve.games.tetris.rules import board as falling
from gpusolve.games.wordle import rules as guessing
from gpusolve.games.wordle.analysis import certificates
from gpusolve.games.wordle.analysis.strategies import reply_of
from gpusolve.games.wordle.analysis.trees import read_strategy, tree_text
from gpusolve.lists import kept
from gpusolve.runs import cluster, store
from gpusolve.wordlists import load_words

Samples: TypeAlias = Callable[[Path], list[bytes]]

CPU = open_backend("cpu:1")
WORDS = ["ate", "eat", "eta", "tea", "tee", "teat", "attet", "tett"]
FIVES = ["crane", "trace", "slate", "stale", "least", "caper", "react", "cater", "carte", "crate", "tears", "stare"]
FEW = wordle.Variant.load(FIVES, FIVES)
SHORT = tetris.Variant("30hz", max_lines=4)
BOARD = sliding.Board.parse("1 2 5 / 3 4 0")
PUZZLE = queuedle.Puzzle.parse("tsea/enop/adis/ttre eato")
MOST_TURNS = 40


@dataclass(frozen=True)
class Reader:
    """A reader of something from outside.

    `samples` gives valid contents, in a folder for temporary files. `read` reads a file with such a content; if
    `is_text`, it gets the text instead. `changes` keep the structure of a content.
    """

    name: str
    samples: Samples
    read: Callable[[Any], object]
    changes: tuple[Change, ...] = ()
    is_text: bool = False


class StoppedError(Exception):
    """Stops a run after some progress."""


def _stopped_runs(folder: Path, run: Callable[..., object]) -> list[bytes]:
    """Return the checkpoints of a run that was stopped after one and two steps, and of one that ended."""
    contents = []
    for steps in (1, 2, 10**9):
        file = folder / "run"
        file.unlink(missing_ok=True)
        left = iter(range(steps - 1))

        def stop(*_: object, left: Iterator[int] = left, **__: object) -> None:
            if next(left, None) is None:
                raise StoppedError

        with contextlib.suppress(StoppedError):
            run(checkpoint=file, progress=stop)
        contents.append(file.read_bytes())
    return contents


@cache
def _dice() -> qless.Variant:
    return qless.Variant(["eat", "tea", "toe", "one", "net", "ten", "note", "tone"])


@cache
def _databases() -> sliding.Databases:
    return sliding.open_databases(2, 3, backend=CPU)


@cache
def _results() -> Any:
    game = tetris.play("published", policy="greedy", variant=SHORT, seed=2, backend=CPU)
    path = Path("results.csv")
    path.write_text(_results_text(game))
    return read_results(path, variant=SHORT, backend=CPU)


def _results_text(game: tetris.Recording, more: str = "") -> str:
    letters = "".join(falling.PIECES[turn.piece] for turn in game.turns)
    lines = f"{letters * 3},300,4\r\n{letters * 3},0,0\r\n"
    return f"pieces,score,lines\r\n{letters * 3},{game.score},{game.lines}\r\n{lines}"


RUNS: dict[str, Callable[..., object]] = {
    "qless census": lambda **run: qless.census(count=12, variant=_dice(), seed=1, backend=CPU, **run),
    "queuedle solve": lambda **run: queuedle.solve(PUZZLE, dictionary=WORDS, states=3000, seed=1, backend=CPU, **run),
    "queuedle solve --restarts": lambda **run: queuedle.solve(
        PUZZLE, dictionary=WORDS, states=1000, restarts=2, seed=1, backend=CPU, **run
    ),
    "quiddler census": lambda **run: quiddler.census(
        count=12, dictionary=["it", "as", "sat", "quit"], seed=1, backend=CPU, **run
    ),
    "quordle simulate": lambda **run: quordle.simulate(
        quordle.Variant.load(FIVES), count=8, boards=2, seed=1, backend=CPU, **run
    ),
    "sliding solve": lambda **run: sliding.solve(BOARD, databases=_databases(), backend=CPU, **run),
    "sliding solve --all": lambda **run: sliding.solve(
        BOARD, databases=_databases(), all_solutions=True, backend=CPU, **run
    ),
    "tetris evaluate": lambda **run: tetris.evaluate(
        "published", compare="30hz", count=6, policy="greedy", variant=SHORT, seed=1, backend=CPU, **run
    ),
    "tetris match": lambda **run: tetris.match(
        _results(), player="published", policy="greedy", variant=SHORT, backend=CPU, **run
    ),
    "tetris train": lambda **run: tetris.train(
        tetris.TrainingSettings(particles=3, iterations=3, games=2, policy="greedy", finals=2),
        variant=SHORT,
        seed=1,
        backend=CPU,
        **run,
    ),
    "tetris train-value": lambda **run: tetris.train_value(
        tetris.ValueTrainingSettings(iterations=3, games=2, opening=0.25, settling=0.5),
        variant=SHORT,
        seed=1,
        backend=CPU,
        **run,
    ),
    "wordle groups": lambda **run: wordle.groups(answers=FIVES, size=3, guesses=FIVES, backend=CPU, **run),
    "wordle solve": lambda **run: wordle.solve([], FEW, first="all", top=2, memory=1, backend=CPU, **run),
    "wordle solve --objective worst-mean": lambda **run: wordle.solve(
        [], FEW, objective="worst-mean", first="all", memory=1, backend=CPU, **run
    ),
    "wordle beat-adversary": lambda **run: wordle.beat_adversary((), FEW, first="crane", memory=1, backend=CPU, **run),
    "wordle solve --objective worst": lambda **run: wordle.solve(
        [], FEW, objective="worst", first="crane", memory=1, backend=CPU, **run
    ),
}
"""The commands with a checkpoint, each as a run of a fraction of a second."""


def _resumed(run: Callable[..., object]) -> Callable[[Path], object]:
    return lambda path: run(resume=path)


def _checkpoints() -> Iterator[Reader]:
    for name, run in RUNS.items():
        samples = partial(_stopped_runs, run=run)
        yield Reader(f"checkpoint of {name}", samples, _resumed(run), (mutations.change_checkpoint,))
    samples = partial(_stopped_runs, run=RUNS["sliding solve"])
    yield Reader("checkpoint of sliding solve, command", samples, _continued, (mutations.change_checkpoint,))


def _continued(path: Path) -> int:
    return _command("sliding", "solve", str(BOARD), "--resume", str(path), "--device", "cpu:1")


def _use_databases() -> object:
    sliding.build(rows=2, columns=3, samples=2, seed=1, backend=CPU)
    return sliding.solve(BOARD, backend=CPU)


def _made(folder: Path, make: Callable[[Path], object]) -> list[bytes]:
    path = folder / "made"
    make(path)
    return [path.read_bytes()]


def _value(folder: Path) -> list[bytes]:
    """A value is a file of megabytes whose tables are mapped, or a smaller one of changes to a shipped value."""
    from gpusolve.games.tetris.players.value import untrained

    shipped = tetris.load_value("tournament-30hz")
    return [
        *_made(folder, lambda path: tetris.save_value(path, untrained("mine"))),
        *_made(folder, lambda path: tetris.save_value(path, replace(shipped, name="x"), base=shipped.name)),
    ]


def _play_by_value(path: Path) -> object:
    """Play by a value, and find what a training from it would change, as `train-value --changes-only` does."""
    from gpusolve.games.tetris.players.value import base_of

    value = path.rename(path.with_suffix(".value"))
    base_of(value)
    return tetris.evaluate(value, count=1, policy="greedy", variant=SHORT, seed=1, backend=CPU)


def _packed(folder: Path) -> list[bytes]:
    from gpusolve.games.tetris.players.value import pack_value, untrained

    return _made(folder, lambda path: pack_value(path, untrained("mine")))


def _unpack(path: Path) -> object:
    from gpusolve.files import version_of
    from gpusolve.games.tetris.players.value import _load_packed

    return _load_packed(path, version_of(path))


CONFIGURATION = """device = "cpu:1"
[wordle]
mode = "hard"
answers = "words.txt"
guess-hidden-only = true
max-guesses = 7
[tetris]
reach = "30hz"
breadths = "8,4"
opening = 0.25
"""


def _configure(path: Path) -> object:
    before = os.environ.get("GPUSOLVE_CONFIG")
    os.environ["GPUSOLVE_CONFIG"] = str(path)
    try:
        _command("doctor", "--quiet")
        _command("lists", "use", "wordle-2022-02-answers")
        return [_command(*words) for words in (("wordle", "pattern", "crane", "there"), ("tetris", "play", "--help"))]
    finally:
        os.environ.pop("GPUSOLVE_CONFIG") if before is None else os.environ.update(GPUSOLVE_CONFIG=before)


def _keep(path: Path) -> object:
    """Add a file to the user's lists, and read it there."""
    before = os.environ.pop(kept.VARIABLE, None)
    assert kept.folder() != path.with_name("lists")
    os.environ[kept.VARIABLE] = str(path.with_name("lists"))
    try:
        _command("lists", "add", "mine", str(path))
        try:
            return load_words("mine")
        finally:
            kept.remove("mine")
    finally:
        os.environ.pop(kept.VARIABLE) if before is None else os.environ.update({kept.VARIABLE: before})


def _weights(folder: Path) -> list[bytes]:
    return _made(folder, lambda path: tetris.save_weights(path, tetris.load_weights("published")))


def _game(folder: Path) -> list[bytes]:
    game = tetris.play("published", policy="greedy", variant=SHORT, seed=2, backend=CPU)

    return _made(folder, lambda path: game.save(path))


def _proofs(folder: Path) -> list[bytes]:
    certificates.write_proofs(folder / "proofs", {"first": np.arange(3), "lengths_2": np.array([2, 3])})
    return [(folder / "proofs").read_bytes()]


def _tree(folder: Path) -> list[bytes]:
    found = wordle.solve([], FEW, first="crane", memory=1, backend=CPU)
    ours = tree_text(reply_of(found.tree, FEW.guesses), FEW, total=found.total)
    nested = json.dumps(json.loads(ours)["tree"])
    return [ours.encode(), nested.encode(), f"export default {nested};".encode()]


def _table_reader(name: str, read: Callable[[], object]) -> Reader:
    """Return the reader of a table in the folder of tables, which is made again for each content."""
    path = store.folder() / name

    def samples(folder: Path) -> list[bytes]:
        read()
        found = sorted(store.folder().glob(name))
        return [file.read_bytes() for file in found]

    def placed(content: Path) -> object:
        for file in sorted(store.folder().glob(name)):
            shutil.copyfile(content, file)
            sliding.tables()
            return read()
        raise AssertionError(path)

    return Reader(f"table {name}", samples, placed, (mutations.change_table,))


def _texts(*texts: str) -> Samples:
    return lambda folder: [text.encode() for text in texts]


def _text(name: str, read: Callable[[str], object], *texts: str) -> Reader:
    return Reader(name, _texts(*texts), read, is_text=True)


def _file(name: str, read: Callable[[Path], object], *texts: str, changes: tuple[Change, ...] = ()) -> Reader:
    return Reader(name, _texts(*texts), read, changes)


def _command(*words: str) -> int:
    """Run a command, and raise AssertionError for a fault, or for control characters in its output."""
    out, err = io.StringIO(), io.StringIO()
    sys.argv = ["gpusolve", *words]
    with contextlib.redirect_stdout(out), contextlib.redirect_stderr(err):
        code = int(cli.main())
    assert code != Exit.FAULT, err.getvalue().strip().splitlines()[-1:]
    if code == Exit.BAD_INPUT:
        raise BadInput(err.getvalue())
    raw = [char for char in out.getvalue() + err.getvalue() if not char.isprintable() and char != "\n"]
    assert not raw, f"control characters in the output: {raw[:5]!a}"
    return code


def _dialogue(*words: str) -> Callable[[str], object]:
    """Return the reader of what is typed into a command."""

    def typed(text: str) -> object:
        before, sys.stdin = sys.stdin, io.StringIO("\n".join(text.split("\n")[:MOST_TURNS]))
        try:
            return _command(*words, "--quiet", "--device", "cpu:1")
        finally:
            sys.stdin = before

    return typed


FIVE_LETTERS = ("--answers", "fives.txt", "--guesses", "fives.txt")
VARIABLES = (
    "GPUSOLVE_DEVICE",
    "GPUSOLVE_TABLES",
    "GPUSOLVE_TABLES_LIMIT",
    "XDG_CACHE_HOME",
    "HOME",
    "NUMBA_NUM_THREADS",
    "NUMBA_CPU_FEATURES",
    "TZ",
    "COLUMNS",
)


def _settings(text: str) -> object:
    """Set variables of the environment, and use everything that reads them."""
    before = dict(os.environ)
    try:
        for line in text.split("\n"):
            name, _, value = line.partition("=")
            if name in VARIABLES and "\x00" not in value:
                os.environ[name] = value.encode("utf-8", "surrogateescape" if _escaped(value) else "replace").decode(
                    "utf-8", "surrogateescape"
                )
        backend._check_numba_variables()  # as at the start of a process
        for words in (
            ("quiddler", "hand", "qu i t", "--dictionary", "words.txt"),
            ("queuedle", "daily", "2025-05-31", "--puzzle-dictionary", "words.txt"),
            ("sliding", "tables"),
            ("doctor",),
        ):
            _command(*words)
        return None
    finally:
        os.environ.clear()
        os.environ.update(before)


def _escaped(text: str) -> bool:
    try:
        text.encode("utf-8", "surrogateescape")
    except UnicodeError:
        return False
    return True


def _shared(guesses: list[str], *hidden: str) -> str:
    """Return the squares that Wordle or Quordle shares of a game."""
    rows = ([guessing.pattern_text(guessing.pattern(guess, word)) for word in hidden] for guess in guesses)
    squares = {"-": "\u2b1b", "y": "\U0001f7e8", "g": "\U0001f7e9"}
    return "\n".join(" ".join("".join(squares[mark] for mark in text) for text in row) for row in rows)


def readers() -> list[Reader]:
    """Return all readers. The working folder must be a new one, which `GPUSOLVE_TABLES` names."""
    Path("words.txt").write_text("\n".join(["it", "qui", "quit", "tea", "eat", "team", "meat"]))
    Path("fives.txt").write_text("\n".join(FIVES))
    words = ("\n".join(WORDS), "Tea\r\n\r\nEAT\r\n")
    return [
        *_checkpoints(),
        _table_reader("sliding-2x3-*.table", _use_databases),
        _table_reader("sliding-slides-2x3.table", lambda: sliding.solve(BOARD, metric="multi-tile", backend=CPU)),
        _table_reader("sliding-beam-*.table", lambda: sliding.solve(BOARD, strategy="beam", seed=1, backend=CPU)),
        _table_reader(
            "sliding-strings-3x3-first.table", lambda: sliding.automaton(rows=3, columns=3, depth=4).branching_factors
        ),
        Reader("value of tetris", _value, _play_by_value, (mutations.change_table,)),
        Reader("packed value of tetris", _packed, _unpack),
        Reader("configuration", lambda folder: [CONFIGURATION.encode()], _configure),
        Reader("weights of tetris", _weights, tetris.load_weights, (mutations.change_json,)),
        Reader("recorded game of tetris", _game, tetris.replay, (mutations.change_json,)),
        Reader(
            "results for tetris match, a game",
            _game,
            partial(read_results, variant=SHORT, backend=CPU),
            (mutations.change_json,),
        ),
        Reader("results for tetris match, csv", _csv, partial(read_results, variant=SHORT, backend=CPU)),
        Reader("tree of wordle", _tree, partial(read_strategy, variant=FEW), (mutations.change_json_text,)),
        Reader("proofs about first words of wordle", _proofs, certificates.read_proofs),
        Reader(
            "tree of wordle, verified",
            _tree,
            lambda path: wordle.verify(path, guesses=FIVES, answers=FIVES),
            (mutations.change_json_text,),
        ),
        _file(
            "scheduler file",
            lambda path: cluster.parse(str(path)),
            '{"address": "tcp://127.0.0.1:8786", "id": "x"}',
            changes=(mutations.change_json,),
        ),
        _file("word list", load_words, *words),
        _file("word list with ratings", load_words, "word,rating\ntea,3\neat,4.5\nate\t-1e3\n"),
        _file("kept word list", _keep, "Tea\n\neat", '["tea", "eat"]'),
        _file("word list in JSON", load_words, '["tea", "Eat", "ate"]', changes=(mutations.change_json_text,)),
        _file(
            "word list of wordle",
            lambda path: wordle.Variant.load(path, path),
            "\n".join(FIVES),
            "# digraphs: dz dzs sz\nszép\ndzsem\nvész",
        ),
        _file(
            "weights of wordle",
            lambda path: wordle.Variant.load(FIVES, FIVES, weights=path),
            "\n".join(f"{word} {number}" for number, word in enumerate(FIVES, 1)),
            "\n".join(["# of a game", "", *(f"{word.upper()},{number}e-1" for number, word in enumerate(FIVES))]),
        ),
        _file("boards of sliding", sliding.load_boards, "1 2 5 / 3 4 0 # one\n3 1 2 0\n\n1 2\n3 4\n5 0\n"),
        _file("puzzle of queuedle", queuedle.Puzzle.parse, "tsea\nenop\nadis\nttre\neato\n"),
        _file("values of quiddler", quiddler.parse_values, "qu 9\na:2\nz=14\n"),
        _file("board of tetris", _suggested, "\n".join([".........."] * 19 + ["####.#####"])),
        _file("positions of tetris", _reviewed, "f f f f f f f f f 0 I 10,1\n.......... T\n....#.....\n...###.... O\n"),
        _text("bonus of quiddler", quiddler.parse_bonus, "5:2,6:5,7:10", "5:2"),
        _text("cards of quiddler", quiddler.parse_cards, "qu i t er a l", "quiteral", "(qu)(i)t"),
        _text("deal of quiddler", quiddler.Deal.parse, "n w u th r y y i / a c j o u n b i", "abcdefgh / ijklmnop"),
        _text("plan of quiddler", _checked_plan, "nu ja bi icy unworthy", "ja bi"),
        _text("roll of qless", lambda text: qless.count(text, variant=_dice(), backend=CPU), "toneeat", "TEN one"),
        _text("grid of qless", lambda text: qless.check(text, variant=_dice()), "eat\n..e\n..n", "tea/o../e.."),
        _text("puzzle of queuedle, text", queuedle.Puzzle.parse, "tsea/enop/adis/ttre eato", "abcd/efgh/ijkl/mnop "),
        _text(
            "slides of queuedle", lambda text: queuedle.check(text, PUZZLE, dictionary=WORDS), "L1 R2", "U1,D4", "l1"
        ),
        _text(
            "day of queuedle", lambda text: queuedle.daily(text, puzzle_dictionary=["team"], zone="UTC"), "2025-05-31"
        ),
        _text("board of sliding", sliding.Board.parse, "1 2 5 / 3 4 0", "1,2,5\n3,4,_", "3 1 2 0"),
        _text(
            "board of sliding, textbook",
            lambda text: sliding.solve(text, heuristic="manhattan", time_limit=0.1),
            "1 2 5 / 3 4 0",
        ),
        _text("boards of sliding, text", sliding.load_boards, "3 1 2 0 # x\n0 1 2 3\n\n1 2\n3 4\n5 0"),
        _text("moves of sliding", lambda text: sliding.verify(BOARD, text), "ULL", "u l l", "5 2 1"),
        _text(
            "partition of sliding",
            _partition,
            "1,2,3/4,5,6,7,8/9,10,11,12,13,14,15",
            "1 2 3 4 5 / 6 7 8 9 10 / 11 12 13 14 15",
        ),
        _text("piece of tetris", falling.parse_piece, "T", "i"),
        _text("board of tetris, text", falling.parse_board, "........../####.#####", "\n".join(["####.#####"] * 3)),
        _text("history of wordle", lambda text: guessing.parse_history(text.split()), "salet:-y--g crony:g-y--"),
        _text(
            "pattern of wordle",
            guessing.parse_pattern,
            "-y--g",
            "01002",
            "\U0001f7e9\U0001f7e8\u2b1b\u2b1b\u2b1b",
            "bybbg",
        ),
        _text(
            "game of wordle",
            lambda text: wordle.analyze(text.split(), FEW, backend=CPU),
            "crane:yggbg trace",
            "crane slate trace",
        ),
        _text("turns of quordle", lambda text: boards.parse_turns(text.split()), "salet:-y---,----y crony:g-y--,-----"),
        _text("words of quordle", lambda text: boards.parse_hidden(text.split()), "crane slate trace least"),
        _text("workers", lambda text: cluster.parse(text), "4", "tcp://127.0.0.1:8786"),
        _text(
            "wordle play",
            _dialogue("wordle", "play", "--answers", "fives.txt", "--guesses", "fives.txt"),
            "crane:-y--g\nundo\n-----\n",
            "slate:ggggg\n",
        ),
        _text(
            "quordle play",
            _dialogue("quordle", "play", "--boards", "2", "--answers", "fives.txt"),
            "crane:-y--g,-----\nundo\nslate:-g-gg,\n",
        ),
        _text(
            "shared text of wordle",
            _dialogue("wordle", "analyze", "-", "crane", "trace", *FIVE_LETTERS),
            f"Wordle 1,234 2/6*\n\n{_shared(['crane', 'trace'], 'trace')}",
            _shared(["crane", "trace"], "trace"),
        ),
        _text(
            "shared text of quordle",
            _dialogue("quordle", "suggest", "-", "crane", "slate", "--boards", "2", "--answers", "fives.txt"),
            f"Daily Quordle 1234\n{_shared(['crane', 'slate'], 'slate', 'trace')}",
            _shared(["crane", "slate"], "slate", "least"),
        ),
        _text("board of sliding, stdin", _dialogue("sliding", "solve", "-"), "1 2 5 / 3 4 0\n", "3 1 2 0"),
        _text(
            "board of tetris, stdin",
            _dialogue("tetris", "suggest", "-", "T", "--playouts", "0"),
            "\n".join(["####.#####"] * 4),
        ),
        _text(
            "settings",
            _settings,
            *(
                f"{name}={value}"
                for name, value in zip(
                    VARIABLES,
                    ("cpu:1", "tables", "20", "/tmp", "/root", "2", "+avx2", "Europe/Berlin", "80"),
                    strict=True,
                )
            ),
        ),
    ]


def _csv(folder: Path) -> list[bytes]:
    (content,) = _game(Path())  # a column `game` names files in the folder of the results
    game = tetris.replay(Path("made"))
    header, first, *rest = _results_text(game).split("\r\n")
    named = "\n".join([f"game,{header}", f"made,{first}", *(f",{line}" for line in rest if line)])
    return [_results_text(game).encode(), named.encode(), content]


def _suggested(path: Path) -> int:
    return _command("tetris", "suggest", str(path), "T", "--playouts", "0", "--device", "cpu:1")


def _reviewed(path: Path) -> int:
    return _command("tetris", "review", str(path), "--playouts", "0", "--device", "cpu:1")


def _checked_plan(text: str) -> object:
    deal = "n w u th r y y i / a c j o u n b i"
    return quiddler.check(text, deal, dictionary=["nu", "ja", "bi", "icy", "unworthy"])


def _partition(text: str) -> object:
    return tilesets.parse_partition.__wrapped__(4, 4, text)  # not a result that it has kept
