"""What only the command line does: it streams solutions as they are found."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from gpusolve.commands.running import Call
    from gpusolve.games.qless import Solutions
    from gpusolve.result import Result


def solve(call: Call) -> Result:
    """Search for solutions, and print each as a JSON object as soon as it is found."""
    from gpusolve.games.qless._solve import Found

    def stream(solutions: Solutions) -> None:
        for text in solutions.texts():
            call.emit(Found(text).to_json())

    return call.run(on_solutions=stream) if call.json else call.run()
