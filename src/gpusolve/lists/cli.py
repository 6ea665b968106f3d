"""The commands ``gpusolve lists``: which word lists there are, which one a game uses, and how to get others."""

from __future__ import annotations

import hashlib
import re
from collections.abc import Iterable, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Literal

from gpusolve import files
from gpusolve.checks import check_choice, shown, suggestion
from gpusolve.commands import configuration
from gpusolve.errors import BadInput, plain
from gpusolve.lists import choices, downloads, kept, public
from gpusolve.lists.choices import DEFAULT, Choice, Role
from gpusolve.lists.formats import count_words
from gpusolve.output import report
from gpusolve.output.parts import counted
from gpusolve.wordlists import shipped


@dataclass(frozen=True)
class Row:
    """A word list as ``gpusolve lists`` shows it; `state` is shipped, downloaded, own, available or changed."""

    name: str
    words: int | None
    state: str
    about: str
    origin: str
    licence: str


def lists(*, json: bool = False, quiet: bool = False) -> None:
    """Show the word lists of all games, where they come from, and which one each game uses.

    A list that is available has to be downloaded before it can be used.

    Examples
    --------
    ``gpusolve lists``
    """
    rows = [*_rows()]
    used = choices.in_use()
    if json:
        found = {"lists": [asdict(row) for row in rows], "used": [asdict(choice) for choice in used]}
        report.json_object({"schema": "gpusolve.lists/1", **found})
        return
    words = ["" if row.words is None else f"{row.words:,}" for row in rows]
    cells = [[row.name, count, row.state, _brief(row)] for row, count in zip(rows, words, strict=True)]
    report.table(["list", "words", "", "from"], cells)
    report.text()
    place = configuration.place()
    for choice in used:
        why = f" (from {plain(str(place))})" if choice.configured else ""
        why += "; advice counts on every guess, by its chance" * choice.any_guess
        report.text(f"{choice.game} {choice.role}: {plain(choice.name) or 'its own choice'}{why}")
    report.note(
        "'gpusolve lists get NAME' downloads an available list; 'gpusolve lists use NAME' makes one the default", quiet
    )


def _rows() -> Iterable[Row]:
    """Yield the shipped lists, then the public ones, then the user's own."""
    for each in shipped():
        state = "shipped" if each.is_intact() else "changed"
        yield Row(each.name, each.count, state, "", each.origin, each.licence)
    here = kept.names()
    usable = kept.downloaded()
    for known in public.LISTS:
        state = "downloaded" if known in usable else "changed" if known.name in here else "available"
        yield Row(known.name, known.count, state, known.about, f"github.com/{known.repository}", known.licence)
    for name in kept.own():
        words, state = None, "own"
        try:
            words = count_words(kept.read(name), name)
        except BadInput:
            state = "changed"
        yield Row(name, words, state, "", str(kept.path_of(name)), "")


def _brief(row: Row) -> str:
    """Return what a list is, where it comes from, without the files of a package, and its licence."""
    origin = re.split("[:,] ", plain(row.origin))[0]
    return f"{row.about}: " * bool(row.about) + origin + f" ({row.licence})" * bool(row.licence)


def get(names: Sequence[str], *, use: bool = False, json: bool = False, quiet: bool = False) -> None:
    """Download public word lists.

    Each is checked by its SHA-256 and kept in the user's data folder; gpusolve ships none of them. A list that another
    one needs is downloaded with it.

    Parameters
    ----------
    names : sequence of str
        Names of public lists, as ``gpusolve lists`` shows them.
    use : bool
        Make each of them the default of its games.

    Examples
    --------
    ``gpusolve lists get wordle-2023-07-answers --use``
    """
    wanted = _with_needed(_public(name) for name in names)
    for each in wanted:
        if each in kept.downloaded():
            report.note(f"{each.name} is here already", quiet)
            continue
        with report.Progress(f"bytes of {each.name}", each.size, quiet) as progress:
            downloads.download(each, progress)
    used = _use(names) if use else []
    if json:
        found = [{"name": each.name, "words": each.count, "file": str(kept.path_of(each.name))} for each in wanted]
        report.json_object({"schema": "gpusolve.lists.get/1", "lists": found, "used": [asdict(each) for each in used]})
        return
    for each in wanted:
        report.text(f"{each.name}: {counted(each.count, 'word')}, {plain(str(kept.path_of(each.name)))}")
    _show(used)
    if not use:
        for name in names:
            where = _and(choices.games_of(name))
            report.note(f"to make it the default of {where}: gpusolve lists use {name}", quiet)


