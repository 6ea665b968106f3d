"""The drawings of the pages about games and kernels. Their numbers are computed, mostly by the rules of the games."""

from __future__ import annotations

from collections.abc import Callable

from building.picture import CHARACTER, Picture
from gpusolve.games.qless.rules import parse_grid
from gpusolve.games.queuedle.positions import DIRECTIONS
from gpusolve.games.quiddler import Deal
from gpusolve.games.tetris.rules.losses import BEGINS, SIZE, TABLES
from gpusolve.games.wordle.rules import pattern

DRAWINGS: dict[str, Callable[[], Picture]] = {}

GREY, YELLOW, GREEN = 0, 1, 2
COLOURS = ("plain", "yellow", "green")


def drawing(function: Callable[[], Picture]) -> Callable[[], Picture]:
    """Add a drawing to DRAWINGS under its function's name."""
    DRAWINGS[function.__name__] = function
    return function


# --- Wordle -----------------------------------------------------------------------------------------------------------


def digits_of(code: int) -> list[int]:
    """Return the five digits of a pattern in base 3, that of the first letter first."""
    return [code // 3**i % 3 for i in range(5)]


def term(guess: str, letter: str, answer: str) -> int:
    """Return what a letter of a guess adds to the pattern: the digits at the letter's positions."""
    digits = digits_of(pattern(guess, answer))
    return sum(digits[i] * 3**i for i in range(5) if guess[i] == letter)


@drawing
def wordle_terms() -> Picture:
    """Draw the pattern of guesses against answers as a sum of terms."""
    picture, guess, answers = Picture(), "eerie", ("there", "eater", "alert", "cigar", "merit")
    letters = "eri"
    for k, answer in enumerate(answers):
        picture.text(170 + 70 * k, 14, answer, anchor="middle")
    for row, letter in enumerate(letters):
        y = 24 + 30 * row
        masked = "".join(c if c == letter else "." for c in guess)
        picture.text(10, y + 17, f"{masked}  +" if row < len(letters) - 1 else masked)
        picture.row(135, y, [term(guess, letter, answer) for answer in answers], 70, "a")
    y = 24 + 30 * len(letters) + 8
    picture.line(10, y - 5, 135 + 70 * len(answers), y - 5)
    picture.text(10, y + 17, f"{guess}  =")
    for k, answer in enumerate(answers):
        code = pattern(guess, answer)
        assert code == sum(term(guess, letter, answer) for letter in letters)
        picture.box(135 + 70 * k, y, 70, str(code), "c")
        for i, digit in enumerate(digits_of(code)):
            picture.box(135 + 70 * k + 14 * i, y + 28, 14, guess[i], COLOURS[digit], 18)
    return picture


@drawing
def wordle_rows() -> Picture:
    """Draw the columns of two subsets of answers, the gaps between them, and the lanes that read them."""
    picture, sizes, cell = Picture(), (20, 9), 15
    picture.text(0, 32, "letters")
    picture.text(0, 76, "a term's row")
    picture.text(0, 119, "read by")
    column = 0
    for subset, size in enumerate(sizes):
        padded = -(-size // 16) * 16
        x = 100 + column * cell
        picture.text(x, 12, f"subset {subset}: {size} answers from column {column}")
        for j in range(padded):
            kind = "ab"[subset] if j < size else "plain"
            picture.box(x + j * cell, 20, cell, "" if j < size else "a", kind, 18)
            picture.box(x + j * cell, 64, cell, "", kind, 18)
        for sixteen in range(padded // 16):
            picture.box(x + sixteen * 16 * cell + 2, 104, 16 * cell - 4, f"lane {sixteen}: 16 bytes", "c", 22)
        column += padded
    picture.text(
        100, 54, "five such rows, one for each position; a gap has letter 0, which is a, in all of them", "dim"
    )
    picture.text(100, 98, "one row for each term; the bytes of a gap are all the same", "dim")
    return picture


# --- Quordle ----------------------------------------------------------------------------------------------------------


@drawing
def quordle_board() -> Picture:
    """Draw what the boards of a game store: a byte for each board and turn."""
    picture, hidden, guesses = Picture(), ("hello", "world", "paper", "value"), ("carle", "swith", "hello")
    for t, guess in enumerate(guesses):
        picture.text(150 + 100 * t, 14, guess, anchor="middle")
    for b, word in enumerate(hidden):
        y = 24 + 30 * b
        picture.text(0, y + 17, f"board {b}: {word}")
        for t, guess in enumerate(guesses):
            code = pattern(guess, word)
            if any(pattern(earlier, word) == 242 for earlier in guesses[:t]):
                continue
            picture.box(110 + 100 * t, y, 30, str(code), "a", 22)
            for i, digit in enumerate(digits_of(code)):
                picture.box(142 + 100 * t + 9 * i, y, 9, "", COLOURS[digit], 22)
    return picture


@drawing
def quordle_phases() -> Picture:
    """Draw the phases of a turn of `joint`, and who does the work in each."""
    picture = Picture()
    phases = [
        ("judge", "a thread takes guesses k, k + 256, ...", "cost of each guess, summed over the boards", "a"),
        ("share", "a warp takes a board", "each word that fits takes its share off its own guess", "b"),
        ("choose", "256 threads, halved 8 times", "the least cost | guess", "c"),
        ("look ahead", "a warp plays a game to its end", "16 guesses x 32 games, then 4 guesses x 300 games", "d"),
        ("filter", "a warp takes a board", "keeps the words that fit the new pattern, in order", "b"),
    ]
    for i, (name, who, what, kind) in enumerate(phases):
        y = 44 * i
        picture.box(0, y, 96, name, kind, 30)
        picture.text(110, y + 12, who, "dim")
        picture.text(110, y + 28, what)
        if i:
            picture.arrow(48, y - 14, 48, y - 1)
    return picture


# --- Queuedle ---------------------------------------------------------------------------------------------------------


def number_of(line: str) -> int:
    """Return a line as a number in base 26."""
    number = 0
    for letter in line:
        number = number * 26 + ord(letter) - ord("a")
    return number


@drawing
def queuedle_line() -> Picture:
    """Draw a slide to the left of a row, as an operation on its number."""
    picture, line, letter = Picture(), "fndoi", "a"
    after = line[1:] + letter
    assert number_of(after) == number_of(line) % 26**4 * 26 + number_of(letter)
    for y, word in ((0, line), (60, after)):
        picture.row(0, y, word, 34, "a")
        terms = " + ".join(f"{ord(c) - 97} x 26^{4 - i}" for i, c in enumerate(word))
        picture.text(190, y + 17, f"{terms} = {number_of(word):,}")
    picture.box(172, 60 - 0, 0, "")
    picture.box(136, 60, 34, letter, "mark")
    picture.text(190, 49, "line % 26^4 * 26 + letter", "dim")
    picture.text(0, 49, "slide left: a enters", "dim")
    return picture


@drawing
def queuedle_state() -> Picture:
    """Draw the words of a state of a 5x5 board, after two slides."""
    picture, rows = Picture(), ("fndoi", "eedgr", "aadqs", "oeilx", "eyatg")
    for r, line in enumerate(rows):
        picture.text(0, 28 * r + 17, f"words[{r}]")
        picture.box(80, 28 * r, 420, f"row {r} in base 26: {line} = {number_of(line):,}", "a")
    y = 28 * len(rows)
    picture.text(0, y + 17, "words[5]")
    picture.box(80, y, 100, "slides made", "c")
    picture.box(180, y, 40, "-", "plain")
    for k in range(10):
        name = f"c{4 - k}" if k < 5 else f"r{9 - k}"
        picture.box(220 + 28 * k, y, 28, name, "b" if k < 5 else "d")
    for x, bit in ((82, "31"), (164, "24"), (222, "19"), (488, "0")):
        picture.text(x, y + 40, bit, "dim")
    picture.text(80, y + 62, "two bits for each line: 0 never slid, 1 left or up, 2 right or down", "dim")
    return picture


@drawing
def queuedle_reads() -> Picture:
    """Draw which lines of a board change when a row slides."""
    picture, n, row = Picture(), 5, 1
    for r in range(n):
        picture.row(0, 26 * r, [""] * n, 26, "mark" if r == row else "plain")
    for c in range(n):
        picture.text(26 * c + 13, 26 * n + 16, f"c{c}", anchor="middle")
    picture.text(26 * n + 8, 26 * row + 17, f"r{row}")
    picture.arrow(26 * n + 60, 26 * row + 13, 26 * n + 30, 26 * row + 13)
    picture.text(26 * n + 66, 26 * row + 17, "the next letter of the queue enters")
    picture.text(190, 78, "value = sum over all rows - table[r1] + table[r1 after]", "")
    picture.text(190, 98, "      + the new columns, each with one letter changed", "")
    picture.text(190, 124, "n + 1 = 6 reads, instead of 2n = 10", "dim")
    assert DIRECTIONS == "lrud"
    return picture


# --- Quiddler ---------------------------------------------------------------------------------------------------------


@drawing
def quiddler_sets() -> Picture:
    """Draw a deal, and the set of cards of a word as bits."""
    picture = Picture()
    deal = Deal.parse("n w u (th) r y y i / a c j o u n b i")
    top, bottom = deal.tops, deal.bottoms
    taken = {8 + list(top).index("n"), 8 + list(top).index("u")}
    for i in range(8):
        picture.box(60 + 44 * i, 0, 40, top[i], "mark" if 8 + i in taken else "a")
        picture.box(60 + 44 * i, 28, 40, bottom[i], "b")
        picture.text(80 + 44 * i, 68, str(i), "dim", "middle")
    picture.text(0, 68, "pile", "dim")
    picture.text(0, 17, "top")
    picture.text(0, 45, "bottom")
    picture.text(0, 105, "nu =")
    for bit in range(15, -1, -1):
        x = 60 + 26 * (15 - bit)
        card = top[bit - 8] if bit >= 8 else bottom[bit]
        picture.box(x, 88, 26, str(int(bit in taken)), "mark" if bit in taken else "a" if bit >= 8 else "b")
        picture.text(x + 13, 126, card, "dim", "middle")
    number = sum(1 << bit for bit in taken)
    picture.text(
        60, 148, f"bits 15 to 8: top cards 7 to 0; bits 7 to 0: bottom cards. nu = 0x{number:04x} = {number}", "dim"
    )
    return picture


@drawing
def quiddler_threads() -> Picture:
    """Draw how the threads of `best_bonus` share the sets of cards left, and what one of them visits."""
    picture = Picture()
    lists = [0b1100000100100011, 0b1100101101111011, 0b1101101111111011]
    for row, left in enumerate(lists):
        y = 34 * row
        picture.text(0, y + 17, f"thread {row}: left")
        for bit in range(15, -1, -1):
            kind = "c" if bit >= 13 else "a" if bit >= 5 else "b"
            picture.box(110 + 26 * (15 - bit), y, 26, str(left >> bit & 1), kind)
        words = 1 << (left >> 5 & 255).bit_count()
        picture.text(540, y + 17, f"visits at most {words:,} words", "dim")
    for line, text in enumerate(
        (
            "the upper three bits: the group, the top cards 7 to 5",
            "the next eight bits: the row, the top cards 4 to 0 and the bottom cards 7 to 5",
            "the lower five bits: the bit in a word of the bitmap, for the bottom cards 4 to 0",
        )
    ):
        picture.text(110, 34 * len(lists) + 14 + 20 * line, text, "dim")
    return picture


# --- Q-less -----------------------------------------------------------------------------------------------------------


def fields_of(roll: str) -> list[tuple[str, int, int, int, int]]:
    """Return (letter, count, shift, width, radix) of each different letter of a roll, as in `unit_of`."""
    fields, shift, radix = [], 0, 1
    for letter in sorted(set(roll)):
        count = roll.count(letter)
        width = count.bit_length()
        fields.append((letter, count, shift, width, radix))
        shift, radix = shift + width + 1, radix * (count + 1)
    return fields


@drawing
def qless_collection() -> Picture:
    """Draw the collection of the letters of a word as a number."""
    picture, roll, word, cell = Picture(), "cddeeimprtwx", "tepid", 17
    fields = fields_of(roll)
    number = sum(word.count(letter) * radix for letter, *_, radix in fields)
    picture.text(0, 16, f"roll {roll}: {len(fields)} different letters; the collection of {word}")
    picture.text(
        0, 44, f"upper half: {' + '.join(f'{radix}' for letter, *_, radix in fields if letter in word)} = {number}"
    )
    picture.text(0, 64, "(one, two, four, ...: the product of count + 1 over the letters before)", "dim")
    picture.text(0, 94, "lower half: a field for each letter, and above it a guard bit")
    x = 0.0
    for letter, count, _, width, _ in reversed(fields):
        have = word.count(letter)
        picture.box(x, 104, cell, "0", "plain")
        for bit in range(width - 1, -1, -1):
            x += cell
            picture.box(x, 104, cell, str(have >> bit & 1), "mark" if have else "a")
        picture.text(x - cell * (width - 1) / 2 + 3, 144, f"{letter}" + (f" {count}" if count > 1 else ""), "dim")
        x += cell
    return picture


@drawing
def qless_path() -> Picture:
    """Draw a crossword with the numbers of its cells on a path, and the steps of the path."""
    picture, cells = Picture(), parse_grid("..c./.pew/..d./.met/rid./.x..").cells
    path = [
        ("ceded", (0, 2), (1, 0), "the root: cells 0 to 4"),
        ("met", (3, 1), (0, 1), "crosses cell 3, at position 1"),
        ("rid", (4, 0), (0, 1), "crosses cell 4, at position 2"),
        ("mix", (3, 1), (1, 0), "crosses cells 5 and 8, from position 0 on"),
        ("pew", (1, 1), (0, 1), "the end: its letters are those that are left"),
    ]
    number: dict[tuple[int, int], int] = {}
    for k, (word, (row, column), (down, right), what) in enumerate(path):
        slot = [(row + i * down, column + i * right) for i in range(len(word))]
        assert "".join(cells[cell] for cell in slot) == word
        for cell in slot:
            if cell not in number:
                number[cell] = len(number)
                picture.box(44 * cell[1], 38 * cell[0], 44, f"{cells[cell]} {number[cell]}", "abcd"[k % 4], 38)
        picture.box(220, 38 * k + 4, 70, word, "abcd"[k % 4])
        picture.text(302, 38 * k + 21, what)
    assert len(number) == len(cells)
    return picture


# --- sliding tiles ----------------------------------------------------------------------------------------------------


def nibbles(picture: Picture, y: float, fields: list[tuple[str, int, str]], highest: int, unit: float) -> None:
    """Draw the fields of a word, (name, bits, kind), from its highest bit, with the numbers of their bits."""
    x, bit = 0.0, highest
    for name, bits, kind in fields:
        width = max(bits * unit, CHARACTER * len(name) + 8)
        picture.box(x, y, width, name, kind)
        picture.text(x + 2, y + 38, str(bit), "dim")
        if bits > 1:
            picture.text(x + width - 2, y + 38, str(bit - bits + 1), "dim", "end")
        x, bit = x + width, bit - bits


@drawing
def sliding_steps() -> Picture:
    """Draw the word of a placement: four bits for each tile."""
    picture = Picture()
    picture.text(0, 12, "steps[c0 + c1 * 25 + c2 * 25^2 + ...]: does the step lead away from the goal?")
    kinds = "abcdabcd"
    nibbles(picture, 22, [(f"tile {7 - i}", 4, kinds[i]) for i in range(8)], 31, 20)
    picture.text(0, 90, "the four bits of a tile, by the move of the blank:")
    picture.row(400, 74, ["R", "L", "D", "U"], 26, "mark")
    return picture


@drawing
def sliding_search() -> Picture:
    """Draw the parts of a node of `search`: what a thread keeps, and what a move changes."""
    picture = Picture()
    picture.text(0, 12, "looks[tile][move]: where the step's bit is")
    nibbles(
        picture, 20,
        [("bit, view 2", 8, "b"), ("bit, view 1", 8, "b"), ("side, view 2", 8, "a"), ("side, view 1", 8, "a")], 31, 20,
    )  # fmt: skip
    picture.text(0, 92, "the news of a node")
    nibbles(
        picture, 100,
        [("state of the automaton", 28, "d"), ("allowed", 4, "mark"), ("slack, view 2", 15, "c"),
         ("slack, view 1", 15, "c"), ("move", 2, "plain")], 63, 10,
    )  # fmt: skip
    picture.text(0, 172, "a frame of the stack")
    nibbles(
        picture, 180,
        [("taken", 2, "plain"), ("up, view 2", 4, "b"), ("up, view 1", 4, "b"), ("left to try", 4, "mark")], 13, 40,
    )  # fmt: skip
    return picture


# --- Tetris -----------------------------------------------------------------------------------------------------------

FREE, START = 0b01110111, 0b00100001


def fall_steps() -> list[tuple[str, int]]:
    """Return the steps of `fall` on eight rows."""
    added = FREE + START & 0xFF
    return [
        ("free", FREE),
        ("start", START),
        ("free + start", added),
        ("~(free + start)", ~added & 0xFF),
        ("free & ~(free + start)", FREE & ~added),
        ("... | start", FREE & ~added | START),
    ]


@drawing
def tetris_fall() -> Picture:
    """Draw `fall` on eight rows: a carry runs from each start to the end of its run."""
    picture = Picture()
    picture.text(0, 12, "row")
    for k in range(8):
        picture.text(180 + 28 * k + 14, 12, str(7 - k), "dim", "middle")
    for i, (name, bits) in enumerate(fall_steps()):
        y = 20 + 28 * i
        picture.text(0, y + 17, name)
        kinds = ["plain" if not bits >> (7 - k) & 1 else "mark" if i in (1, 5) else "a" for k in range(8)]
        picture.row(180, y, [bits >> (7 - k) & 1 for k in range(8)], 28, kinds)
    notes = {
        0: "rows where the template fits",
        1: "where the piece is",
        2: "carries stop at the filled rows 3 and 7",
        5: "all rows that the piece passes",
    }
    for i, note in notes.items():
        picture.text(412, 20 + 28 * i + 17, note, "dim")
    return picture


BOARD = ("..........", "#.........", "##......##", "###.#####.", "#########.")


@drawing
def tetris_columns() -> Picture:
    """Draw the lowest rows of a board, and its columns as numbers."""
    picture, rows, width = Picture(), len(BOARD), 52
    for r, row in enumerate(BOARD):
        picture.text(0, 24 * r + 17, f"row {22 - rows + r}")
        for c, cell in enumerate(row):
            picture.box(86 + width * c, 24 * r, width, "", "a" if cell == "#" else "plain")
    for c in range(10):
        bits = sum(1 << (22 - rows + r) for r in range(rows) if BOARD[r][c] == "#")
        picture.text(86 + width * (c + 0.5), 24 * rows + 18, f"{bits >> 17:05b}"[::-1], "dim", "middle")
        picture.text(86 + width * (c + 0.5), 24 * rows + 38, f"{bits:06x}", "", "middle")
    picture.text(0, 24 * rows + 18, "bits 17-21", "dim")
    picture.text(0, 24 * rows + 38, "c[k], hex")
    return picture


@drawing
def tetris_tables() -> Picture:
    """Draw where the tables of the learned value begin in their common array."""
    picture = Picture()
    shown = [(name, begin, size) for (name, size), begin in zip(TABLES.items(), BEGINS, strict=False)]
    columns = [one for one in shown if one[0].startswith("column")]
    merged = [one for one in shown if not one[0].startswith("column")]
    merged.insert(5, ("columns 0 to 9", columns[0][1], sum(size for _, _, size in columns)))
    for i, (name, begin, size) in enumerate(merged):
        y = 26 * i
        picture.text(78, y + 16, f"{begin:,}", "dim", "end")
        picture.box(90, y, max(8.0, 300 * size / (1 << 20)), "", "abcd"[i % 4], 22)
        picture.text(90 + max(8.0, 300 * size / (1 << 20)) + 8, y + 16, f"{name}: {size:,} numbers")
    picture.text(78, 26 * len(merged) + 16, f"{SIZE:,}", "dim", "end")
    return picture
