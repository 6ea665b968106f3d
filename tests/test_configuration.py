"""The configuration file: the command line takes values from it, and nothing else does."""

from __future__ import annotations

import json
import os
from collections.abc import Callable
from pathlib import Path

import pytest

from gpusolve.commands import command
from gpusolve.commands.line import parse
from gpusolve.games.wordle import letters
from gpusolve.serve.operations import find_operations
from gpusolve.testing.plugin import Done

Run = Callable[..., Done]
Write = Callable[[str], Path]


@pytest.fixture
def write(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Write:
    """Write the configuration file, which is in another folder than the working folder."""

    def write(text: str) -> Path:
        file = tmp_path / "settings" / "mine.toml"
        file.parent.mkdir(exist_ok=True)
        file.write_text(text, encoding="utf-8")
        monkeypatch.setenv("GPUSOLVE_CONFIG", str(file))
        return file

    monkeypatch.chdir(tmp_path)
    return write


def test_a_value_of_the_file_is_taken_and_the_command_line_wins(run: Run, write: Write) -> None:
    """It wins also with the value that holds without a file."""
    assert run("wordle", "pattern", "eerie", "there").out == "eerie:y-y-g\n"
    write('[wordle]\nscoring = "presence"')
    assert run("wordle", "pattern", "eerie", "there").out == "eerie:yyy-g\n"
    assert run("wordle", "pattern", "eerie", "there", "--scoring", "wordle").out == "eerie:y-y-g\n"
    assert "[default: presence]" in run("wordle", "pattern", "--help").out


def test_each_command_takes_the_options_that_it_has(run: Run, write: Write) -> None:
    write('[quiddler]\nseed = 3\ndictionary = "scowl-35"')  # only some commands have a seed, and deal has no dictionary
    chosen, other = (json.loads(run("quiddler", "deal", "--json", *words).out) for words in ([], ["--seed", "4"]))
    assert (chosen["seed"], other["seed"]) == (3, 4)
    assert run("quiddler", "check", "nu ja bi icy unworthy", "n w u th r y y i / a c j o u n b i").code == 2
    assert run("wordle", "pattern", "eerie", "there").code == 0


def words_counted(done: Done) -> int:
    """Return the number of words whose letters a command has counted."""
    return sum(letter["counts"][0] for letter in json.loads(done.out)["letters"])


def test_a_relative_path_is_relative_to_the_file(run: Run, write: Write) -> None:
    file = write('[wordle]\nanswers = "mine.txt"')
    file.with_name("mine.txt").write_text("crane\ntrace\n")
    assert words_counted(run("wordle", "letters", "--json")) == 2
    assert words_counted(run("wordle", "letters", "--json", "--answers", "wordle-answers")) == 2315
    write('[wordle]\nanswers = "missing.txt"')
    done = run("wordle", "letters")
    assert (done.code, done.err.startswith(f"gpusolve: {file.with_name('missing.txt')}: no such file")) == (2, True)
    write('[wordle]\nanswers = "wordle-guesses"')
    assert words_counted(run("wordle", "letters", "--json")) == 12_972


def test_the_device_is_for_all_games(run: Run, write: Write, monkeypatch: pytest.MonkeyPatch) -> None:
    write('device = "cpu:1"')
    words = ("wordle", "suggest", "salet:-y--g")
    assert run(*words).err == "device: cpu, 1 thread\n"
    assert run(*words, "--device", "cpu:2").err == "device: cpu, 2 threads\n"
    write('device = "cpu:1"\n[wordle]\ndevice = "cpu:2"')
    assert run(*words).err == "device: cpu, 2 threads\n"
    monkeypatch.setenv("GPUSOLVE_DEVICE", "cpu:2")
    write('device = "cpu:1"')
    assert run(*words).err == "device: cpu, 2 threads\n"


@pytest.mark.parametrize(
    ("text", "error"),
    [
        ("device = 3", "device 3: expected text in quotes"),
        ('devise = "cpu"', "devise: expected device or a game: did you mean device?"),
        ("[wrdle]", "wrdle: expected device or a game: did you mean wordle?"),
        ("wordle = 3", "wordle 3: expected a table [wordle] of options"),
        ('[wordle]\nmode = "medium"', "wordle.mode medium: expected one of easy, hard, ultra-hard"),
        ("[wordle]\nmax_guesses = 3", "wordle.max_guesses: no command of wordle has this option: did you mean max-gu"),
        ("[wordle]\nwords = 3", "wordle.words 3: expected text in quotes"),
        ("[wordle]\nmax-guesses = 300", "wordle.max-guesses 300: expected a whole number, 1 to 98"),
        ('[wordle]\nseed = "x"', "wordle.seed x: expected a whole number, 0 to "),
        ("[wordle]\nseed = true", "wordle.seed True: expected a whole number, 0 to "),
        ('[wordle]\ntime-limit = "long"', "wordle.time-limit long: expected "),
        ("[wordle]\nanswers = 3", "wordle.answers 3: expected text in quotes"),
        ("[wordle]\nguess-hidden-only = 1", "wordle.guess-hidden-only 1: expected true or false"),
        ("[wordle]\njson = true", "wordle.json: expected --json on the command line"),
        ("[wordle", "not TOML: Expected ']' at the end of a table declaration"),
        ("[wordle]\nmode = 1\nmode = 2", "not TOML: "),
    ],
)
def test_a_fault_of_the_file_is_one_line(run: Run, write: Write, text: str, error: str) -> None:
    file = write(text)
    for words in (["wordle", "pattern", "eerie", "there"], ["wordle", "play", "crane"]):
        done = run(*words)
        assert (done.code, done.out) == (2, "")
        assert done.err.startswith(f"gpusolve: {file}: {error}"), done.err
        assert done.err.count("\n") == 1
    *_, found = (check for check in json.loads(run("doctor", "--json").out)["checks"])
    assert (found["name"], found["ok"]) == ("configuration", False)
    assert found["found"].startswith(f"{file}: {error}")


def test_what_only_the_function_finds_names_the_file(run: Run, write: Write) -> None:
    file = write('[queuedle]\nzone = "Mars"')
    done = run("queuedle", "daily")
    assert (done.code, done.err.count("\n")) == (2, 1)
    assert done.err.startswith(f"gpusolve: {file}: zone Mars: expected")
    assert run("queuedle", "daily", "--zone", "Venus").err.startswith("gpusolve: --zone Venus: expected")


def test_a_file_that_is_named_has_to_exist(run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("GPUSOLVE_CONFIG", str(tmp_path / "none.toml"))
    done = run("wordle", "pattern", "eerie", "there")
    assert done.code == 2
    assert done.err.startswith(f"gpusolve: configuration {tmp_path / 'none.toml'}: cannot be read")


def test_the_file_is_in_the_user_s_configuration_folder(
    run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("GPUSOLVE_CONFIG", "")
    monkeypatch.setattr("platformdirs.user_config_path", lambda name, appauthor: tmp_path / name)
    names = [check["name"] for check in json.loads(run("doctor", "--json").out)["checks"]]
    assert "configuration" not in names
    file = tmp_path / "gpusolve" / "config.toml"
    file.parent.mkdir()
    file.write_text('device = "cpu"\n[wordle]\nscoring = "presence"\n')
    assert run("wordle", "pattern", "eerie", "there").out == "eerie:yyy-g\n"
    *_, found = json.loads(run("doctor", "--json").out)["checks"]
    assert found == {"name": "configuration", "ok": True, "found": f"{file}: device, wordle.scoring", "fix": ""}


def test_only_the_command_line_reads_the_file(write: Write) -> None:
    write("damaged")
    assert letters(answers=["crane", "trace"])
    pattern = command.find("wordle", "pattern")
    assert pattern
    assert parse(pattern, ["eerie", "there"]) == {"guess": "eerie", "answer": "there"}
    assert find_operations()["wordle/pattern"].example


def test_the_variable_outranks_the_device_of_a_game(run: Run, write: Write, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("GPUSOLVE_DEVICE", "cpu:2")
    write('[wordle]\ndevice = "cpu:1"')
    assert run("wordle", "suggest", "salet:-y--g").err == "device: cpu, 2 threads\n"


def test_a_value_that_only_another_command_takes_is_left_to_it(run: Run, write: Write) -> None:
    write('[wordle]\nsort = "exact"')  # of suggest; partition-table sorts in other ways
    assert run("wordle", "partition-table", "--top", "1", "--quiet").code == 0
    assert run("wordle", "suggest", "salet:-y--g", "--quiet").code == 0
    write('[wordle]\nsort = "rubbish"')
    assert run("wordle", "partition-table").code == 2


@pytest.mark.parametrize(
    "text",
    ["[tetris]\nseed = " + "9" * 5000, "[wordle]\nlength = 0x" + "f" * 40_000, f"[wordle]\nanswers.{'a.' * 3000}a = 1"],
)
def test_monstrous_values_are_one_line(run: Run, write: Write, text: str) -> None:
    write(text)
    for words in (("wordle", "letters"), ("doctor",)):
        done = run(*words)
        assert (done.code, done.err.count("\n")) == (2, 1) if words[0] == "wordle" else done.code in (0, 2)


def test_a_pipe_is_no_configuration(run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    os.mkfifo(tmp_path / "pipe")
    monkeypatch.setenv("GPUSOLVE_CONFIG", str(tmp_path / "pipe"))
    done = run("wordle", "letters")
    assert (done.code, done.err) == (2, f"gpusolve: configuration {tmp_path / 'pipe'}: expected a file\n")


def test_a_strategy_is_verified_by_its_own_rules(run: Run, write: Write, tmp_path: Path) -> None:
    tree = tmp_path / "tree.json"
    assert run("wordle", "solve", "salet:-y--g", "--out", str(tree), "--quiet").code == 0
    write('[wordle]\nmode = "hard"\nanswers = "wordle-guesses"')
    assert run("wordle", "verify", str(tree), "--quiet").code == 0
