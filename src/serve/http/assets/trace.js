// An evaluation taken apart, and the bar beside the board.

import { el, plain, put, sideName, signed } from "./dom.js";

const NAMES = {
  euler: "Groups",
  quad3: "Quads of three",
  quad4: "Quads of four",
  spread: "Spread",
  capturable: "Captures",
  mobility: "Moves",
  blocked: "Blocked pieces",
  mobility_centre: "Central moves",
  concentration: "Concentration",
  extent: "Extent",
  pieces: "Pieces",
  edge_moves: "Edge moves",
  centre_moves: "Centre moves",
};

/** A feature as people call it; the name of its gene where it has no other. */
export const featureName = (gene) => NAMES[gene] ?? `${gene[0].toUpperCase()}${gene.slice(1).replaceAll("_", " ")}`;

/** Beyond this the game is decided. */
export const WON = 21000;

/** A value as people read it, for Black. */
export function valueText(value, pliesToEnd = null) {
  if (value === null || value === undefined) return "?";
  if (Math.abs(value) > WON) {
    const who = sideName(value > 0 ? "x" : "o");
    return pliesToEnd ? `${who} wins in ${pliesToEnd}` : `${who} wins`;
  }
  return signed(value);
}

/** A chance as people read it, for Black. */
export const chanceText = (chance) => (chance === null || chance === undefined ? "not known" : `${Math.round(100 * chance)} %`);

/** The bar beside the board: Black's chance, from 0 to 1, or null. */
export function showBar(place, chance, flipped) {
  if (!place.firstChild) place.append(el("div", { class: "evalbar-black" }), el("span", { class: "evalbar-text" }));
  const [fill, text] = place.children;
  place.classList.toggle("flipped", flipped);
  const black = chance ?? 0.5;
  fill.style.setProperty("--share", `${(black * 100).toFixed(1)}%`);
  place.classList.toggle("white-ahead", black < 0.5);
  text.textContent = chance === null ? "" : Math.round(100 * Math.max(black, 1 - black));
  place.dataset.chance = chance === null ? "" : chance.toFixed(4);
  place.setAttribute("aria-label", chance === null ? "Chances are not known" : `Black's chance: ${chanceText(chance)}`);
}

/** The table of features. */
export function showTrace(place, analysis) {
  if (!analysis) {
    put(place);
    return;
  }
  const turn = analysis.side_to_move === "x" ? 1 : -1;
  const terms = Object.entries(analysis.terms);
  const most = Math.max(1, ...terms.map(([, points]) => Math.abs(points)));
  const rows = terms.map(([gene, points]) => {
    const black = turn * points;
    const bar = el("span", { class: black >= 0 ? "term black" : "term white" });
    bar.style.setProperty("--size", `${((Math.abs(black) / most) * 50).toFixed(1)}%`);
    return el(
      "tr",
      {},
      el("th", { scope: "row", title: gene }, featureName(gene)),
      el("td", { class: "num" }, plain(analysis.features.x[gene], 1)),
      el("td", { class: "num" }, plain(analysis.features.o[gene], 1)),
      el("td", { class: "term-cell" }, Math.abs(black) >= 0.05 && bar),
      el("td", { class: "num" }, signed(black, 1)),
    );
  });
  const found = analysis.value === null ? null : turn * analysis.value;
  put(
    place,
    el("div", { class: "scroll", tabindex: "0", role: "region", "aria-label": "Features" }, el(
      "table",
      { class: "trace" },
      el(
        "thead",
        {},
        el(
          "tr",
          {},
          el("th", { scope: "col" }, "Feature"),
          el("th", { scope: "col", class: "num" }, el("span", { class: "disc x", title: "Black" }), el("span", { class: "visually-hidden" }, "Black")),
          el("th", { scope: "col", class: "num" }, el("span", { class: "disc o", title: "White" }), el("span", { class: "visually-hidden" }, "White")),
          el("th", { scope: "col", class: "visually-hidden" }, "Bar"),
          el("th", { scope: "col", class: "num" }, "For Black"),
        ),
      ),
      el("tbody", {}, rows),
      el(
        "tfoot",
        {},
        el("tr", {}, el("th", { scope: "row", colspan: 4 }, "All together"), el("td", { class: "num" }, signed(turn * analysis.static_value))),
        analysis.depth > 0 && el("tr", {}, el("th", { scope: "row", colspan: 4 }, `Searched ${analysis.depth} plies deep`), el("td", { class: "num" }, valueText(found, analysis.plies_to_end))),
      ),
    )),
  );
}
