"""Send signals at random moments of every long command, resume the run, and compare its result.

    python tests/faults/kills.py [--moments 20] [--seed 1] [COMMAND ...]

prints, for each command and signal, how many runs were tried, how many followed the rules, and each failure. A run
starts with ``--checkpoint``, gets the signal at a random moment, and is resumed, sometimes killed again, until it ends.
It follows the rules if each session ends with the signal's exit code, prints nothing on stdout or stderr and leaves no
half-written file. (After SIGKILL the next session may have to remove one.) The final result and all files must equal
those of an uninterrupted run.
"""

from __future__ import annotations

import argparse
import json
import os
import random
import re
import shlex
import signal
import subprocess
import sys
import tempfile
import time
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import gpusolve
from gpusolve.files import TEMPORARY

LONG = {
    "qless census": "qless census --count 4000 --seed 1 --csv rolls.csv",
    "wordle groups": "wordle groups --size 3",
    "quordle simulate": "quordle simulate --count 1500 --seed 1",
    "quiddler census": "quiddler census --count 800 --seed 1 --csv deals.csv",
    "sliding solve": "sliding solve '7 13 15 14 12 10 0 1 6 8 3 4 2 5 11 9' --partition 5-5-5",
    "sliding solve, 24-puzzle": "sliding solve "
    "'6 11 4 9 3 / 12 5 1 10 7 / 8 17 14 24 0 / 2 22 13 19 23 / 20 16 15 18 21'"
    " --partition 1,2,5,6/3,4,8,9/7,10,11,12/13,14,18,19/15,16,20,21/17,22,23,24",
    "tetris train": "tetris train --particles 8 --iterations 15 --games 30 --policy greedy --finals 50 --seed 1",
    "tetris train-value": "tetris train-value --iterations 12 --games 32 --opening 0.25 --settling 0.5 --max-lines 40"
    " --seed 1",
    "tetris evaluate": "tetris evaluate published --count 3000 --policy greedy --seed 1",
    "wordle solve": "wordle solve --first 'top 6' --top 2",
    "wordle solve, all first words": "wordle solve salet:----- --first all --top 2",
    "queuedle solve": "queuedle solve fndoi/eedgr/aadqs/oeilx/eyatg etaoinsh --states 400000 --seed 1",
}
"""The long commands, with settings that take a second or two. A new command only needs a line here."""
CODES = {signal.SIGINT: 130, signal.SIGTERM: 143, signal.SIGHUP: 129, signal.SIGKILL: -9}
AGAIN = 0.3
"""Probability that a resumed session is killed, too."""
PATIENCE = 300
"""Seconds after which a session that has not ended counts as one that hangs."""
ENVIRONMENT = os.environ | {"PYTHONPATH": str(Path(gpusolve.__file__).parents[1])}
"""Environment with which processes in any folder import the same gpusolve as this process."""
VARIES = re.compile("seconds|per_second|^speed$|^checkpoint$|^states$")
"""Fields of a result that differ between runs; after a resume, some `states` are counted twice."""


@dataclass(frozen=True)
class Session:
    """The output of a process, and the seconds from its readiness for signals until its end."""

    code: int
    out: str
    err: str
    seconds: float


@dataclass(frozen=True)
class Kill:
    """A run, the moments in seconds at which its sessions got the signal, and its fault ("" if it has none)."""

    moments: list[float]
    fault: str


def run_session(command: str, folder: Path, more: list[str], number: int = 0, moment: float = 0.0) -> Session:
    """Run a long command in a folder, and send it a signal a number of seconds after it is ready for signals."""
    words = [*shlex.split(LONG[command]), *more, "--json", "--quiet", "--device", "cpu"]
    with subprocess.Popen(
        [sys.executable, "-m", "gpusolve", *words],
        cwd=folder,
        env=ENVIRONMENT,
        text=True,
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        preexec_fn=hear_all,
    ) as process:
        wait_until_ready(process)
        begin = time.monotonic()
        if number:
            try:
                process.wait(moment)
            except subprocess.TimeoutExpired:
                process.send_signal(number)
        try:
            out, err = process.communicate(timeout=PATIENCE)
        except subprocess.TimeoutExpired:
            process.kill()
            _, err = process.communicate()
            return Session(-signal.SIGKILL, "", f"{err}still running after {PATIENCE} s", PATIENCE)
    return Session(process.returncode, out, err, time.monotonic() - begin)