def add(name: str, file: Path, *, json: bool = False, quiet: bool = False) -> None:
    """Keep a word list of your own under a name.

    Every option for a list, and every board in the browser, then takes this name.

    Parameters
    ----------
    name : str
        Its name: small letters a-z, digits and hyphens. With the name of a public list, the file must be that list.
    file : Path
        A text file with one word per line, also with a rating after each, or a JSON list of words.

    Examples
    --------
    ``gpusolve lists add family words.txt``
    """
    if name in [each.name for each in shipped()]:
        raise BadInput(f"name {name}: a shipped list has this name: expected another one")
    if name == DEFAULT:
        raise BadInput(f"name {name}: it stands for the game's own choice: expected another one")
    if not kept.NAME.fullmatch(name):
        raise BadInput(f"name {shown(name)}: expected small letters a-z, digits and hyphens, such as my-words")
    content = files.read(file)
    if (known := public.BY_NAME.get(name)) is not None:
        if hashlib.sha256(content).hexdigest() != known.sha256:
            raise BadInput(
                f"name {name}: a public list has this name, and {file} is another one: expected another name"
            )
    elif name in kept.names():
        raise BadInput(f"name {name}: there is a list of this name: expected another one, or first lists remove {name}")
    words = count_words(content, str(file))
    path = kept.keep(name, content)
    if json:
        found = {"name": name, "words": words, "file": str(path)}
        report.json_object({"schema": "gpusolve.lists.add/1", **found})
        return
    report.text(f"{name}: {counted(words, 'word')}, {plain(str(path))}")
    games = choices.games_of(name)
    option = "" if games else " --game GAME"
    if missing := [each for each in (known.needs if known else ()) if each not in kept.names()]:
        report.note(f"it is used with other lists: gpusolve lists get {' '.join(missing)}", quiet)
    report.note(f"to make it the default of {_and(games) or 'a game'}: gpusolve lists use {name}{option}", quiet)


def remove(name: str, *, json: bool = False, quiet: bool = False) -> None:
    """Remove a downloaded list or one of your own.

    Where it was the default, the game chooses its list itself again.

    Parameters
    ----------
    name : str
        The name of the list.

    Examples
    --------
    ``gpusolve lists remove family``
    """
    if name in [each.name for each in shipped()]:
        raise BadInput(f"name {name}: it is shipped with gpusolve, and stays")
    if name not in kept.names():
        raise BadInput(f"name {shown(name)}: no list that you keep{_or_near(name, kept.names())}")
    freed = choices.named_in_file(name)
    for choice in freed:
        choices.choose(choice.game, {choice.role: None})
    kept.remove(name)
    if json:
        report.json_object(
            {"schema": "gpusolve.lists.remove/1", "name": name, "freed": [asdict(each) for each in freed]}
        )
        return
    report.text(f"{name}: removed")
    for choice in freed:
        report.text(f"{choice.game} {choice.role}: the game's own choice again")


def use(
    names: Sequence[str],
    *,
    game: str | None = None,
    role: Literal["answers", "guesses", "dictionary"] | None = None,
    json: bool = False,
    quiet: bool = False,
) -> None:
    """Make word lists the default of their games.

    The configuration file then names them, and the commands of the game use them unless their options name others.

    Parameters
    ----------
    names : sequence of str
        The names of lists, or ``default`` for the game's own choice.
    game : str, optional
        The game. By default those that a list is for.
    role : {"answers", "guesses", "dictionary"}, optional
        What a list is for the game. By default as its name ends, else the dictionary, or the answers if the game has
        none.

    Examples
    --------
    ``gpusolve lists use wordle-2022-02-answers wordle-2022-02-guesses``
    """
    used = _use(names, game, role)
    if json:
        report.json_object({"schema": "gpusolve.lists.use/1", "used": [asdict(choice) for choice in used]})
    else:
        _show(used)


