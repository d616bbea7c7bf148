// A chart that one can explore: values under the pointer, zoom and pan, series
// that can be switched off. uPlot draws it.
/* global uPlot */

import { el, put, svg } from "./dom.js";
import { onTheme } from "./page.js";

/** Zooms by this factor. */
const ZOOM = 0.6;
/** Pans by this part of what is seen. */
const PAN = 0.25;

/** Steps between the ticks of a time axis, in seconds: those that people count in. */
export const TIME_STEPS = [1, 2, 5, 10, 15, 30, 60, 120, 300, 600, 900, 1800, 3600, 7200, 14400, 21600, 43200, 86400, 172800, 432000, 864000];

const FONT = '12px system-ui, -apple-system, "Segoe UI", Roboto, "Noto Sans", "DejaVu Sans", sans-serif';

/** A colour of the style sheet: a variable's name, and how opaque. */
export function colour(name, opacity = 1) {
  const value = getComputedStyle(document.documentElement).getPropertyValue(`--${name}`).trim();
  if (opacity === 1) return value;
  const [r, g, b] = [1, 3, 5].map((at) => parseInt(value.slice(at, at + 2), 16));
  return `rgb(${r} ${g} ${b} / ${opacity})`;
}

/** Charts with the same horizontal axis, which zoom and pan together. */
export class Axis {
  #plots = new Set();
  #full = [0, 1];
  #seen = null;

  /** What there is to see; a part that was chosen stays chosen. */
  set full(range) {
    this.#full = range[1] > range[0] ? range : [range[0], range[0] + 1];
    if (!this.#seen) this.#show();
  }

  get range() {
    return this.#seen ?? this.#full;
  }

  add(plot) {
    this.#plots.add(plot);
  }

  see(min, max) {
    const [least, most] = this.#full;
    const width = Math.min(max - min, most - least);
    const from = Math.max(least, Math.min(most - width, min));
    this.#seen = width >= (most - least) * 0.999 ? null : [from, from + width];
    this.#show();
  }

  zoom(factor, at = 0.5) {
    const [min, max] = this.range;
    const width = (max - min) * factor;
    const middle = min + (max - min) * at;
    this.see(middle - width * at, middle + width * (1 - at));
  }

  pan(part) {
    const [min, max] = this.range;
    this.see(min + (max - min) * part, max + (max - min) * part);
  }

  all() {
    this.#seen = null;
    this.#show();
  }

  #show() {
    for (const plot of this.#plots) plot.look();
  }
}

const icon = (path) => svg("svg", { viewBox: "0 0 20 20", class: "icon", "aria-hidden": "true" }, svg("path", { d: path }));

/** The buttons that do what a wheel and a drag do. */
export function axisButtons(axis) {
  const button = (name, path, action) => {
    const made = el("button", { type: "button", class: "tool", "aria-label": name, title: name }, icon(path));
    made.addEventListener("click", action);
    return made;
  };
  return el(
    "span",
    { class: "tools", role: "group", "aria-label": "Zoom" },
    button("Earlier", "M14 4v12L5.2 10z", () => axis.pan(-PAN)),
    button("Zoom in", "M9 4h2v5h5v2h-5v5H9v-5H4V9h5z", () => axis.zoom(ZOOM)),
    button("Zoom out", "M4 9h12v2H4z", () => axis.zoom(1 / ZOOM)),
    button("Later", "M6 4v12l8.8-6z", () => axis.pan(PAN)),
    button("Show all", "M3 3h6v2H5v4H3zM11 3h6v6h-2V5h-4zM3 11h2v4h4v2H3zM15 11h2v6h-6v-2h4z", () => axis.all()),
  );
}

/** A number for an axis: short. */
export function short(number) {
  const size = Math.abs(number);
  const cut = (value, unit) => `${Number(value.toFixed(1))}${unit}`;
  if (size >= 1e6) return cut(number / 1e6, "M").replace("-", "−");
  if (size >= 1e4) return cut(number / 1e3, "k").replace("-", "−");
  return String(Number(number.toFixed(2))).replace("-", "−");
}

/** Room for the labels of a vertical axis, so that none runs into what is beside it;
    uPlot asks again with the labels that this leads to. */
const tickRoom = (u, labels) => Math.max(48, 16 + 7.5 * Math.max(0, ...(labels ?? []).map((label) => label.length)));

/**
 * `place` is filled. `options`:
 * - axis: the shared horizontal axis;
 * - x: how a place on it is told ("12,000 games");
 * - ticks: how its ticks are labelled; steps: what may be between two of them;
 *   xLabel, yLabel: what is along the axes, with the unit;
 * - series: name, colour, and as wanted: width, dash, fill, points, tell (a
 *   value in words), steps, hollow (points), lasting (the last value before the
 *   pointer is told where there is none at it), optional (in the legend only
 *   while it has values), quiet (never in the legend);
 * - bands: pairs of series between which it is filled, with a colour;
 * - y: [least, most] of the vertical axis, where it is fixed, or a function of
 *   the data's range;
 * - draw(u): draws more; click(x): is told of a click; height;
 * - rest(): which place is told without a pointer; the newest unless it says.
 */
export class Plot {
  #place;
  #options;
  #data = null;
  #u = null;
  #hidden = new Set();
  #values = [];
  #keys;
  #where;

