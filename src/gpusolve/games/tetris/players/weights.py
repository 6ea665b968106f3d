"""Weights of the 17 features: a player, and the small JSON files that keep them."""

from __future__ import annotations

import hashlib
import json
import numbers
from collections.abc import Sequence
from dataclasses import dataclass
from math import prod
from pathlib import Path
from typing import Any, ClassVar, TypeAlias

import numpy as np

from gpusolve import files
from gpusolve.backend import Backend
from gpusolve.checks import shown
from gpusolve.errors import BadInput, plain
from gpusolve.fields import Fields
from gpusolve.games.tetris.players import playouts
from gpusolve.games.tetris.players.expectimax import Expectimax
from gpusolve.games.tetris.players.judge import Choices, Ratings, greedy
from gpusolve.games.tetris.players.playouts import Playouts
from gpusolve.games.tetris.players.policy import Policy
from gpusolve.games.tetris.players.turns import Choose, simple_games_at_once
from gpusolve.games.tetris.players.weights_judge import (
    TwoPiece,
    WeightsJudge,
    WeightsTreeJudge,
    rate_by_tree,
    rate_by_weights,
)
from gpusolve.games.tetris.rules.features import FEATURES, LARGEST
from gpusolve.games.tetris.variant import Variant
from gpusolve.result import Result

SCHEMA = "gpusolve.tetris.weights/1"
FOLDER = Path(__file__).parents[1] / "weights"
BYTES_PER_BOARD = 1920
"""For boards on the last level of branching, 525 in a game with breadths 3, 5, 5. It is ten times what they take, so a
batch is a thousand games on a GPU, and 16 on a CPU, where it should be over in seconds."""


@dataclass(frozen=True, repr=False)
class Weights(Result):
    """A player that judges a board by 17 features, each times its weight.

    Attributes
    ----------
    name : str
        The name that results are reported under. Characters that cannot be printed are escaped.
    about : str
        Where the weights come from.
    values : tuple of float
        The 17 weights, in the order of `rules.features.FEATURES`. Only their ratios count.

    Raises
    ------
    BadInput
        Unless the values are 17 finite numbers, not all 0.

    Examples
    --------
    >>> Weights("mine", "by hand", [1.0] * 17).values[0]
    1.0
    """

    name: str
    about: str
    values: tuple[float, ...]

    in_points: ClassVar[bool] = False
    branching_breadths: ClassVar[tuple[int, ...]] = (3, 5, 5)

    def __post_init__(self) -> None:
        object.__setattr__(self, "name", plain(str(self.name)))
        object.__setattr__(self, "values", _checked("weights", self.values))

    @property
    def digest(self) -> str:
        """The SHA-256 of the values."""
        return hashlib.sha256(np.array(self.values, "<f8").tobytes()).hexdigest()

    def chooser(self, backend: Backend, policy: Policy, variant: Variant) -> Choose:
        """See `player.Player`."""
        if policy.name == "playouts":
            return Playouts(WeightsJudge(backend, self.values, variant), policy.breadths, variant).choose
        if policy.name == "branching":
            tree = WeightsTreeJudge(backend, self.values, variant, ties=policy.ties)
            return Expectimax(tree, policy.breadths, variant, ties=policy.ties).choose
        judge = WeightsJudge(backend, self.values, variant)
        return greedy(judge) if policy.name == "greedy" else TwoPiece(judge).choose

    def games_at_once(self, backend: Backend, policy: Policy, variant: Variant) -> int:
        """See `player.Player`."""
        if policy.name == "playouts":
            return playouts.games_at_once(backend, policy.breadths, variant)
        if policy.name == "branching":
            unknown = max(0, len(policy.breadths) - 2 + (variant.delay > 0))
            return backend.batch(BYTES_PER_BOARD * prod(policy.breadths) * 7**unknown)
        return simple_games_at_once(backend)

    def kernel_weights(self, policy: Policy, variant: Variant) -> tuple[float, ...] | None:
        """See `player.Player`."""
        return self.values if policy.has_kernel(variant) else None

    def rate(self, backend: Backend, choices: Choices, policy: Policy, variant: Variant) -> Ratings:
        """See `player.Player`."""
        if policy.name == "branching":
            return rate_by_tree(backend, self.values, choices, policy.breadths[1:], variant)
        return rate_by_weights(backend, self.values, choices, variant)


