// The value of every position of a game, as a curve that one can click.

import { el, put, svg } from "./dom.js";
import { valueText } from "./trace.js";

const [WIDTH, HEIGHT] = [640, 150];

/** How high a value is drawn, -1 to 1: differences near 0 show most. */
const height = (value) => Math.tanh(value / 45);

export class Curve {
  #values = [];
  #seek;

  constructor(place, seek) {
    this.#seek = seek;
    this.place = place;
  }

  #x(ply) {
    return (ply / Math.max(1, this.#values.length - 1)) * WIDTH;
  }

  #y(value) {
    return HEIGHT / 2 - height(value) * (HEIGHT / 2 - 6);
  }

  /** `values` are Black's, one a position. */
  show(values, openingPlies) {
    this.#values = values;
    const known = values.map((value, ply) => [ply, value]).filter(([, value]) => value !== null);
    if (!known.length) {
      put(this.place, el("p", { class: "note" }, "No values."));
      return;
    }
    const line = known.map(([ply, value]) => `${this.#x(ply).toFixed(1)},${this.#y(value).toFixed(1)}`);
    const [start, end] = [this.#x(known[0][0]), this.#x(known.at(-1)[0])];
    this.cursor = svg("line", { y1: 0, y2: HEIGHT, class: "cursor" });
    this.dot = svg("circle", { r: 5, class: "dot" });
    this.label = el("p", { class: "curve-label" });
    const picture = svg(
      "svg",
      { viewBox: `0 0 ${WIDTH} ${HEIGHT}`, class: "curve", role: "img", "aria-label": "Value of every position for Black", preserveAspectRatio: "none" },
      svg("rect", { width: this.#x(openingPlies), height: HEIGHT, class: "opening" }),
      svg("line", { x1: 0, x2: WIDTH, y1: HEIGHT / 2, y2: HEIGHT / 2, class: "zero" }),
      svg("polygon", { points: `${start},${HEIGHT / 2} ${line.join(" ")} ${end},${HEIGHT / 2}`, class: "area" }),
      svg("polyline", { points: line.join(" "), class: "line" }),
      this.cursor,
      this.dot,
    );
    picture.addEventListener("click", (event) => {
      const box = picture.getBoundingClientRect();
      const part = (event.clientX - box.left) / box.width;
      this.#seek(Math.round(part * (this.#values.length - 1)));
    });
    put(this.place, picture, this.label);
  }

  at(ply) {
    if (!this.cursor) return;
    const value = this.#values[ply] ?? null;
    this.cursor.setAttribute("x1", this.#x(ply));
    this.cursor.setAttribute("x2", this.#x(ply));
    this.dot.setAttribute("cx", this.#x(ply));
    this.dot.setAttribute("cy", this.#y(value ?? 0));
    this.dot.classList.toggle("unknown", value === null);
    this.label.textContent = `Position ${ply}: ${valueText(value)} for Black`.replace(/(wins) for Black/, "$1");
  }
}
