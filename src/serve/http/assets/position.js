// Positions and moves as text and as 64 cells, a1 first. What is legal is the
// server's to say.

export const START = "1xxxxxx1/o6o/o6o/o6o/o6o/o6o/o6o/1xxxxxx1 x";

export const squareName = (index) => "abcdefgh"[index % 8] + (Math.floor(index / 8) + 1);

export function squareIndex(name) {
  return "abcdefgh".indexOf(name[0]) + 8 * (Number(name[1]) - 1);
}

/** Cells hold "x", "o" or "". */
export function parsePosition(text) {
  const [rows, turn] = text.split(" ");
  const cells = Array(64).fill("");
  rows.split("/").forEach((row, n) => {
    let file = 0;
    for (const mark of row) {
      if (/\d/.test(mark)) file += Number(mark);
      else cells[(7 - n) * 8 + file++] = mark;
    }
  });
  return { cells, turn };
}

export function positionText(cells, turn) {
  const rows = [];
  for (let rank = 7; rank >= 0; rank--) {
    let row = "";
    let empty = 0;
    for (let file = 0; file < 8; file++) {
      const mark = cells[rank * 8 + file];
      if (!mark) empty++;
      else {
        row += (empty || "") + mark;
        empty = 0;
      }
    }
    rows.push(row + (empty || ""));
  }
  return `${rows.join("/")} ${turn}`;
}

/** From and to of a move's text; null for a pass. */
export function parseMove(text) {
  const found = /^([a-h][1-8])([-x])([a-h][1-8])$/.exec(text);
  return found && { from: squareIndex(found[1]), to: squareIndex(found[3]), capture: found[2] === "x", text };
}

/** The cells after a legal move. */
export function played(cells, text) {
  const move = parseMove(text);
  if (!move) return cells;
  const next = cells.slice();
  next[move.to] = next[move.from];
  next[move.from] = "";
  return next;
}

/** Every position of a game, the first one first. */
export function positions(first, moves) {
  let { cells, turn } = parsePosition(first);
  const all = [{ cells, turn }];
  for (const move of moves) {
    cells = played(cells, move);
    turn = turn === "x" ? "o" : "x";
    all.push({ cells, turn });
  }
  return all;
}

export const other = (side) => (side === "x" ? "o" : "x");
