"""``gpusolve quiddler``: parse, call the solver, report."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from gpusolve.options import Device, Json, Quiet, Seed, open_device

if TYPE_CHECKING:
    from collections.abc import Iterable

    from gpusolve.games.quiddler.hand import Words
    from gpusolve.games.quiddler.kernels import Spellings
    from gpusolve.games.quiddler.plans import Plan, Step
    from gpusolve.games.quiddler.rules import Deal, Rules

app = typer.Typer(
    help="Quiddler: solitaire solved to the proven optimum, the best words of a hand, a census of random deals.",
    no_args_is_help=True,
    rich_markup_mode=None,
)

Cards = Annotated[
    list[str] | None,
    typer.Argument(
        metavar="DEAL",
        help="The eight cards on top, then the eight below them: 'n w u th r y y i / a c j o u n b i' or "
        "'nwu(th)ryyi acjounbi'.",
    ),
]
Dictionary = Annotated[str, typer.Option(help="The words: a shipped list's name or a file.")]
MinCards = Annotated[int, typer.Option(min=1, max=2, help="Cards a word needs at least.")]
Values = Annotated[Path | None, typer.Option(help="A file with a card and its points in each line.")]
Bonus = Annotated[
    str | None, typer.Option(help="Bonus by a word's letters, 5:2,6:5,7:10, or a file with such a pair in each line.")
]
Strict = Annotated[bool, typer.Option("--strict", help="More of a card than the deck holds is an error.")]

COLUMNS = ("word", "cards", "from places", "moved before", "turned up", "points", "bonus")


@app.command()
def deal(
    seed: Seed = None,
    number: Annotated[int, typer.Option(min=0, help="Which deal of the seed; a census counts them from 0.")] = 0,
    json: Json = False,
) -> None:
    """Deal 16 random cards of the deck's 118."""
    from gpusolve import report
    from gpusolve.games.quiddler import rules

    seed = random_seed() if seed is None else seed
    dealt = rules.random_deal(seed, number)
    if json:
        report.json_line("quiddler.deal/1", seed=seed, number=number, tops=dealt.tops, bottoms=dealt.bottoms)
        return
    report.text(str(dealt))
    report.note(f"seed {seed}, deal {number}")


@app.command()
def solve(
    cards: Cards = None,
    random: Annotated[bool, typer.Option("--random", help="Solve a random deal.")] = False,
    seed: Seed = None,
    all_cards: Annotated[bool, typer.Option("--all-cards", help="The best plan that uses all cards.")] = False,
    any_score: Annotated[bool, typer.Option("--any", help="A plan that uses all cards, whatever its score.")] = False,
    max_words: Annotated[int | None, typer.Option(min=1, max=16, help="Play at most so many words.")] = None,
    plans: Annotated[int, typer.Option(min=1, help="Optimal plans to show, if there are as many.")] = 3,
    dictionary: Dictionary = "scowl-70",
    min_cards: MinCards = 2,
    values: Values = None,
    bonus: Bonus = None,
    strict: Strict = False,
    device: Device = None,
    json: Json = False,
    quiet: Quiet = False,
) -> None:
    """The best play of a deal, step by step, proven optimal."""
    from gpusolve import report
    from gpusolve.errors import BadInput
    from gpusolve.games.quiddler import rules, solver

    if bool(cards) == random:
        raise BadInput("expected either a deal or --random")
    if all_cards and any_score:
        raise BadInput("--any: expected either --all-cards or --any")
    seed = random_seed() if random and seed is None else seed
    dealt = rules.random_deal(seed or 0) if random else _parse_deal(cards, strict)
    scoring = _scoring(values, bonus, min_cards)
    goal: solver.Goal = "all" if all_cards else "any" if any_score else "best"
    spellings = _spellings(dictionary, min_cards)
    solution = solver.solve(dealt, spellings, scoring, goal, max_words, plans, open_device(device, quiet))
    if json:
        report.json_line(
            "quiddler.solve/1",
            tops=dealt.tops,
            bottoms=dealt.bottoms,
            seed=seed if random else None,
            goal=goal,
            max_words=max_words,
            score=solution.score,
            proven=True,
            n_plans=solution.n_plans,
            sets=solution.sets,
            states=solution.states,
            plans=[_plan_fields(plan) for plan in solution.plans],
        )
        return
    _show_deal(dealt)
    first, *others = solution.plans
    _show_plan(first)
    kind = {"best": "proven optimal", "all": "proven optimal with all cards used", "any": "all cards used"}[goal]
    limit = f" with at most {max_words} word{'s' * (max_words != 1)}" if max_words else ""
    report.text(f"{_sum(first)}, {kind}{limit}" + (f"; seed {seed}" if random else ""))
    plural = "s" * (solution.n_plans != 1)
    reach = "use all cards" if goal == "any" else "reach it" if plural else "reaches it"
    report.text(f"{solution.n_plans:,} plan{plural} {reach}" + (", such as" if others else ""))
    for plan in others:
        report.text(f"  {' '.join(plan.words)}" + (f": {plan.score}" if goal == "any" else ""))


