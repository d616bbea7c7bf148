// Black's chance in every position of a game, as a curve that one can click.

import { el, put } from "./dom.js";
import { Axis, Plot, colour } from "./plot.js";
import { chanceText } from "./trace.js";

export class Curve {
  #plot = null;
  #axis = new Axis();
  #chances = [];
  #opening = 0;
  #ply = 0;

  /** `seek` is told which position was chosen. */
  constructor(place, seek) {
    this.place = place;
    this.seek = seek;
    this.label = el("p", { class: "curve-label" });
    this.body = el("div", { class: "plot curve", id: "curve-plot" });
    put(place, this.body, this.label);
  }

  /** `chances` are Black's, one a position. */
  show(chances, openingPlies) {
    this.#chances = chances;
    this.#opening = openingPlies;
    if (!chances.some((chance) => chance !== null)) {
      this.label.textContent = "The population has too few games to know chances.";
      return;
    }
    this.#plot ??= new Plot(this.body, {
      axis: this.#axis,
      height: 190,
      x: (ply) => `position ${ply}`,
      ticks: (ply) => (Number.isInteger(ply) ? String(ply) : ""),
      yTicks: (value) => `${value}`,
      xLabel: "moves played",
      yLabel: "Black's chance, %",
      y: [0, 100],
      series: [{ name: "Black's chance", colour: "accent", tell: (value) => `${value.toFixed(0)} %` }],
      draw: (u) => this.#draw(u),
      click: (x) => this.seek(Math.round(x)),
      rest: () => this.#ply,
    });
    this.#axis.full = [0, Math.max(1, chances.length - 1)];
    this.#plot.data = [chances.map((_, ply) => ply), chances.map((chance) => (chance === null ? null : 100 * chance))];
    this.at(this.#ply);
  }

  /** The middle, the opening, and where the board stands. */
  #draw(u) {
    const { ctx, bbox } = u;
    const line = (from, to, stroke, dash) => {
      ctx.beginPath();
      ctx.strokeStyle = stroke;
      ctx.setLineDash(dash);
      ctx.moveTo(...from);
      ctx.lineTo(...to);
      ctx.stroke();
    };
    ctx.save();
    ctx.lineWidth = 1.5 * devicePixelRatio;
    const middle = u.valToPos(50, "y", true);
    line([bbox.left, middle], [bbox.left + bbox.width, middle], colour("soft", 0.6), [4, 4]);
    const opening = u.valToPos(this.#opening, "x", true);
    ctx.fillStyle = colour("soft", 0.1);
    if (opening > bbox.left) ctx.fillRect(bbox.left, bbox.top, opening - bbox.left, bbox.height);
    const here = u.valToPos(this.#ply, "x", true);
    if (here >= bbox.left && here <= bbox.left + bbox.width) line([here, bbox.top], [here, bbox.top + bbox.height], colour("warm"), []);
    ctx.restore();
  }

  /** Until the chances are known. */
  wait() {
    if (!this.#chances.length) this.label.textContent = "The chances are being computed …";
  }

  at(ply) {
    this.#ply = ply;
    if (!this.#chances.length) return;
    this.#plot?.redraw();
    this.label.textContent = `Position ${ply}: Black's chance is ${chanceText(this.#chances[ply])}.`;
  }
}
