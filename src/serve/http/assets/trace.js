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
};

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

/** Black's part of the bar, 0 to 1. */
export const share = (value) => 1 / (1 + Math.exp(-value / 25));

/** The bar beside the board. */
export function showBar(place, value, flipped, pliesToEnd = null) {
  if (!place.firstChild) place.append(el("div", { class: "evalbar-black" }), el("span", { class: "evalbar-text" }));
  const black = value === null ? 0.5 : share(Math.max(-500, Math.min(500, value)));
  const [fill, text] = place.children;
  place.classList.toggle("flipped", flipped);
  fill.style.setProperty("--share", `${(black * 100).toFixed(1)}%`);
  const decided = value !== null && Math.abs(value) > WON;
  text.textContent = value === null ? "" : decided ? "#" : signed(value);
  place.setAttribute("aria-label", value === null ? "No evaluation" : `Evaluation ${valueText(value, pliesToEnd)}`);
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
      el("th", { scope: "row", title: gene }, NAMES[gene] ?? gene),
      el("td", { class: "num" }, plain(analysis.features.x[gene], 1)),
      el("td", { class: "num" }, plain(analysis.features.o[gene], 1)),
      el("td", { class: "term-cell" }, Math.abs(black) >= 0.05 && bar),
      el("td", { class: "num" }, signed(black, 1)),
    );
  });
  const found = analysis.value === null ? null : turn * analysis.value;
  put(
    place,
    el(
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
    ),
  );
}
