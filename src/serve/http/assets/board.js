// The board: a picture below, and a grid of cells above it that a pointer, a
// keyboard and a screen reader can use.

import { el, sideName, svg } from "./dom.js";
import { parseMove, squareName } from "./position.js";

const UNIT = 100;
let boards = 0;

export class Board {
  #on;
  #cells = Array(64).fill("");
  #legal = [];
  #last = null;
  #hint = null;
  #arrows = [];
  #selected = null;
  #focus = 0;
  #drag = null;
  #justDragged = false;
  #pieces = new Map();
  #gridCells = [];
  #flipped = false;
  targets = true;
  setup = false;

  /** `on` may have move(text) and cell(index); without them it only shows. */
  constructor(place, on = {}) {
    this.#on = on;
    this.id = `board-${++boards}`;
    this.marks = svg("g");
    this.layer = svg("g");
    this.hints = svg("g");
    this.squares = svg("g");
    this.picture = svg(
      "svg",
      { viewBox: "0 0 800 800", class: "board-picture", "aria-hidden": "true", focusable: "false" },
      this.#definitions(),
      this.squares,
      this.marks,
      this.layer,
      this.hints,
    );
    const label = on.move ? "Board. Arrow keys move, Enter chooses." : "Board";
    this.grid = el("div", { class: "board-grid", role: "grid", "aria-label": label });
    this.frame = el("div", { class: on.move ? "board playable" : "board" }, this.picture, this.grid);
    place.replaceChildren(this.frame);
    this.#layOut();
    if (on.move) {
      this.grid.addEventListener("click", (event) => this.#clicked(event));
      this.grid.addEventListener("keydown", (event) => this.#key(event));
      this.grid.addEventListener("pointerdown", (event) => this.#press(event));
      this.grid.addEventListener("pointermove", (event) => this.#move(event));
      this.grid.addEventListener("pointerup", (event) => this.#release(event));
      this.grid.addEventListener("pointercancel", () => this.#letGo());
    }
  }

  /** Shows a position: cells, legal moves (those of whoever may move now), the
      last move, a hint, and moves to draw as arrows, the best first. */
  show({ cells, legal = [], last = null, hint = null, arrows = [] }) {
    this.#cells = cells;
    this.#legal = legal.map(parseMove).filter(Boolean);
    this.#last = last && parseMove(last);
    this.#hint = hint && parseMove(hint);
    this.#arrows = arrows.map(parseMove).filter(Boolean);
    if (this.#selected !== null && !this.#from(this.#selected).length) this.#selected = null;
    this.#letGo();
    this.#drawPieces();
    this.#drawMarks();
    this.#label();
  }

  set flipped(value) {
    if (this.#flipped === value) return;
    this.#flipped = value;
    this.#layOut();
    this.#drawPieces();
    this.#drawMarks();
    this.#label();
  }

  get flipped() {
    return this.#flipped;
  }

  /** Draws again after `targets` or `setup` was changed. */
  refresh() {
    if (this.setup) this.#selected = null;
    this.#drawMarks();
    this.#label();
  }

  #definitions() {
    const gradient = (name) =>
      svg(
        "radialGradient",
        { id: `${this.id}-${name}`, cx: "38%", cy: "32%", r: "75%" },
        svg("stop", { offset: "0", class: `shine-${name}` }),
        svg("stop", { offset: "1", class: `shade-${name}` }),
      );
    return svg("defs", {}, gradient("x"), gradient("o"));
  }

  /** The middle of a square in the picture. */
  #place(index) {
    const [file, rank] = [index % 8, Math.floor(index / 8)];
    const [x, y] = this.#flipped ? [7 - file, rank] : [file, 7 - rank];
    return { x: x * UNIT + UNIT / 2, y: y * UNIT + UNIT / 2 };
  }

  #layOut() {
    const squares = [];
    for (let index = 0; index < 64; index++) {
      const { x, y } = this.#place(index);
      const dark = (index + Math.floor(index / 8)) % 2 === 0;
      squares.push(svg("rect", { x: x - 50, y: y - 50, width: UNIT, height: UNIT, class: dark ? "square dark" : "square light" }));
    }
    for (let n = 0; n < 8; n++) {
      const bottom = this.#place(this.#flipped ? 56 + n : n);
      const left = this.#place(this.#flipped ? n * 8 + 7 : n * 8);
      squares.push(svg("text", { x: bottom.x + 40, y: 793, class: "coordinate", "text-anchor": "end" }, "abcdefgh"[n]));
      squares.push(svg("text", { x: 7, y: left.y - 27, class: "coordinate" }, String(n + 1)));
    }
    this.squares.replaceChildren(...squares);

    this.#gridCells = Array(64);
    const rows = [];
    for (let row = 0; row < 8; row++) {
      const cells = [];
      for (let column = 0; column < 8; column++) {
        const [file, rank] = this.#flipped ? [7 - column, row] : [column, 7 - row];
        const index = rank * 8 + file;
        const cell = el("div", { role: "gridcell", class: "cell", tabindex: "-1", "data-square": squareName(index), "data-index": index });
        this.#gridCells[index] = cell;
        cells.push(cell);
      }
      rows.push(el("div", { role: "row", class: "row-of-cells" }, cells));
    }
    this.grid.replaceChildren(...rows);
    if (this.#on.move) this.#gridCells[this.#focus].tabIndex = 0;
  }

  #drawPieces() {
    // A piece that moved keeps its picture, so that it glides.
    const pictures = new Map(this.#pieces);
    const kept = new Map();
    const move = this.#last;
    const take = (from, to) => {
      const piece = pictures.get(from);
      if (piece?.dataset.side === this.#cells[to]) {
        kept.set(to, piece);
        pictures.delete(from);
      }
    };
    if (move && !this.#cells[move.from] && pictures.has(move.from)) take(move.from, move.to);
    for (let index = 0; index < 64; index++) {
      if (this.#cells[index] && !kept.has(index)) take(index, index);
    }
    for (const piece of pictures.values()) piece.remove();
    for (let index = 0; index < 64; index++) {
      const side = this.#cells[index];
      if (!side) continue;
      let piece = kept.get(index);
      if (!piece) {
        piece = this.#piece(side);
        kept.set(index, piece);
      }
      const { x, y } = this.#place(index);
      piece.style.transform = `translate(${x}px, ${y}px)`;
      if (piece.parentNode !== this.layer) this.layer.append(piece);
    }
    this.#pieces = kept;
  }

  #piece(side) {
    return svg(
      "g",
      { class: `piece ${side}`, "data-side": side },
      svg("ellipse", { cx: 1, cy: 5, rx: 37, ry: 36.5, class: "shadow" }),
      svg("circle", { r: 36.5, class: "disc-body", fill: `url(#${this.id}-${side})` }),
      svg("circle", { r: 26.5, class: "disc-ring" }),
    );
  }

  #from(index) {
    return this.#legal.filter((move) => move.from === index);
  }

  #drawMarks() {
    const marks = [];
    const hints = [];
    const square = (index, kind) => {
      const { x, y } = this.#place(index);
      return svg("rect", { x: x - 50, y: y - 50, width: UNIT, height: UNIT, class: `mark ${kind}` });
    };
    if (this.#last) {
      marks.push(square(this.#last.from, "last"), square(this.#last.to, "last"));
      if (this.#last.capture) {
        const { x, y } = this.#place(this.#last.to);
        hints.push(svg("circle", { cx: x, cy: y, r: 43, class: "captured" }));
      }
    }
    if (this.#hint) marks.push(square(this.#hint.from, "hint"), square(this.#hint.to, "hint"));
    if (this.#selected !== null) {
      marks.push(square(this.#selected, "selected"));
      if (this.targets) {
        for (const move of this.#from(this.#selected)) {
          const { x, y } = this.#place(move.to);
          if (move.capture) hints.push(svg("circle", { cx: x, cy: y, r: 44, class: "target capture" }));
          else hints.push(svg("circle", { cx: x, cy: y, r: 15, class: "target" }));
        }
      }
    }
    hints.push(...this.#arrows.map((move, rank) => this.#arrow(move, rank)).reverse());
    this.marks.replaceChildren(...marks);
    this.hints.replaceChildren(...hints);
  }

  /** An arrow from square to square; worse moves have fainter ones. */
  #arrow(move, rank) {
    const [from, to] = [this.#place(move.from), this.#place(move.to)];
    const length = Math.hypot(to.x - from.x, to.y - from.y);
    const [dx, dy] = [(to.x - from.x) / length, (to.y - from.y) / length];
    const at = (along, aside) => `${(from.x + dx * along - dy * aside).toFixed(1)},${(from.y + dy * along + dx * aside).toFixed(1)}`;
    const [half, head, tip] = [7, 34, length - 8];
    const points = [at(26, half), at(tip - head, half), at(tip - head, 22), at(tip, 0), at(tip - head, -22), at(tip - head, -half), at(26, -half)];
    return svg("polygon", { points: points.join(" "), class: `arrow rank-${rank}` });
  }

  /** Draws other arrows over the same position. */
  set arrows(moves) {
    this.#arrows = moves.map(parseMove).filter(Boolean);
    this.#drawMarks();
  }

  #label() {
    const reach = this.#selected === null ? [] : this.#from(this.#selected);
    for (let index = 0; index < 64; index++) {
      const cell = this.#gridCells[index];
      const side = this.#cells[index];
      const words = [squareName(index), side ? `${sideName(side).toLowerCase()} piece` : "empty"];
      const here = reach.find((move) => move.to === index);
      if (here && this.targets) words.push(here.capture ? "can be captured" : "can be reached");
      if (index === this.#selected) words.push("chosen");
      if (index === this.#last?.to) words.push("last move");
      cell.setAttribute("aria-label", words.join(", "));
      cell.setAttribute("aria-selected", String(index === this.#selected));
      cell.classList.toggle("accessible", Boolean(here) && this.targets);
      cell.classList.toggle("movable", this.setup || Boolean(here) || this.#from(index).length > 0);
    }
  }

  #choose(index) {
    if (this.setup) {
      this.#on.cell?.(index);
      return;
    }
    if (this.#selected !== null) {
      const move = this.#from(this.#selected).find((one) => one.to === index);
      if (move) {
        this.#selected = null;
        this.#on.move(move.text);
        return;
      }
    }
    this.#selected = index !== this.#selected && this.#from(index).length ? index : null;
    this.#drawMarks();
    this.#label();
  }

  #clicked(event) {
    const cell = event.target.closest(".cell");
    if (this.#justDragged || !cell) {
      this.#justDragged = false;
      return;
    }
    this.#focusOn(Number(cell.dataset.index), false);
    this.#choose(Number(cell.dataset.index));
  }

  #focusOn(index, grab = true) {
    this.#gridCells[this.#focus].tabIndex = -1;
    this.#focus = index;
    this.#gridCells[index].tabIndex = 0;
    if (grab) this.#gridCells[index].focus();
  }

  #key(event) {
    const step = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, 1], ArrowDown: [0, -1] }[event.key];
    if (step) {
      const turn = this.#flipped ? -1 : 1;
      const file = (this.#focus % 8) + turn * step[0];
      const rank = Math.floor(this.#focus / 8) + turn * step[1];
      if (file >= 0 && file < 8 && rank >= 0 && rank < 8) this.#focusOn(rank * 8 + file);
    } else if (event.key === "Enter" || event.key === " ") {
      this.#choose(this.#focus);
    } else if (event.key === "Escape") {
      this.#selected = null;
      this.refresh();
    } else {
      return;
    }
    event.preventDefault();
    event.stopPropagation();
  }

  #press(event) {
    this.#justDragged = false;
    const cell = event.target.closest(".cell");
    const index = Number(cell?.dataset.index);
    if (event.button !== 0 || !cell || this.setup || !this.#from(index).length) return;
    this.#drag = { index, x: event.clientX, y: event.clientY, far: false, id: event.pointerId };
  }

  #move(event) {
    const drag = this.#drag;
    if (!drag) return;
    if (!drag.far) {
      if (Math.hypot(event.clientX - drag.x, event.clientY - drag.y) < 8) return;
      drag.far = true;
      this.grid.setPointerCapture(drag.id);
      this.#selected = drag.index;
      this.#drawMarks();
      this.#label();
      const piece = this.#pieces.get(drag.index);
      piece.classList.add("dragged");
      this.layer.append(piece);
    }
    const { x, y } = this.#inPicture(event);
    this.#pieces.get(drag.index).style.transform = `translate(${x}px, ${y}px)`;
  }

  #release(event) {
    const drag = this.#drag;
    if (!drag?.far) {
      this.#drag = null;
      return;
    }
    this.#justDragged = true;
    // A click may or may not follow a drag.
    setTimeout(() => (this.#justDragged = false), 50);
    const { x, y } = this.#inPicture(event);
    this.#letGo();
    const [column, row] = [Math.floor(x / UNIT), Math.floor(y / UNIT)];
    if (column < 0 || column > 7 || row < 0 || row > 7) return;
    const index = this.#flipped ? row * 8 + 7 - column : (7 - row) * 8 + column;
    const move = this.#from(drag.index).find((one) => one.to === index);
    if (move) {
      this.#selected = null;
      this.#on.move(move.text);
    }
  }

  /** A dragged piece goes back to its square. */
  #letGo() {
    if (!this.#drag) return;
    const { index } = this.#drag;
    this.#drag = null;
    const piece = this.#pieces.get(index);
    if (!piece) return;
    piece.classList.remove("dragged");
    const { x, y } = this.#place(index);
    piece.style.transform = `translate(${x}px, ${y}px)`;
  }

  #inPicture(event) {
    const box = this.grid.getBoundingClientRect();
    return { x: ((event.clientX - box.left) / box.width) * 800, y: ((event.clientY - box.top) / box.height) * 800 };
  }
}
