"""The queue of a best-first search compared with the textbook's heap."""

from __future__ import annotations

import numpy as np
from hypothesis import given, strategies as st

from gpusolve.search.heap import Heap
from search.toy import PlainHeap


@given(st.lists(st.lists(st.integers(0, 5), max_size=9), max_size=9), st.lists(st.integers(0, 12), max_size=9))
def test_the_heap_pops_in_the_textbooks_order(pushes: list[list[int]], pops: list[int]) -> None:
    heap, plain, number = Heap(), PlainHeap(), 0
    for keys, count in zip(pushes, [*pops, *[0] * len(pushes)], strict=False):
        heap.push(np.array(keys, np.uint16), number)
        for i, key in enumerate(keys):
            if key:
                plain.push(key, number + i)
        number += len(keys)
        count = min(count, len(plain.entries))
        assert heap.pop(count).tolist() == [plain.pop() for _ in range(count)]
        assert len(heap) == len(plain.entries)
