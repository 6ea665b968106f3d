"""``gpusolve quordle``: parse the options, call the function of the same name, and report its result."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Annotated

import typer

from gpusolve import clock
from gpusolve.checks import split_words
from gpusolve.errors import BadInput, Exit
from gpusolve.games.quordle import __doc__ as about
from gpusolve.games.quordle.rules import MOST_BOARDS, MOST_GUESSES, Compared, Mode, Player, Strategy
from gpusolve.games.wordle.rules import Scoring, joined_turns
from gpusolve.output.options import (
    WORDS_HELP,
    Checkpoint,
    Device,
    Html,
    Json,
    Plot,
    Quiet,
    Resume,
    Seed,
    TimeLimit,
    Weights,
    Workers,
    open_device,
    reading,
)

if TYPE_CHECKING:
    from gpusolve.games.quordle.variant import Variant

app = typer.Typer(help=(about or "").partition("\n")[0], no_args_is_help=True, rich_markup_mode=None)

STRATEGIES_HELP = (
    "Strategy that plays. joint judges every guess over all boards; the other strategies are simple: they choose a "
    "board and guess the word that it proposes"
)
Answers = Annotated[
    str | None,
    typer.Option(
        help=f"Words that can be hidden: {WORDS_HELP}", show_default="wordle-answers, or the words of --weights"
    ),
]
DictionaryOption = Annotated[
    str | None,
    typer.Option(
        help=f"Words that can be guessed: {WORDS_HELP}",
        show_default="wordle-guesses for wordle-answers or for words of --weights, otherwise the answers",
    ),
]
PlayerOption = Annotated[
    Player,
    typer.Option(
        help="Word that a board proposes to the simple strategies. consistent: the first word that is consistent with "
        "its patterns; article: the first word that fits them by the rules of the article."
    ),
]
ScoringOption = Annotated[
    Scoring,
    typer.Option(
        help="Rules of the patterns. presence: every letter that occurs in the answer and is not green is yellow."
    ),
]
MaxGuesses = Annotated[
    int | None,
    typer.Option(
        min=1,
        max=MOST_GUESSES,
        help="Number of guesses after which the game is lost.",
        show_default="the number of boards + 5, or + 6 in sequence",
    ),
]
ModeOption = Annotated[
    Mode,
    typer.Option(
        help="When boards open. classic: all at the start; sequence: each when the boards before it are solved; then "
        "it shows all guesses. Guesses are judged over the open board."
    ),
]
GivenOption = Annotated[
    str,
    typer.Option(
        help="Guesses that the game makes at the start (Rescue), separated by commas, such as crane,moist.",
        show_default="none",
    ),
]


@app.command(epilog="Example: gpusolve quordle simulate --games 2000 --seed 1")
def simulate(
    strategy: Annotated[Compared, typer.Option(help=f"{STRATEGIES_HELP}; all compares them.")] = "all",
    games: Annotated[int, typer.Option(min=1, help="Number of random games.")] = 10_000,
    boards: Annotated[int, typer.Option(min=1, max=MOST_BOARDS, help="Number of boards.")] = 4,
    max_guesses: MaxGuesses = None,
    answers: Answers = None,
    dictionary: DictionaryOption = None,
    player: PlayerOption = "consistent",
    scoring: ScoringOption = "wordle",
    weights: Weights = None,
    workers: Workers = "1",
    seed: Seed = None,
    plot: Plot = None,
    time_limit: TimeLimit = None,
    checkpoint: Checkpoint = None,
    resume: Resume = None,
    device: Device = None,
    json: Json = False,
    quiet: Quiet = False,
) -> None:
    """Compare strategies on the same random games. Show wins and guesses with confidence intervals."""
    from gpusolve.estimates import CONFIDENCE
    from gpusolve.games import quordle
    from gpusolve.games.quordle import drawing
    from gpusolve.output import report

    variant = quordle.Variant.load(answers, dictionary, player=player, scoring=scoring, weights=weights)
    report.note(drawing.rounding_note(), quiet or variant.weights is None or variant.weights.exact)
    backend = open_device(device, quiet)
    with report.Progress("games played", games, quiet) as progress:
        simulation = quordle.simulate(
            variant,
            strategy=strategy,
            games=games,
            boards=boards,
            max_guesses=max_guesses,
            workers=workers,
            seed=seed,
            time_limit=time_limit,
            checkpoint=checkpoint,
            resume=resume,
            progress=progress,
            backend=backend,
        )
    if plot is not None:
        drawing.save_distributions(plot, simulation)
    if json:
        report.json_line(
            "quordle.simulate/2",
            seed=simulation.seed,
            games=simulation.games,
            boards=boards,
            max_guesses=simulation.max_guesses,
            player=player,
            scoring=scoring,
            **drawing.list_fields(variant),
            complete=simulation.complete,
            confidence=CONFIDENCE,
            rows=drawing.simulation_rows(simulation),
            device=backend.name,
            seconds=simulation.seconds,
        )
    else:
        drawing.show_simulation(simulation)
    if not simulation.complete:
        report.note(f"stopped at the time limit: {simulation.games:,} of {games:,} games", quiet)
        raise typer.Exit(Exit.STOPPED)


@app.command(
    epilog="Example: gpusolve quordle play hello world tests value --answers quordle-article --strategy least-correct"
)
def play(
    hidden: Annotated[
        list[str] | None,
        typer.Argument(
            help="The hidden words, one for each board. Without them, you enter the patterns of your own game."
        ),
    ] = None,
    boards: Annotated[
        int | None, typer.Option(min=1, max=MOST_BOARDS, help="Number of boards of your own game.", show_default="4")
    ] = None,
    strategy: Annotated[Strategy, typer.Option(help=f"{STRATEGIES_HELP}.")] = "joint",
    mode: ModeOption = "classic",
    given: GivenOption = "",
    max_guesses: MaxGuesses = None,
    answers: Answers = None,
    dictionary: DictionaryOption = None,
    player: PlayerOption = "consistent",
    scoring: ScoringOption = "wordle",
    weights: Weights = None,
    seed: Seed = None,
    device: Device = None,
    json: Json = False,
    quiet: Quiet = False,
) -> None:
    """Watch a game against hidden words, or get help in your own game."""
    from gpusolve.games import quordle
    from gpusolve.games.quordle import dialogue, drawing
    from gpusolve.games.quordle.rules import turns_of
    from gpusolve.games.quordle.variant import check_hidden, check_made
    from gpusolve.output import report
    from gpusolve.runs.seeds import random_seed

    if hidden and boards is not None:
        raise BadInput("--boards: expected either hidden words or --boards")
    if json and not hidden:
        raise BadInput("--json: expected hidden words; without them the command asks for patterns and prints text")
    variant = quordle.Variant.load(answers, dictionary, player=player, scoring=scoring, weights=weights)
    report.note(drawing.rounding_note(), quiet or variant.weights is None or variant.weights.exact)
    words = check_hidden(split_words(hidden), variant) if hidden else []
    begun = check_made(split_words([given]) if given else [], variant)
    if not words and (mode != "classic" or begun):
        option = "--mode" if mode != "classic" else "--given"
        raise BadInput(f"{option}: expected hidden words; `gpusolve quordle suggest` helps in such a game")
    backend, begin = open_device(device, quiet), clock.now()
    if not words:
        dialogue.help_through(variant, 4 if boards is None else boards, max_guesses, backend)
        return
    seed = random_seed() if seed is None else seed
    game = quordle.play(
        words,
        variant=variant,
        strategy=strategy,
        mode=mode,
        given=begun,
        max_guesses=max_guesses,
        seed=seed,
        backend=backend,
    )
    turns = turns_of(words, game.guesses, variant.scoring, mode)
    if json:
        report.json_line(
            "quordle.play/1",
            hidden=words,
            strategy=strategy,
            mode=mode,
            given=begun,
            player=player,
            scoring=scoring,
            **drawing.list_fields(variant),
            seed=seed,
            won=game.won,
            turns=[{"guess": turn.guess, "patterns": str(turn).partition(":")[2].split(",")} for turn in turns],
            board_turns=game.turns,
            device=backend.name,
            seconds=clock.now() - begin,
        )
        return
    drawing.show_game(game, turns, seed if strategy == "random" else None)


@app.command(
    cls=reading(joined_turns),
    epilog="Example: gpusolve quordle suggest carle:-y---,----y,-----,y---- aunty:y----,--y--,-----,-g---",
)
def suggest(
    history: Annotated[
        list[str] | None,
        typer.Argument(
            help="The guesses so far with the patterns of all boards, such as carle:-y---,----y. Omit the pattern of a "
            "board that an earlier guess solved, but not its comma. Or the text that Quordle shares, pasted in quotes, "
            "and the guesses alone; you are asked for them if you leave them out. - reads that text from stdin."
        ),
    ] = None,
    boards: Annotated[
        int | None,
        typer.Option(min=1, max=MOST_BOARDS, help="Number of boards.", show_default="the number in the history, or 4"),
    ] = None,
    mode: ModeOption = "classic",
    max_guesses: MaxGuesses = None,
    answers: Answers = None,
    dictionary: DictionaryOption = None,
    player: PlayerOption = "consistent",
    scoring: ScoringOption = "wordle",
    weights: Weights = None,
    top: Annotated[int, typer.Option(min=1, help="Number of guesses to show.")] = 10,
    device: Device = None,
    json: Json = False,
    quiet: Quiet = False,
) -> None:
    """Show the answers that remain and the best next guesses. The guesses are judged over all boards together."""
    from gpusolve.games import quordle
    from gpusolve.games.quordle import drawing
    from gpusolve.games.quordle.rules import parse_turns
    from gpusolve.games.quordle.sharing import shared_turns
    from gpusolve.output import report

    variant = quordle.Variant.load(answers, dictionary, player=player, scoring=scoring, weights=weights)
    report.note(drawing.rounding_note(), quiet or variant.weights is None or variant.weights.exact)
    items = _with_shared(history or [], variant, json)
    shared = shared_turns(items, variant.digraphs, variant.length)
    turns = parse_turns(shared or items, boards, mode, variant.digraphs, variant.length)
    backend, begin = open_device(device, quiet), clock.now()
    advice = quordle.suggest(turns, variant=variant, boards=boards, mode=mode, max_guesses=max_guesses, backend=backend)
    report.note(drawing.widening_note(variant, advice.widened), quiet or not advice.widened)
    if json:
        report.json_line(
            "quordle.suggest/1",
            history=[str(turn) for turn in turns],
            mode=mode,
            remaining=advice.remaining,
            widened=advice.widened,
            closed=advice.closed,
            **drawing.list_fields(variant),
            solved=not advice.rows,
            rows=[vars(row) for row in advice.rows[:top]],
            device=backend.name,
            seconds=clock.now() - begin,
        )
        return
    drawing.show_remaining(advice.remaining, advice.closed)
    if advice.rows:
        drawing.show_ratings(advice.rows[:top])
    else:
        report.text(f"solved in {len(turns)}")


@app.command(epilog="Example: gpusolve quordle analyze hello,world,paper,value carle world hello paper value")
def analyze(
    hidden: Annotated[
        str,
        typer.Argument(
            help="The hidden words, separated by commas, such as hello,world,tests,value, or the first words, as many "
            "as --boards; or the text that Quordle shares, pasted in quotes, if all boards are solved; or - to read "
            "that text from stdin."
        ),
    ],
    made: Annotated[
        list[str] | None,
        typer.Argument(
            metavar="guesses", help="The guesses in order.", show_default="you are asked for those of a shared text"
        ),
    ] = None,
    boards: Annotated[
        int | None,
        typer.Option(
            min=1,
            max=MOST_BOARDS,
            help="Number of hidden words, if they are not separated by commas.",
            show_default="4",
        ),
    ] = None,
    mode: ModeOption = "classic",
    given: GivenOption = "",
    max_guesses: MaxGuesses = None,
    answers: Answers = None,
    dictionary: DictionaryOption = None,
    player: PlayerOption = "consistent",
    scoring: ScoringOption = "wordle",
    weights: Weights = None,
    html: Html = None,
    device: Device = None,
    json: Json = False,
    quiet: Quiet = False,
) -> None:
    """Judge a finished game. Show the value of each guess and the best guess."""
    from gpusolve.games import quordle
    from gpusolve.games.quordle import drawing
    from gpusolve.games.quordle.sharing import hidden_and_made
    from gpusolve.games.quordle.variant import check_hidden, check_made
    from gpusolve.games.wordle.sharing import read_share
    from gpusolve.output import report

    variant = quordle.Variant.load(answers, dictionary, player=player, scoring=scoring, weights=weights)
    report.note(drawing.rounding_note(), quiet or variant.weights is None or variant.weights.exact)
    items = _with_shared([hidden, *(made or [])], variant, json)
    if read_share(items, variant.length, variant.digraphs) is None:
        asked: tuple[Sequence[str], Sequence[str]] = _hidden_and_guesses(items, boards)
    else:
        asked = hidden_and_made(items, [], variant.digraphs, variant.length)
    words, guesses = check_hidden(asked[0], variant, listed=False), check_made(asked[1], variant)
    begun = check_made(split_words([given]) if given else [], variant)
    backend, begin = open_device(device, quiet), clock.now()
    judgements = quordle.analyze(
        words, guesses, variant=variant, mode=mode, given=begun, max_guesses=max_guesses, backend=backend
    )
    report.note(drawing.widening_note(variant, judgements.widened), quiet or not judgements.widened)
    if html is not None:
        from gpusolve.games.quordle.pages import pictures

        pictures.save_page(html, judgements)
    if json:
        report.json_line(
            "quordle.analyze/1",
            hidden=words,
            mode=mode,
            given=begun,
            widened=judgements.widened,
            **drawing.list_fields(variant),
            rows=[
                {"made": vars(judgement.made), "best": vars(judgement.best), "left": judgement.left}
                for judgement in judgements
            ],
            device=backend.name,
            seconds=clock.now() - begin,
        )
        return
    drawing.show_analysis(judgements)


def _hidden_and_guesses(items: list[str], boards: int | None) -> tuple[list[str], list[str]]:
    """Divide words into the hidden words and the guesses. Raises BadInput if there are no guesses."""
    if "," in items[0]:
        if boards is not None:
            raise BadInput("--boards: expected only if the hidden words are not separated by commas")
        hidden, guesses = items[0].split(","), split_words(items[1:])
    else:
        words, count = split_words(items), 4 if boards is None else boards
        hidden, guesses = words[:count], words[count:]
    if not guesses:
        expected = "the hidden words and the guesses, such as hello,world,paper,value carle world hello"
        raise BadInput(f"{' '.join(hidden)}: no guesses after the hidden words: expected {expected}")
    return hidden, guesses


def _with_shared(items: list[str], variant: Variant, json: bool) -> list[str]:
    """Return arguments with the text of stdin in place of -, and with the guesses of a shared text.

    The user is asked for guesses that are missing, unless the output is JSON.
    """
    from gpusolve.games.quordle.rules import patterns_text
    from gpusolve.games.quordle.sharing import boards_of
    from gpusolve.games.wordle.rules import parse_word
    from gpusolve.games.wordle.sharing import read_share
    from gpusolve.output.dialogue import ask_guesses, read_input

    items = [read_input() if item == "-" else item for item in items]
    length, digraphs = variant.length, variant.digraphs
    share = read_share(items, length, digraphs)
    if share is None or share.guesses or json:
        return items
    rows = [patterns_text(row, length) for row in zip(*boards_of(share, length), strict=True)]
    return [*items, *ask_guesses(rows, lambda word: parse_word(word, length, digraphs))]
