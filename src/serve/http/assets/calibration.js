// Whether the chances of the evaluation bar are honest: a picture of what was
// predicted against what came, and how much each feature counts.

import { ask } from "./ask.js";
import { count, el, put, svg } from "./dom.js";
import { featureName } from "./trace.js";

const [SIZE, LEFT, TOP, BOTTOM, RIGHT] = [300, 46, 10, 42, 18];
/** Between two questions while the server computes. */
const PAUSE = 3000;

const percent = (part) => `${Math.round(100 * part)} %`;

function picture({ bins }) {
  const [x, y] = [(part) => LEFT + part * SIZE, (part) => TOP + (1 - part) * SIZE];
  const ticks = [0, 0.25, 0.5, 0.75, 1].flatMap((part) => [svg("text", { x: x(part), y: TOP + SIZE + 17, "text-anchor": "middle" }, Math.round(100 * part)), svg("text", { x: LEFT - 6, y: y(part) + 4, "text-anchor": "end" }, Math.round(100 * part))]);
  const most = Math.max(...bins.map((bin) => bin.positions));
  const marks = bins.flatMap((bin) => {
    const [low, high] = [Math.max(0, bin.scored - bin.error), Math.min(1, bin.scored + bin.error)];
    const told = `predicted ${percent(bin.predicted)}, came ${percent(bin.scored)} in ${bin.positions} positions`;
    return [
      svg("line", { x1: x(bin.predicted), x2: x(bin.predicted), y1: y(low), y2: y(high), class: "error" }),
      svg("circle", { cx: x(bin.predicted), cy: y(bin.scored), r: 3 + 5 * Math.sqrt(bin.positions / most), class: "bin" }, svg("title", {}, told)),
    ];
  });
  return svg(
    "svg",
    { viewBox: `0 0 ${LEFT + SIZE + RIGHT} ${TOP + SIZE + BOTTOM}`, class: "calibration", role: "img", "aria-label": `Predicted chances against results: ${bins.map((bin) => `${percent(bin.predicted)} predicted, ${percent(bin.scored)} came`).join("; ")}` },
    svg("rect", { x: LEFT, y: TOP, width: SIZE, height: SIZE, class: "frame" }),
    svg("line", { x1: x(0), y1: y(0), x2: x(1), y2: y(1), class: "honest" }),
    ticks,
    svg("text", { x: LEFT + SIZE / 2, y: TOP + SIZE + 36, "text-anchor": "middle" }, "predicted for Black, %"),
    svg("text", { x: 12, y: TOP + SIZE / 2, "text-anchor": "middle", transform: `rotate(-90 12 ${TOP + SIZE / 2})` }, "came, %"),
    marks,
  );
}

function importance(place, features) {
  const most = Math.max(...features.map((one) => one.points), 1e-9);
  const rows = features.flatMap((one) => {
    const bar = el("span", { class: "bar" });
    bar.style.setProperty("--size", `${((100 * one.points) / most).toFixed(1)}%`);
    return [el("dt", {}, featureName(one.gene)), el("dd", {}, bar, el("span", { class: "num" }, `${one.points.toFixed(1)} points`))];
  });
  put(place, el("p", { class: "note" }, "How far each feature moves the value of a position, on average over the population's games."), el("dl", { class: "bars" }, rows));
}

const sentence = (message) => el("p", { class: "note" }, `${message[0].toUpperCase()}${message.slice(1)}.`);

/** Says that something is on its way, where nothing older is shown. */
function wait(place) {
  if (!place.querySelector("svg, dl")) put(place, el("p", { class: "note" }, "Being computed …"));
}

/** The calibration of some weights; waits for a server that still computes. */
async function load(weights, signal) {
  for (;;) {
    try {
      return await ask("/api/calibration", { weights }, { signal });
    } catch (error) {
      if (error.name === "AbortError" || !/being computed|try again/.test(error.message)) throw error;
    }
    await new Promise((done) => setTimeout(done, PAUSE));
    signal?.throwIfAborted();
  }
}

/** Predicted against real for some weights, under `words` about what was found;
    null where it is not known. */
export async function showReliability(place, weights, words, signal) {
  wait(place);
  try {
    const found = await load(weights, signal);
    put(place, el("p", { class: "note" }, words(found)), picture(found), el("p", { class: "note" }, `On the line a chance is what came. Mean squared error ${found.brier.toFixed(3)}; 0.250 is a coin.`));
    return found;
  } catch (error) {
    if (error.name === "AbortError") return null;
    put(place, sentence(error.message));
    place.classList.remove("calibration-place");
    return null;
  }
}

let asking = null;

/** A question that waits for a server that is gone is asked no more: what comes
    after it may not know that many games. */
export function forgetCalibration() {
  asking?.abort();
}

/** Fills both places with what is known of the best weights of a population. */
export async function showCalibration(place, features, status) {
  asking?.abort();
  asking = new AbortController();
  const { signal } = asking;
  const words = (found) => `Chances of the weights ${found.weights}, fitted to ${count(found.fitted)} positions of the population's games and checked here on ${count(found.checked)} positions of other games.`;
  wait(features);
  const found = await showReliability(place, bestWeights(status), words, signal);
  if (signal.aborted) return;
  if (found) importance(features, found.importance);
  else put(features, el("p", { class: "note" }, place.textContent));
}

function bestWeights({ champion, leaders }) {
  return champion ? "champion" : leaders.length ? String(leaders[0].file) : "default";
}
