"""Uses of every command that need different kernels, and what Python calls in them. `test_signatures` runs this file.

``python tests/uses.py GAME`` runs the commands of a game in the working folder, and prints each compiled function that
was called from Python with the types of its arguments, in the form of ``signatures.txt``. Everything that the commands
print must fit a terminal of COLUMNS columns.
"""

from __future__ import annotations

import io
import os
import runpy
import shlex
import sys
from contextlib import redirect_stderr, redirect_stdout
from pathlib import Path
from typing import Any

from numba import typeof

from gpusolve import cli
from gpusolve.backend.compiled import Twin
from gpusolve.backend.signatures import text_of
from gpusolve.search.a_star import a_star

COLUMNS = 70
USES = {
    "qless": """
        arrange aaddeeegiiilnnoorrstt --seed 1
        arrange aeimnprt? --compact --seed 1
        arrange ?n --grid tea --seed 1
        census --count 100 --seed 1
        check '..c./.pew/..d./.met/rid./.x..'
        count cddeeimprtwx
        generate --difficulty saturday --seed 1
        hint cddeeimprtwx --words 2
        rate bbcefklnnpux
        roll --seed 1
        shapes --letters 7 --top 3
        solve cddeeimprtwx --max-solutions 3
        unsolvable fgjlmmnnnoot
    """,
    "queuedle": """
        check 'r2 l4 d1' 2025-06-01
        daily 2025-06-01
        solve 2025-06-01 --states 300000 --seed 1
        solve 2025-06-01 --strategy beam --width 1000
        solve 2025-06-01 --strategy beam --width 1000 --endings 2
        solve 2025-06-01 --strategy beam --width 1000 --heuristic score
        solve 2025-06-01 --strategy beam --width 1000 --heuristic potential
        solve 2025-06-01 --strategy best-first --expanded 5000
        solve 2025-06-01 --moves 'r2 l4' --strategy beam --width 1000
        solve 'tse/eno/adi eatn' --strategy exhaustive
        suggest 'fndoi/eedgr/aadqs/oeilx/eyatg aikiu' --samples 2 --seed 1
        suggest 'tsea/enop/adis/ttre ea' --hidden 1
    """,
    "quiddler": """
        census --count 100 --seed 1
        check 'nu ja bi icy unworthy' 'n w u th r y y i / a c j o u n b i'
        columns 't a / e / n (qu) / i t'
        deal --seed 1
        hand 'qu i t er a l'
        simulate --cards 9 --count 3 --samples 2 --seed 1
        turn 'qu i t' --top e --samples 2 --seed 1
        turn 'qu i t' --drawn e --last
        solve 'n w u th r y y i / a c j o u n b i'
        solve 'n w u th r y y i / a c j o u n b i' --plan 'nu ja'
        suggest 'a t n / ? o e'
        suggest 'n w u th r y y i / ? ? ? ? ? ? ? ?' --samples 2 --seed 1
    """,
    "quordle": """
        analyze hello,world,paper,value carle world hello paper value
        play hello world paper value
        play hello world paper value --mode sequence --given crane,moist
        play hello world tests value --answers quordle-article --strategy least-correct
        simulate --count 100 --seed 1
        suggest
        suggest carle:-y---,----y,-----,y---- aunty:y----,--y--,-----,-g---
    """,
    "sliding": """
        automaton --depth 8
        build --rows 3 --columns 3
        census --rows 3 --columns 3
        compare '8 6 7 / 2 5 4 / 3 0 1'
        scramble --rows 4 --columns 4 --seed 1
        show '1 2 5 / 3 4 0' ULL
        solve '8 6 7 / 2 5 4 / 3 0 1'
        solve '8 6 7 / 2 5 4 / 3 0 1' --all-solutions
        solve '8 6 7 / 2 5 4 / 3 0 1' --metric multi-tile
        solve '8 6 7 / 2 5 4 / 3 0 1' --strategy beam --width 100
        solve '4 1 2 3 / 8 5 6 7 / 9 0 10 11 / 12 13 14 15'
        solve '5 1 2 3 / 4 9 6 7 / 8 10 0 11 / 12 13 14 15' --goal blank-last --weight 2
        tables
        verify '1 2 5 / 3 4 0' ULL
    """,
    "tetris": """
        train --particles 6 --iterations 2 --games 10 --policy greedy --finals 20 --out weights.json
        train --particles 6 --iterations 2 --games 5 --policy two-piece --max-lines 20 --finals 5
        train-value --iterations 4 --games 10 --opening 0.25 --max-lines 20
        average-values tournament-30hz tournament-20hz
        join-values 0=tournament-30hz 19=tournament-15hz
        play --seed 5 --max-lines 10 --out game.json
        play --seed 5 --max-lines 10 --policy greedy
        play --seed 5 --max-lines 5 --policy branching
        play --seed 5 --max-lines 3 --policy playouts
        play --seed 5 --max-lines 10 --reach 30hz
        play --seed 5 --max-lines 10 --reach das
        play published --seed 5 --max-lines 10
        play published --seed 5 --max-lines 10 --policy greedy
        play published --seed 5 --max-lines 5 --policy branching
        play published --seed 5 --max-lines 5 --policy branching --ties presses
        play published --seed 5 --max-lines 3 --policy playouts
        evaluate weights.json --compare published --count 20 --policy greedy
        evaluate --count 4 --max-lines 10
        match game.json --max-lines 20 --player 30hz
        replay game.json --html game.html
        review game.json --playouts 10
        review game.json --playouts 0 --player published
        suggest '####...###/####..####/#########.' I T --mine 1,0
        suggest '####...###/####..####/#########.' I T --reach 30hz
        suggest '####...###/####..####/#########.' I T --player published
    """,
    "wordle": """
        analyze crane moist badly
        cells salet
        endgames
        explain salet:-y--g
        groups
        letters
        partition-table --top 5
        partition-table --words trace,salet
        pattern eerie there
        pattern szép vész --digraphs sz
        play crane
        play --adversary
        simulate --first salet
        suggest
        suggest salet:-y--g
        suggest salet:-y--g --mode hard
        suggest salet:-y--g --mode ultra-hard
        suggest kitten:y----- --answers wamerican --mode hard
        solve salet:-y--g --top 3 --out tree.json
        solve salet:-y--g --objective worst
        solve salet:-y--g --mode hard
        solve salet:-y--g --mode hard --objective worst
        beat-adversary
        beat-adversary salet:-y--g --mode hard
        outlast-adversary salet:-y--g --mode hard
        verify tree.json
        words --top 4000 --out weights.tsv
        solve salet:-y--g --weights weights.tsv
        solve salet:-y--g --weights weights.tsv --mode hard
        words --top 300 --out few.tsv
        groups --size 4 --answers few.tsv
        groups --size 5 --answers few.tsv
    """,
}


