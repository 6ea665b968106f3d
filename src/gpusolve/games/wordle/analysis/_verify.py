"""A check of a strategy: it is played against every answer, by the rules alone and without any code of the search."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field
from pathlib import Path

from gpusolve.errors import BadInput
from gpusolve.games.wordle.analysis.strategies import walk
from gpusolve.games.wordle.analysis.trees import Claims, ListClaim, read_tree
from gpusolve.games.wordle.rules import Mode, Scoring
from gpusolve.games.wordle.variant import Variant
from gpusolve.games.wordle.wordlist import word_list
from gpusolve.result import FLAT, HIDDEN, Result, reported
from gpusolve.wordlists import Words, counted


@dataclass(frozen=True, repr=False)
class Verified(Result, schema="wordle.verify/2"):
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
    variant: Variant = field(metadata=FLAT)
    turns: dict[str, int] = field(metadata=HIDDEN)

    @reported
    def guesses(self) -> int:
        """Number of words that can be guessed."""
        return len(self.variant.guesses)

    @reported
    def answers(self) -> int:
        """Number of words that can be hidden."""
        return len(self.turns)

    @reported
    def total(self) -> int:
        """Number of guesses over all answers."""
        return sum(self.turns.values())

    @reported
    def mean(self) -> float:
        """Mean number of guesses per answer."""
        return self.total / len(self.turns)

    @reported
    def distribution(self) -> dict[int, int]:
        """Number of guesses -> number of answers that need it."""
        return dict(sorted(Counter(self.turns.values()).items()))

    @reported
    def worst(self) -> list[str]:
        """The answers that need the most guesses."""
        most = max(self.turns.values())
        return [answer for answer, turns in self.turns.items() if turns == most]

    def __repr__(self) -> str:
        return f"<Verified: {self.guess}, {len(self.turns):,} answers in {self.total:,} guesses>"


def verify(
    tree: Path | None = None,
    *,
    guesses: Words | None = None,
    answers: Words | None = None,
    mode: Mode | None = None,
    scoring: Scoring | None = None,
) -> Verified:
    """Check a strategy against every answer, by the rules alone.

    Its total number of guesses and worst answers are shown, or its first fault. Two forms of other solvers are read.
    Nested JSON: ``{"guess": "crane", "map": {"00000": {...}, "00002": "those"}}``. Text with a line for each answer:
    ``crane BBBBG1 those YBBBG2 ... GGGGG3``. A line may leave out what it shares with the line above it.

    Parameters
    ----------
    tree : Path, optional
        The strategy: a tree file, which ``gpusolve wordle solve --out`` writes, or a file of another solver in one of
        the two forms.
    guesses : str, Path or iterable of str, optional
        Words that can be guessed: a list's name, or a file with one word per line. By default as in the tree
        file, or as elsewhere if it names none.
    answers : str, Path or iterable of str, optional
        Words that can be hidden: a list's name, or a file with one word per line. By default as in the tree
        file, or as elsewhere if it names none.
    mode : {"easy", "hard", "ultra-hard"}, optional
        Allowed guesses. ``hard``: words with all revealed letters; ``ultra-hard``: words that are consistent with every
        pattern. By default as in the tree file.
    scoring : {"wordle", "presence"}, optional
        Rules of the patterns. ``presence``: every letter that occurs in the answer and is not green is yellow. By
        default as in the tree file.

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
    ``gpusolve wordle verify tree.json``

    >>> from tempfile import mkdtemp
    >>> path = Path(mkdtemp()) / "tree.json"
    >>> size = path.write_text('{"guess": "crane", "map": {"ygg-g": "trace"}}')
    >>> verify(path, answers=["crane", "trace"]).turns
    {'crane': 1, 'trace': 2}
    """
    if tree is None:
        raise BadInput("tree: expected the file of a strategy")
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
    """Return the given words, else the shipped or downloaded list that the file was made for, else None."""
    if given is not None:
        return given
    if claims is not None:
        claim: ListClaim = getattr(claims, name)
        for known, count in counted().items():
            words = word_list(known) if count == claim.words else None
            if words is not None and words.digest == claim.sha256:
                return words
    return None
