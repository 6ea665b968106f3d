"""What only the command line and the server do: better boards are sent to a client while the search goes on."""

from __future__ import annotations

from typing import TYPE_CHECKING

from gpusolve.output import report

if TYPE_CHECKING:
    from gpusolve.commands.running import Call
    from gpusolve.result import Result


def solve(call: Call) -> Result:
    """Search, and send each better board."""
    return call.run(improved=lambda score, moves: report.interim(score=score, moves=moves.to_json()))
