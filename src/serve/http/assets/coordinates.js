// Parallel coordinates: a line for each file that lives, an axis for each gene,
// coloured by points.

import { count, el, fileLink, plain, put, signed, svg } from "./dom.js";

const [HEIGHT, TOP, BOTTOM, GAP] = [300, 44, 26, 92];

/** From few points to many: a part from 0 to 1. */
const shade = (part) => `shade-${Math.max(0, Math.min(4, Math.floor(part * 5)))}`;

export function showCoordinates(place, { genes, files }) {
  const label = place.querySelector(".coordinates-label")?.textContent;
  if (!files.length) {
    put(place, el("p", { class: "note" }, "No file lives."));
    return;
  }
  const width = genes.length * GAP;
  const x = (n) => n * GAP + GAP / 2;
  const y = (gene, value) => TOP + (1 - (value - gene.min) / (gene.max - gene.min || 1)) * (HEIGHT - TOP - BOTTOM);
  const points = files.map((file) => file.points);
  const [least, most] = [Math.min(...points), Math.max(...points)];
  const axes = genes.map((gene, n) =>
    svg(
      "g",
      {},
      svg("line", { x1: x(n), x2: x(n), y1: TOP, y2: HEIGHT - BOTTOM, class: "coordinate-axis" }),
      // Long names stand on two heights, so that neighbours do not touch.
      svg("text", { x: x(n), y: n % 2 ? 30 : 14, "text-anchor": "middle", class: "coordinate-name" }, svg("title", {}, gene.meaning), gene.name),
      svg("text", { x: x(n) + 5, y: TOP + 5, class: "coordinate-end" }, plain(gene.max)),
      svg("text", { x: x(n) + 5, y: HEIGHT - BOTTOM, class: "coordinate-end" }, plain(gene.min)),
    ),
  );
  const told = el("p", { class: "coordinates-label note" }, label ?? "Point at a line to see whose it is; a click opens its page.");
  const say = (file) => put(told, fileLink(file.file), ` ${signed(file.points, 2)} points in ${count(file.games)} games: `, genes.map((gene, n) => `${gene.name} ${plain(file.values[n])}`).join(", "));
  const lines = [...files]
    .sort((a, b) => a.points - b.points)
    .map((file) => {
      const line = file.values.map((value, n) => `${x(n)},${y(genes[n], value).toFixed(1)}`).join(" ");
      const link = svg("a", { href: `/files/${file.file}`, class: `coordinate-line ${shade(most > least ? (file.points - least) / (most - least) : 0.5)}`, "aria-label": `File #${file.file}, ${signed(file.points, 2)} points` }, svg("polyline", { points: line, class: "coordinate-hit" }), svg("polyline", { points: line }));
      for (const event of ["pointerenter", "focus"]) link.addEventListener(event, () => say(file));
      return link;
    });
  const scale = el("p", { class: "note shades", "aria-hidden": "true" }, signed(least, 2), [0, 1, 2, 3, 4].map((n) => el("span", { class: `shade-key shade-${n}` })), signed(most, 2), " points");
  put(place, el("div", { class: "scroll", tabindex: "0", role: "region", "aria-label": "Genes of all files that live" }, svg("svg", { viewBox: `0 0 ${width} ${HEIGHT}`, width, height: HEIGHT, class: "coordinates", role: "group" }, axes, lines)), scale, told);
}
