"""``gpusolve quordle``: parse the options, call the function of the same name, and report its result."""

from __future__ import annotations

import time
from typing import Annotated

import typer

from gpusolve.errors import BadInput, Exit
from gpusolve.games.quordle import __doc__ as about
from gpusolve.games.quordle.rules import MOST_BOARDS, MOST_GUESSES, Compared, Player, Strategy
from gpusolve.games.wordle.rules import Scoring
from gpusolve.output.options import Checkpoint, Device, Json, Plot, Quiet, Resume, Seed, TimeLimit, Workers, open_device

app = typer.Typer(help=(about or "").partition("\n")[0], no_args_is_help=True, rich_markup_mode=None)

STRATEGIES_HELP = (
    "Strategy that plays. joint judges every guess over all boards; the other strategies are simple: they choose a "
    "board and guess the word that it proposes"
)
Answers = Annotated[
    str, typer.Option(help="Words that can be hidden: a shipped list's name, or a file with one word per line.")
]
DictionaryOption = Annotated[
    str | None,
    typer.Option(
        help="Words that can be guessed: a shipped list's name, or a file with one word per line.",
        show_default="wordle-guesses for wordle-answers, otherwise the answers",
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
        show_default="the number of boards + 5",
    ),
]


@app.command(epilog="Example: gpusolve quordle simulate --games 2000 --seed 1")
def simulate(
    strategy: Annotated[Compared, typer.Option(help=f"{STRATEGIES_HELP}; all compares them.")] = "all",
    games: Annotated[int, typer.Option(min=1, help="Number of random games.")] = 10_000,
    boards: Annotated[int, typer.Option(min=1, max=MOST_BOARDS, help="Number of boards.")] = 4,
    max_guesses: MaxGuesses = None,
    answers: Answers = "wordle-answers",
    dictionary: DictionaryOption = None,
    player: PlayerOption = "consistent",
    scoring: ScoringOption = "wordle",
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

    variant = quordle.Variant.load(answers, dictionary, player=player, scoring=scoring)
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
    max_guesses: MaxGuesses = None,
    answers: Answers = "wordle-answers",
    dictionary: DictionaryOption = None,
    player: PlayerOption = "consistent",
    scoring: ScoringOption = "wordle",
    seed: Seed = None,
    device: Device = None,
    json: Json = False,
    quiet: Quiet = False,
) -> None:
    """Watch a game against hidden words, or get help in your own game."""
    from gpusolve.games import quordle
    from gpusolve.games.quordle import dialogue, drawing
    from gpusolve.games.quordle.rules import turns_of
    from gpusolve.games.quordle.variant import check_hidden
    from gpusolve.output import report
    from gpusolve.runs.seeds import random_seed

    if hidden and boards is not None:
        raise BadInput("--boards: expected either hidden words or --boards")
    if json and not hidden:
        raise BadInput("--json: expected hidden words; without them the command asks for patterns and prints text")
    variant = quordle.Variant.load(answers, dictionary, player=player, scoring=scoring)
    words = check_hidden(hidden, variant) if hidden else []
    backend, begin = open_device(device, quiet), time.perf_counter()
    if not words:
        dialogue.help_through(variant, 4 if boards is None else boards, max_guesses, backend)
        return
    seed = random_seed() if seed is None else seed
    game = quordle.play(words, variant=variant, strategy=strategy, max_guesses=max_guesses, seed=seed, backend=backend)
    turns = turns_of(words, game.guesses, variant.scoring)
    if json:
        report.json_line(
            "quordle.play/1",
            hidden=words,
            strategy=strategy,
            player=player,
            scoring=scoring,
            seed=seed,
            won=game.won,
            turns=[{"guess": turn.guess, "patterns": str(turn).partition(":")[2].split(",")} for turn in turns],
            board_turns=game.turns,
            device=backend.name,
            seconds=time.perf_counter() - begin,
        )
        return
    drawing.show_game(game, turns, seed if strategy == "random" else None)


@app.command(epilog="Example: gpusolve quordle suggest carle:-y---,----y,-----,y---- aunty:y----,--y--,-----,-g---")
def suggest(
    history: Annotated[
        list[str] | None,
        typer.Argument(
            help="The guesses so far with the patterns of all boards, such as carle:-y---,----y. Omit the pattern of a "
            "board that an earlier guess solved, but not its comma."
        ),
    ] = None,
    boards: Annotated[
        int | None,
        typer.Option(min=1, max=MOST_BOARDS, help="Number of boards.", show_default="the number in the history, or 4"),
    ] = None,
    max_guesses: MaxGuesses = None,
    answers: Answers = "wordle-answers",
    dictionary: DictionaryOption = None,
    player: PlayerOption = "consistent",
    scoring: ScoringOption = "wordle",
    top: Annotated[int, typer.Option(min=1, help="Number of guesses to show.")] = 10,
    device: Device = None,
    json: Json = False,
    quiet: Quiet = False,
) -> None:
    """Show the answers that remain and the best next guesses. The guesses are judged over all boards together."""
    from gpusolve.games import quordle
    from gpusolve.games.quordle import drawing
    from gpusolve.games.quordle.rules import parse_turns
    from gpusolve.output import report

    variant = quordle.Variant.load(answers, dictionary, player=player, scoring=scoring)
    turns = parse_turns(history or [], boards)
    backend, begin = open_device(device, quiet), time.perf_counter()
    advice = quordle.suggest(turns, variant=variant, boards=boards, max_guesses=max_guesses, backend=backend)
    if json:
        report.json_line(
            "quordle.suggest/1",
            history=[str(turn) for turn in turns],
            remaining=advice.remaining,
            solved=not advice.rows,
            rows=[vars(row) for row in advice.rows[:top]],
            device=backend.name,
            seconds=time.perf_counter() - begin,
        )
        return
    drawing.show_remaining(advice.remaining)
    if advice.rows:
        drawing.show_ratings(advice.rows[:top])
    else:
        report.text(f"solved in {len(turns)}")


@app.command(epilog="Example: gpusolve quordle analyze hello,world,paper,value carle world hello paper value")
def analyze(
    hidden: Annotated[
        str, typer.Argument(help="The hidden words, separated by commas, such as hello,world,tests,value.")
    ],
    made: Annotated[list[str], typer.Argument(metavar="guesses", help="The guesses in order.")],
    max_guesses: MaxGuesses = None,
    answers: Answers = "wordle-answers",
    dictionary: DictionaryOption = None,
    player: PlayerOption = "consistent",
    scoring: ScoringOption = "wordle",
    device: Device = None,
    json: Json = False,
    quiet: Quiet = False,
) -> None:
    """Judge a finished game. Show the value of each guess and the best guess."""
    from gpusolve.games import quordle
    from gpusolve.games.quordle import drawing
    from gpusolve.games.quordle.variant import check_hidden, check_made
    from gpusolve.output import report

    variant = quordle.Variant.load(answers, dictionary, player=player, scoring=scoring)
    words, guesses = check_hidden(hidden.split(","), variant), check_made(made, variant)
    backend, begin = open_device(device, quiet), time.perf_counter()
    judgements = quordle.analyze(words, guesses, variant=variant, max_guesses=max_guesses, backend=backend)
    if json:
        report.json_line(
            "quordle.analyze/1",
            hidden=words,
            rows=[
                {"made": vars(judgement.made), "best": vars(judgement.best), "left": judgement.left}
                for judgement in judgements
            ],
            device=backend.name,
            seconds=time.perf_counter() - begin,
        )
        return
    drawing.show_analysis(judgements)
