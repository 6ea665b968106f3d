"""The boards of Wordle and Quordle for lists of other lengths and alphabets, in a real browser."""

from __future__ import annotations

import random
from collections.abc import Iterator
from typing import Any
from urllib.parse import parse_qs, urlsplit

import pytest

from gpusolve.games.wordle import rules
from serve.client import Server, serving
from serve.visit import NEEDS_BROWSER, WIDTHS, Visit, playwright

pytestmark = NEEDS_BROWSER
LISTS = {
    "german.txt": "finden hätten können lernen länger müssen spüren suchen tragen wissen würden wählen",
    "hungarian.txt": "asszony csíkos dzsemes egyszer gyerek hosszú lyukas magyar nagyon zsebes",
    "greek.txt": "βράχο δρόμο λόγος μέρος νόμος τέλος τόπος φίλος χώρος",
    "hebrew.txt": "בחודש החשוב ישראל להיות מחשבה שמונה תחושה",
    "turkish.txt": "ıslak iplik kadın sinir ısrar",
    "long.txt": "abracadabra",
}


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    folder = tmp_path_factory.mktemp("served")
    for name, words in LISTS.items():
        declared = ["# digraphs: cs dz dzs gy ly ny sz ty zs"] if name == "hungarian.txt" else []
        folder.joinpath(name).write_text("\n".join([*declared, *words.split()]), encoding="utf-8")
    with serving(folder, "--jobs", "2") as server:
        yield server


def row(visit: Visit, number: int = 0) -> list[str]:
    """Return the letters of a row of tiles."""
    tiles = visit.page.locator("#game .tiles").nth(number).locator(".tile")
    return [text.lower() for text in tiles.evaluate_all("all => all.map(each => each.textContent)")]


def keys(visit: Visit) -> list[str]:
    return list(visit.page.locator(".key:not(.action)").evaluate_all("all => all.map(each => each.textContent)"))


def colour(visit: Visit, guess: str, *patterns: str) -> None:
    """Give the tiles of the guess that is typed their colours, on each board."""
    for board, pattern in enumerate(patterns):
        if pattern:
            visit.paint(visit.page.locator("#game .rows").nth(board), guess, pattern)


def turns(visit: Visit) -> list[str]:
    return parse_qs(urlsplit(visit.page.url).query).get("turns", [])


@pytest.mark.parametrize("width", WIDTHS)
@pytest.mark.parametrize(
    ("name", "guess", "letters", "pattern", "answer"),
    [
        ("german.txt", "WÜRDEN", "w ü r d e n", "g---gg", "wählen"),
        ("hungarian.txt", "egyszer", "e gy sz e r", "y--g-", "dzsemes"),
        ("greek.txt", "ΛΟ\u0301ΓΟΣ", "λ ό γ ο σ", "-g-gg", "νόμοσ"),
        ("hebrew.txt", "תחושה", "ת ח ו ש ה", "-g-yg", "מחשבה"),
    ],
)
def test_a_game_of_wordle_with_another_list(
    chromium: Any, server: Server, width: int, name: str, guess: str, letters: str, pattern: str, answer: str
) -> None:
    with Visit(chromium, server, "/wordle", width=width) as visit:
        visit.choose("possible answers", name)
        visit.see("#left h2", f"^{len(LISTS[name].split())} possible")
        visit.page.evaluate("document.activeElement.blur()")
        visit.enter(guess)
        assert row(visit) == letters.split()
        visit.type("Backspace")
        assert row(visit) == [*letters.split()[:-1], ""]
        visit.click(letters.split()[-1])
        colour(visit, letters.replace(" ", ""), pattern)
        visit.click("enter the guess")
        visit.see("#left h2", "^[12] possible")
        visit.click("why this word?")
        visit.see("#why caption", "after this guess")
        visit.page.evaluate("document.activeElement.blur()")
        visit.enter(answer)
        colour(visit, answer, "g" * len(pattern))
        visit.click("enter the guess")
        visit.see("#left", "solved in 2")
        visit.see("#judge caption", "skill")
        visit.check()