EXAMPLES = Path(__file__).parents[1] / "examples"


def called(game: str) -> set[str]:
    """Run the uses of a game and return what Python called. Raises AssertionError if a command fails.

    For `search` the examples are run, and A* on pancakes.
    """
    found: set[str] = set()
    call = Twin.__call__

    def watched(twin: Twin, *arguments: Any) -> Any:
        found.add(f"{twin.name} ({text_of(tuple(map(typeof, arguments)))})")
        return call(twin, *arguments)

    setattr(Twin, "__call__", watched)  # noqa: B010
    if game == "search":
        run_searches()
        return {line for line in found if line.startswith("gpusolve.")}
    run_commands(game)
    return found


def run_searches() -> None:
    """Run the examples of heuristic search, and A*, which they do not use."""
    with redirect_stdout(io.StringIO()):
        for name in ("hanoi", "topspin", "pancakes"):
            sys.argv = [name]
            example = runpy.run_path(str(EXAMPLES / f"{name}.py"), run_name="__main__")
        a_star(example["Pancakes"]([2, 0, 4, 1, 3]))


def run_commands(game: str) -> None:
    """Run the commands of a game."""
    os.environ["COLUMNS"] = str(COLUMNS)
    for line in filter(None, map(str.strip, USES[game].splitlines())):
        sys.argv = ["gpusolve", game, *shlex.split(line)]
        text = io.StringIO()
        with redirect_stdout(text), redirect_stderr(text):
            code = cli.main()
        assert code == 0, f"{game} {line}: {code}: {text.getvalue()}"
        for shown in text.getvalue().splitlines():
            fits = len(shown) <= COLUMNS or " " not in shown.strip()  # a word, such as the name of a file, stays whole
            assert fits, f"{game} {line}: {len(shown)} columns: {shown}"


if __name__ == "__main__":
    print(*sorted(called(sys.argv[1])), sep="\n")
