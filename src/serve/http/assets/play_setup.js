// Setting up a position of one's own on the board.

import { ask } from "./ask.js";
import { byId, problem } from "./dom.js";
import { START, parsePosition, positionText } from "./position.js";

export class Setup {
  #board;
  #on;
  /** What stands on the board; null while nothing is set up. */
  #position = null;

  /** `on` has open(): the position to begin with; cancel(); done(position). */
  constructor(board, on) {
    this.#board = board;
    this.#on = on;
    const click = (id, action) => byId(id).addEventListener("click", action);
    click("setup", () => (this.isOpen ? this.#cancel() : this.#open()));
    click("setup-cancel", () => this.#cancel());
    click("setup-clear", () => {
      this.#position.cells.fill("");
      this.#show();
    });
    click("setup-start", () => this.#set(parsePosition(START)));
    click("setup-done", () => this.#finish());
    byId("setup-turn").addEventListener("change", (event) => {
      this.#position.turn = event.target.value;
      this.#show();
    });
    byId("setup-text").addEventListener("change", (event) => this.#read(event.target.value));
  }

  get isOpen() {
    return this.#position !== null;
  }

  /** Leaves without a new position. */
  close() {
    if (!this.isOpen) return;
    this.#position = null;
    this.#board.setup = false;
    byId("setup-card").hidden = true;
    byId("setup").setAttribute("aria-expanded", "false");
    problem(null);
  }

  /** What stands on a square changes: nothing, black, white. */
  change(index) {
    const { cells } = this.#position;
    cells[index] = { "": "x", x: "o", o: "" }[cells[index]];
    this.#show();
  }

  #open() {
    const { cells, turn } = this.#on.open();
    byId("setup-card").hidden = false;
    byId("setup").setAttribute("aria-expanded", "true");
    this.#board.setup = true;
    this.#set({ cells: cells.slice(), turn });
    byId("setup-card").scrollIntoView({ block: "nearest" });
  }

  #cancel() {
    this.close();
    this.#on.cancel();
  }

  #set(position) {
    this.#position = position;
    byId("setup-turn").value = position.turn;
    this.#show();
  }

  #show() {
    const { cells, turn } = this.#position;
    this.#board.show({ cells });
    byId("setup-text").value = positionText(cells, turn);
    byId("turn").textContent = "Setting up";
  }

  /** A position that somebody typed, if the server can read it. */
  async #read(text) {
    try {
      const { position } = await ask("/api/moves", { position: text });
      if (!this.isOpen) return;
      this.#set(parsePosition(position));
      problem(null);
    } catch (error) {
      problem(error.message);
    }
  }

  async #finish() {
    const { cells, turn } = this.#position;
    try {
      const { position } = await ask("/api/moves", { position: positionText(cells, turn) });
      this.close();
      this.#on.done(position);
    } catch (error) {
      problem(error.message);
    }
  }
}