  constructor(place, options) {
    this.#place = place;
    this.#options = options;
    this.axis = options.axis;
    this.axis.add(this);
    this.#where = el("span", { class: "plot-where" });
    this.#keys = options.series.map((one, n) => {
      if (one.quiet) return null;
      const value = el("span", { class: "plot-value" });
      this.#values[n] = value;
      const button = el("button", { type: "button", class: `plot-key colour-${one.colour}${one.dash ? " dashed" : ""}`, "aria-pressed": "true" }, el("span", { class: "plot-mark" }), one.name, value);
      button.addEventListener("click", () => {
        const isOff = button.getAttribute("aria-pressed") === "true";
        button.setAttribute("aria-pressed", String(!isOff));
        for (const series of [n, ...(one.with ?? [])]) {
          if (isOff) this.#hidden.add(series);
          else this.#hidden.delete(series);
          this.#u?.setSeries(series + 1, { show: !isOff });
        }
      });
      return button;
    });
    this.canvas = el("div", { class: "plot-canvas" });
    this.canvas.style.height = `${options.height ?? 220}px`;
    put(place, this.canvas, el("div", { class: "plot-legend" }, this.#keys, this.#where));
    new ResizeObserver(() => this.#resize()).observe(this.canvas);
    onTheme(() => this.#rebuild());
  }

  /** Values by columns: those of the axis first, then one column a series. */
  set data(columns) {
    this.#data = columns;
    this.#options.series.forEach((one, n) => {
      if (one.optional) this.#keys[n].hidden = !columns[n + 1].some((value) => value !== null);
    });
    if (this.#u) {
      this.#u.setData(columns, false);
      this.look();
      this.#tell(this.#u);
    } else this.#rebuild();
  }

  get data() {
    return this.#data;
  }

  /** Shows what the axis says. */
  look() {
    const [min, max] = this.axis.range;
    this.#u?.setScale("x", { min, max });
  }

  /** Draws what `draw` draws anew. The scales stay as they are: uPlot would take
      those of now, and one that was set a moment ago is not in effect yet. */
  redraw() {
    this.#u?.redraw(false);
    if (this.#u) this.#tell(this.#u);
  }

  #resize() {
    const { clientWidth: width, clientHeight: height } = this.canvas;
    if (!width) return;
    if (this.#u) this.#u.setSize({ width, height });
    else this.#rebuild();
  }

  #rebuild() {
    const { clientWidth: width, clientHeight: height } = this.canvas;
    if (!this.#data || !width) return;
    this.#u?.destroy();
    const { series, bands = [], y, draw, click, ticks, steps, xLabel, yLabel } = this.#options;
    const [ink, line] = [colour("soft"), colour("line")];
    const grid = { stroke: line, width: 1 };
    const options = {
      width,
      height,
      legend: { show: false },
      scales: {
        x: { time: false, range: (u, min, max) => [min, max] },
        y: { range: typeof y === "function" ? (u, min, max) => y(min, max) : y ?? ((u, min, max) => spread(min, max)) },
      },
      axes: [
        { stroke: ink, font: FONT, grid: { show: false }, ticks: grid, size: xLabel ? 28 : 30, space: 70, ...(steps && { incrs: steps }), values: (u, at) => at.map(ticks ?? short), label: xLabel, labelFont: FONT, labelSize: xLabel ? 18 : 0, labelGap: 0 },
        { stroke: ink, font: FONT, grid, ticks: grid, size: tickRoom, space: 34, values: (u, at) => at.map(this.#options.yTicks ?? short), label: yLabel, labelFont: FONT, labelSize: yLabel ? 18 : 0, labelGap: 0 },
      ],
      series: [{}, ...series.map((one, n) => this.#series(one, n))],
      bands: bands.map((band) => ({ series: band.series.map((n) => n + 1), fill: colour(band.colour, 0.16) })),
      cursor: {
        x: true,
        y: false,
        drag: { x: true, y: false, setScale: false, dist: 6 },
        points: { size: 7 },
        focus: { prox: 1e6 },
      },
      hooks: {
        setCursor: [(u) => this.#tell(u)],
        setSelect: [(u) => this.#select(u)],
        draw: draw ? [draw] : [],
        ready: [(u) => this.#listen(u, click)],
      },
    };
    this.#u = new uPlot(options, this.#data, this.canvas);
    this.look();
    this.#tell(this.#u);
  }

  #series(one, n) {
    return {
      show: !this.#hidden.has(n),
      stroke: one.quiet ? "transparent" : colour(one.colour, one.faint ? 0.45 : 1),
      width: one.quiet ? 0 : one.width ?? 2,
      dash: one.dash ? [5, 4] : undefined,
      fill: one.fill ? colour(one.colour, 0.12) : undefined,
      points: one.points ? { show: true, size: 8, fill: colour(one.hollow ? "card" : one.colour) } : { show: false },
      paths: one.steps ? uPlot.paths.stepped({ align: 1 }) : one.points === "only" ? () => null : undefined,
      spanGaps: true,
    };
  }

  /** The values under the pointer; without one, the newest or those of `rest`. */
  #tell(u) {
    const xs = this.#data[0];
    const at = u.cursor.idx ?? this.#options.rest?.() ?? xs.length - 1;
    this.#options.series.forEach((one, n) => {
      if (!this.#values[n]) return;
      const column = this.#data[n + 1];
      let place = at;
      while (one.lasting && place > 0 && column[place] === null) place -= 1;
      const value = column[place];
      this.#values[n].textContent = value === null || value === undefined ? "" : one.tell ? one.tell(value, place) : short(value);
    });
    this.#where.textContent = at >= 0 && xs.length ? this.#options.x(xs[at]) : "";
    this.canvas.dataset.at = at;
  }

  #select(u) {
    const { left, width } = u.select;
    u.setSelect({ left: 0, top: 0, width: 0, height: 0 }, false);
    if (width > 5) this.axis.see(u.posToVal(left, "x"), u.posToVal(left + width, "x"));
  }

  #listen(u, click) {
    const { over } = u;
    over.addEventListener("dblclick", () => this.axis.all());
    over.addEventListener(
      "wheel",
      (event) => {
        const turn = event.shiftKey || Math.abs(event.deltaX) > Math.abs(event.deltaY);
        // A plain wheel scrolls the page.
        if (!event.ctrlKey && !event.metaKey && !turn) return;
        event.preventDefault();
        if (turn && !event.ctrlKey) this.axis.pan(Math.sign(event.deltaX || event.deltaY) * 0.1);
        else this.axis.zoom(event.deltaY < 0 ? 0.8 : 1.25, (event.clientX - over.getBoundingClientRect().left) / over.clientWidth);
      },
      { passive: false },
    );
    if (click) over.addEventListener("click", (event) => click(u.posToVal(event.clientX - over.getBoundingClientRect().left, "x")));
  }
}

/** The least and the most with room around them. */
export function spread(min, max) {
  if (min === null || max === null) return [0, 1];
  const room = (max - min || Math.abs(max) || 1) * 0.08;
  return [min - room, max + room];
}

/** The same for what begins at 0. */
export const fromZero = (min, max) => [0, (max ?? 1) * 1.08 || 1];
