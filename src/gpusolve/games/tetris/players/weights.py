"""Weights of the 17 features: small JSON files that name the features, shipped ones by name."""

from __future__ import annotations

import json
import numbers
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, TypeAlias

from gpusolve import files
from gpusolve.errors import BadInput, plain
from gpusolve.games.tetris.players.value import SUFFIX, LearnedValue, load_value
from gpusolve.games.tetris.rules.features import FEATURES, LARGEST

SCHEMA = "gpusolve.tetris.weights/1"
FOLDER = Path(__file__).parents[1] / "weights"


@dataclass(frozen=True)
class Weights:
    """`values`: one for each of FEATURES. `about`: where they come from.

    Raises BadInput unless the values are 17 finite numbers, not all 0. What cannot be printed in a name is escaped.
    """

    name: str
    about: str
    values: tuple[float, ...]

    def __post_init__(self) -> None:
        object.__setattr__(self, "name", plain(str(self.name)))
        object.__setattr__(self, "values", _checked("weights", self.values))

    @property
    def judge(self) -> tuple[float, ...]:
        """What `playing` judges boards by; of a learned value that is itself."""
        return self.values


WeightsLike: TypeAlias = str | Path | Weights | Sequence[float]
"""What stands for weights in every call: a shipped name, a file, what `load_weights` gave, or the 17 numbers."""


def shipped() -> list[str]:
    """The names of the weights that come with gpusolve.

    >>> "published" in shipped()
    True
    """
    return sorted(path.stem for path in FOLDER.iterdir() if path.suffix in (".json", SUFFIX))


def best_weights(reach: str = "free") -> str:
    """The name of the shipped ones that score most with a reach, by every policy (benchmarks/results/tetris-value.md).

    >>> best_weights("30hz"), best_weights("das")
    ('learned', '30hz')
    """
    return "30hz" if reach == "das" else "learned"


def load_weights(source: WeightsLike) -> Weights:
    """The weights that `source` stands for. Raises BadInput for a damaged file, and for numbers that cannot be weights.

    >>> load_weights("published").values[:2]
    (1.3282276908835944, 9.846486271141757)
    """
    if isinstance(source, Weights):
        return source
    if not isinstance(source, str | Path):
        return Weights("weights", "", source)  # type: ignore[arg-type]
    path = FOLDER / f"{source}.json" if source in shipped() else Path(source)
    if not files.exists(path):
        raise BadInput(f"weights {source}: expected a file or one of {', '.join(shipped())}")
    found = files.read_json(path, "weights")
    if not isinstance(found, dict) or found.get("schema") != SCHEMA:
        raise BadInput(f'weights {source}: expected an object with "schema": "{SCHEMA}"')
    weights = found.get("weights")
    if not isinstance(weights, dict) or set(weights) != set(FEATURES):
        unknown = sorted(set(weights) ^ set(FEATURES)) if isinstance(weights, dict) else ["weights"]
        raise BadInput(f"weights {source}: missing or unknown: {', '.join(unknown)}; expected the 17 features")
    values = _checked(f"weights {source}", [weights[name] for name in FEATURES])
    return Weights(str(found.get("name", path.stem)), str(found.get("about", "")), values)


def load_evaluation(source: WeightsLike | LearnedValue) -> Weights | LearnedValue:
    """What boards are judged by: weights, as `load_weights` takes them, or a learned value, by its name or its file."""
    if isinstance(source, LearnedValue):
        return source
    if isinstance(source, str | Path):
        shipped_value = FOLDER / f"{source}{SUFFIX}"
        path = shipped_value if files.exists(shipped_value) else Path(source)
        if path.suffix == SUFFIX:
            return load_value(path)
    return load_weights(source)


def save_weights(path: Path, weights: Weights) -> None:
    """Writes a file that `load_weights` reads. Raises BadInput where it cannot be written."""
    content = {
        "schema": SCHEMA,
        "name": weights.name,
        "about": weights.about,
        "weights": dict(zip(FEATURES, weights.values, strict=True)),
    }
    files.write(path, json.dumps(content, indent=2) + "\n", "weights")


def _checked(place: str, given: Any) -> tuple[float, ...]:
    """As floats. Raises BadInput unless they are 17 finite numbers, not all 0."""
    try:
        count, values = len(given), tuple(given)
    except TypeError:
        raise BadInput(f"{place}: expected {len(FEATURES)} numbers, not {type(given).__name__}") from None
    if count != len(FEATURES):
        raise BadInput(f"{place}: {count} numbers, expected {len(FEATURES)}")
    for name, value in zip(FEATURES, values, strict=True):
        number: Any = value  # numbers.Real does not say that it can be compared
        if isinstance(value, bool) or not isinstance(value, numbers.Real) or not -LARGEST <= number <= LARGEST:
            raise BadInput(f"{place}: {name} is {str(value)[:40]}, expected a number of at most {LARGEST:g} in size")
    if not any(values):
        raise BadInput(f"{place}: all 0")
    return tuple(map(float, values))
