// What weights value: the part of each feature, in per cent and in pieces, as
// `loatune weights --explain` prints it.

import { askEngine } from "./ask.js";
import { count, el, plain, put } from "./dom.js";
import { featureName } from "./trace.js";

const percent = (part) => `${(100 * part).toFixed(1)} %`;

const COLUMNS = [
  ["Feature"],
  ["Share", "num", "its part of the sizes of all terms"],
  ["Pieces", "num", "the mean size of its term, counted in pieces"],
  ["Points", "num", "the mean size of its term"],
  ["Weight", "num", "at the start of a game, and at its end where that differs"],
  ["Meaning", "meaning"],
];

function row(one, most) {
  const bar = el("span", { class: "bar" });
  bar.style.setProperty("--size", `${((100 * one.share) / (most || 1)).toFixed(1)}%`);
  const weight = one.opening === one.endgame ? plain(one.opening) : `${plain(one.opening)} → ${plain(one.endgame)}`;
  return el(
    "tr",
    { "data-gene": one.gene },
    el("th", { scope: "row", title: one.gene }, featureName(one.gene)),
    el("td", { class: "num" }, el("span", { class: "share", "aria-hidden": "true" }, bar), el("span", { class: "part" }, percent(one.share))),
    el("td", { class: "num" }, one.pieces === null ? "–" : one.pieces.toFixed(2)),
    el("td", { class: "num" }, one.points.toFixed(1)),
    el("td", { class: "num" }, weight),
    el("td", { class: "meaning note" }, one.meaning),
  );
}

/** The table, the largest part first, and what its numbers are. */
function table(found) {
  const features = [...found.features].sort((a, b) => b.share - a.share);
  const head = COLUMNS.map(([name, kind, title]) => el("th", { scope: "col", class: kind ?? null, title: title ?? null }, name));
  const rows = features.map((one) => row(one, features[0].share));
  const piece = found.piece > 0 ? `A piece is worth ${found.piece.toFixed(1)} points to these weights` : "To these weights the loss of a piece is no loss, so nothing is counted in pieces";
  return [
    el("div", { class: "scroll", tabindex: "0", role: "region", "aria-label": "What the weights value" }, el("table", { class: "values" }, el("thead", {}, el("tr", {}, head)), el("tbody", {}, rows))),
    el("p", { class: "note" }, `${piece}; a position is worth ${found.value.toFixed(1)} points on average to one of the sides. On ${count(found.positions)} positions of ${count(found.games)} games at depth ${found.depth} that they play against variations of themselves; `, el("code", {}, "loatune weights --explain"), " prints the same."),
  ];
}

const sentence = (message) => el("p", { class: "note" }, `${message[0].toUpperCase()}${message.slice(1)}.`);

/** What weights value, in a place that is kept free for it; null where there is nothing
    to explain, which the place then says. */
export async function showValues(place, weights) {
  place.dataset.waiting = "";
  try {
    const found = await askEngine("/api/explanation", { weights });
    put(place, table(found));
    return found;
  } catch (error) {
    put(place, sentence(error.message));
    return null;
  } finally {
    delete place.dataset.waiting;
  }
}

/** The features that count most, in a few words. */
function summary({ features }) {
  const first = features.filter((one) => one.share > 0).sort((a, b) => b.share - a.share).slice(0, 3);
  return first.map((one) => `${featureName(one.gene).toLowerCase()} ${Math.round(100 * one.share)}\u00a0%`).join(", ");
}

/** What weights value, folded: a line that names the most, and the table below it. */
export function valuesFold(weights) {
  const place = el("div", { class: "values-place" });
  const line = el("span", { class: "note" });
  showValues(place, weights).then((found) => found && put(line, ` · ${summary(found)}`));
  return el("details", { class: "values-fold" }, el("summary", {}, "What it values", line), place);
}