@pytest.mark.parametrize("width", WIDTHS)
@pytest.mark.parametrize(
    ("name", "guess", "patterns", "hidden"),
    [
        ("german.txt", "WÜRDEN", ("g---gg", "-g--gg"), ("wählen", "müssen")),
        ("hungarian.txt", "egyszer", ("y--g-", "-y--g"), ("dzsemes", "magyar")),
        ("greek.txt", "ΛΌΓΟΣ", ("-g-gg", "y--gg"), ("νόμοσ", "τέλοσ")),
        ("hebrew.txt", "תחושה", ("-g-yg", "-ggy-"), ("מחשבה", "בחודש")),
    ],
)
def test_a_game_of_quordle_with_another_list(
    chromium: Any,
    server: Server,
    width: int,
    name: str,
    guess: str,
    patterns: tuple[str, str],
    hidden: tuple[str, str],
) -> None:
    with Visit(chromium, server, f"/quordle?boards=2&answers={name}", width=width) as visit:
        visit.see("#best caption", "best guesses")
        visit.enter(guess)
        colour(visit, "".join(row(visit)), *patterns)
        visit.click("enter the guess")
        visit.see("#left h2", "board 2: [12] possible")
        for number, answer in enumerate(hidden):
            visit.page.evaluate("document.activeElement.blur()")
            visit.enter(answer)
            colour(visit, answer, *("g" * len(patterns[0]) * (board == number) for board in range(2)))
            visit.click("enter the guess")
        visit.see("#judge h2", "All boards solved in 3")
        visit.check()


def test_words_of_hebrew_are_read_from_the_right(chromium: Any, server: Server) -> None:
    for path in ("wordle", "quordle"):
        with Visit(chromium, server, f"/{path}?answers=hebrew.txt") as visit:
            visit.see("#best caption", "best guesses")
            visit.enter("תח")
            assert row(visit) == ["ת", "ח", "", "", ""]
            tiles = visit.page.locator("#game .tiles").first.locator(".tile")
            places = [tiles.nth(i).bounding_box()["x"] for i in range(5)]
            assert places == sorted(places, reverse=True)


def test_the_keyboard_has_the_letters_of_the_list(chromium: Any, server: Server) -> None:
    with Visit(chromium, server, "/wordle?answers=hungarian.txt", width=360) as visit:
        visit.see(".key", "^gy$")
        found = keys(visit)
        assert {"dzs", "sz", "zs", "í", "ú"} <= {*found}
        assert "q" not in found
        visit.spell(["dzs", "e", "m", "e", "s", "s"])
        assert row(visit) == ["dzs", "e", "m", "e", "s"]
        visit.enter("z")  # s and z are one letter, so there is room for it
        assert row(visit) == ["dzs", "e", "m", "e", "sz"]
        visit.enter("aя")
        assert row(visit) == ["dzs", "e", "m", "e", "sz"]
        visit.type("Backspace")
        assert row(visit) == ["dzs", "e", "m", "e", ""]
    with Visit(chromium, server, "/wordle?answers=turkish.txt", width=360) as visit:
        visit.see(".key", "^ı$")
        style = "each => getComputedStyle(each).textTransform"
        assert visit.page.locator(".key").first.evaluate(style) == "none"  # the capitals of i and ı look the same


def test_guesses_that_do_not_fit_another_list_are_cleared(chromium: Any, server: Server) -> None:
    with Visit(chromium, server, "/wordle?turns=salet:-y--g") as visit:
        visit.see("#left h2", "81 possible")
        visit.choose("possible answers", "german.txt")
        visit.see("#game .note", "^cleared salet: the words of this list have 6 letters$")
        visit.see("#left h2", "12 possible")
        assert turns(visit) == []
        visit.choose("possible answers", "hebrew.txt")
        visit.see("#left h2", "7 possible")
        assert visit.page.locator("#game .note").count() == 0
        visit.page.go_back()
        visit.page.go_back()
        visit.see("#left h2", "81 possible")
        assert row(visit) == [*"salet"]
        visit.choose("possible answers", "greek.txt")
        visit.see("#game .note", "^cleared salet: the words of this list have other letters$")
    with Visit(chromium, server, "/quordle?boards=2&turns=carle:-y---,----y") as visit:
        visit.see("#best caption", "best guesses")
        visit.choose("possible answers", "greek.txt")
        visit.see("#game .note", "^cleared carle")
        visit.see("#left h2", "board 2: 9 possible")
        assert turns(visit) == []


def test_quordle_says_that_its_words_have_at_most_ten_letters(chromium: Any, server: Server) -> None:
    with Visit(chromium, server, "/quordle?answers=long.txt") as visit:
        visit.see("#news .error", "^the words of this list have 11 letters: expected at most 10 for Quordle$")
        visit.choose("possible answers", "greek.txt")
        visit.see("#best caption", "best guesses")
        playwright.expect(visit.page.locator("#news .error")).to_have_count(0)


