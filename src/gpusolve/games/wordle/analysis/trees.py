"""Strategies as files: written, read, and followed through a game."""

from __future__ import annotations

import hashlib
import json
from dataclasses import dataclass
from pathlib import Path
from typing import Any, NamedTuple, cast

from gpusolve import checks, files
from gpusolve.errors import BadInput
from gpusolve.fields import Fields
from gpusolve.games.wordle import rules
from gpusolve.games.wordle.analysis.columns import is_columns, read_columns
from gpusolve.games.wordle.analysis.strategies import Reply, history_text
from gpusolve.games.wordle.rules import MODES, SCORINGS, Digraphs, History, Mode, Scoring
from gpusolve.games.wordle.variant import Variant

FORMAT = "gpusolve.wordle.tree/"
SCHEMA = f"{FORMAT}1"
MOST = 1 << 40
"""Upper bound of the counts in a tree file."""


class ListClaim(NamedTuple):
    """A word list that a tree file was made for: the number of words and their SHA-256."""

    words: int
    sha256: str


@dataclass(frozen=True)
class Claims:
    """What a tree file of gpusolve also says: the words that it is for, the history before it, and its total."""

    guesses: ListClaim
    answers: ListClaim
    guess_hidden_only: bool
    history: History
    total: int

    def check_words(self, variant: Variant, place: str) -> None:
        """Raise BadInput unless the variant has the word lists that the file was made for."""
        for name, claim, words in (
            ("guesses", self.guesses, variant.guesses),
            ("answers", self.answers, variant.answers),
        ):
            if claim.sha256 != words.digest:
                raise BadInput(
                    f"{place}: made for {claim.words:,} {name} (SHA-256 {claim.sha256[:12]}...), "
                    f"not for these {len(words):,} (SHA-256 {words.digest[:12]}...)"
                )


@dataclass(frozen=True)
class TreeFile:
    """The content of a tree file. Files of other solvers have no `claims`, and may leave out the rules (None)."""

    tree: Reply
    claims: Claims | None = None
    mode: Mode | None = None
    scoring: Scoring | None = None

    @property
    def guess_hidden_only(self) -> bool:
        """Whether the strategy guesses only answers that remain."""
        return self.claims is not None and self.claims.guess_hidden_only

    def check_rules(self, variant: Variant, place: str) -> None:
        """Raise BadInput unless the strategy keeps the rules of a variant: its guesses may be stricter, no freer."""
        if self.mode is not None:
            strict = self.guess_hidden_only or MODES.index(self.mode) >= MODES.index(variant.mode)
            if not strict or (variant.guess_hidden_only and not self.guess_hidden_only):
                expected = "one that guesses only answers that remain" if variant.guess_hidden_only else variant.mode
                raise BadInput(f"{place}: a strategy for {self.mode} mode: expected {expected}")
        if self.scoring not in (None, variant.scoring):
            raise BadInput(f"{place}: a strategy for scoring {self.scoring}: expected {variant.scoring}")


def save_tree(path: Path, tree: Reply, variant: Variant, *, total: int, history: History = ()) -> None:
    """Write a strategy to a tree file. Raises BadInput if the file cannot be written."""
    files.write(path, tree_text(tree, variant, total=total, history=history), "tree")


def tree_text(tree: Reply, variant: Variant, *, total: int, history: History = ()) -> str:
    """Return the content of a tree file, about 20 bytes for each answer.

    It has the strategy, the variant that it is for, the `history` before it, and its `total`: the number of guesses
    over all answers.
    """
    content = {
        "schema": SCHEMA,
        "guesses": {"words": len(variant.guesses), "sha256": variant.guesses.digest},
        "answers": {"words": len(variant.answers), "sha256": variant.answers.digest},
        "mode": variant.mode,
        "scoring": variant.scoring,
        "guess_hidden_only": variant.guess_hidden_only,
        "history": [[guess, rules.pattern_text(code, variant.length)] for guess, code in history],
        "total": total,
        "tree": _node(tree),
    }
    return json.dumps(content | {"sha256": _digest(content)}, separators=(",", ":")) + "\n"


def read_tree(path: Path, digraphs: Digraphs = ()) -> TreeFile:
    """Read a tree file, or a strategy of another solver in one of two forms, for words with these digraphs.

    The nested form is ``{"guess": "salet", "map": {"00000": {...}, "00002": "court", ...}}``. Patterns are written as
    `parse_pattern` reads them, and a bare word is the last guess. The outermost object may also name the ``mode`` and
    the ``scoring`` that the strategy is for. The file can also be a JavaScript module, which starts with ``export
    default``. The text form has lines such as ``salet BBBBB1 courd BBBBB2 nymph BBBBY3 whiff GGGGG4`` (`columns`).

    Raises BadInput for anything else, and for a tree file that is cut or edited.
    """
    place = f"tree {path}"
    text = files.read_text(path, "tree")
    if is_columns(text):
        return TreeFile(read_columns(text, place, digraphs))
    text = text.strip().removeprefix("export default").rstrip(";")
    if text.lstrip()[:1] not in ("{", '"', "["):
        raise BadInput(f"{place}: expected a tree file, nested JSON or lines such as 'crane BYBBG1 those GGGGG2'")
    content = files.parse_json(text, f"{place}: cut, or not a tree")
    try:
        return _read(content, place, digraphs)
    except RecursionError:
        raise BadInput(f"{place}: nested too deep") from None


