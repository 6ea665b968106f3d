"""A strategy as a file, and its check by a plain walk that shares nothing with the search but the rules."""

from __future__ import annotations

import hashlib
import json
from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

from gpusolve import files
from gpusolve.errors import BadInput
from gpusolve.games.wordle import rules
from gpusolve.games.wordle.rules import SOLVED, History, Mode, Scoring
from gpusolve.games.wordle.variant import Variant
from gpusolve.games.wordle.words import WordList, word_list
from gpusolve.wordlists import Words, shipped

if TYPE_CHECKING:
    from gpusolve.games.wordle.proof._solve import Tree

FORMAT = "gpusolve.wordle.tree/"
SCHEMA = f"{FORMAT}1"
LISTS = ("guesses", "answers")


class Reply(NamedTuple):
    """A strategy: a guess, and what follows each pattern but five greens. A guess without replies is the last one."""

    guess: str
    replies: Mapping[int, Reply]


@dataclass(frozen=True)
class Saved:
    """What a tree file holds. `claims`: words and rules that it says to be for, its total; None: it says nothing."""

    tree: Reply
    claims: dict[str, Any] | None


@dataclass(frozen=True)
class Verified:
    """A strategy that finds every answer. `turns`: answer -> the guesses that it takes."""

    guess: str
    variant: Variant
    turns: dict[str, int]

    @property
    def total(self) -> int:
        """Guesses over all answers."""
        return sum(self.turns.values())

    @property
    def mean(self) -> float:
        """Guesses per answer."""
        return self.total / len(self.turns)

    @property
    def distribution(self) -> dict[int, int]:
        """Number of guesses -> how many answers need it."""
        return dict(sorted(Counter(self.turns.values()).items()))

    @property
    def worst(self) -> list[str]:
        """The answers that need the most guesses."""
        most = max(self.turns.values())
        return [answer for answer, turns in self.turns.items() if turns == most]


def verify(
    tree: Path,
    guesses: Words | None = None,
    answers: Words | None = None,
    mode: Mode | None = None,
    scoring: Scoring | None = None,
) -> Verified:
    """Plays the strategy of a tree file against every answer, by the rules alone.

    The lists and rules that are not given (None) are those that the file claims, if it does and they are shipped, else
    the original ones. Raises BadInput with the first fault: a file that is cut, edited or for other lists, a guess that
    is no word or not allowed, a pattern without a reply, another total than the file claims.
    """
    saved = read_tree(tree)
    claims = saved.claims or {}
    variant = Variant.load(
        _list_of(claims, "guesses", guesses),
        _list_of(claims, "answers", answers),
        mode or claims.get("mode", "easy"),
        scoring or claims.get("scoring", "wordle"),
        bool(claims.get("guess_hidden_only")),
    )
    for name, words in (("guesses", variant.guesses), ("answers", variant.answers)):
        if claims and claims[name]["sha256"] != words.digest:
            made, digest = claims[name]["words"], claims[name]["sha256"][:12]
            raise BadInput(
                f"tree {tree}: made for {made:,} {name}, SHA-256 {digest}..., not for these {len(words):,}, "
                f"{words.digest[:12]}..."
            )
    history = rules.parse_history([tuple(turn) for turn in claims.get("history", [])])
    turns = _walk(saved.tree, variant, history, f"tree {tree}")
    found = Verified(saved.tree.guess, variant, turns)
    if claims and claims["total"] != found.total:
        raise BadInput(f"tree {tree}: claims {claims['total']:,} guesses over all answers: it takes {found.total:,}")
    return found


def _walk(tree: Reply, variant: Variant, history: History, name: str) -> dict[str, int]:
    """Answer -> guesses, for every answer that fits the history. Raises BadInput for the first fault."""
    left = [answer for answer in variant.answers if rules.consistent(answer, history, variant.scoring)]
    if not left:
        raise BadInput(f"{name}: no answer fits the history that it begins with")
    turns: dict[str, int] = {}
    waiting = [(tree, left, list(history))]
    while waiting:
        (guess, replies), left, before = waiting.pop()
        place = f"{name}: after {_text(before)}" if before else name
        if guess not in variant.guesses:
            raise BadInput(f"{place}: '{guess}' is not among the {len(variant.guesses):,} guesses")
        if not rules.allowed(guess, before, variant.mode, variant.scoring):
            raise BadInput(f"{place}: '{guess}' is not allowed in {variant.mode} mode")
        if variant.guess_hidden_only and guess not in left:
            raise BadInput(f"{place}: '{guess}' is not an answer that remains")
        cells: dict[int, list[str]] = {}
        for answer in left:
            cells.setdefault(rules.pattern(guess, answer, variant.scoring), []).append(answer)
        for code, cell in sorted(cells.items()):
            if code == SOLVED:
                turns[guess] = len(before) - len(history) + 1
                continue
            now = [*before, (guess, code)]
            if code not in replies:
                raise BadInput(f"{name}: no reply to {_text(now)}, where {_some(cell)}")
            waiting.append((replies[code], cell, now))
    return {answer: turns[answer] for answer in sorted(turns)}


