// The value of every position of a game, as a curve that one can click.

import { el, put, svg } from "./dom.js";
import { WON, valueText } from "./trace.js";

const [WIDTH, HEIGHT] = [640, 150];

/** Values swing with the turn, so the line is the mean of a position and the
    one before; what is decided stays as it is. */
function smoothed(values) {
  return values.map((value, ply) => {
    const before = values[ply - 1] ?? null;
    if (value === null || before === null || Math.abs(value) > WON || Math.abs(before) > WON) return value;
    return (value + before) / 2;
  });
}

/** What fills half of the picture: most values of this game are smaller. */
function scaleOf(values) {
  const sizes = values.filter((value) => value !== null && Math.abs(value) <= WON).map(Math.abs).sort((a, b) => a - b);
  return Math.max(20, sizes[Math.floor(sizes.length * 0.8)] ?? 0);
}

export class Curve {
  #values = [];
  #scale = 20;
  #seek;

  constructor(place, seek) {
    this.#seek = seek;
    this.place = place;
  }

  #x(ply) {
    return (ply / Math.max(1, this.#values.length - 1)) * WIDTH;
  }

  #y(value) {
    return HEIGHT / 2 - Math.tanh(value / this.#scale / 1.2) * (HEIGHT / 2 - 6);
  }

  /** `values` are Black's, one a position. */
  show(values, openingPlies) {
    this.#values = values;
    this.#scale = scaleOf(values);
    const known = values.map((value, ply) => [ply, value]).filter(([, value]) => value !== null);
    if (!known.length) {
      put(this.place, el("p", { class: "note" }, "No values."));
      return;
    }
    const point = ([ply, value]) => `${this.#x(ply).toFixed(1)},${this.#y(value).toFixed(1)}`;
    const means = smoothed(values);
    const line = known.map(([ply]) => point([ply, means[ply]]));
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
      svg("polyline", { points: known.map(point).join(" "), class: "raw" }),
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
