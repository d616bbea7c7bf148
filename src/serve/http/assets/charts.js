// The charts of a run. They are drawn from the history that the server keeps;
// what has happened since its last sample is taken from the status, so that a
// chart is as new as the numbers beside it.

import { ask } from "./ask.js";
import { byId, count, duration, el, pace, plain, put, signed } from "./dom.js";
import { showCoordinates } from "./coordinates.js";
import { Axis, Plot, TIME_STEPS, axisButtons, colour, fromZero, spread } from "./plot.js";
import { COIN, challengeElo, nats } from "./scholars.js";

/** The least time between two looks at the whole history. */
const PAUSE = 10000;
/** The same for the speed, whose samples are few. */
const SPEED_PAUSE = 5000;

const games = new Axis();
const seconds = new Axis();
const plots = {};
let history = null;
let status = null;
let speed = [];
let loaded = 0;
let speedLoaded = 0;
let timer = null;
let speedTimer = null;

const STRENGTH_OF_THE_HALL = "Elo above the reference weights, with the 95 % error.";
const STRENGTH_OF_ALL = "Elo with the 95 % error: elders above the reference weights, scholars above the consensus that they challenged.";

const told = (at) => `${count(at)} games`;

/** Time since the program began: none at first, and with its seconds for some minutes. */
function elapsed(time) {
  const seconds = Math.round(time);
  if (!seconds) return "0 s";
  if (seconds > 60 && seconds < 600 && seconds % 60) return `${Math.floor(seconds / 60)} min ${seconds % 60} s`;
  return duration(seconds);
}

function figure(place, name, title, note = null) {
  const body = el("div", { class: "plot", id: `chart-${name}` });
  place.append(el("figure", { class: "card", "data-chart": name }, el("figcaption", {}, el("h3", {}, title), note && el("p", { class: "note" }, note)), body));
  return body;
}

/** The samples, and the present as one more. */
function rows() {
  const all = history?.samples ?? [];
  if (!status || (all.length && all.at(-1).games >= status.games)) return all;
  const best = status.leaders[0]?.points ?? null;
  const now = { games: status.games, population: status.files, capacity: status.capacity, births: status.births, deaths: status.deaths, best_points: best, mean_points: null, genes: {} };
  return [...all, now];
}

const column = (all, name) => all.map((row) => row[name]);

/** Births and deaths per 1,000 games between two samples. */
function rates(all, name, sign) {
  return all.map((row, n) => {
    const before = all[n - 1];
    if (!before || row.games === before.games) return null;
    return (sign * 1000 * (row[name] - before[name])) / (row.games - before.games);
  });
}

function make() {
  const place = byId("charts");
  const common = { axis: games, x: told, xLabel: "games" };
  plots.population = new Plot(figure(place, "population", "Population and capacity"), {
    ...common,
    yLabel: "files",
    series: [
      { name: "files", colour: "accent", fill: true },
      { name: "capacity", colour: "warm", dash: true, steps: true },
    ],
    y: fromZero,
  });
  plots.turnover = new Plot(figure(place, "turnover", "Births and deaths", "Per 1,000 games: births above the line, deaths below it."), {
    ...common,
    yLabel: "per 1,000 games",
    series: [
      { name: "births", colour: "accent", fill: true, tell: (value) => value.toFixed(0) },
      { name: "deaths", colour: "bad", fill: true, tell: (value) => (-value).toFixed(0) },
    ],
    yTicks: (value) => count(Math.abs(value)),
    y: (min, max) => spread(Math.min(0, min ?? 0), Math.max(0, max ?? 1)),
  });
  plots.points = new Plot(figure(place, "points", "Points"), {
    ...common,
    yLabel: "points",
    series: [
      { name: "best", colour: "accent", tell: (value) => signed(value, 2) },
      { name: "mean", colour: "warm", lasting: true, tell: (value) => signed(value, 2) },
    ],
  });
  plots.strength = new Plot(figure(place, "strength", "Strength of the hall", STRENGTH_OF_THE_HALL), {
    ...common,
    yLabel: "Elo",
    series: [
      { name: "elders of the hall", colour: "accent", points: true, width: 1, faint: true, lasting: true, optional: true, tell: strengthText },
      { name: "scholars that won", colour: "warm", points: "only", lasting: true, optional: true, tell: strengthText },
      { name: "scholars that lost", colour: "bad", points: "only", hollow: true, lasting: true, optional: true, tell: strengthText },
      { name: "low", quiet: true },
      { name: "high", quiet: true },
    ],
    draw: (u) => errorBars(u),
    y: (min, max) => spread(Math.min(0, min ?? 0), Math.max(0, max ?? 1)),
  });
  plots.likelihood = new Plot(figure(place, "likelihood", "Likelihood of the lessons", "Of the results of the games that a scholar learned from, in nats a position; the broken line is a coin."), {
    ...common,
    yLabel: "nats a position",
    series: [{ name: "lessons", colour: "warm", points: true, width: 1, faint: true, tell: (value, at) => `#${status.scholars[at]?.file}: ${nats(value)}` }],
    draw: (u) => brokenLine(u, COIN),
    y: (min, max) => spread(Math.min(COIN, min ?? COIN), Math.max(COIN, max ?? COIN)),
    yTicks: (value) => nats(value, 3),
  });
  plots.speed = new Plot(figure(place, "speed", "Games a second", "Since the program began to play."), {
    axis: seconds,
    x: (at) => `after ${elapsed(at)}`,
    ticks: elapsed,
    steps: TIME_STEPS,
    xLabel: "time since it began",
    yLabel: "games a second",
    series: [{ name: "games a second", colour: "accent", fill: true, tell: pace }],
    y: fromZero,
  });
  const tools = byId("chart-tools");
  const whole = el("input", { type: "checkbox", id: "whole-budget" });
  whole.addEventListener("change", showAxis);
  put(tools, axisButtons(games), el("label", { class: "check" }, whole, " up to the whole budget"));
}

