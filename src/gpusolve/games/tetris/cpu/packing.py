"""The code of packed numbers: a binary arithmetic coder whose probabilities come from what is already known.

It runs on the host for every device, because each probability depends on all numbers before. A number is the difference
from a reference. It is coded as whether it is 0, its sign, the number of its binary digits, and these digits, of which
the first two after the leading one have probabilities and the others do not. Each probability is a mixture of CONTEXTS
predictions, by counters that depend on the neighbours of the number in its table and on what is known at the same place
of the reference and of another set of numbers. The weights of the mixture are learned on the way, in integers, so all
machines find the same ones. Mahoney's report on PAQ8 explains the method ("Adaptive weighing of context models for
lossless data compression", 2005).
"""

# mypy: disable-error-code="assignment, operator"

from __future__ import annotations

import numpy as np

from gpusolve.backend.compiled import compiled, inlined
from gpusolve.backend.intrinsics.bits import leading_zeros

CONTEXTS = 4
VALUES = 1 << 12
"""Each context is less than this."""
NODES = 128
"""The binary decisions of a number: 0 is whether it is 0, 1 its sign, 2 to 16 its number of digits, then the digits."""
EVEN, COUNT_BITS, MOST_COUNT = 1 << 31, 10, 250
"""A counter has its probability in the upper bits; it moves by an ever smaller part of the error, down to 1 in 250."""
EQUAL_WEIGHT = 26_000
"""The weight of each prediction at first; 65,536 is 1."""
LEARNING_RATE = 7
LOW, HIGH, CODE, AT = 0, 1, 2, 3
"""The state of the coder: the range, what the decoder has read of the stream, and the place in the stream."""
WORD = 0xFFFFFFFF


@inlined
def digits(number):
    """Return the number of binary digits."""
    return 64 - leading_zeros(np.uint64(number))


@inlined
def grade(size):
    """Return 0 to 31 for a size: two grades for each power of two."""
    count = digits(size)
    return count if count < 2 else min(2 * count - 2 + ((size >> (count - 2)) & 1), 31)


@inlined
def signed_grade(number):
    """Return 0 to 62 for a number of either sign."""
    return 2 * grade(abs(number)) - (number < 0)


@inlined
def split(decodes, wanted, probability, state, stream):
    """Code a bit that is 1 with `probability` / 4096, and return it."""
    low, high = state[LOW], state[HIGH]
    middle = low + ((high - low) >> 12) * probability + (((high - low) & 4095) * probability >> 12)
    bit = np.int64(state[CODE] <= middle) if decodes else wanted
    if bit:
        high = middle
    else:
        low = middle + 1
    while (low ^ high) >> 24 == 0:
        if not decodes:
            stream[state[AT]] = high >> 24
        elif state[AT] < len(stream):
            state[CODE] = (state[CODE] << 8) & WORD | stream[state[AT]]
        else:
            state[CODE] = (state[CODE] << 8) & WORD
        state[AT] += 1
        low, high = (low << 8) & WORD, (high << 8) & WORD | 255
    state[LOW], state[HIGH] = low, high
    return bit


@inlined
def decide(decodes, wanted, node, contexts, counters, weights, evidence, scales, state, stream):
    """Code the bit of a node with a probability that its counters predict, and teach them the bit."""
    stretched, squashed, parts = scales[0], scales[1], scales[2]
    total = np.int64(0)
    for k in range(CONTEXTS):
        evidence[k] = stretched[counters[k, contexts[k], node] >> 20]
        total += evidence[k] * weights[node, k]
    probability = np.int64(squashed[min(max(total >> 16, -2047), 2047) + 2047])
    bit = split(decodes, wanted, probability, state, stream)
    error = ((bit << 12) - probability) * LEARNING_RATE
    for k in range(CONTEXTS):
        weights[node, k] += (evidence[k] * error + (1 << 13)) >> 14
        counter = np.int64(counters[k, contexts[k], node])
        count = counter & (1 << COUNT_BITS) - 1
        chance = counter >> COUNT_BITS
        chance += (((bit << 22) - chance) >> 3) * parts[count] >> 13
        counters[k, contexts[k], node] = chance << COUNT_BITS | min(count + 1, MOST_COUNT)
    return bit


