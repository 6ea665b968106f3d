"""The arguments and options of several commands of Q-less."""

from __future__ import annotations

import functools
import inspect
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from gpusolve.errors import Exit
from gpusolve.output.options import Dictionary

if TYPE_CHECKING:
    from gpusolve.games.qless.variant import Variant

RollArgument = Annotated[
    str, typer.Argument(metavar="ROLL", help="The 3 to 14 letters of the roll, such as cddeeimprtwx.")
]
MinLength = Annotated[int, typer.Option(min=3, max=14, help="Minimum length of a word.")]
AllowTouching = Annotated[
    bool, typer.Option("--allow-touching", help="Allow two adjacent letters that do not form a word.")
]
NoRepeats = Annotated[bool, typer.Option("--no-repeats", help="Use each word at most once in a solution.")]
Ban = Annotated[Path | None, typer.Option(help="File with words that must not be used.")]
Common = Annotated[bool, typer.Option("--common", help="Use only everyday words: those in the list scowl-35.")]


@dataclass(frozen=True)
class VariantOptions:
    """The options that describe a variant, as `with_variant_options` gives them to a command."""

    dictionary: Dictionary = "scowl-70"
    min_length: MinLength = 3
    allow_touching: AllowTouching = False
    no_repeats: NoRepeats = False
    ban: Ban = None
    common: Common = False

    def variant(self) -> Variant:
        """Return the variant. Raises BadInput if an option is out of range."""
        from gpusolve.games.qless.variant import Variant

        return Variant(**vars(self))


def with_variant_options(command: Callable[..., None]) -> Callable[..., None]:
    """Return a command with the options of a variant in the place of its parameter of the type `VariantOptions`.

    Typer makes one option for each parameter in the signature of a function. So this function replaces that parameter
    by one parameter for each field.
    """
    options = inspect.signature(VariantOptions, eval_str=True).parameters
    name = ""
    parameters: list[inspect.Parameter] = []
    for parameter in inspect.signature(command, eval_str=True).parameters.values():
        if parameter.annotation is VariantOptions:
            name = parameter.name
            parameters += options.values()
        else:
            parameters.append(parameter)

    @functools.wraps(command)
    def with_options(**values: Any) -> None:
        given = VariantOptions(**{option: values.pop(option) for option in options})
        command(**values, **{name: given})

    parameters = [parameter.replace(kind=inspect.Parameter.KEYWORD_ONLY) for parameter in parameters]
    with_options.__signature__ = inspect.Signature(parameters)  # type: ignore[attr-defined]
    with_options.__annotations__ = {parameter.name: parameter.annotation for parameter in parameters}
    return with_options


def end_search(solutions: int, *, complete: bool) -> None:
    """Exit with the code for an incomplete search or for a roll without a solution; otherwise do nothing."""
    if not complete:
        raise typer.Exit(Exit.STOPPED)
    if not solutions:
        raise typer.Exit(Exit.NO_SOLUTION)