/** All whose strength was measured, by the games before it: elders, and scholars
    that won or lost. */
function strengths() {
  const elders = (history?.strengths ?? []).filter((one) => one.elo !== null);
  const measured = elders.map((one) => ({ ...one, kind: 0, low: one.error === null ? null : one.elo - one.error, high: one.error === null ? null : one.elo + one.error }));
  for (const scholar of status?.scholars ?? []) {
    const found = challengeElo(scholar);
    if (found) measured.push({ file: scholar.file, games: 2 * scholar.matches, kind: scholar.won ? 1 : 2, ...found });
  }
  return measured.sort((a, b) => a.games - b.games || a.file - b.file);
}

function strengthText(value, at) {
  const one = strengths()[at];
  return one ? `#${one.file}: ${signed(one.elo)} ± ${one.high === null ? "∞" : ((one.high - one.low) / 2).toFixed(0)}` : "";
}

/** Draws inside of a chart's frame only. */
function inside(u, draw) {
  const { ctx } = u;
  ctx.save();
  ctx.beginPath();
  ctx.rect(u.bbox.left, u.bbox.top, u.bbox.width, u.bbox.height);
  ctx.clip();
  draw(ctx);
  ctx.restore();
}

/** A level that values are compared with. */
function brokenLine(u, level) {
  inside(u, (ctx) => {
    ctx.setLineDash([4, 4]);
    ctx.strokeStyle = colour("soft");
    ctx.beginPath();
    const at = u.valToPos(level, "y", true);
    ctx.moveTo(u.bbox.left, at);
    ctx.lineTo(u.bbox.left + u.bbox.width, at);
    ctx.stroke();
  });
}

const STRENGTH_COLOURS = ["accent", "warm", "bad"];

function errorBars(u) {
  brokenLine(u, 0);
  const [xs, , , , low, high] = u.data;
  const wing = 4 * devicePixelRatio;
  STRENGTH_COLOURS.forEach((name, kind) => {
    const series = kind + 1;
    if (!u.series[series].show) return;
    inside(u, (ctx) => {
      ctx.strokeStyle = colour(name);
      ctx.lineWidth = 1.5 * devicePixelRatio;
      ctx.beginPath();
      xs.forEach((x, n) => {
        if (low[n] === null || u.data[series][n] === null) return;
        const [at, top, bottom] = [u.valToPos(x, "x", true), u.valToPos(high[n], "y", true), u.valToPos(low[n], "y", true)];
        ctx.moveTo(at, top);
        ctx.lineTo(at, bottom);
        for (const end of [top, bottom]) {
          ctx.moveTo(at - wing, end);
          ctx.lineTo(at + wing, end);
        }
      });
      ctx.stroke();
    });
  });
}

/** A small chart for each gene: the population's mean and spread, and the
    consensus. */