@app.command()
def check(
    plan: Annotated[str, typer.Argument(help="The words in order: 'wiry (th)ong'; brackets or - say which cards.")],
    cards: Cards = None,
    dictionary: Dictionary = "scowl-70",
    min_cards: MinCards = 2,
    values: Values = None,
    bonus: Bonus = None,
    strict: Strict = False,
    json: Json = False,
) -> None:
    """Score a plan of yours, or say where it breaks a rule (exit code 1)."""
    from gpusolve import report
    from gpusolve.games.quiddler.check import check_plan

    dealt = _parse_deal(cards, strict)
    verdict = check_plan(dealt, plan, _spellings(dictionary, min_cards), _scoring(values, bonus, min_cards))
    if json:
        report.json_line(
            "quiddler.check/1",
            tops=dealt.tops,
            bottoms=dealt.bottoms,
            legal=verdict.broken is None,
            broken=verdict.broken,
            plan=_plan_fields(verdict.plan),
        )
    else:
        _show_deal(dealt)
        _show_plan(verdict.plan)
        report.text(f"{_sum(verdict.plan)}, legal" if verdict.broken is None else f"not legal: {verdict.broken}")
    if verdict.broken is not None:
        raise typer.Exit(1)


@app.command()
def hand(
    cards: Annotated[list[str], typer.Argument(help="3 to 10 cards: 'qu i t er a l' or '(qu)it(er)al'.")],
    discard: Annotated[bool, typer.Option("--discard", help="One more card, which you discard at no cost.")] = False,
    beat_longest: Annotated[
        int | None, typer.Option(min=0, help="Letters of the others' longest word; longer is worth 10 more.")
    ] = None,
    beat_most: Annotated[
        int | None, typer.Option(min=0, help="The others' most words; more words are worth 10 more.")
    ] = None,
    dictionary: Dictionary = "scowl-70",
    min_cards: MinCards = 2,
    values: Values = None,
    strict: Strict = False,
    device: Device = None,
    json: Json = False,
    quiet: Quiet = False,
) -> None:
    """The best words from a hand of the ordinary card game: most points, longest word, most words."""
    from gpusolve import report
    from gpusolve.games.quiddler import rules
    from gpusolve.games.quiddler.hand import best_words

    held = rules.parse_cards(" ".join(cards))
    _check_deck(held, strict)
    best = best_words(
        held,
        _spellings(dictionary, min_cards),
        _scoring(values, None, min_cards),
        discard,
        beat_longest,
        beat_most,
        open_device(device, quiet),
    )
    rows = {"most points": best.points, "longest word": best.longest, "most words": best.most}
    if json:
        report.json_line(
            "quiddler.hand/1",
            cards=held,
            beat_longest=beat_longest,
            beat_most=beat_most,
            **{name.replace(" ", "_"): _words_fields(words) for name, words in rows.items()},
        )
        return
    report.table(
        ["", "words", "cards", "left", *(["discard"] if discard else []), "points"],
        [
            (
                name,
                " ".join(words.words),
                " ".join(map(_spelled, words.cards)),
                " ".join(words.left),
                *([words.discard] if discard else []),
                words.score,
            )
            for name, words in rows.items()
        ],
    )


