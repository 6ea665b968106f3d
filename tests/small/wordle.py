"""Small cases of Wordle: strategies, games against the adversary, values of guesses, and groups."""

from __future__ import annotations

import random
from collections.abc import Sequence
from functools import cache, partial
from itertools import combinations

from games.wordle.oracle import NEVER, Oracle, cells_of
from gpusolve.errors import BadInput, NoSolution, NotFound
from gpusolve.games.wordle import Analysis, Duel, Endgames, Explanation, Groups, LongDuel, Solution, Suggestions, rules
from gpusolve.games.wordle.proof.starts import MOST_TURNS
from gpusolve.games.wordle.rules import History
from small.cases import Call, Check, Trial, call, differences, first_of
from small.trees import draw_verify
from small.words import Game, draw_game, draw_history, draw_words, turns_of, words_of

LISTED = 10
"""Number of guesses to which `suggest` gives exact values."""
ALTERNATIVES = 5
"""Number of other guesses that `analyze` lists."""


def draw_solve(chance: random.Random) -> Trial:
    game = draw_game(chance)
    history = draw_history(chance, game, chance.choice(game.answers))
    objective = chance.choice(["mean", "mean", "worst", "worst-mean"])
    legal = game.legal(history)
    first: str | list[str] | Call | None = None
    candidates = legal
    match chance.choice(["", "", "all", "top", "words", "one"]):
        case "all":
            first = "all"
        case "top":
            number = chance.randint(1, len(legal))
            first, candidates = f"top {number}", game.by_patterns(history)[:number]
        case "words" | "one" as kind:
            candidates = sorted(chance.sample(legal, 1 if kind == "one" else chance.randint(1, len(legal))))
            first = words_of(candidates, game.digraphs)
    width = chance.choice([None] * 8 + [1, 2, 5]) if objective == "mean" else None
    made = call(
        "solve",
        turns_of(history),
        game.variant,
        objective=objective,
        max_guesses=chance.choice([None, None, 1, 2, 3, 4, 5, 6, 7, 8, MOST_TURNS]),
        first=first,
        top=chance.choice([None, None, 1, 2, 3, 20]) if objective != "worst" else None,
        width=width,
        memory=chance.choice([1, 16]),
        time_limit=chance.choice([None] * 9 + [0]),
    )
    return Trial(made, partial(fault_of_solution, game, history, candidates, made), (NoSolution, NotFound))


def fault_of_solution(
    game: Game, history: History, candidates: Sequence[str], made: Call, found: Solution | NoSolution | NotFound
) -> str:
    options = made.options
    left = game.left(history)
    oracle, limit = game.oracle(left), options.get("max_guesses")
    if options["objective"] == "mean" and limit is None:
        limit = max(1, rules.GUESSES - len(history))
    most = MOST_TURNS if limit is None else limit
    fewest = {word: turns_after(oracle, left, history, word) for word in candidates}
    best_worst = min(fewest.values())
    if best_worst > most:
        return "" if isinstance(found, NoSolution | NotFound) else f"no strategy keeps the limit, but {found!r}"
    within = most if options["objective"] == "mean" else best_worst
    totals = {word: oracle.total(left, history, within, word) for word in candidates}
    if options["objective"] == "worst":
        totals = {word: turns for word, turns in fewest.items() if turns == best_worst}
    values = sorted(total for total in totals.values() if total < NEVER)
    hurried = "time_limit" in options or "width" in options
    if isinstance(found, NoSolution | NotFound):
        return "" if hurried and isinstance(found, NotFound) else f"refused: {found}"
    reached, least = found.worst if options["objective"] == "worst" else found.total, values[0]
    if options["objective"] == "worst-mean" and not found.proven:  # its worst case can be another one
        least = min(oracle.total(left, history, most, word) for word in candidates)
    faults = [differences(answers=(found.answers[:], left))]
    if found.worst > most:
        faults.append(f"an answer takes {found.worst} guesses")
    if found.guess not in candidates or reached < least:
        faults.append(f"{found.guess} takes {reached}, but the least is {least}")
    for start in found.starts:
        if start.proven and start.value != totals.get(start.guess):
            faults.append(f"{start.guess} has {start.value} as proven, not {totals.get(start.guess)}")
    if found.proven:
        number = len(values) if options["objective"] == "worst" else options.get("top", 1)
        starts = [start.value for start in found.starts]
        faults.append(differences(reached=(reached, values[0]), starts=(starts, values[:number])))
        if options["objective"] == "worst":
            faults.append(differences(words=(sorted(start.guess for start in found.starts), sorted(totals))))
        elif options["objective"] == "worst-mean":
            faults.append(differences(max_guesses=(found.max_guesses, best_worst)))
    faults.append(differences(finished=((found.complete, found.proven), (True, True))) if not hurried else "")
    if "width" in options and found.proven:
        faults.append("it is called proven despite a width")
    return first_of(faults)