def read_strategy(path: Path, variant: Variant) -> Reply:
    """Read a strategy for a whole game of the variant. Raises BadInput if the file is for another position or words."""
    file = read_tree(path, variant.digraphs)
    if file.claims is not None:
        if file.claims.history:
            before = history_text(file.claims.history)
            raise BadInput(f"tree {path}: it begins after {before}: expected a strategy for a whole game")
        file.claims.check_words(variant, f"tree {path}")
    file.check_rules(variant, f"tree {path}")
    return file.tree


def _read(content: Any, place: str, digraphs: Digraphs) -> TreeFile:
    if not isinstance(content, dict) or "schema" not in content:
        fields = Fields(place, content if isinstance(content, dict) else {})
        return TreeFile(_reply(content, place, digraphs), None, *_rules(fields))
    fields = Fields(place, content)
    schema = fields.text("schema", 100)
    if schema != SCHEMA:
        origin = "another version of gpusolve" if schema.startswith(FORMAT) else "something else"
        raise BadInput(f"{place}: the format {schema} of {origin}: expected {SCHEMA}")
    if fields.text("sha256", 100) != _digest({name: value for name, value in content.items() if name != "sha256"}):
        raise BadInput(f"{place}: edited or damaged: its content does not match its SHA-256")
    claims = Claims(
        guesses=_list_claim(fields.object("guesses")),
        answers=_list_claim(fields.object("answers")),
        guess_hidden_only=fields.flag("guess_hidden_only"),
        history=_history(fields, digraphs),
        total=fields.integer("total", 1, MOST),
    )
    mode, scoring = cast(Mode, fields.choice("mode", MODES)), cast(Scoring, fields.choice("scoring", SCORINGS))
    return TreeFile(_reply(content.get("tree"), place, digraphs), claims, mode, scoring)


def _rules(fields: Fields) -> tuple[Mode | None, Scoring | None]:
    """Return the mode and the scoring that the file of another solver names; None for each that it does not name."""
    mode = cast(Mode, fields.choice("mode", MODES)) if "mode" in fields else None
    scoring = cast(Scoring, fields.choice("scoring", SCORINGS)) if "scoring" in fields else None
    return mode, scoring


def _list_claim(fields: Fields) -> ListClaim:
    return ListClaim(fields.integer("words", 1, MOST), fields.text("sha256", 100))


def _history(fields: Fields, digraphs: Digraphs) -> History:
    turns = fields.sequence("history")
    try:
        return rules.parse_history(turns, None, digraphs)
    except (BadInput, TypeError) as error:
        raise BadInput(f"{fields.place}: history: {error}") from None


def _reply(node: Any, place: str, digraphs: Digraphs) -> Reply:
    """Read a strategy in the nested form."""
    if isinstance(node, str):
        node = {"guess": node}
    if not isinstance(node, dict) or "guess" not in node:
        raise BadInput(f"{place}: {checks.shown(node)}: expected a word, or an object with 'guess' and 'map'")
    fields = Fields(place, node)
    word, replies = fields.text("guess", 100), fields.object("map").values if "map" in fields else {}
    try:
        guess = rules.parse_word(word, None, digraphs)
        length = rules.length_of(guess)
        codes = [rules.parse_pattern(text, length) for text in replies]
    except BadInput as error:
        raise BadInput(f"{place}: {error}") from None
    if len(set(codes)) < len(codes):
        twice = next(code for code in codes if codes.count(code) > 1)
        raise BadInput(f"{place}: two replies to {guess}:{rules.pattern_text(twice, length)}")
    by_code = zip(codes, replies.values(), strict=True)
    return Reply(
        guess, {code: _reply(reply, place, digraphs) for code, reply in by_code if code != rules.solved_code(length)}
    )


def _node(tree: Reply) -> Any:
    """Return a strategy in the nested form."""
    if not tree.replies:
        return tree.guess
    length = rules.length_of(tree.guess)
    replies = {rules.pattern_text(code, length): _node(reply) for code, reply in tree.replies.items()}
    return {"guess": tree.guess, "map": replies}


def _digest(content: dict[str, Any]) -> str:
    return hashlib.sha256(json.dumps(content, sort_keys=True).encode()).hexdigest()
