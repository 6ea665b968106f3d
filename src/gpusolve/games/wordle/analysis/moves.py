"""A guess of a finished game, compared with the best one, and the judgement in a sentence."""

from __future__ import annotations

from dataclasses import dataclass, field

from gpusolve.games.wordle import rules
from gpusolve.result import Result, reported, written

MOST_SKILL = 99
"""The highest value of skill."""
SLIGHT = 0.005
"""A loss below this is shown as 0.00."""
ORDINALS = ("first", "second", "third", "fourth", "fifth", *(f"{n}th" for n in range(6, 13)))
WORTH_TELLING = 0.01
"""From this chance on, it is reported that a guess could have been the answer."""


@dataclass(frozen=True, repr=False)
class Alternative(Result):
    """Another guess that could have been made, and what it would have cost.

    Attributes
    ----------
    guess : str
        The guess.
    cost : float
        Mean number of guesses from this one to the end, with best play afterwards.
    pattern, left, likely_left : int or None
        The pattern that it would have got, and the number of answers and of likely ones after it. None if the answer is
        not known.
    exact : bool
        Whether the cost is exact. Otherwise it is that of the best strategy found here.
    """

    guess: str
    cost: float
    pattern: int | None = field(metadata=written("marks"))
    left: int | None
    likely_left: int | None
    exact: bool

    @property
    def marks(self) -> str | None:
        """The pattern as text."""
        return _marks(self.guess, self.pattern)


@dataclass(frozen=True, repr=False)
class Move(Result):
    """One guess of a finished game, compared with the best guess.

    Costs are numbers of guesses from this one to the end, averaged over the answers that are still possible; if they
    have weights, by weight.

    Attributes
    ----------
    guess : str
        The guess.
    pattern : int
        Its pattern, 0..242 for five letters.
    chance : float
        The chance that the guess is the answer.
    remaining, left : int
        Number of possible answers before and after the guess. 0 are left after the answer itself.
    likely, likely_left : int
        Number of the likely ones among them: the likeliest answers that have 99 % of the chances together, and those
        that are as likely as the last of these. Without weights, all are likely.
    words : list of str
        The answers that are left after the guess, the likeliest first.
    mean_left, mean_likely_left : float
        Number of answers and of likely ones left after this guess, averaged over all possible answers.
    known_places : list of int
        The places of the guess, from 1, whose letters get the same colour whatever the answer is: they tell nothing.
    cost : float
        Cost of the guess, followed by best play.
    best : str
        A guess of the lowest cost; the guess itself if no other is better.
    best_cost : float
        Cost of the best guess.
    best_mean_likely_left : float
        Number of likely answers left after the best guess, averaged over all possible answers.
    best_pattern, best_left, best_likely_left : int or None
        The pattern that the best guess would have got, and the number of answers and of likely ones after it. None if
        the answer is not known.
    alternatives : list of Alternative
        The best other guesses, at most five, in the order of their costs.
    luck : int
        From 0 to 99: the percentage of possible answers, by weight, that would have left more likely answers than this
        one did, where those that leave as many count half. 50 is average.
    saved : float
        Number of guesses that the pattern saved, compared with an average pattern.
    exact : bool
        Whether both costs are exact: searched in full, or among the totals that are proven for these words. Otherwise
        a cost that is not proven is that of the best strategy found here.
    """

    guess: str
    pattern: int = field(metadata=written("marks"))
    chance: float
    remaining: int
    likely: int
    left: int
    likely_left: int
    words: list[str] = field(repr=False)
    mean_left: float
    mean_likely_left: float
    known_places: list[int]
    cost: float
    best: str
    best_cost: float
    best_mean_likely_left: float
    best_pattern: int | None = field(metadata=written("best_marks"))
    best_left: int | None
    best_likely_left: int | None
    alternatives: list[Alternative] = field(repr=False)
    luck: int
    saved: float
    exact: bool

    @property
    def marks(self) -> str:
        """The pattern as text."""
        return rules.pattern_text(self.pattern, rules.length_of(self.guess))

    @property
    def best_marks(self) -> str | None:
        """The pattern of the best guess as text."""
        return _marks(self.best, self.best_pattern)

    @reported
    def solved(self) -> bool:
        """Whether the guess was the answer."""
        return rules.solves(self.guess, self.pattern)

    @reported
    def lost(self) -> float:
        """Number of guesses that the guess costs more than the best one; 0 for every guess that is equally good."""
        return self.cost - self.best_cost

    @reported
    def skill(self) -> int:
        """Skill from 0 to 99: 99 if no guess is better, 0 if the guess wastes a whole guess, in proportion between."""
        return round(MOST_SKILL * (1 - min(self.lost, 1)))

    @reported
    def reason(self) -> str:
        """The judgement in one sentence."""
        return _reason(self)