def turns_after(oracle: Oracle, left: Sequence[str], history: History, word: str) -> int:
    """Return the fewest guesses within which every answer is found after a guess, which is counted."""
    return oracle.worst(left, history, word)


def draw_duel(chance: random.Random) -> Trial:
    game = draw_game(chance, weights=False)
    history = draw_history(chance, game, chance.choice(game.answers))
    first = chance.choice([None, None, chance.choice(game.legal(history))])
    limit = chance.choice([None, None, 1, 2, 3, 4, 98])
    made = call(
        "beat_adversary",
        turns_of(history),
        game.variant,
        max_guesses=limit,
        first=None if first is None else str.__str__(first),
        memory=1,
    )
    return Trial(made, partial(fault_of_duel, game, history, first, limit or MOST_TURNS))


def fault_of_duel(game: Game, history: History, first: str | None, limit: int, found: Duel | NoSolution) -> str:
    left, hidden_only = game.left(history), game.guess_hidden_only
    shortest = partial(rules.shortest_duel, mode=game.mode, scoring=game.scoring, guess_hidden_only=hidden_only)
    if first is None:
        fewest = len(shortest(game.guesses, left, history=history))
    else:
        code = rules.reply(first, left, scoring=game.scoring)
        kept = [word for word in left if rules.mark(first, word, game.scoring) == code]
        then = [] if rules.solves(first, code) else shortest(game.guesses, kept, history=[*history, (first, code)])
        fewest = 1 + len(then)
    if isinstance(found, NoSolution):
        return "" if fewest > limit else f"refused although {fewest} guesses are enough: {found}"
    return differences(guesses=(found.guesses, fewest), proven=(found.proven, True), least=(found.at_least, fewest))


MOST_LEFT = 6


def draw_long_duel(chance: random.Random) -> Trial:
    game = draw_game(chance, weights=False)
    history = draw_history(chance, game, chance.choice(game.answers))
    while len(game.left(history)) > MOST_LEFT:  # all games are tried
        game = draw_game(chance, weights=False)
        history = draw_history(chance, game, chance.choice(game.answers))
    made = call("outlast_adversary", turns_of(history), game.variant, width=chance.choice([1, 3]), time_limit=None)
    return Trial(made, partial(fault_of_long_duel, game, history))


def fault_of_long_duel(game: Game, history: History, found: LongDuel) -> str:
    longest = rules.longest_duel(
        game.guesses,
        game.left(history),
        mode=game.mode,
        scoring=game.scoring,
        guess_hidden_only=game.guess_hidden_only,
        history=history,
    )
    most = len(longest)
    return differences(guesses=(found.guesses, most), proven=(found.proven, True), most=(found.at_most, most))


def draw_suggest(chance: random.Random) -> Trial:
    game = draw_game(chance)
    history = draw_history(chance, game, chance.choice(game.answers), most=5)
    sort = chance.choice([None, None, None, "exact", *rules.MEASURES])
    return Trial(
        call("suggest", turns_of(history), game.variant, sort=sort),
        partial(fault_of_suggestions, game, history, sort in (None, "exact")),
    )


