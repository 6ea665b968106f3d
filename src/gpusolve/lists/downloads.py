"""Downloads of public word lists. Only a file with the pinned SHA-256 is kept."""

from __future__ import annotations

import logging
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory

from gpusolve.errors import BadInput, plain
from gpusolve.lists import kept
from gpusolve.lists.public import PublicList

TIMEOUT = 20.0
"""Seconds without an answer, or without more of it, after which a download ends."""
PART = 1 << 14
"""Number of bytes that are written at once."""
LONGEST_REASON = 120
"""Largest number of characters of the reason for which a download has failed."""


def download(wanted: PublicList, progress: Callable[[int], None]) -> Path:
    """Download a list into the folder of the lists, and return its file. An interrupt leaves no part of it.

    Parameters
    ----------
    wanted : PublicList
        The list.
    progress : callable
        It gets the number of bytes that have arrived.

    Raises
    ------
    BadInput
        If the address cannot be reached or has no such file, if the file is another one, or if it cannot be written.
    """
    import pooch
    import requests

    kept.make_folder()  # before anything is downloaded

    def fetch(address: str, file: str, _: object) -> None:
        """Write what the address has to a file; Pooch's own function leaves the connection open after an error."""
        with requests.get(address, stream=True, timeout=TIMEOUT) as response, Path(file).open("wb") as out:
            response.raise_for_status()
            for part in response.iter_content(PART):
                out.write(part)
                if out.tell() > wanted.size:
                    raise _other_file(wanted)
                progress(out.tell())

    try:
        with _silent(pooch.get_logger()), TemporaryDirectory(prefix="gpusolve-") as folder:
            digest = f"sha256:{wanted.sha256}"
            arrived = pooch.retrieve(wanted.address, digest, fname=wanted.name, path=folder, downloader=fetch)
            return kept.keep(wanted.name, Path(arrived).read_bytes())
    except requests.exceptions.RequestException as error:
        raise BadInput(f"{wanted.address}: {_reason(error)}") from error
    except BadInput:
        raise
    except ValueError as error:  # Pooch raises it for another SHA-256
        raise _other_file(wanted) from error
    except OSError as error:
        raise BadInput(f"{wanted.name}: cannot be written: {error.strerror or error}") from error


def _other_file(wanted: PublicList) -> BadInput:
    return BadInput(f"{wanted.address}: not the file with SHA-256 {wanted.sha256[:16]}...; nothing was kept")


def _reason(error: Exception) -> str:
    """Return in a few words why a request has failed."""
    response = getattr(error, "response", None)
    if response is not None:
        return f"the server answers {response.status_code} {response.reason}"
    if "timed out" in str(error).lower() or "timeout" in type(error).__name__.lower():
        return f"no answer within {TIMEOUT:g} seconds"
    if "incomplete" in str(error).lower():
        return "the download was cut off"
    causes = list(_causes(error))
    texts = [text for each in causes if (text := getattr(each, "strerror", None))] or [str(causes[-1])]
    return f"cannot be reached: {plain(texts[-1])[:LONGEST_REASON]}"


def _causes(error: BaseException | None) -> Iterator[BaseException]:
    """Yield an error and what has caused it, the first cause last."""
    while error is not None:
        yield error
        error = error.__cause__ or error.__context__


@contextmanager
def _silent(logger: logging.Logger) -> Iterator[None]:
    """Let a logger say nothing within the block."""
    before = logger.level
    logger.setLevel(logging.CRITICAL)
    try:
        yield
    finally:
        logger.setLevel(before)