def read_tree(path: Path) -> Saved:
    """The strategy of a tree file, or of one in the nested form of other solvers.

    That is ``{"guess": "salet", "map": {"00000": {...}, "00002": "court", ...}}``, patterns as `parse_pattern` reads
    them, a bare word for the last guess, perhaps as a JavaScript module behind ``export default``. Raises BadInput for
    anything else, and for a tree file of ours that is cut or edited.
    """
    text = files.read_text(path, "tree").strip()
    try:
        return _read(json.loads(text.removeprefix("export default").rstrip(";")), path)
    except RecursionError:
        raise BadInput(f"tree {path}: nested too deep") from None
    except json.JSONDecodeError as error:
        raise BadInput(f"tree {path}: cut, or not a tree: not JSON: {error}") from None


def _read(found: Any, path: Path) -> Saved:
    if not isinstance(found, dict) or "schema" not in found:
        return Saved(_reply(found, f"tree {path}"), None)
    schema = str(found["schema"])
    if schema != SCHEMA:
        wanted = "of another version of gpusolve" if schema.startswith(FORMAT) else "of something else"
        raise BadInput(f"tree {path}: in the format {schema} {wanted}: expected {SCHEMA}")
    if found.pop("sha256", None) != _digest(found):
        raise BadInput(f"tree {path}: edited or damaged: its SHA-256 is another")
    tree = _reply(found.pop("tree", None), f"tree {path}")
    sound = all(isinstance(found.get(name), dict) and {"words", "sha256"} <= found[name].keys() for name in LISTS)
    if not sound or not isinstance(found.get("total"), int) or not isinstance(found.get("history"), list):
        raise BadInput(f"tree {path}: expected the lists, the rules, the history and the total that it is for")
    return Saved(tree, found)


def tree_text(tree: Reply, variant: Variant, total: int, history: History = ()) -> str:
    """What a tree file holds: the strategy, what it is for, its total; about 20 bytes for each answer."""
    content = {
        "schema": SCHEMA,
        **{
            name: {"words": len(words), "sha256": words.digest}
            for name, words in zip(LISTS, (variant.guesses, variant.answers), strict=True)
        },
        "mode": variant.mode,
        "scoring": variant.scoring,
        "guess_hidden_only": variant.guess_hidden_only,
        "history": [[guess, rules.pattern_text(code)] for guess, code in history],
        "total": total,
        "tree": _plain(tree),
    }
    return json.dumps(content | {"sha256": _digest(content)}, separators=(",", ":")) + "\n"


def reply_of(tree: Tree, guesses: WordList) -> Reply:
    """A strategy that was found by the search, in words."""
    return Reply(guesses[tree.guess], {code: reply_of(cell, guesses) for code, cell in tree.cells.items()})


def read_strategy(path: Path, variant: Variant) -> Reply:
    """The strategy of a tree file, to be played from the first guess on. Raises BadInput if it is not for that."""
    saved = read_tree(path)
    if saved.claims and saved.claims["history"]:
        raise BadInput(f"tree {path}: begins in the middle of a game: expected a strategy from the first guess on")
    for name, words in zip(LISTS, (variant.guesses, variant.answers), strict=True):
        if saved.claims and saved.claims[name]["sha256"] != words.digest:
            raise BadInput(f"tree {path}: made for other {name}, {saved.claims[name]['words']:,} of them")
    return saved.tree


def reply_after(tree: Reply, history: History) -> str | None:
    """What a strategy guesses after a history; None: it has no reply there."""
    for guess, code in history:
        if tree.guess != guess or code not in tree.replies:
            return None
        tree = tree.replies[code]
    return tree.guess


def _plain(tree: Reply) -> Any:
    if not tree.replies:
        return tree.guess
    replies = {rules.pattern_text(code): _plain(reply) for code, reply in tree.replies.items()}
    return {"guess": tree.guess, "map": replies}


def _digest(content: dict[str, Any]) -> str:
    return hashlib.sha256(json.dumps(content, sort_keys=True).encode()).hexdigest()


def _reply(found: Any, name: str) -> Reply:
    """A strategy from the nested form."""
    if isinstance(found, str):
        found = {"guess": found}
    if not isinstance(found, dict) or not isinstance(found.get("guess"), str):
        raise BadInput(f"{name}: expected a word, or an object with 'guess' and 'map', not {str(found)[:40]}")
    replies = found.get("map", {})
    if not isinstance(replies, dict):
        raise BadInput(f"{name}: the map of '{found['guess'][:20]}' is no object: expected pattern to reply")
    try:
        guess = rules.parse_word(found["guess"])
        codes = [rules.parse_pattern(text) for text in replies]
    except BadInput as error:
        raise BadInput(f"{name}: {error}") from None
    read = zip(codes, replies.values(), strict=True)
    return Reply(guess, {code: _reply(reply, name) for code, reply in read if code != SOLVED})


def _list_of(claims: dict[str, Any], name: str, given: Words | None) -> Words:
    """The words that are given, else the shipped list that is claimed, else the original one."""
    if given is not None:
        return given
    if claims:
        for known in shipped():
            words = word_list(known.name) if known.count == claims[name]["words"] else None
            if words is not None and words.digest == claims[name]["sha256"]:
                return words
    return f"wordle-{name}"


def _text(history: History) -> str:
    return " ".join(f"{guess}:{rules.pattern_text(code)}" for guess, code in history)


def _some(words: list[str]) -> str:
    listed = " ".join(words[:5]) + (" ..." if len(words) > 5 else "")
    return f"{len(words):,} answer{'s are' if len(words) > 1 else ' is'} left: {listed}"
