// All populations of the directory, and how strong each became.

import "./page.js";
import { ask } from "./ask.js";
import { byId, count, el, problem, put, ready, signed } from "./dom.js";
import { Axis, Plot, axisButtons, spread } from "./plot.js";

/** The lines that can be told apart; further populations are in the table alone. */
const STYLES = ["accent", "warm", "bad", "soft"].flatMap((colour) => [{ colour }, { colour, dash: true }]).sort((a, b) => (a.dash ? 1 : 0) - (b.dash ? 1 : 0));

const eloText = (elo, error) => `${signed(elo)} ± ${error === null ? "∞" : error.toFixed(0)}`;

function row({ name, here, show, status, problem: why }) {
  const page = here ? el("a", { href: "/" }, "this page") : status?.page ? el("a", { href: status.page }, status.page) : el("code", {}, show);
  const strength = status?.elo === null || status?.elo === undefined ? "" : `${eloText(status.elo, status.error)} Elo`;
  return el(
    "tr",
    {},
    el("th", { scope: "row" }, name),
    el("td", { class: "wrap" }, status ? `${status.state}${status.running ? ", at work" : ""}` : why),
    el("td", { class: "num" }, status ? `${count(status.games)} of ${count(status.budget)}` : ""),
    el("td", { class: "num" }, strength),
    el("td", {}, page),
  );
}

/** A line for each population whose elders were measured, in one chart. */
function draw(populations) {
  const shown = populations.filter(({ status }) => status?.strengths.length).slice(0, STYLES.length);
  if (!shown.length) return;
  byId("strengths").hidden = false;
  const games = [...new Set(shown.flatMap(({ status }) => status.strengths.map((one) => one.games)))].sort((a, b) => a - b);
  const at = ({ status }, place) => status.strengths.find((one) => one.games === games[place]);
  const axis = new Axis();
  const plot = new Plot(byId("chart-strengths"), {
    axis,
    height: 300,
    x: (place) => `${count(place)} games`,
    xLabel: "games",
    yLabel: "Elo",
    series: shown.map((population, n) => ({ name: population.name, ...STYLES[n], points: true, lasting: true, tell: (elo, place) => eloText(elo, at(population, place)?.error ?? null) })),
    y: (min, max) => spread(Math.min(0, min ?? 0), Math.max(0, max ?? 1)),
  });
  axis.full = [0, games.at(-1)];
  plot.data = [games, ...shown.map((population) => games.map((_, place) => at(population, place)?.elo ?? null))];
  put(byId("chart-tools"), axisButtons(axis));
}

try {
  const { populations } = await ask("/api/populations");
  put(byId("rows"), populations.length ? populations.map(row) : el("tr", {}, el("td", { colspan: 5, class: "note" }, "There is no other population here.")));
  draw(populations);
  ready();
} catch (error) {
  problem(error.message);
}