@app.command()
def census(
    deals: Annotated[int, typer.Option(min=1, help="Random deals to solve.")] = 10_000,
    seed: Seed = None,
    top: Annotated[int, typer.Option(min=0, help="Hardest and richest deals to show.")] = 5,
    histogram: Annotated[Path | None, typer.Option(help="Draw the distribution into this PNG file.")] = None,
    csv: Annotated[Path | None, typer.Option(help="Write every deal's optimum to this file.")] = None,
    time_limit: Annotated[float | None, typer.Option(min=0, help="Seconds after which to stop.")] = None,
    checkpoint: Annotated[Path | None, typer.Option(help="Write the state to this file as it goes on.")] = None,
    resume: Annotated[Path | None, typer.Option(help="Go on from this checkpoint.")] = None,
    dictionary: Dictionary = "scowl-70",
    min_cards: MinCards = 2,
    values: Values = None,
    bonus: Bonus = None,
    device: Device = None,
    json: Json = False,
    quiet: Quiet = False,
) -> None:
    """Solve random deals exactly: the distribution of the optima, the hardest deals."""
    from gpusolve import report
    from gpusolve.games.quiddler import kernels, rules
    from gpusolve.games.quiddler.census import take_census

    scoring, spellings = _scoring(values, bonus, min_cards), _spellings(dictionary, min_cards)
    backend = open_device(device, quiet)
    with report.progress("deals solved", deals, quiet) as progress:
        found = take_census(
            deals, seed, spellings, scoring, backend, progress, time_limit, save_to=checkpoint, resume=resume
        )
    distribution = found.distribution
    shown = {"hardest": found.hardest(top), "richest": found.richest(top)}
    if json:
        report.json_line(
            "quiddler.census/1",
            seed=found.seed,
            deals=found.deals,
            complete=found.deals == deals,
            device=backend.name,
            mean=found.mean,
            lowest=min(distribution),
            highest=max(distribution),
            can_use_all=found.can_use_all,
            all_is_best=found.all_is_best,
            distribution=distribution,
            **{
                name: [
                    {"number": i, "best": int(found.best[i]), "deal": str(rules.random_deal(found.seed, i))}
                    for i in numbers
                ]
                for name, numbers in shown.items()
            },
        )
    else:
        report.text(
            f"{found.deals:,} deals of seed {found.seed}: mean optimum {found.mean:.2f}, "
            f"{min(distribution)} to {max(distribution)}"
        )
        report.text(
            f"all cards can be used in {found.can_use_all:.2%} of the deals, and should be in {found.all_is_best:.2%}"
        )
        _show_distribution(distribution, found.deals)
        report.table(
            ["", "deal", "optimum", "cards"],
            [
                (name, i, found.best[i], rules.random_deal(found.seed, i))
                for name, numbers in shown.items()
                for i in numbers
            ],
        )
    if csv is not None:
        best_all = [None if score == kernels.NEVER else score for score in found.best_all.tolist()]
        report.write_csv(csv, ("deal", "best", "best_all"), zip(range(found.deals), found.best, best_all, strict=True))
    if histogram is not None:
        from gpusolve.plot import save_histogram

        save_histogram(histogram, found.best, f"Quiddler solitaire: {found.deals:,} random deals", "optimum")
    if found.deals < deals:
        report.note(f"stopped at the time limit: {found.deals:,} of {deals:,} deals", quiet)
        raise typer.Exit(3)


def _parse_deal(cards: list[str] | None, strict: bool) -> Deal:
    from gpusolve.games.quiddler import rules

    dealt = rules.parse_deal(" ".join(cards or []))
    _check_deck(dealt.cards.values(), strict)
    return dealt


