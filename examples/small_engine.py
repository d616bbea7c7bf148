#!/usr/bin/env python3
"""A small engine for Lines of Action that speaks the Universal Game Interface.

It looks two plies ahead and values a position by six numbers, each of which is
an option of type spin: an engine of one's own as `loatune run --engine` tunes
it. The first values are bad on purpose.

    loatune run --engine "python3 examples/small_engine.py" --depth 1

`query features` prints what the six options weigh in a position.
"""

import sys

# Name, first value, least, most.
OPTIONS = {
    "groups": (0, -50, 100),       # off for each own group
    "spread": (0, -20, 40),        # off for each square to the centre of mass
    "pieces": (0, -50, 100),       # for each own piece
    "centre": (0, -20, 20),        # for each step away from the edge
    "mobility": (0, -10, 20),      # for each own move
    "captures": (0, -20, 40),      # for each own capture
}
values = {name: first for name, (first, _, _) in OPTIONS.items()}

START = "1xxxxxx1/o6o/o6o/o6o/o6o/o6o/o6o/1xxxxxx1 x"
DIRECTIONS = [(1, 0), (0, 1), (1, 1), (1, -1)]


def read_position(text):
    rows, turn = text.split()[:2]
    board = {}
    for row, line in enumerate(rows.split("/")):
        column = 0
        for letter in line:
            if letter.isdigit():
                column += int(letter)
            else:
                board[column, 7 - row] = letter
                column += 1
    return board, turn


def name(square):
    return "abcdefgh"[square[0]] + str(square[1] + 1)


def place(text):
    return "abcdefgh".index(text[0]), int(text[1]) - 1


def line_count(board, square, step):
    """Pieces of both sides on a whole line through a square."""
    count = 1
    for sign in (1, -1):
        x, y = square[0] + sign * step[0], square[1] + sign * step[1]
        while 0 <= x < 8 and 0 <= y < 8:
            count += (x, y) in board
            x, y = x + sign * step[0], y + sign * step[1]
    return count


def moves(board, turn):
    """Legal moves, always in the same order."""
    found = []
    for square in sorted(board):
        if board[square] != turn:
            continue
        for step in DIRECTIONS:
            count = line_count(board, square, step)
            for sign in (1, -1):
                dx, dy = sign * step[0], sign * step[1]
                path = [(square[0] + n * dx, square[1] + n * dy) for n in range(1, count + 1)]
                x, y = path[-1]
                if not (0 <= x < 8 and 0 <= y < 8) or board.get((x, y)) == turn:
                    continue
                if any(board.get(between, turn) != turn for between in path[:-1]):
                    continue
                found.append((square, (x, y)))
    return found


def play(board, move):
    after = dict(board)
    after[move[1]] = after.pop(move[0])
    return after


def other(turn):
    return "o" if turn == "x" else "x"


def groups(board, side):
    left = {square for square, piece in board.items() if piece == side}
    count = 0
    while left:
        count += 1
        waiting = [left.pop()]
        while waiting:
            x, y = waiting.pop()
            near = {(x + dx, y + dy) for dx in (-1, 0, 1) for dy in (-1, 0, 1)} & left
            left -= near
            waiting.extend(near)
    return count


def side_features(board, side, has_moves=True):
    """What each option weighs, for one side; moves take the most time."""
    own = [square for square, piece in board.items() if piece == side]
    cx = sum(x for x, _ in own) // len(own)
    cy = sum(y for _, y in own) // len(own)
    possible = moves(board, side) if has_moves else []
    return {
        "groups": -groups(board, side),
        "spread": -sum(max(abs(x - cx), abs(y - cy)) for x, y in own),
        "pieces": len(own),
        "centre": sum(min(x, 7 - x, y, 7 - y) for x, y in own),
        "mobility": len(possible),
        "captures": sum(to in board for _, to in possible),
    }


def side_value(board, side):
    has_moves = bool(values["mobility"] or values["captures"])
    features = side_features(board, side, has_moves)
    return sum(values[name] * number for name, number in features.items())


WIN = 20000


def value(board, turn):
    """What a position is worth to the side that has just moved there."""
    mover = other(turn)
    if groups(board, mover) == 1:
        return WIN
    if groups(board, turn) == 1:
        return -WIN
    return side_value(board, mover) - side_value(board, turn)


def search(board, turn, depth):
    """The best value for the side to move, and its first best move."""
    best, chosen = None, None
    for move in moves(board, turn):
        after = play(board, move)
        worth = value(after, other(turn))
        if depth > 1 and abs(worth) < WIN:
            reply, _ = search(after, other(turn), depth - 1)
            worth = -reply
        if best is None or worth > best:
            best, chosen = worth, move
    return (-WIN if best is None else best), chosen


def main():
    board, turn = read_position(START)
    for line in sys.stdin:
        words = line.split()
        if not words:
            continue
        if words[0] == "ugi":
            print("id name small engine")
            for option, (first, least, most) in OPTIONS.items():
                print(f"option name {option} type spin default {first} min {least} max {most}")
            print("ugiok")
        elif words[0] == "isready":
            print("readyok")
        elif words[0] == "setoption" and len(words) == 5 and words[2] in values:
            values[words[2]] = int(words[4])
        elif words[0] == "position":
            text = START if words[1] == "startpos" else " ".join(words[2:4])
            board, turn = read_position(text)
            for move in words[words.index("moves") + 1:] if "moves" in words else []:
                board = play(board, (place(move[:2]), place(move[-2:])))
                turn = other(turn)
        elif words == ["query", "features"]:
            # An extension: with it `loatune run --school true` learns from games, too.
            black, white = side_features(board, "x"), side_features(board, "o")
            for option in OPTIONS:
                print(f"feature name {option} value {black[option] - white[option]}")
            print("response features")
        elif words[0] == "go":
            depth = int(words[words.index("depth") + 1]) if "depth" in words else 1
            worth, move = search(board, turn, max(1, min(depth, 2)))
            print(f"info depth {depth} score cp {worth}")
            if move:
                mark = "x" if move[1] in board else "-"
                print(f"bestmove {name(move[0])}{mark}{name(move[1])}")
            else:
                print("bestmove (none)")
        elif words[0] == "quit":
            return
        sys.stdout.flush()


if __name__ == "__main__":
    main()