def hear_all() -> None:
    """Undo `nohup` and ``&`` of a shell, under which these signals are ignored."""
    for number in (signal.SIGHUP, signal.SIGINT):
        signal.signal(number, signal.SIG_DFL)


def wait_until_ready(process: subprocess.Popen[str]) -> None:
    """Wait until gpusolve handles signals: before that, a signal ends Python itself with a traceback."""
    status = Path(f"/proc/{process.pid}/status")
    while process.poll() is None:
        try:
            caught = int(re.findall(r"SigCgt:\s*(\w+)", status.read_text())[0], 16)
        except (OSError, IndexError):
            time.sleep(0.3)
            return
        if caught >> signal.SIGTERM - 1 & 1:
            return
        time.sleep(0.002)


def result_of(session: Session, folder: Path) -> Any:
    """Return the result of a run without the varying fields: its JSON and the files that it wrote."""
    files = {
        path.name: path.read_bytes()
        for path in sorted(folder.iterdir())
        if path.name != "run" and not path.name.endswith(TEMPORARY)
    }
    return _lasting(json.loads(session.out)), files


def _lasting(value: Any) -> Any:
    if isinstance(value, dict):
        return {name: _lasting(inner) for name, inner in value.items() if not VARIES.search(name)}
    return [_lasting(inner) for inner in value] if isinstance(value, list) else value


def unstopped(command: str, times: int = 2) -> tuple[Any, float]:
    """Return the result of an uninterrupted run and its seconds. The run is repeated: the first may compile kernels."""
    for _ in range(times):
        with tempfile.TemporaryDirectory() as place:
            done = run_session(command, Path(place), ["--checkpoint", "run"])
            assert done.code == 0, f"{command}: {done}"
            result = result_of(done, Path(place))
    return result, done.seconds


def kill(command: str, number: signal.Signals, chance: random.Random, expected: Any, seconds: float) -> Kill:
    """Kill a run at random moments within `seconds`, and resume it until it ends."""
    with tempfile.TemporaryDirectory() as place:
        folder = Path(place)
        moments: list[float] = []
        while True:
            again = ["--resume" if (folder / "run").exists() else "--checkpoint", "run"]
            last = bool(moments) and chance.random() > AGAIN
            moments.append(chance.uniform(0, seconds))
            done = run_session(command, folder, again, 0 if last else number, moments[-1])
            left = [path.name for path in folder.iterdir() if path.name.endswith(TEMPORARY)]
            if done.code == 0:
                break
            if done.code != CODES[number] or done.out or done.err:
                return Kill(
                    moments, f"a session ended with {done.code}, stdout {done.out[:99]!r}, stderr {done.err[-300:]!r}"
                )
            if len(left) > (number == signal.SIGKILL):
                return Kill(moments, f"left behind: {left}")
        if left or done.err:
            return Kill(moments, f"at the end there were {left} and on stderr {done.err!r}")
        found = result_of(done, folder)
        return Kill(moments, "" if found == expected else f"{_short(found)} instead of {_short(expected)}")


def _short(result: Any) -> str:
    return str(result)[:300]


def report(commands: list[str], moments: int, seed: int) -> int:
    """Print the results; return 1 if a run broke the rules."""
    tried = met = 0
    for command in commands or LONG:
        expected, seconds = unstopped(command)
        for number in CODES:
            chance = random.Random(f"{seed} {command} {number}")
            kills = [kill(command, number, chance, expected, seconds) for _ in range(moments)]
            faults = [one for one in kills if one.fault]
            tried, met = tried + len(kills), met + len(kills) - len(faults)
            sessions = sum(len(one.moments) for one in kills)
            print(f"{command}, {number.name}: {len(kills)} tried in {sessions} sessions, ", end="")
            print(f"{len(kills) - len(faults)} met the rules", flush=True)
            for one in faults:
                print(f"    at {', '.join(f'{moment:.3f}' for moment in one.moments)} s: {one.fault}", flush=True)
    print(f"kills: {tried:,}, wrong: {tried - met:,}")
    return int(met < tried)


if __name__ == "__main__":
    parser = argparse.ArgumentParser()
    parser.add_argument("--moments", type=int, default=20)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("commands", nargs="*", help="such as 'quiddler census'")
    given = parser.parse_args()
    sys.exit(report(given.commands, given.moments, given.seed))