def _use(names: Sequence[str], game: str | None = None, role: Role | None = None) -> list[Choice]:
    """Make lists the default of games, with the lists that they need, and return what was chosen."""
    if game is not None:
        check_choice("game", game, choices.roles())
    lists: dict[str, dict[str, str | None]] = {}
    for name in names:
        for chosen in _games(name, game):
            lists.setdefault(chosen, {}).update(_roles(name, chosen, role))
    for chosen, by_role in lists.items():
        choices.choose(chosen, by_role)
    return [Choice(at, each, name or "", name is not None) for at in lists for each, name in lists[at].items()]


def _games(name: str, game: str | None) -> Sequence[str]:
    """Return the games of which a list becomes the default. Raises BadInput if the name does not say it."""
    if game is not None:
        return (game,)
    if name != DEFAULT:
        _check_here(name)
    games = () if name == DEFAULT else choices.games_of(name)
    if not games:
        raise BadInput(f"name {name}: expected --game with it, one of {', '.join(choices.roles())}")
    return games


def _roles(name: str, game: str, role: Role | None) -> dict[str, str | None]:
    """Return the list for each role of a game that it and the lists that it needs take; None is for the game's own."""
    known = choices.roles()[game]
    if role is not None and role not in known:
        raise BadInput(f"role {role}: {game} has no such list: expected {' or '.join(known)}")
    if name == DEFAULT:
        return dict.fromkeys([role] if role else known)
    needed = public.BY_NAME[name].needs if name in public.BY_NAME and role is None else ()
    _check_here(name)
    for each in needed:
        _check_here(each, f"{name} needs it, and it is ")
    found: dict[str, str | None] = {choices.role_of(each, game): each for each in needed}
    return found | {role or choices.role_of(name, game): name}


def _show(used: Sequence[Choice]) -> None:
    place = configuration.place()
    for choice in used:
        chosen = f"{choice.name} (in {plain(str(place))})" if choice.configured else "the game's own choice"
        report.text(f"{choice.game} {choice.role}: {chosen}")


def _public(name: str) -> public.PublicList:
    """Return a public list. Raises BadInput if none has this name."""
    if (found := public.BY_NAME.get(name)) is not None:
        return found
    if name in [each.name for each in shipped()]:
        raise BadInput(f"name {name}: it is shipped with gpusolve, and need not be downloaded")
    raise BadInput(f"name {shown(name)}: no public list{_or_near(name, [*public.BY_NAME])}")


def _with_needed(wanted: Iterable[public.PublicList]) -> list[public.PublicList]:
    """Return lists with those that they need after them, each once."""
    found: dict[str, public.PublicList] = {}
    for each in wanted:
        found |= {name: public.BY_NAME[name] for name in (each.name, *each.needs)}
    return [*found.values()]


def _check_here(name: str, why: str = "") -> None:
    """Raise BadInput, with `why` it is asked for, unless a list can be used."""
    names = [each.name for each in shipped()] + kept.names()
    if name in names:
        return
    if name in public.BY_NAME:
        raise BadInput(f"name {name}: {why}not on this machine: gpusolve lists get {name}")
    raise BadInput(f"name {shown(name)}: no list{_or_near(name, [*dict.fromkeys([*names, *public.BY_NAME])])}")


def _or_near(name: str, known: Sequence[str]) -> str:
    """Return the end of an error about an unknown name: the names near to it, else all of them."""
    return suggestion(name, known) or (f": expected one of {', '.join(known)}" if known else "")


def _and(words: Sequence[str]) -> str:
    *before, last = words or ("",)
    return f"{', '.join(before)} and {last}" if before else last
