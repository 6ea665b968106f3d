"""``gpusolve quordle``: parse, call the function of the same name, report."""

from __future__ import annotations

import time
from typing import Annotated, Any

import typer

from gpusolve.errors import Exit
from gpusolve.games.quordle.rules import MOST_BOARDS, MOST_GUESSES, Compared, Player, Strategy
from gpusolve.games.wordle.rules import Scoring
from gpusolve.output.options import Checkpoint, Device, Json, Plot, Quiet, Resume, Seed, TimeLimit, Workers, open_device

app = typer.Typer(
    help="Quordle: several boards, one guess for all: strategies compared, a strong player, help in a game.",
    no_args_is_help=True,
    rich_markup_mode=None,
)

Answers = Annotated[str, typer.Option(help="The words that may be hidden: a shipped list's name or a file.")]
DictionaryOption = Annotated[
    str | None,
    typer.Option(
        help="The words that may be guessed: a shipped list's name or a file.",
        show_default="wordle-guesses with wordle-answers, else the answers",
    ),
]
PlayerOption = Annotated[
    Player, typer.Option(help="What a board proposes: the first word that fits, or that fits by the article's rules.")
]
ScoringOption = Annotated[
    Scoring, typer.Option(help="presence: every letter that is not green and occurs anywhere is yellow.")
]
Guesses = Annotated[int | None, typer.Option(min=1, max=MOST_GUESSES, help="Guesses.", show_default="boards + 5")]


