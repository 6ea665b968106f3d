"""Weights of the 17 features: small JSON files that name the features, shipped ones by name."""

from __future__ import annotations

import json
import math
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from gpusolve.errors import BadInput
from gpusolve.games.tetris.rules import FEATURES

SCHEMA = "gpusolve.tetris.weights/1"
FOLDER = Path(__file__).parent / "weights"


@dataclass(frozen=True)
class Weights:
    """`values`: one for each of FEATURES. `about`: where they come from."""

    name: str
    about: str
    values: tuple[float, ...]


def shipped() -> list[str]:
    """The names of the weights that come with gpusolve.

    >>> "published" in shipped()
    True
    """
    return sorted(path.stem for path in FOLDER.glob("*.json"))


def load_weights(source: str) -> Weights:
    """Weights by a shipped name or from a file. Raises BadInput for what is neither and for a damaged file.

    >>> load_weights("published").values[:2]
    (1.3282276908835944, 9.846486271141757)
    """
    path = FOLDER / f"{source}.json" if source in shipped() else Path(source)
    try:
        text = path.read_text(encoding="utf-8")
    except (OSError, UnicodeDecodeError) as error:
        raise BadInput(f"weights {source}: expected a file or one of {', '.join(shipped())}") from error
    try:
        found: Any = json.loads(text)
    except ValueError as error:
        raise BadInput(f"weights {source}: not JSON: {error}") from error
    if not isinstance(found, dict) or found.get("schema") != SCHEMA:
        raise BadInput(f'weights {source}: expected an object with "schema": "{SCHEMA}"')
    weights = found.get("weights")
    if not isinstance(weights, dict) or set(weights) != set(FEATURES):
        unknown = sorted(set(weights) ^ set(FEATURES)) if isinstance(weights, dict) else ["weights"]
        raise BadInput(f"weights {source}: missing or unknown: {', '.join(unknown)}; expected the 17 features")
    values = tuple(weights[name] for name in FEATURES)
    for name, value in zip(FEATURES, values, strict=True):
        if isinstance(value, bool) or not isinstance(value, int | float) or not math.isfinite(value):
            raise BadInput(f"weights {source}: {name} is {value!r}, expected a finite number")
    if not any(values):
        raise BadInput(f"weights {source}: all 0")
    return Weights(str(found.get("name", path.stem)), str(found.get("about", "")), tuple(map(float, values)))


def save_weights(path: Path, weights: Weights) -> None:
    """Writes a file that `load_weights` reads. Raises BadInput where it cannot be written."""
    content = {
        "schema": SCHEMA,
        "name": weights.name,
        "about": weights.about,
        "weights": dict(zip(FEATURES, weights.values, strict=True)),
    }
    try:
        path.write_text(json.dumps(content, indent=2) + "\n", encoding="utf-8")
    except OSError as error:
        raise BadInput(f"weights {path}: cannot be written: {error.strerror}") from error