def fault_of_suggestions(game: Game, history: History, exact: bool, found: Suggestions) -> str:
    left, legal = game.left(history), game.legal(history)
    columns = found.columns()
    fault = differences(
        remaining=(found.remaining, game.likeliest(left)), guesses=(sorted(columns["guess"]), sorted(legal))
    )
    if fault or not exact or len(history) >= rules.GUESSES:
        return fault
    oracle, mass = game.oracle(left), sum(game.weight_of(left).values())
    totals = {word: oracle.total(left, history, rules.GUESSES - len(history), word) for word in legal}
    if len(left) == 1:  # every other guess is wasted
        totals = {word: total for word, total in totals.items() if word in left}
    values = sorted(total for total in totals.values() if total < NEVER)
    if not found.exact:
        return differences(within_the_limit=(values, []))
    listed = {word: total for word, total in totals.items() if total < NEVER and total <= values[:LISTED][-1]}
    means = zip(columns["guess"], columns["mean"].tolist(), strict=True)
    known = {word: round(mean * mass) for word, mean in means if mean == mean}
    if not known and values:
        return ""  # a position that takes too long to be searched: nothing is said to be exact
    order = [listed[word] for word in columns["guess"] if word in listed]
    return differences(totals=(known, listed), order=(order, sorted(order)))


def draw_explain(chance: random.Random) -> Trial:
    game = draw_game(chance)
    history = draw_history(chance, game, chance.choice(game.answers))
    guess = chance.choice([None, chance.choice(game.legal(history))])
    asked = None if guess is None else str.__str__(guess)
    return Trial(
        call("explain", turns_of(history), game.variant, guess=asked),
        partial(fault_of_explanation, game, history, guess),
    )


def fault_of_explanation(game: Game, history: History, guess: str | None, found: Explanation) -> str:
    left = game.left(history)
    oracle, weights = game.oracle(left), game.weight_of(left)
    totals = {word: oracle.total(left, history, first=word) for word in game.legal(history)}
    least = min(totals.values())
    if not found.exact:
        return ""
    chosen = found.guess
    cells = cells_of(chosen, left, game.scoring)
    cells.pop(rules.solved_code(game.length), None)
    faults = [
        differences(
            total=(found.total, totals.get(chosen)),
            guess=(totals.get(chosen), least if guess is None else totals.get(guess)),
            best=(found.best, {word: total for word, total in totals.items() if total == least}),
            cells=(
                {cell.pattern: cell.words for cell in found.cells},
                {code: game.heaviest(words) for code, words in cells.items()},
            ),
            weight=(found.weight, sum(weights.values())),
        )
    ]
    for cell in found.cells:
        past = [*history, (chosen, cell.pattern)]
        best = oracle.total(cell.words, past)
        faults.append(
            differences(cell=(cell.total, best), reply=(oracle.total(cell.words, past, first=cell.guess), best))
        )
    return first_of(faults)


def draw_analyze(chance: random.Random) -> Trial:
    """Draw a game; sometimes the hidden word is not among the answers, and then all guesses count as answers."""
    game = draw_game(chance)
    hidden = chance.choice(game.answers if game.weights or chance.random() < 0.8 else game.guesses)
    history: list[tuple[str, int]] = []
    for _ in range(chance.randint(1, 4)):
        legal = [word for word in game.guesses if rules.allowed(word, history, game.mode, game.scoring)]
        guess = chance.choice(legal)
        history.append((guess, rules.mark(guess, hidden, game.scoring)))
        if guess == hidden:
            break
    answer = str.__str__(hidden) if chance.random() < 0.5 else None
    made = call("analyze", turns_of(history), game.variant, answer=answer)
    is_legal = not game.guess_hidden_only or all(
        game.left(history[:turn]) and guess in game.legal(history[:turn]) for turn, (guess, _) in enumerate(history)
    )
    return Trial(made, partial(fault_of_analysis, game, history, is_legal), (BadInput,))


