"""A Hypothesis strategy that makes toy games."""

from hypothesis import strategies as st

from search.toy import Toy

toys = st.builds(Toy, st.lists(st.integers(0, 30), min_size=1, max_size=12).map(tuple), st.integers(0, 7))
"""Strategy for toys on the CPU; `Toy.on` moves them to another device."""