def _marks(guess: str, code: int | None) -> str | None:
    return None if code is None else rules.pattern_text(code, rules.length_of(guess))


def _reason(move: Move) -> str:
    """Return what a guess did, compared with the best one: on average over the answers, and for this answer."""
    if move.remaining == 1:
        return "It was the only word left." if move.solved else f"Only {move.best} was left, so this guess was wasted."
    return "; ".join([_compared(move), *_outcome(move), *_remarks(move)]) + "."


def _compared(move: Move) -> str:
    """Return how many words the guess and the best one leave on average."""
    words = f"{'likely ' if move.likely < move.remaining else ''}words on average"
    leaves, best_leaves = _number(move.mean_likely_left), _number(move.best_mean_likely_left)
    if move.best == move.guess:
        return f"No guess is better: it leaves {leaves} {words}"
    better = "is hardly better" if move.lost < SLIGHT else f"needs {move.lost:.2f} fewer guesses on average"
    if leaves == best_leaves:
        return f"{move.best} {better}: both leave {leaves} {words}"
    if move.best_mean_likely_left > move.mean_likely_left:
        return f"{move.best} {better}, although it leaves {best_leaves} {words}, and {move.guess} {leaves}"
    return f"{move.best} {better}: {move.guess} leaves {leaves} {words}, and {move.best} {best_leaves}"


def _outcome(move: Move) -> list[str]:
    """Return what the guess and the best one do for this answer."""
    if move.solved:
        return [f"{move.guess} was the answer, with a chance of {percent(move.chance)}"]
    left = f"here it left {move.likely_left:,}"
    if move.best == move.guess or move.best_pattern is None:
        return [left]
    if rules.solves(move.best, move.best_pattern):
        return [f"{left}, and {move.best} was the answer"]
    return [f"{left}, and {move.best} would have left {move.best_likely_left:,}"]


def _remarks(move: Move) -> list[str]:
    """Return whether the guess could be the answer, and which of its letters tell nothing new."""
    remarks = []
    if move.chance >= WORTH_TELLING and not move.solved:
        remarks.append(f"{move.guess} could be the answer with a chance of {percent(move.chance)}")
    if move.best != move.guess:
        if move.chance == 0:
            remarks.append(f"{move.guess} could not be the answer")
        if move.known_places:
            *others, last = _letters(move)
            letters = f"{', '.join(others)} and {last}" if others else last
            remarks.append(f"its {letters} {'tell' if others else 'tells'} nothing new")
    return remarks


def _letters(move: Move) -> list[str]:
    """Return the letters that tell nothing new, such as "e", or "second e" if the first e tells something."""
    letters = rules.letters_of(move.guess)
    found = []
    for place in move.known_places:
        letter = letters[place - 1]
        places = [i for i, each in enumerate(letters, 1) if each == letter]
        if all(each in move.known_places for each in places):
            found.append(letter)
        else:
            found.append(f"{ORDINALS[places.index(place)]} {letter}")
    return list(dict.fromkeys(found))


def percent(chance: float) -> str:
    """Return a chance in percent, with one digit after the point if it is small.

    >>> percent(0.213), percent(0.0042), percent(0.0001), percent(1)
    ('21 %', '0.4 %', 'less than 0.1 %', '100 %')
    """
    if 0 < chance < 0.0005:
        return "less than 0.1 %"
    return f"{100 * chance:.1f} %" if chance < WORTH_TELLING else f"{100 * chance:.0f} %"


def _number(mean: float) -> str:
    return f"{mean:.1f}" if mean < 9.95 else f"{mean:,.0f}"