def test_a_shared_result_of_quordle_with_six_letters_can_be_pasted(chromium: Any, server: Server) -> None:
    with Visit(chromium, server, "/quordle?answers=german.txt") as visit:
        visit.see("#best caption", "best guesses")
        squares = "🟩⬛⬛⬛🟩🟩 ⬛🟩⬛⬛🟩🟩\n🟩🟩🟩🟩🟩🟩 ⬛⬛⬛⬛🟩🟩\n⬛⬛⬛⬛⬛⬛ 🟩🟩🟩🟩🟩🟩"
        visit.paste(f"Quordle 3\n\n{squares}\nwürden wählen müssen")
        visit.see("#judge h2", "All boards solved in 3")


def test_turns_and_shared_results_of_other_lengths_can_be_pasted(chromium: Any, server: Server) -> None:
    with Visit(chromium, server, "/wordle?answers=german.txt") as visit:
        visit.see("#left h2", "12 possible")
        visit.paste("I tried Würden:g---gg today")
        visit.see("#left h2", "2 possible")
        assert turns(visit) == ["würden:g---gg"]
        visit.paste("salet:-y--g")
        visit.see("#news .error", "this list has words of 6 letters: expected guesses of this length")
        assert turns(visit) == ["würden:g---gg"]
        visit.paste("Wördle 7 2/6\n\n🟩⬛⬛⬛🟩🟩\n🟩🟩🟩🟩🟩🟩\nwürden wählen")
        visit.see("#left", "solved in 2")
        visit.paste("Wordle 1,234 2/6\n\n⬛🟨⬛⬛🟩\n🟩🟩🟩🟩🟩")
        visit.see("#news .error", "this list has words of 6 letters")
    with Visit(chromium, server, "/wordle?answers=hungarian.txt") as visit:
        visit.see("#left h2", "10 possible")
        visit.paste("🟨⬛⬛🟩⬛\n🟩🟩🟩🟩🟩\nEgyszer dzsemes")
        visit.see("#left", "solved in 2")


def test_words_are_weighted_by_a_language(chromium: Any, server: Server) -> None:
    pytest.importorskip("wordfreq")
    with Visit(chromium, server, "/wordle?answers=german.txt") as visit:
        visit.see("#left h2", "12 possible")
        visit.choose("how likely the answers are", "frequencies")
        visit.choose("language of the texts", "de")
        visit.see("#left h2", "12 possible")
        visit.see("#best tr:has-text('können') td", "[1-9]")
        assert parse_qs(urlsplit(visit.page.url).query)["weights"] == ["frequencies:de"]
        visit.check()
    with Visit(chromium, server, "/wordle?answers=hungarian.txt&weights=frequencies:hu") as visit:
        visit.see("#left h2", "[1-9] possible")
        playwright.expect(visit.page.locator("#game .tiles").first.locator(".tile")).to_have_count(5)


def test_a_list_that_cannot_be_read_is_refused_in_one_line(chromium: Any, server: Server) -> None:
    with Visit(chromium, server, "/wordle?answers=german.txt&guesses=wordle-guesses") as visit:
        visit.see("#news .error", "^german.txt, line 1: 'finden' has 6 letters: expected 5$")
        visit.choose("words that may be guessed", "")
        visit.see("#left h2", "12 possible")


def test_the_board_divides_texts_as_the_rules_do(chromium: Any, server: Server) -> None:
    draw = random.Random(1)
    digraphs = ["cs", "dz", "dzs", "gy", "ly", "ny", "sz", "ty", "zs", "ch", "c\u0323h"]
    texts = ["".join(draw.choices("CSsdDzZgyéÉ\u0301\u0323h", k=draw.randrange(1, 13))) for _ in range(500)]
    letters = [chr(code) for code in range(0x250) if chr(code).isalpha()] + [*"ΛΌΓΟΣςάΰΐБЙЁѝשםאלآئءأßſևԵẞ"]
    script = """async ([letters, texts, digraphs]) => {
        const { Alphabet, fold } = await import("/static/lib/alphabet.js");
        const alphabet = new Alphabet({ length: 5, letters: [], digraphs });
        return [letters.map(fold), texts.map((text) => alphabet.split(fold(text)))]; }"""
    with Visit(chromium, server, "/wordle") as visit:
        visit.see("#best caption", "by the mean")
        folded, divided = visit.page.evaluate(script, [letters, texts, [rules.fold(text) for text in digraphs]])
    assert [(one, other) for one, other in zip(folded, map(rules.fold, letters), strict=True) if one != other] == []
    words = [rules.spelled(rules.fold(text), [rules.fold(each) for each in digraphs]) for text in texts]
    compared = [
        (found, rules.letters_of(word)) for found, word in zip(divided, words, strict=True) if rules.is_word(word)
    ]
    assert len(compared) > 100
    assert [(found, letters) for found, letters in compared if found != letters] == []
