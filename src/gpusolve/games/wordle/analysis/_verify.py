"""A check of a strategy: it is played against every answer, by the rules alone and without any code of the search."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from pathlib import Path

from gpusolve.errors import BadInput
from gpusolve.games.wordle.analysis.strategies import walk
from gpusolve.games.wordle.analysis.trees import Claims, ListClaim, read_tree
from gpusolve.games.wordle.rules import Mode, Scoring
from gpusolve.games.wordle.variant import Variant
from gpusolve.games.wordle.wordlist import word_list
from gpusolve.notebook import as_html
from gpusolve.wordlists import Words, shipped


@dataclass(frozen=True)
class Verified:
    """A strategy that was played against every answer and finds all of them.

    Attributes
    ----------
    guess : str
        The first guess.
    variant : Variant
        The words and rules.
    turns : dict of str to int
        Answer -> the number of guesses that the strategy needs for it.
    """

    guess: str
    variant: Variant
    turns: dict[str, int]

    _repr_html_ = as_html

    @property
    def total(self) -> int:
        """Number of guesses over all answers."""
        return sum(self.turns.values())

    @property
    def mean(self) -> float:
        """Mean number of guesses per answer."""
        return self.total / len(self.turns)

    @property
    def distribution(self) -> dict[int, int]:
        """Number of guesses -> number of answers that need it."""
        return dict(sorted(Counter(self.turns.values()).items()))

    @property
    def worst(self) -> list[str]:
        """The answers that need the most guesses."""
        most = max(self.turns.values())
        return [answer for answer, turns in self.turns.items() if turns == most]

    def __repr__(self) -> str:
        return f"<Verified: {self.guess}, {len(self.turns):,} answers in {self.total:,} guesses>"


def verify(
    tree: Path,
    *,
    guesses: Words | None = None,
    answers: Words | None = None,
    mode: Mode | None = None,
    scoring: Scoring | None = None,
) -> Verified:
    """Play the strategy in a tree file against every answer, by the rules alone.

    Parameters
    ----------
    tree : Path
        A file that ``gpusolve wordle solve --out`` wrote, or a strategy of another solver in one of two forms: nested
        JSON, ``{"guess": "salet", "map": {"00000": {...}, "00002": "court", ...}}``, or text with a line for each
        answer, ``salet BBBBB1 courd BBBBB2 nymph BBBBY3 whiff GGGGG4``, that may leave out what it shares with the
        line above.
    guesses, answers : str, Path or iterable of str, optional
        The words that may be guessed and hidden: the name of a shipped list, a text file with one word per line, or the
        words. By default, the shipped lists that the file was made for, or those of `Variant.load` if it names none.
    mode, scoring : str, optional
        The rules, as for `Variant`. By default, those that the file was made for, or the original ones if it names
        none. A strategy in the text form never names them.

    Returns
    -------
    Verified
        The number of guesses for every answer.

    Raises
    ------
    BadInput
        If the file is damaged, was edited or is for other words; if a guess is not a word or not allowed; if a pattern
        has no reply; or if the total differs from the one in the file. The message describes the first fault.

    Examples
    --------
    >>> from tempfile import mkdtemp
    >>> path = Path(mkdtemp()) / "tree.json"
    >>> size = path.write_text('{"guess": "crane", "map": {"ygg-g": "trace"}}')
    >>> verify(path, answers=["crane", "trace"]).turns
    {'crane': 1, 'trace': 2}
    """
    answers = None if answers is None else word_list(answers)
    guesses = None if guesses is None else word_list(guesses, digraphs=answers.digraphs if answers else ())
    listed = guesses or answers
    file, place = read_tree(tree, listed.digraphs if listed else ()), f"tree {tree}"
    claims = file.claims
    variant = Variant.load(
        _words("guesses", guesses, claims),
        _words("answers", answers, claims),
        mode=mode or file.mode or "easy",
        scoring=scoring or file.scoring or "wordle",
        guess_hidden_only=file.guess_hidden_only,
    )
    if claims is not None:
        claims.check_words(variant, place)
    turns = walk(file.tree, variant, claims.history if claims else [], place)
    verified = Verified(file.tree.guess, variant, turns)
    if claims is not None and claims.total != verified.total:
        raise BadInput(f"{place}: it claims {claims.total:,} guesses over all answers, but it takes {verified.total:,}")
    return verified


def _words(name: str, given: Words | None, claims: Claims | None) -> Words | None:
    """Return the given words, else the shipped list that the file was made for, else None."""
    if given is not None:
        return given
    if claims is not None:
        claim: ListClaim = getattr(claims, name)
        for known in shipped():
            words = word_list(known.name) if known.count == claim.words else None
            if words is not None and words.digest == claim.sha256:
                return words
    return None
