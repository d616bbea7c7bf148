// A game that is being played: its moves, and what the server says about it.

import { ask } from "./ask.js";
import { START, parsePosition, positions } from "./position.js";

export class Game {
  first = START;
  moves = [];
  /** What the server says about the present position. */
  listing = null;

  #boards = null;

  start(first = START, moves = []) {
    this.first = first;
    this.moves = moves;
    this.#boards = null;
    this.listing = null;
  }

  /** The position and the side to move. */
  get now() {
    this.#boards ??= positions(this.first, this.moves);
    return this.#boards.at(-1);
  }

  get turn() {
    return this.listing?.side_to_move ?? this.now.turn;
  }

  get last() {
    return this.moves.at(-1) ?? null;
  }

  get isOver() {
    return this.listing?.result != null;
  }

  get firstTurn() {
    return parsePosition(this.first).turn;
  }

  /** How the server is told which game it is. */
  get address() {
    return { position: this.first, moves: this.moves.join(" ") };
  }

  play(move) {
    this.moves = [...this.moves, move];
    this.#boards = null;
    this.listing = null;
  }

  undo() {
    this.moves = this.moves.slice(0, -1);
    this.#boards = null;
    this.listing = null;
  }

  /** Asks what may be played now. */
  async look(signal) {
    this.listing = await ask("/api/moves", this.address, { signal });
  }
}
