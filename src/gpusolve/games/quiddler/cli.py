"""``gpusolve quiddler``: parse the options, call the function of the same name, and report its result."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, Literal

import typer

from gpusolve import clock
from gpusolve.errors import BadInput, Exit
from gpusolve.games.quiddler import __doc__ as about
from gpusolve.output.options import (
    Checkpoint,
    Csv,
    Device,
    Dictionary,
    Html,
    Json,
    Plot,
    Quiet,
    Resume,
    Seed,
    TimeLimit,
    Workers,
    open_device,
)

if TYPE_CHECKING:
    from collections.abc import Iterable

    from gpusolve.games.quiddler._hand import Melds
    from gpusolve.games.quiddler.deals import Deal
    from gpusolve.games.quiddler.plans import Plan
    from gpusolve.games.quiddler.variant import Variant

app = typer.Typer(help=(about or "").partition("\n")[0], no_args_is_help=True, rich_markup_mode=None)

Cards = Annotated[
    list[str] | None,
    typer.Argument(
        metavar="DEAL",
        help="The eight top cards, then the eight cards below them, such as 'n w u th r y y i / a c j o u n b i' or "
        "'nwu(th)ryyi acjounbi'.",
    ),
]
MinCards = Annotated[int, typer.Option(min=1, max=2, help="Minimum number of cards of a word.")]
Values = Annotated[
    Path | None,
    typer.Option(help="File with a card and its points in each line, such as qu 9.", show_default="the printed points"),
]
Bonus = Annotated[
    str | None,
    typer.Option(
        help="Bonus of a word by its number of letters, such as 5:2,6:5,7:10, or a file with such a pair in each line.",
        show_default="5:2,6:5,7:10,8:20,9:30 and so on",
    ),
]
Strict = Annotated[
    bool, typer.Option("--strict", help="Treat more copies of a card than the deck has as an error, not as a warning.")
]


@app.command(epilog="Example: gpusolve quiddler deal --seed 1")
def deal(
    seed: Seed = None,
    number: Annotated[
        int,
        typer.Option(
            min=0, help="Number of the deal among those of the seed, from 0. A census solves deals 0, 1, 2 and so on."
        ),
    ] = 0,
    json: Json = False,
    quiet: Quiet = False,
) -> None:
    """Deal 16 random cards from the deck of 118."""
    from gpusolve.games import quiddler
    from gpusolve.output import report
    from gpusolve.runs.seeds import random_seed

    seed = random_seed() if seed is None else seed
    dealt = quiddler.deal(seed, number)
    if json:
        report.json_line("quiddler.deal/1", seed=seed, number=number, tops=dealt.tops, bottoms=dealt.bottoms)
        return
    report.verbatim(str(dealt))
    report.note(f"seed {seed}, deal {number}", quiet)


@app.command(epilog="Example: gpusolve quiddler solve 'n w u th r y y i / a c j o u n b i'")
def solve(
    deal: Cards = None,
    random: Annotated[bool, typer.Option("--random", help="Solve a random deal.")] = False,
    seed: Seed = None,
    goal: Annotated[
        Literal["best", "all", "any"],
        typer.Option(
            help="best: the best score; all: the best score that uses all cards; any: any plan that uses all cards."
        ),
    ] = "best",
    max_words: Annotated[
        int | None, typer.Option(min=1, max=16, help="Maximum number of words to play.", show_default="any number")
    ] = None,
    plans: Annotated[int, typer.Option(min=1, help="Number of optimal plans to show.")] = 3,
    dictionary: Dictionary = "scowl-70",
    min_cards: MinCards = 2,
    values: Values = None,
    bonus: Bonus = None,
    strict: Strict = False,
    html: Html = None,
    device: Device = None,
    json: Json = False,
    quiet: Quiet = False,
) -> None:
    """Find an optimal plan for a deal and prove that it is optimal. Show the plan step by step."""
    from gpusolve.games import quiddler
    from gpusolve.games.quiddler import drawing
    from gpusolve.output import report
    from gpusolve.runs.seeds import random_seed

    if bool(deal) == random:
        raise BadInput("expected either a deal or --random")
    if random:
        seed = random_seed() if seed is None else seed
    elif seed is not None:
        raise BadInput(f"--seed {seed}: only a random deal has a seed; expected --random, or no seed")
    dealt = _parse_deal(deal, strict, quiet) if seed is None else quiddler.deal(seed)
    variant = _variant(values, bonus, min_cards)
    backend = open_device(device, quiet)
    begin = clock.now()
    solution = quiddler.solve(
        dealt,
        dictionary,
        variant=variant,
        goal=goal,
        max_words=max_words,
        plans=plans,
        strict=strict,
        backend=backend,
    )
    if html is not None:
        from gpusolve.games.quiddler.pages import pictures

        about = drawing.kind_of(goal, max_words)
        pictures.save_plan(html, solution.plans[0], about=about, others=solution.plans[1:])
    if not json:
        drawing.show_solution(solution, goal, max_words, seed)
        return
    report.json_line(
        "quiddler.solve/1",
        tops=dealt.tops,
        bottoms=dealt.bottoms,
        seed=seed,
        goal=goal,
        max_words=max_words,
        score=solution.score,
        proven=True,
        n_plans=solution.n_plans,
        sets=solution.sets,
        states=solution.states,
        plans=[_plan_fields(plan) for plan in solution.plans],
        device=backend.name,
        seconds=clock.now() - begin,
    )


@app.command(epilog="Example: gpusolve quiddler check 'nu ja bi icy unworthy' 'n w u th r y y i / a c j o u n b i'")
def check(
    plan: Annotated[
        str, typer.Argument(help="The words in order, such as 'wiry (th)ong'. Brackets or hyphens show the cards.")
    ],
    deal: Cards = None,
    dictionary: Dictionary = "scowl-70",
    min_cards: MinCards = 2,
    values: Values = None,
    bonus: Bonus = None,
    strict: Strict = False,
    html: Html = None,
    json: Json = False,
    quiet: Quiet = False,
) -> None:
    """Score your plan, or report the rule that it breaks (exit code 2)."""
    from gpusolve.games import quiddler
    from gpusolve.games.quiddler import drawing
    from gpusolve.output import report

    dealt = _parse_deal(deal, strict, quiet)
    variant = _variant(values, bonus, min_cards)
    verdict = quiddler.check(plan, dealt, dictionary, variant=variant, strict=strict)
    if html is not None:
        from gpusolve.games.quiddler.pages import pictures

        pictures.save_plan(html, verdict.plan, about=verdict.broken or "legal")
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
        drawing.show_deal(dealt)
        drawing.show_plan(verdict.plan)
        report.text(f"{drawing.sum_of(verdict.plan)}, {'legal' if verdict.broken is None else 'so far'}")
    if verdict.broken is not None:
        raise BadInput(f"not legal: {verdict.broken}")


@app.command(epilog="Example: gpusolve quiddler hand 'qu i t er a l'")
def hand(
    cards: Annotated[list[str], typer.Argument(help="3 to 10 cards, such as 'qu i t er a l' or '(qu)it(er)al'.")],
    discard: Annotated[
        bool, typer.Option("--discard", help="The hand has one more card, which you discard at no cost.")
    ] = False,
    beat_longest: Annotated[
        int | None,
        typer.Option(
            min=0,
            help="Number of letters of the other players' longest word; a longer word scores 10 more points.",
            show_default="no such bonus",
        ),
    ] = None,
    beat_most: Annotated[
        int | None,
        typer.Option(
            min=0,
            help="Largest number of words of another player; more words score 10 more points.",
            show_default="no such bonus",
        ),
    ] = None,
    dictionary: Dictionary = "scowl-70",
    min_cards: MinCards = 2,
    values: Values = None,
    strict: Strict = False,
    device: Device = None,
    json: Json = False,
    quiet: Quiet = False,
) -> None:
    """Find the best words of a hand in the card game. Show the most points, the longest word and the most words."""
    from gpusolve.games import quiddler
    from gpusolve.games.quiddler import drawing
    from gpusolve.output import report

    held = quiddler.parse_cards(" ".join(cards))
    _warn(held, strict, quiet)
    points_of = _variant(values, None, min_cards).values
    backend = open_device(device, quiet)
    begin = clock.now()
    best = quiddler.hand(
        held,
        dictionary,
        discard=discard,
        beat_longest=beat_longest,
        beat_most=beat_most,
        min_cards=min_cards,
        values=points_of,
        strict=strict,
        backend=backend,
    )
    if not json:
        drawing.show_hand(best, discard)
        return
    report.json_line(
        "quiddler.hand/1",
        cards=held,
        beat_longest=beat_longest,
        beat_most=beat_most,
        proven=True,
        most_points=_melds_fields(best.points),
        longest_word=_melds_fields(best.longest),
        most_words=_melds_fields(best.most),
        device=backend.name,
        seconds=clock.now() - begin,
    )


@app.command(epilog="Example: gpusolve quiddler census --deals 100 --seed 1")
def census(
    deals: Annotated[int, typer.Option(min=1, help="Number of random deals to solve.")] = 10_000,
    workers: Workers = "1",
    seed: Seed = None,
    top: Annotated[
        int, typer.Option(min=0, help="Number of deals to show of each kind: the hardest, and the richest.")
    ] = 5,
    plot: Plot = None,
    csv: Csv = None,
    time_limit: TimeLimit = None,
    checkpoint: Checkpoint = None,
    resume: Resume = None,
    dictionary: Dictionary = "scowl-70",
    min_cards: MinCards = 2,
    values: Values = None,
    bonus: Bonus = None,
    device: Device = None,
    json: Json = False,
    quiet: Quiet = False,
) -> None:
    """Solve random deals exactly. Show the distribution of the optima, and the hardest deals."""
    from gpusolve.games import quiddler
    from gpusolve.games.quiddler import drawing
    from gpusolve.games.quiddler.kernels import NEVER
    from gpusolve.output import report

    variant, backend = _variant(values, bonus, min_cards), open_device(device, quiet)
    with report.Progress("deals solved", deals, quiet) as progress:
        result = quiddler.census(
            deals,
            dictionary,
            variant=variant,
            workers=workers,
            seed=seed,
            time_limit=time_limit,
            checkpoint=checkpoint,
            resume=resume,
            progress=progress,
            backend=backend,
        )
    if csv is not None:
        best_all = [None if score == NEVER else score for score in result.best_all.tolist()]
        report.write_csv(
            csv, ("deal", "best", "best_all"), zip(range(result.deals), result.best, best_all, strict=True)
        )
    if plot is not None:
        from gpusolve.output.plot import save_histogram

        save_histogram(plot, result.best, f"Quiddler solitaire: {result.deals:,} random deals", "optimum")
    if json:
        extremes = {"hardest": result.hardest(top), "richest": result.richest(top)}
        report.json_line(
            "quiddler.census/1",
            seed=result.seed,
            deals=result.deals,
            complete=result.complete,
            proven=True,
            mean=result.mean,
            lowest=min(result.distribution),
            highest=max(result.distribution),
            can_use_all=result.can_use_all,
            all_is_best=result.all_is_best,
            distribution=result.distribution,
            **{
                name: [
                    {"number": i, "best": int(result.best[i]), "deal": str(quiddler.deal(result.seed, i))}
                    for i in numbers
                ]
                for name, numbers in extremes.items()
            },
            device=backend.name,
            seconds=result.seconds,
        )
    else:
        drawing.show_census(result, top)
    if not result.complete:
        report.note(f"stopped at the time limit: {result.deals:,} of {deals:,} deals", quiet)
        raise typer.Exit(Exit.STOPPED)


def _parse_deal(cards: list[str] | None, strict: bool, quiet: bool) -> Deal:
    from gpusolve.games import quiddler

    dealt = quiddler.parse_deal(" ".join(cards or []))
    _warn(dealt.cards.values(), strict, quiet)
    return dealt


def _warn(cards: Iterable[str], strict: bool, quiet: bool) -> None:
    """Print a warning for each card of which there are more copies than the deck has, unless `strict`."""
    from gpusolve.games.quiddler.cards import overdrawn
    from gpusolve.output import report

    for line in [] if strict else overdrawn(cards):
        report.note(f"warning: {line}", quiet)


def _variant(values: Path | None, bonus: str | None, min_cards: int) -> Variant:
    from gpusolve.games.quiddler.variant import BONUS, VALUES, Variant, parse_bonus, parse_values

    return Variant(
        VALUES if values is None else parse_values(values), BONUS if bonus is None else parse_bonus(bonus), min_cards
    )


def _plan_fields(plan: Plan) -> dict[str, Any]:
    names = plan.deal.cards
    return {
        "score": plan.score,
        "left": [names[number] for number in plan.left],
        "steps": [
            {
                "word": step.word,
                "anagrams": step.words,
                "cards": [names[number] for number in step.cards],
                "places": [place + 1 for place in step.places],
                "moves": [{"card": names[card], "from": a + 1, "to": b + 1} for card, a, b in step.moves],
                "turned_up": [names[number] for number in step.turned_up],
                "points": step.points,
                "bonus": step.bonus,
            }
            for step in plan.steps
        ],
    }


def _melds_fields(melds: Melds) -> dict[str, Any]:
    return {
        "words": melds.words,
        "cards": melds.cards,
        "left": melds.left,
        "discard": melds.discard,
        "score": melds.score,
    }