def fault_of_analysis(game: Game, history: History, is_legal: bool, found: Analysis | BadInput) -> str:
    if isinstance(found, BadInput):
        return f"refused: {found}" if is_legal else ""
    listed = {str.__str__(word) for word in found.variant.answers}
    game = Game(**(vars(game) | {"answers": [word for word in game.guesses if word in listed]}))
    return first_of(_fault_of_move(game, history[:turn], found, turn) for turn in range(len(history)))


def _fault_of_move(game: Game, before: History, found: Analysis, turn: int) -> str:
    move, left = found.moves[turn], game.left(before)
    if not move.exact:
        return ""
    oracle, mass = game.oracle(left), sum(game.weight_of(left).values())
    totals = {word: oracle.total(left, before, first=word) for word in game.legal(before)}
    others = sorted(total for word, total in totals.items() if word != move.guess)
    alternatives = [round(other.cost * mass) for other in move.alternatives]
    number = ALTERNATIVES if len(left) > 1 else len(alternatives)
    return differences(
        cost=(round(move.cost * mass), totals[move.guess]),
        best_cost=(round(move.best_cost * mass), min(totals.values())),
        best=(totals.get(move.best), min(totals.values())),
        alternatives=(alternatives, [totals[other.guess] for other in move.alternatives]),
        lowest=(alternatives, others[:number]),
        remaining=(move.remaining, len(left)),
        left=(move.words, [] if move.solved else game.likeliest(game.left([*before, (move.guess, move.pattern)]))),
    )


def draw_groups(chance: random.Random) -> Trial:
    game = draw_game(chance, most=14, weights=False)
    size, within = chance.choice([2, 3, 3, 4, 4, 5, 6]), chance.choice([2, 2, 2, 3, 3, 4, 5, 6])
    made = call(
        "groups",
        size=size,
        max_guesses=within,
        guesses=words_of(game.guesses, game.digraphs),
        answers=words_of(game.answers, game.digraphs),
        scoring=game.scoring,
    )
    return Trial(made, partial(fault_of_groups, game, size, within))


def fault_of_groups(game: Game, size: int, within: int, found: Groups) -> str:
    game.oracle(game.answers)

    @cache
    def is_solved(group: tuple[str, ...], turns: int) -> bool:
        if len(group) == 1 or turns == 1:
            return len(group) == 1
        return any(
            all(is_solved(tuple(cell), turns - 1) for code, cell in cells.items() if code != solved)
            for cells in (cells_of(guess, group, game.scoring) for guess in game.guesses)
        )

    solved = rules.solved_code(game.length)
    expected = [list(group) for group in combinations(game.answers, size) if not is_solved(group, within)]
    return differences(groups=(found.groups, expected), complete=(found.complete, True))


def draw_endgames(chance: random.Random) -> Trial:
    words, digraphs = draw_words(chance, 14)
    least = chance.choice([2, 2, 3, 4])
    return Trial(
        call("endgames", answers=words_of(words, digraphs), least=least), partial(fault_of_endgames, words, least)
    )


def fault_of_endgames(words: list[str], least: int, found: Endgames) -> str:
    expected: dict[str, list[str]] = {}
    letters = [rules.letters_of(word) for word in words]
    for place in range(len(letters[0])):
        for one in letters:
            template = "".join("." if i == place else letter for i, letter in enumerate(one))
            same = [
                word
                for word, other in zip(words, letters, strict=True)
                if all(a == b for i, (a, b) in enumerate(zip(one, other, strict=True)) if i != place)
            ]
            if len(same) >= least:
                expected[template] = same
    return differences(sets=({each.template: each.words for each in found.sets}, expected))


CHECKS: list[Check] = [
    Check("wordle solve", draw_solve),
    Check("wordle beat-adversary", draw_duel),
    Check("wordle outlast-adversary", draw_long_duel),
    Check("wordle suggest", draw_suggest),
    Check("wordle explain", draw_explain),
    Check("wordle analyze", draw_analyze),
    Check("wordle groups", draw_groups),
    Check("wordle endgames", draw_endgames),
    Check("wordle verify", draw_verify, "small.trees"),
]
