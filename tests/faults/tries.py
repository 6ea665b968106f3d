"""Try bad and extreme input for every option and argument of every command.

    python tests/faults/tries.py [GAME ...]

prints the number of tries, the number that followed the rules, and each failure. A try is the example of the command's
help page with one word replaced or added. It follows the rules if it ends in time with a documented exit code and
without a traceback; bad input must print nothing on stdout and one line on stderr without control characters.
"""

from __future__ import annotations

import contextlib
import io
import os
import random
import re
import resource
import signal
import sys
import tempfile
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from gpusolve.cli import main
from gpusolve.commands.command import Parameter
from gpusolve.games import find_games
from gpusolve.testing import commands
from gpusolve.testing.commands import Command

SECONDS = 240
"""Processor time that a try may take; on a busy machine it may take ten times as long.

The longest try is one iteration of `tetris train` with its default settings: 170 seconds on two slow cores.
"""
MEMORY = 12 << 30
CODES = {0, 1, 2, 3}

NUMBERS = ["", "x", "-1", "0", "1e400", "nan", "inf", "-inf", "0x10", "1_000", "1" + "0" * 30, str(2**63), str(2**31)]
NUMBERS += ["\u0663", "\uff11", "1.5", "--", "1;rm", " 1"]  # an Arabic and a full-width digit
WORDS = [
    "",
    " ",
    "x",
    "-",
    "--",
    "a" * 300,
    "\u212aing",
    "caf\u00e9",
    "\x1b[31mred",
    "two\nlines",
    "tab\there",
    "\x00"[:0] + "\x7f",
]
WORDS += ["{{turns}}", "%s%n", "../../etc/passwd", "\U0001f7e9", "\ud800"]
FILES = [
    "{folder}",
    "{missing}",
    "{empty}",
    "{binary}",
    "{deep}",
    "{cut}",
    "{long}",
    "{none}/file",
    "/dev/zero",
    "/dev/null",
    "/dev/full",
]
FILES += [".png", "", "name\nwith lines", "\x1b[31m"]


@dataclass(frozen=True)
class Try:
    """A command with its words, and its fault ("" if it has none)."""

    command: str
    words: list[str]
    fault: str = ""


def tries(command: Command) -> Iterator[list[str]]:
    """Yield the words of every try, with {names} for the files of `make_files`."""
    base = command.examples[0]
    for parameter in command.parameters.values():
        if parameter.positional:
            yield from _arguments(command, base, parameter)
        elif parameter.kind != "flag":
            for value in _values(parameter):
                yield [*_without(base, parameter.option), parameter.option, value]
    yield [*base, "surplus"]
    yield [*base, "--no-such-option"]
    yield [*base[:2], *["--time-limit", "1"] * ("time_limit" in command.parameters)]  # its defaults may take an hour


def _arguments(command: Command, base: list[str], parameter: Parameter) -> Iterator[list[str]]:
    place = [each for each in command.parameters.values() if each.positional].index(parameter)
    words, positions, skip = base[2:], [], False
    for i, word in enumerate(words):
        if skip:
            skip = False
        elif word.startswith("--"):
            skip = not _is_flag(command, word)
        else:
            positions.append(2 + i)
    for value in [*WORDS, *FILES, *NUMBERS]:
        if place < len(positions):
            yield [*base[: positions[place]], value, *base[positions[place] + 1 :]]
        elif place == len(positions):
            yield [*base, value]


def _is_flag(command: Command, option: str) -> bool:
    parameter = command.parameters.get(option[2:].replace("-", "_"))
    return parameter is None or parameter.kind == "flag"


def _without(words: list[str], option: str) -> list[str]:
    if option not in words:
        return words
    at = words.index(option)
    return [*words[:at], *words[at + 2 :]]


def _values(parameter: Parameter) -> list[str]:
    return {"integer": NUMBERS, "number": NUMBERS, "file": FILES}.get(parameter.kind, [*WORDS, *FILES, *NUMBERS])


def make_files(folder: Path) -> dict[str, str]:
    """Create the files of the tries; return their paths by name."""
    contents = {
        "empty": b"",
        "binary": bytes(range(256)) * 8,
        "deep": b"[" * 100_000,
        "cut": b'{"schema": "gpusolve.tetris.weights/1", "weights": {',
        "long": b"a" * 100_000 + b"\n",
    }
    for name, content in contents.items():
        (folder / name).write_bytes(content)
    (folder / "folder").mkdir()
    return {name: str(folder / name) for name in (*contents, "folder", "missing", "none")}


