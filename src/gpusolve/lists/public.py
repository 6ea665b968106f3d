"""The public word lists that `gpusolve lists get` downloads. None of them is shipped."""

from __future__ import annotations

import os
from dataclasses import dataclass

VARIABLE = "GPUSOLVE_MIRROR"
"""The environment variable that names another address to download from."""
ADDRESS = "https://raw.githubusercontent.com"


@dataclass(frozen=True)
class PublicList:
    """A word list in a public repository, as a certain commit has it.

    Attributes
    ----------
    name : str
        The name that commands and functions take.
    repository, commit, path : str
        The file.
    count : int
        Number of different words.
    size : int
        Number of bytes.
    sha256 : str
        SHA-256 of the file, in hexadecimal.
    games : tuple of str
        The games that it is for.
    about : str
        What it is.
    licence : str
        Under which licence it is, or who owns it.
    needs : tuple of str
        Public lists without which it cannot be used.
    """

    name: str
    repository: str
    commit: str
    path: str
    count: int
    size: int
    sha256: str
    games: tuple[str, ...]
    about: str
    licence: str
    needs: tuple[str, ...] = ()

    @property
    def address(self) -> str:
        """The address from which it is downloaded."""
        base = (os.environ.get(VARIABLE) or ADDRESS).rstrip("/")
        return f"{base}/{self.repository}/{self.commit}/{self.path}"


LISTS = (
    PublicList(
        name="wordle-2022-08-guesses",
        repository="alex1770/wordle",
        commit="8fd3f1bdf884ff6757c24ad1227dc561fab7787d",
        path="wordlist_nyt20220830_all",
        count=14_855,
        size=89_130,
        sha256="ba86911aea83d038d53c0999fe6cbe310c8f59d2b79626c73bd0cd0773adc320",
        games=("wordle",),
        about="the words that Wordle accepts since August 2022",
        licence="MIT for the repository",
    ),
    PublicList(
        name="wordle-2023-07-answers",
        repository="alex1770/wordle",
        commit="8fd3f1bdf884ff6757c24ad1227dc561fab7787d",
        path="wordlist_nyt20230701_hidden",
        count=3_158,
        size=18_948,
        sha256="3e443482b78dee0f6f8de4f74dbb67537db781524279b1d40ca3353c592b03ce",
        games=("wordle",),
        about="the possible answers of Wordle in July 2023",
        licence="MIT for the repository",
        needs=("wordle-2022-08-guesses",),
    ),
    PublicList(
        name="enable",
        repository="dolph/dictionary",
        commit="c65f04b0b5b27a981f437b940cf62fe71320d5ec",
        path="enable1.txt",
        count=172_823,
        size=1_743_363,
        sha256="3f16130220645692ed49c7134e24a18504c2ca55b3c012f7290e3e77c63b1a89",
        games=("quiddler",),
        about="ENABLE, a list for word games of any kind",
        licence="public domain",
    ),
    PublicList(
        name="queuedle",
        repository="healeycodes/queuedle",
        commit="af4cdeb10e1f99e3d8f69b73130ce668d55dbcf6",
        path="data/twl06.json",
        count=178_691,
        size=2_120_551,
        sha256="10da5e8a186f75ff90ffddc4646300fbb796f68c0522ecc2f3f8956be792d1ff",
        games=("queuedle",),
        about="the dictionary of the site Queuedle, the tournament list TWL06",
        licence="proprietary",
    ),
    PublicList(
        name="qless",
        repository="damiensnyder/damiens-arcade",
        commit="3783e90b3cc31ee438c5d67b48a666f169aba01b",
        path="analysis/ratings.csv",
        count=95_068,
        size=1_074_003,
        sha256="0feef9b50ac938e5cb2f75036fa5a09c8c41d01a90f6679db5f6989659ee5c4c",
        games=("qless",),
        about="the words of the site Daily Q-less, each with a rating",
        licence="no licence is stated",
    ),
)
BY_NAME = {each.name: each for each in LISTS}
