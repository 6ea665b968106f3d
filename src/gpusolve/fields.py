"""The typed reader for everything that is read back from a file: checkpoints, recorded games, values, trees.

A file from a stranger can contain anything. Each field is read by its name and its expected type and range. If it is
missing or differs, a `BadInput` says in one line which file and which field, and what was expected.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from gpusolve import checks
from gpusolve.errors import BadInput

if TYPE_CHECKING:
    import numpy.typing as npt


@dataclass(frozen=True)
class Fields:
    """The named values of an object in a file. It is false if there are none.

    Parameters
    ----------
    place : str
        Where they come from, for messages: ``checkpoint FILE: damaged``.
    values : mapping
        Name -> value, as JSON or an archive of arrays gives it.
    """

    place: str
    values: Mapping[str, Any] = field(default_factory=dict)

    def __bool__(self) -> bool:
        return bool(self.values)

    def __contains__(self, name: str) -> bool:
        return name in self.values

    def integer(self, name: str, least: int, most: int) -> int:
        """Return the integer from `least` to `most` with this name.

        >>> Fields("game x.json", {"lines": 12}).integer("lines", 0, 230)
        12
        >>> Fields("game x.json", {"lines": -1}).integer("lines", 0, 230)
        Traceback (most recent call last):
        gpusolve.errors.BadInput: game x.json: lines -1: expected a whole number, 0 to 230
        """
        return int(self._checked(name, checks.check_integer, least, most))

    def number(self, name: str, least: float, most: float) -> float:
        """Return the number from `least` to `most` with this name."""
        return float(self._checked(name, checks.check_number, least, most))

    def choice(self, name: str, known: Collection[str]) -> str:
        """Return the text with this name, which must be one of those known."""
        return str(self._checked(name, checks.check_choice, known))

    def flag(self, name: str) -> bool:
        """Return the truth value with this name."""
        value = self._value(name)
        if not isinstance(value, bool):
            raise self.wrong(name, "true or false")
        return value

    def text(self, name: str, longest: int = 10_000) -> str:
        """Return the text with this name, of at most `longest` characters."""
        value = self._value(name)
        if not isinstance(value, str) or len(value) > longest:
            raise self.wrong(name, f"text of at most {longest:,} characters")
        return value

    def sequence(self, name: str, length: int | None = None) -> list[Any]:
        """Return the list with this name, of the given length if there is one."""
        value = self._value(name)
        if not isinstance(value, list | tuple) or (length is not None and len(value) != length):
            raise self.wrong(name, "a list" if length is None else f"a list of {length:,}")
        return list(value)

    def integers(self, name: str, least: int, most: int, length: int | None = None) -> list[int]:
        """Return the list of integers with this name, each from `least` to `most`."""
        values = self.sequence(name, length)
        for position, value in enumerate(values):
            self._check(f"{name}[{position}]", value, checks.check_integer, least, most)
        return [int(value) for value in values]

    def object(self, name: str) -> Fields:
        """Return the object with this name."""
        return self._as_object(name, self._value(name))

    def objects(self, name: str, length: int | None = None) -> list[Fields]:
        """Return the list of objects with this name."""
        return [self._as_object(f"{name}[{i}]", value) for i, value in enumerate(self.sequence(name, length))]

    def array(
        self,
        name: str,
        dtype: npt.DTypeLike,
        shape: Sequence[int | None],
        least: float | None = None,
        most: float | None = None,
    ) -> npt.NDArray[Any]:
        """Return the array with this name.

        Parameters
        ----------
        name : str
            The field.
        dtype : dtype
            The exact type of its elements.
        shape : sequence
            Its length along each axis; None for any length.
        least, most : float, optional
            Bounds of its elements.
        """
        import numpy as np

        value, expected = self._value(name), np.dtype(dtype)
        sizes = ", ".join("any" if size is None else f"{size:,}" for size in shape)
        description = f"an array of {expected} and shape ({sizes})"
        if not isinstance(value, np.ndarray) or value.dtype != expected or value.ndim != len(shape):
            raise self.wrong(name, description)
        if any(size not in (None, length) for size, length in zip(shape, value.shape, strict=True)):
            raise self.wrong(name, description)
        if value.size and least is not None and not value.min() >= least:
            raise self.wrong(name, f"no element below {least:,}")
        if value.size and most is not None and not value.max() <= most:
            raise self.wrong(name, f"no element above {most:,}")
        return value

    def wrong(self, name: str, expected: str) -> BadInput:
        """Return the error that says that a field is not what was expected."""
        value = self.values.get(name)
        shown = (
            f"array of {value.dtype}, {value.shape}"
            if value is not None and hasattr(value, "dtype")
            else checks.shown(value)
        )
        return BadInput(f"{self.place}: {name} {shown}: expected {expected}")

    def _value(self, name: str) -> Any:
        if name not in self.values:
            raise BadInput(f"{self.place}: it has no {name}")
        return self.values[name]

    def _as_object(self, name: str, value: Any) -> Fields:
        if not isinstance(value, dict):
            raise BadInput(f"{self.place}: {name} {checks.shown(value)}: expected an object")
        return Fields(f"{self.place}: {name}", value)

    def _checked(self, name: str, check: Any, *bounds: Any) -> Any:
        value = self._value(name)
        self._check(name, value, check, *bounds)
        return value

    def _check(self, name: str, value: Any, check: Any, *bounds: Any) -> None:
        try:
            check(name, value, *bounds)
        except BadInput as error:
            raise BadInput(f"{self.place}: {error}") from None