@inlined
def look_around(numbers, i, place, strides, axes, base, beyond, contexts):
    """Set the contexts of number i, at `place` in its table; its neighbours are one step before it on each axis."""
    near = changed = total = size = np.int64(0)
    for axis in range(axes):
        if place[axis]:
            near += 1
            number = np.int64(numbers[i - strides[axis]])
            changed += number != 0
            total += number
            size += abs(number)
    mean = total // changed if changed else 0
    typical = grade(2 * size // changed) if changed else 0
    spread = grade(size // near) if near else 0
    contexts[0] = typical * 64 + min(changed, 7) * 8 + min(near, 7)
    contexts[1] = signed_grade(mean) * 8 + min(changed, 7)
    contexts[2] = spread * 128 + signed_grade(beyond) * 2 + (base != 0)
    contexts[3] = signed_grade(base) * 32 + spread


@compiled
def code(decodes, stream, numbers, reference, other, shapes, scales):
    """Write `numbers` to a stream if `decodes` is 0, or else read them from it; return the length of the stream.

    `shapes` (tables, axes) has the shape of each table, filled up with zeros. `reference` and `other` are what else is
    known, one number for each of `numbers`. `scales` (3, 4096) has the logistic scales of `packed.scales`.
    """
    counters = np.full((CONTEXTS, VALUES, NODES), EVEN, np.uint32)
    weights = np.full((NODES, CONTEXTS), EQUAL_WEIGHT, np.int64)
    evidence, contexts = np.zeros(CONTEXTS, np.int64), np.zeros(CONTEXTS, np.int64)
    state = np.zeros(4, np.int64)
    state[HIGH] = WORD
    if decodes:
        for k in range(4):
            state[CODE] = state[CODE] << 8 | stream[k]
        state[AT] = 4
    place, strides = np.zeros(shapes.shape[1], np.int64), np.zeros(shapes.shape[1], np.int64)
    i = 0
    for table in range(len(shapes)):
        axes = 0
        while axes < shapes.shape[1] and shapes[table, axes]:
            place[axes] = 0
            axes += 1
        length = 1
        for axis in range(axes - 1, -1, -1):
            strides[axis] = length
            length *= shapes[table, axis]
        for _ in range(length):
            look_around(numbers, i, place, strides, axes, np.int64(reference[i]), np.int64(other[i]), contexts)
            number, size = np.int64(numbers[i]), np.int64(abs(numbers[i]))
            if decide(decodes, np.int64(number != 0), 0, contexts, counters, weights, evidence, scales, state, stream):
                negative = decide(
                    decodes, np.int64(number < 0), 1, contexts, counters, weights, evidence, scales, state, stream
                )
                most, node = digits(size) - 1, 1
                for k in range(3, -1, -1):
                    bit = most >> k & 1
                    node = 2 * node + decide(
                        decodes, bit, node + 1, contexts, counters, weights, evidence, scales, state, stream
                    )
                most, found = node - 16, 1
                for k in range(most - 1, -1, -1):
                    bit = size >> k & 1
                    if found < 4:
                        node = 17 + 4 * most + found
                        bit = decide(decodes, bit, node, contexts, counters, weights, evidence, scales, state, stream)
                    else:
                        bit = split(decodes, bit, 2048, state, stream)
                    found = 2 * found + bit
                if decodes:
                    numbers[i] = -found if negative else found
            i += 1
            axis = axes - 1
            while axis >= 0:
                place[axis] += 1
                if place[axis] < shapes[table, axis]:
                    break
                place[axis] = 0
                axis -= 1
    if not decodes:
        for k in range(4):
            stream[state[AT]] = state[LOW] >> (24 - 8 * k) & 255
            state[AT] += 1
    return state[AT]
