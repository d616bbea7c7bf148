#!/usr/bin/env python3
"""The evaluation of loatune in Python, for a weight file in JSON.

    loatune export --format json -o mine.json
    python3 evaluate.py mine.json '8/8/8/3x4/4x3/8/o6o/8 o' [PLIES]

docs/evaluation.md explains the formula. It is written to be read, not to be
fast. A position that is won or lost has no such value: the search knows it.
Without a position, lines of PLIES and position are read from standard input.
"""

import json
import math
import sys

ONE, PHASES, LARGEST = 64, 16, 20000
DIRECTIONS = [(dx, dy) for dx in (-1, 0, 1) for dy in (-1, 0, 1) if (dx, dy) != (0, 0)]
FEATURES = ["euler", "quad3", "quad4", "spread", "capturable", "mobility", "blocked",
            "mobility_centre", "pieces", "extent", "concentration", "edge_moves", "centre_moves"]


def scaled_power(numerator, denominator, quarters):
    """64 · (numerator / denominator) ^ (quarters / 4), rounded."""
    inside = (2 * ONE) ** 4 * numerator ** quarters // denominator ** quarters
    return (math.isqrt(math.isqrt(inside)) + 1) // 2


def read_position(text):
    """The pieces by (file, rank), from 0, and the side to move."""
    ranks, turn = text.split()
    pieces = {}
    for row, marks in enumerate(ranks.split("/")):
        x = 0
        for mark in marks:
            if mark in "xo":
                pieces[x, 7 - row] = mark
                x += 1
            else:
                x += int(mark)
    return pieces, turn


def moves_of(pieces, place):
    """For each legal move of the piece at `place`: where to, and whether it captures."""
    side, (x, y) = pieces[place], place
    found = []
    for dx, dy in DIRECTIONS:
        line = [(x + n * dx, y + n * dy) for n in range(-7, 8)]
        count = sum(square in pieces for square in line)
        tx, ty = x + count * dx, y + count * dy
        way = [(x + n * dx, y + n * dy) for n in range(1, count)]
        inside = 0 <= tx < 8 and 0 <= ty < 8
        if inside and pieces.get((tx, ty)) != side and all(pieces.get(s, side) == side for s in way):
            found.append(((tx, ty), (tx, ty) in pieces))
    return found


def is_connected(own):
    """Whether the squares form one group."""
    start = next(iter(own))
    seen, todo = {start}, [start]
    while todo:
        x, y = todo.pop()
        for dx, dy in DIRECTIONS:
            place = (x + dx, y + dy)
            if place in own and place not in seen:
                seen.add(place)
                todo.append(place)
    return len(seen) == len(own)


def features(pieces, side, shapes):
    """The features of one side, in 64ths."""
    own = {place for place, mark in pieces.items() if mark == side}
    count = len(own)
    quads = [0] * 5
    diagonal = 0
    for x in range(-1, 8):
        for y in range(-1, 8):
            held = [place in own for place in [(x, y), (x + 1, y), (x, y + 1), (x + 1, y + 1)]]
            quads[sum(held)] += 1
            diagonal += sum(held) == 2 and held[0] == held[3]
    euler4 = quads[1] - quads[3] - 2 * diagonal
    if euler4 <= 4 and not is_connected(own):
        euler4 += shapes["hole_penalty"]
    sums = [sum(place[axis] for place in own) for axis in (0, 1)]
    spread = sum(scaled_power(abs(count * place[axis] - sums[axis]), count, shapes["spread_power"])
                 for place in own for axis in (0, 1))
    moves = {place: moves_of(pieces, place) for place in own}
    worth = {place: scaled_power(len(moves[place]), 1, shapes["mobility_power"]) for place in own}
    near = [place for place in own
            if all(abs(count * place[axis] - sums[axis]) <= 2 * count for axis in (0, 1))]
    targets = [target for found in moves.values() for target, _ in found]
    box = [[place[axis] for place in own] for axis in (0, 1)]
    extent = sum(max(places) - min(places) + 1 for places in box)
    # King's steps to the square nearest to the centre of mass, more than needed: one
    # piece in the centre, eight around it, the others a step further out.
    x, y = [(2 * total + count) // (2 * count) for total in sums]
    steps = sum(max(abs(place[0] - x), abs(place[1] - y)) for place in own)
    parts = 2 * (steps - min(count - 1, 8) - 2 * max(count - 9, 0)) + 1
    return {
        "euler": -euler4 * ONE // 4,
        "quad3": quads[3] * ONE,
        "quad4": quads[4] * ONE,
        "spread": -spread,
        "capturable": sum(captures for found in moves.values() for _, captures in found) * ONE,
        "mobility": sum(worth.values()),
        "blocked": -sum(not found for found in moves.values()) * ONE,
        "mobility_centre": sum(worth[place] for place in near),
        "pieces": count * ONE,
        "extent": -extent * ONE,
        "concentration": (2 * 8 * ONE + parts) // (2 * parts),
        "edge_moves": sum(not {0, 7}.isdisjoint(target) for target in targets) * ONE,
        "centre_moves": sum(set(target) <= {2, 3, 4, 5} for target in targets) * ONE,
    }


def evaluate(weights, position, plies=0):
    """The value for the side to move, in points."""
    pieces, turn = read_position(position)
    opening = weights["weights"]
    endgame = {**opening, **weights.get("endgame", {})}
    shapes = {name: round(4 * opening.get(name, default)) for name, default in
              [("hole_penalty", 0), ("spread_power", 1), ("mobility_power", 1)]}
    phase = 0
    if "endgame" in weights:
        phase = min(max(24 - len(pieces) - 4 + min(plies // 10, PHASES), 0), PHASES)
    own, other = [features(pieces, side, shapes) for side in (turn, "xo"[turn == "x"])]
    total = 0
    for name in FEATURES:
        weight = opening.get(name, 0) * (PHASES - phase) + endgame.get(name, 0) * phase
        total += weight * (own[name] - other[name])
    # Towards zero, where // would round down.
    value = abs(total) // (ONE * PHASES * 8) * (1 if total >= 0 else -1)
    return min(max(value, -LARGEST), LARGEST)


if __name__ == "__main__":
    with open(sys.argv[1], encoding="utf-8") as file:
        chosen = json.load(file)
    if len(sys.argv) > 2:
        print(evaluate(chosen, sys.argv[2], int(sys.argv[3]) if len(sys.argv) > 3 else 0))
    else:
        for line in sys.stdin:
            number, text = line.split(" ", 1)
            print(evaluate(chosen, text, int(number)))