def attempt(command: Command, words: list[str], names: dict[str, str]) -> Try:
    """Run one try in this process."""
    given = [names.get(word[1:-1], word) if re.fullmatch(r"\{\w+\}", word) else word for word in words]
    given = [word.replace("{none}", names["none"]) for word in given]
    extra = ["--quiet", *["--device", "cpu"] * ("device" in command.parameters)]
    if "--device" in given:
        extra = extra[:1]
    out, err = io.StringIO(), io.StringIO()

    def late(*_: object) -> None:
        raise TimeoutError

    code: int | None = None
    stdin, sys.stdin = sys.stdin, io.StringIO()  # nothing is typed
    sys.argv = ["gpusolve", *given[:2], *extra, *given[2:]]  # after "--" they would be words
    clocks = ((signal.SIGPROF, signal.ITIMER_PROF, SECONDS), (signal.SIGALRM, signal.ITIMER_REAL, 10 * SECONDS))
    for number, clock, seconds in clocks:
        signal.signal(number, late)
        signal.setitimer(clock, seconds)
    try:
        with contextlib.redirect_stdout(out), contextlib.redirect_stderr(err):
            code = int(main())
    except TimeoutError:
        return Try(str(command), words, f"not ended after {SECONDS} s")
    except BaseException as error:
        return Try(str(command), words, f"{type(error).__name__} was not caught: {error}")
    finally:
        sys.stdin = stdin
        for _, clock, _ in clocks:
            signal.setitimer(clock, 0)
    return Try(str(command), words, _fault(code, out.getvalue(), err.getvalue()))


def _fault(code: int, out: str, err: str) -> str:
    if "TimeoutError" in err:
        return f"not ended after {SECONDS} s"
    if "Traceback" in err or code not in CODES:
        return f"exit code {code}: {err.strip().splitlines()[-2:]}"
    raw = re.sub(r"[\x20-\x7e\u00a0-\ud7ff\ue000-\U0010ffff\n]", "", err)
    if raw:
        return f"control characters on stderr: {raw[:9]!r}"
    lines = [line for line in err.splitlines() if not line.startswith("warning: ")]
    if code == 2 and (len(lines) != 1 or len(lines[0]) > 600):
        return f"{len(lines)} lines, {len(err)} characters on stderr: {err[:200]!r}"
    if code == 2 and out and not out.startswith("Usage:") and "check" not in sys.argv[2]:
        return f"output on stdout despite bad input: {out[:80]!r}"
    return ""


def run(command: Command, chance: random.Random | None = None, most: int = 0) -> list[Try]:
    """Run all tries of a command, or a random sample, in a separate folder."""
    chosen = list(tries(command))
    if chance is not None:
        chosen = chance.sample(chosen, min(most, len(chosen)))
    with tempfile.TemporaryDirectory() as place:
        before = Path.cwd()
        os.chdir(place)
        try:
            names = make_files(Path(place))
            read = {word for word in command.examples[0] if "." in word}
            for other in commands.of_game(command.game):  # an example may read a file that another one writes
                if other.name != command.name and "--out" in other.examples[0] and read & {*other.examples[0]}:
                    attempt(other, other.examples[0], names)
            return [attempt(command, words, names) for words in chosen]
        finally:
            os.chdir(before)


def report(games: list[str]) -> int:
    """Print the results; return 1 if a try broke the rules."""
    resource.setrlimit(resource.RLIMIT_AS, (MEMORY, MEMORY))
    tried = met = 0
    for game in games or find_games():
        for command in commands.of_game(game):
            found = run(command)
            faults = [one for one in found if one.fault]
            tried, met = tried + len(found), met + len(found) - len(faults)
            print(f"{command}: {len(found)} tried, {len(found) - len(faults)} met the rules", flush=True)
            for one in faults:
                print(f"    {one.words[2:]!a}: {one.fault!a}", flush=True)
    print(f"tries: {tried:,}, wrong: {tried - met:,}")
    return int(met < tried)


if __name__ == "__main__":
    sys.exit(report(sys.argv[1:]))