WeightsLike: TypeAlias = str | Path | Weights | Sequence[float]
"""Weights: the name of ones that come with gpusolve, a file, or the 17 numbers."""


def load_weights(source: WeightsLike) -> Weights:
    """Load weights of the 17 features.

    Parameters
    ----------
    source : str, Path, Weights or sequence of float
        The name of weights that come with gpusolve (``published``, ``two-piece``, ``30hz``), a JSON file that
        `save_weights` wrote, or the 17 numbers.

    Returns
    -------
    Weights

    Raises
    ------
    BadInput
        If there is no such file, if it is damaged, and for numbers that cannot be weights.

    Examples
    --------
    >>> load_weights("published").values[:2]
    (1.3282276908835944, 9.846486271141757)
    """
    if isinstance(source, Weights):
        return source
    if not isinstance(source, str | Path):
        return Weights("weights", "", source)  # type: ignore[arg-type]
    if source in shipped_weights():
        content = json.loads((FOLDER / f"{source}.json").read_text(encoding="utf-8"))
    elif files.exists(source):
        content = files.read_json(source, "weights")
    else:
        raise BadInput(f"weights {source}: expected a file or one of {', '.join(shipped_weights())}")
    if not isinstance(content, dict) or content.get("schema") != SCHEMA:
        raise BadInput(f'weights {source}: expected an object with "schema": "{SCHEMA}"')
    fields = Fields(f"weights {source}", content)
    weights = fields.object("weights")
    if set(weights.values) != set(FEATURES):
        unknown = sorted(set(weights.values) ^ set(FEATURES))
        raise BadInput(
            f"weights {source}: missing or unknown: {', '.join(map(shown, unknown))}; expected the 17 features"
        )
    return Weights(
        fields.text("name") if "name" in fields else Path(source).stem,
        fields.text("about") if "about" in fields else "",
        _checked(f"weights {source}", [weights.values[name] for name in FEATURES]),
    )


def save_weights(path: Path, weights: Weights) -> None:
    """Save weights to a JSON file that `load_weights` reads.

    Parameters
    ----------
    path : Path
        The file.
    weights : Weights
        The player.

    Raises
    ------
    BadInput
        If the file cannot be written.
    """
    content = {
        "schema": SCHEMA,
        "name": weights.name,
        "about": weights.about,
        "weights": dict(zip(FEATURES, weights.values, strict=True)),
    }
    files.write(path, json.dumps(content, indent=2) + "\n", "weights")


def shipped_weights() -> list[str]:
    """Return the names of the weights that come with gpusolve.

    >>> shipped_weights()
    ['30hz', 'published', 'two-piece']
    """
    return sorted(path.stem for path in FOLDER.iterdir() if path.suffix == ".json")


def _checked(name: str, values: Any) -> tuple[float, ...]:
    """Return weights as floats. Raise BadInput unless they are 17 finite numbers, not all 0."""
    try:
        count, items = len(values), tuple(values)
    except TypeError:
        raise BadInput(f"{name}: expected {len(FEATURES)} numbers, not {type(values).__name__}") from None
    if count != len(FEATURES):
        raise BadInput(f"{name}: {count} numbers, expected {len(FEATURES)}")
    for feature, value in zip(FEATURES, items, strict=True):
        number: Any = value  # numbers.Real does not say that it can be compared
        if isinstance(value, bool) or not isinstance(value, numbers.Real) or not -LARGEST <= number <= LARGEST:
            raise BadInput(f"{name}: {feature} is {shown(value)}, expected a number of at most {LARGEST:g} in size")
    if not any(items):
        raise BadInput(f"{name}: all 0")
    return tuple(map(float, items))