@app.command(epilog="Example: gpusolve quordle simulate --games 2000 --seed 1")
def simulate(
    strategy: Annotated[Compared, typer.Option(help="Whose proposal is guessed; or all of them.")] = "all",
    games: Annotated[int, typer.Option(min=1, help="Random games.")] = 10_000,
    boards: Annotated[int, typer.Option(min=1, max=MOST_BOARDS, help="Boards.")] = 4,
    guesses: Guesses = None,
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
    """The same random games by every strategy: wins, guesses, intervals, paired differences."""
    from gpusolve.games import quordle
    from gpusolve.games.quordle import drawing as show
    from gpusolve.output import report

    variant = quordle.Variant.load(answers, dictionary, player, scoring)
    backend = open_device(device, quiet)
    with report.Progress("games played", games, quiet) as progress:
        found = quordle.simulate(
            variant, strategy, games, boards, guesses, workers, seed, time_limit, checkpoint, resume, progress, backend
        )
    if plot is not None:
        show.save_distributions(plot, found)
    if json:
        report.json_line(
            "quordle.simulate/1",
            seed=found.seed,
            games=found.games,
            boards=boards,
            guesses=found.guesses,
            player=player,
            scoring=scoring,
            complete=found.complete,
            confidence=show.CONFIDENCE,
            rows=show.rows(found),
            device=backend.name,
            seconds=found.seconds,
        )
    else:
        show.show_simulation(found)
    if not found.complete:
        report.note(f"stopped at the time limit: {found.games:,} of {games:,} games", quiet)
        raise typer.Exit(Exit.STOPPED)


@app.command(
    epilog="Example: gpusolve quordle play hello world tests value --answers quordle-article --strategy least-correct"
)
def play(
    hidden: Annotated[
        list[str] | None, typer.Argument(help="The hidden words, one a board; none: you enter the patterns.")
    ] = None,
    boards: Annotated[
        int | None, typer.Option(min=1, max=MOST_BOARDS, help="Boards of your own game.", show_default="4")
    ] = None,
    strategy: Annotated[Strategy, typer.Option(help="Who plays.")] = "joint",
    guesses: Guesses = None,
    answers: Answers = "wordle-answers",
    dictionary: DictionaryOption = None,
    player: PlayerOption = "consistent",
    scoring: ScoringOption = "wordle",
    seed: Seed = None,
    device: Device = None,
    json: Json = False,
    quiet: Quiet = False,
) -> None:
    """Watch a game with these hidden words, or be helped through one of your own."""
    from gpusolve.errors import BadInput
    from gpusolve.games import quordle
    from gpusolve.games.quordle import _play as solver, dialogue, drawing as show
    from gpusolve.output import report
    from gpusolve.runs.seeds import random_seed

    if hidden and boards is not None:
        raise BadInput("--boards: expected either hidden words or --boards")
    if json and not hidden:
        raise BadInput("--json: expected hidden words; a game in which you are asked is text")
    variant = quordle.Variant.load(answers, dictionary, player, scoring)
    words = solver.check_hidden(hidden, variant) if hidden else []
    backend, begin = open_device(device, quiet), time.perf_counter()
    if not words:
        dialogue.help_through(variant, 4 if boards is None else boards, guesses, backend)
        return
    seed = random_seed() if seed is None else seed
    game = quordle.play(words, variant, strategy, guesses, seed, backend)
    turns = solver.turns_of(words, game.guesses, variant)
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
    show.show_game(game, turns, seed if strategy == "random" else None)


@app.command(epilog="Example: gpusolve quordle suggest carle:-y---,----y,-----,y---- aunty:y----,--y--,-----,-g---")
def suggest(
    history: Annotated[
        list[str] | None,
        typer.Argument(
            help="Guesses with the patterns of all boards: carle:-y---,----y. Nothing for one solved before."
        ),
    ] = None,
    boards: Annotated[
        int | None, typer.Option(min=1, max=MOST_BOARDS, help="Boards.", show_default="as the history has, or 4")
    ] = None,
    guesses: Guesses = None,
    answers: Answers = "wordle-answers",
    dictionary: DictionaryOption = None,
    player: PlayerOption = "consistent",
    scoring: ScoringOption = "wordle",
    top: Annotated[int, typer.Option(min=1, help="Guesses to show.")] = 10,
    device: Device = None,
    json: Json = False,
    quiet: Quiet = False,
) -> None:
    """What remains on each board, and the best next guesses for all of them."""
    from gpusolve.games import quordle
    from gpusolve.games.quordle import drawing as show, rules
    from gpusolve.output import report

    variant = quordle.Variant.load(answers, dictionary, player, scoring)
    turns = rules.parse_turns(history or [], boards)
    backend, begin = open_device(device, quiet), time.perf_counter()
    found = quordle.suggest(turns, variant, boards, guesses, backend)
    if json:
        report.json_line(
            "quordle.suggest/1",
            history=[str(turn) for turn in turns],
            remaining=found.remaining,
            solved=not found.rows,
            rows=[vars(row) for row in found.rows[:top]],
            device=backend.name,
            seconds=time.perf_counter() - begin,
        )
        return
    show.show_remaining(found.remaining)
    if found.rows:
        show.show_rows(found.rows[:top])
    else:
        report.text(f"solved in {len(turns)}")


@app.command(epilog="Example: gpusolve quordle analyze hello,world,paper,value carle world hello paper value")
def analyze(
    hidden: Annotated[str, typer.Argument(help="The hidden words: hello,world,tests,value")],
    made: Annotated[list[str], typer.Argument(help="The guesses in order.")],
    guesses: Guesses = None,
    answers: Answers = "wordle-answers",
    dictionary: DictionaryOption = None,
    player: PlayerOption = "consistent",
    scoring: ScoringOption = "wordle",
    device: Device = None,
    json: Json = False,
    quiet: Quiet = False,
) -> None:
    """A game that is over: what each guess was worth, and what was better."""
    from gpusolve.games import quordle
    from gpusolve.games.quordle import _play as solver, drawing as show
    from gpusolve.output import report

    variant = quordle.Variant.load(answers, dictionary, player, scoring)
    words, made = solver.check_hidden(hidden.split(","), variant), solver.check_made(made, variant)
    backend, begin = open_device(device, quiet), time.perf_counter()
    found = quordle.analyze(words, made, variant, guesses, backend)
    if json:
        rows: list[dict[str, Any]] = [
            {"made": vars(one.made), "best": vars(one.best), "left": one.left} for one in found
        ]
        report.json_line(
            "quordle.analyze/1", hidden=words, rows=rows, device=backend.name,
            seconds=time.perf_counter() - begin,
        )  # fmt: skip
        return
    show.show_analysis(found)