def _check_deck(cards: Iterable[str], strict: bool) -> None:
    """A warning, or BadInput if strict, for cards that no deck can give."""
    from gpusolve import report
    from gpusolve.errors import BadInput
    from gpusolve.games.quiddler import rules

    for line in rules.overdrawn(cards):
        if strict:
            raise BadInput(f"--strict: {line}")
        report.note(f"warning: {line}")


def _spellings(source: str, min_cards: int) -> Spellings:
    from gpusolve.games.quiddler import solver
    from gpusolve.wordlists import load_words

    return solver.dictionary(load_words(source), min_cards)


def _scoring(values: Path | None, bonus: str | None, min_cards: int) -> Rules:
    from gpusolve.games.quiddler import rules

    return rules.Rules(
        rules.VALUES if values is None else rules.parse_values(values),
        rules.BONUS if bonus is None else rules.parse_bonus(bonus),
        min_cards,
    )


def _show_deal(dealt: Deal) -> None:
    from gpusolve import report

    width = [max(len(top), len(bottom)) for top, bottom in zip(dealt.tops, dealt.bottoms, strict=True)]
    for row in (dealt.tops, dealt.bottoms):
        report.text(" ".join(card.ljust(n) for card, n in zip(row, width, strict=True)).rstrip())
    report.text()


def _show_plan(plan: Plan) -> None:
    from gpusolve import report

    names = plan.deal.cards
    if not plan.steps:
        return
    report.table(
        COLUMNS,
        [
            (
                step.word,
                _spelled(names[number] for number in step.cards),
                " ".join(str(place + 1) for place in step.places),
                ", ".join(f"{names[card]} from {source + 1} to {target + 1}" for card, source, target in step.moves),
                " ".join(names[number] for number in step.turned_up),
                step.points,
                step.bonus,
            )
            for step in plan.steps
        ],
    )


def _sum(plan: Plan) -> str:
    """How the score comes about."""
    used, bonus = sum(step.points for step in plan.steps), sum(step.bonus for step in plan.steps)
    left = f" - {used + bonus - plan.score} left ({' '.join(plan.deal.cards[n] for n in plan.left)})"
    return f"{plan.score} points = {used} used{left if plan.left else ''} + {bonus} bonus"


def _spelled(cards: Iterable[str]) -> str:
    """Cards as a word, two-letter ones in brackets."""
    return "".join(card if len(card) == 1 else f"({card})" for card in cards)


def _plan_fields(plan: Plan) -> dict[str, Any]:
    return {
        "score": plan.score,
        "left": [plan.deal.cards[number] for number in plan.left],
        "steps": [_step_fields(plan.deal, step) for step in plan.steps],
    }


def _step_fields(dealt: Deal, step: Step) -> dict[str, Any]:
    names = dealt.cards
    return {
        "word": step.word,
        "anagrams": step.words,
        "cards": [names[number] for number in step.cards],
        "places": [place + 1 for place in step.places],
        "moves": [{"card": names[card], "from": a + 1, "to": b + 1} for card, a, b in step.moves],
        "turned_up": [names[number] for number in step.turned_up],
        "points": step.points,
        "bonus": step.bonus,
    }


def _words_fields(words: Words) -> dict[str, Any]:
    return {
        "words": words.words,
        "cards": words.cards,
        "left": words.left,
        "discard": words.discard,
        "score": words.score,
    }


def _show_distribution(distribution: dict[int, int], deals: int, step: int = 10) -> None:
    from gpusolve import report

    bins: dict[int, int] = {}
    for optimum, count in distribution.items():
        bins[optimum // step * step] = bins.get(optimum // step * step, 0) + count
    most = max(bins.values())
    report.table(
        ["optimum", "deals", "%", ""],
        [
            (f"{low} to {low + step - 1}", count, f"{100 * count / deals:.2f}", "#" * round(50 * count / most))
            for low, count in sorted(bins.items())
        ],
    )