function makeGenes(names) {
  const place = byId("gene-charts");
  plots.genes = {};
  for (const name of names) {
    const body = el("div", { class: "plot" });
    place.append(el("figure", { class: "gene-chart", "data-gene": name }, el("figcaption", {}, el("h3", {}, name)), body));
    plots.genes[name] = new Plot(body, {
      axis: games,
      x: told,
      height: 150,
      series: [
        { name: "mean", colour: "accent", with: [2, 3], tell: (value) => plain(value) },
        { name: "consensus", colour: "warm", dash: true, width: 1.5, tell: (value) => plain(value) },
        { name: "low", colour: "accent", quiet: true },
        { name: "high", colour: "accent", quiet: true },
      ],
      bands: [{ series: [3, 2], colour: "accent" }],
    });
  }
}

function showAxis() {
  const all = rows();
  const whole = byId("whole-budget").checked;
  const now = Math.max(all.at(-1)?.games ?? 0, status?.games ?? 0);
  games.full = [0, whole ? Math.max(now, status?.budget ?? history?.budget ?? now) : now];
}

function draw() {
  const all = rows();
  if (!all.length) return;
  showAxis();
  const xs = column(all, "games");
  plots.population.data = [xs, column(all, "population"), column(all, "capacity")];
  plots.turnover.data = [xs, rates(all, "births", 1), rates(all, "deaths", -1)];
  plots.points.data = [xs, column(all, "best_points"), column(all, "mean_points")];
  const strong = strengths();
  const of = (kind) => strong.map((one) => (one.kind === kind ? one.elo : null));
  plots.strength.data = [strong.map((one) => one.games), of(0), of(1), of(2), strong.map((one) => one.low), strong.map((one) => one.high)];
  document.querySelector("[data-chart='strength']").hidden = !strong.length;
  const scholars = status?.scholars ?? [];
  if (scholars.length) {
    const [title, note] = document.querySelectorAll("[data-chart='strength'] :is(h3, .note)");
    title.textContent = "Strength of the hall and of scholars";
    note.textContent = STRENGTH_OF_ALL;
  }
  plots.likelihood.data = [scholars.map((one) => 2 * one.matches), scholars.map((one) => one.log_likelihood)];
  document.querySelector("[data-chart='likelihood']").hidden = !scholars.length;
}

function drawGenes() {
  const all = history.samples.filter((row) => Object.keys(row.genes).length);
  if (!all.length) return;
  const names = Object.keys(all.at(-1).genes);
  if (!plots.genes) makeGenes(names);
  const xs = column(all, "games");
  for (const name of names) {
    const values = (part) => all.map((row) => row.genes[name]?.[part] ?? null);
    const [mean, width] = [values("mean"), values("spread")];
    const edge = (sign) => mean.map((value, n) => (value === null || width[n] === null ? null : value + sign * width[n]));
    plots.genes[name].data = [xs, mean, values("consensus"), edge(-1), edge(1)];
  }
}

function drawSpeed() {
  document.querySelector("[data-chart='speed']").hidden = speed.length < 2;
  if (speed.length < 2) return;
  seconds.full = [speed[0].seconds, speed.at(-1).seconds];
  plots.speed.data = [speed.map((one) => one.seconds), speed.map((one) => one.games_per_second)];
}

async function loadSpeed() {
  speedLoaded = Date.now();
  ({ samples: speed } = await ask("/api/speed"));
  drawSpeed();
}

async function load() {
  loaded = Date.now();
  const [past, living] = await Promise.all([ask("/api/history"), ask("/api/living"), loadSpeed()]);
  history = past;
  draw();
  drawGenes();
  showCoordinates(byId("coordinates"), living);
}

/** Takes the newest status. */
export function chartStatus(newest) {
  status = newest;
  if (!history) return;
  draw();
  // A run may play for long between two samples of its history.
  if (status.running) refreshSpeed();
}

/** Reads the speed again as soon as the pause allows: no further status may come. */
function refreshSpeed() {
  if (speedTimer !== null) return;
  speedTimer = setTimeout(() => {
    speedTimer = null;
    loadSpeed().catch((error) => console.warn(error.message));
  }, Math.max(0, speedLoaded + SPEED_PAUSE - Date.now()));
}

/** Reads the history again, soon or now. */
export function refreshCharts(now = false) {
  if (timer !== null && !now) return;
  clearTimeout(timer);
  const wait = now ? 0 : Math.max(0, loaded + PAUSE - Date.now());
  timer = setTimeout(() => {
    timer = null;
    load().catch((error) => console.warn(error.message));
  }, wait);
}

make();
