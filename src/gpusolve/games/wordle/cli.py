"""What only the command line does: it asks for guesses that are missing, and helps through a game."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, cast

from gpusolve.errors import BadInput
from gpusolve.games.wordle.rules import joined_turns

if TYPE_CHECKING:
    from gpusolve.commands.running import Call
    from gpusolve.games.wordle import WeightedWords
    from gpusolve.games.wordle.variant import Variant
    from gpusolve.result import Result

LISTS = "guesses", "answers", "weights"
"""The options for lists, which can have words of several lengths."""
LEFT_OUT = ("beat-adversary", "weights"), ("outlast-adversary", "weights")
"""Commands, each with an option of the variant that it does not take: the adversary counts words."""
WORDS = dict.fromkeys(("suggest", "explain", "solve", "beat-adversary", "outlast-adversary"), joined_turns)


def suggest(call: Call) -> Result:
    """Run a command on a history, after the guesses of a shared text were asked for."""
    if (length := _length_of(call.given.get("history", []))) and any(map(call.given.get, LISTS)):
        call.given.setdefault("length", length)
    history = call.arguments.get("history", [])
    return call.run(history=_with_guesses(history, call) if history else [])


explain = solve = beat_adversary = outlast_adversary = suggest


def analyze(call: Call) -> Result:
    """Judge a game, after the guesses of a shared text were asked for."""
    return call.run(words=_with_guesses(call.value("words"), call, accepted=True))


def words(call: Call) -> Result | None:
    """List the words, or write them to a file and say how many they are."""
    from gpusolve.games.wordle.drawing import words_written
    from gpusolve.output import report

    found, out = cast("WeightedWords", call.run()), call.value("out")
    if out is None or call.json:
        return found
    found.save(out)
    report.show(words_written(found, out))
    return None


def play(call: Call, *, yourself: bool = False) -> Result | None:
    """Show a game against an answer or the adversary, or help in another one.

    Parameters
    ----------
    yourself : bool, default False
        Enter the guesses against the adversary yourself.
    """
    from gpusolve.games.wordle import dialogue

    adversary, answer = call.value("adversary"), call.value("answer")
    if yourself and (call.json or not adversary):
        raise BadInput("--yourself: expected --adversary as well" + " and no --json" * call.json)
    if yourself:
        dialogue.face_adversary(_variant(call))
        return None
    if answer is not None or adversary or call.value("random") or "seed" in call.given:
        return call.run()
    if call.json:
        raise BadInput("--json: expected an answer, --random or --adversary; your own game is available only as text")
    dialogue.help_through(
        _variant(call),
        first=call.value("first"),
        sort=call.value("sort"),
        strategy=call.value("strategy"),
        backend=call.backend,
    )
    return None


def verify(call: Call, *, all: bool = False) -> Result:
    """Check a strategy, or the proofs about all first words.

    Parameters
    ----------
    all : bool, default False
        Check the proofs that show which first words solve all 12,972 answers within six guesses, by a plain program
        with its own patterns. TREE is then a file of proofs; by default the shipped one, about 29 words that do and
        5,683 that do not; there is none about the other 7,260.
    """
    if not all:
        return call.run()
    from gpusolve.games.wordle.analysis.first_words import verify_first_words
    from gpusolve.output import report

    if others := sorted(name for name in call.of("") if name != "tree"):
        raise BadInput(f"--all: expected no --{others[0]}, because the proofs are about the words that they come with")
    with report.Progress("verify", 100, call.quiet) as bar:
        given = {"proofs": call.value("tree"), "progress": lambda part: bar(int(100 * part))}
        return call.timed(verify_first_words, given)


def _length_of(history: Sequence[object]) -> int | None:
    """Return the number of characters of the pattern that a history has first; None if it has none, as shared text."""
    from gpusolve.games.wordle.rules import LENGTHS

    patterns = (item.rpartition(":")[2].strip() for item in history if isinstance(item, str) and ":" in item)
    length = len(next(patterns, ""))
    return length if length in LENGTHS else None


def _with_guesses(items: Sequence[str], call: Call, *, accepted: bool = False) -> list[str]:
    """Return a shared text and the guesses that the user enters for it; anything else as it is.

    If `accepted`, only words that may be guessed are taken.
    """
    from gpusolve.games.wordle import rules, sharing
    from gpusolve.games.wordle.weights.mistakes import check_guess
    from gpusolve.output import dialogue, report

    variant = _variant(call)
    length, digraphs = variant.length, variant.digraphs
    share = sharing.read_share(items, length, digraphs)
    if share is None:
        return list(items)
    if share.hard and variant.mode == "easy":
        report.note("the result has the star of hard mode; --mode hard judges by its rules", call.quiet)
    if share.guesses or call.json:
        return list(items)
    patterns = [rules.pattern_text(code, length) for code in sharing.patterns_of(share)]

    def parse(word: str) -> str:
        return check_guess(word, variant) if accepted else rules.parse_word(word, length, digraphs)

    return [*items, *dialogue.ask_guesses(patterns, parse)]


def _variant(call: Call) -> Variant:
    from gpusolve.games.wordle.variant import check_variant

    return check_variant(call.arguments.get("variant"))
