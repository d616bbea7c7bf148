// The best lines of a position: a list, and arrows on the board.

import { askEngine } from "./ask.js";
import { byId, el, put } from "./dom.js";
import { valueText } from "./trace.js";

/** How many lines are shown. */
const LINES = 3;

/** Asks for the best lines of a game; null where they are not wanted. */
export async function loadLines(address, weights, signal) {
  if (!byId("show-lines").checked) return null;
  return askEngine("/api/lines", { ...address, weights, count: LINES, time: 0.7 }, { signal });
}

/** Shows the lines of a game; a click plays the first move where that is
    possible. */
export function showLines(found, { moves }, choose) {
  const place = byId("lines");
  place.dataset.moves = moves;
  if (!found) {
    put(place);
    return [];
  }
  if (!found.lines.length) {
    put(place, el("p", { class: "note" }, "No moves."));
    return [];
  }
  const items = found.lines.map((line) => {
    const [first, ...rest] = line.moves;
    const button = el("button", { type: "button", class: "line-move" }, first);
    button.addEventListener("click", () => choose(first));
    return el("li", {}, el("span", { class: "line-value num" }, valueText(line.value, line.plies_to_end)), button, el("span", { class: "note" }, rest.join(" ")));
  });
  put(place, el("ol", { class: "lines" }, items), el("p", { class: "note" }, `${found.depth} plies deep, in points for Black.`));
  return found.lines.map((line) => line.moves[0]);
}
