"""Games that are played side by side, one turn of each at a time."""

# mypy: disable-error-code="assignment"

from __future__ import annotations

from gpusolve.backend.compiled import compiled
from gpusolve.games.tetris.cpu.dice import next_piece, seed_dice
from gpusolve.games.tetris.cpu.games import POINTS, level_at
from gpusolve.games.tetris.cpu.tables import LEVELS, NOWHERE, u64


@compiled
def deal(first, last, seed, first_game, source, dice, pieces, following):
    """Draw the first two pieces of each game."""
    for game in range(first, last):
        dice[game, 1] = u64(0)
        seed_dice(dice[game], seed, first_game + game, source)
        pieces[game] = next_piece(dice[game], source)
        following[game] = next_piece(dice[game], source)


@compiled
def turn(
    first, last, games, counts, found, cleared, after, most, chosen, source, start_level, max_lines, boards, pieces,
    following, levels, dice, results, placed, going,
):  # fmt: skip
    """Make the chosen placement in each game and draw its next piece."""
    for item in range(first, last):
        game, rank = games[item], chosen[item]
        placed[item] = NOWHERE
        going[item] = False
        if counts[item] == 0:
            continue
        for k in range(boards.shape[1]):  # Numba takes two seconds to compile the assignment of a row
            boards[game, k] = after[item, rank, k]
        rows = cleared[item, rank]
        result = results[game]
        lines = result[1] + rows
        level = level_at(lines, start_level)
        result[0] += POINTS[rows] * (level + 1)
        result[1] = lines
        result[2] += 1
        result[3] += rows == 4
        levels[game] = min(level, LEVELS - 1)
        pieces[game], following[game] = following[game], next_piece(dice[game], source)
        placed[item] = found[item, rank]
        going[item] = lines < max_lines
