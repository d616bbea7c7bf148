// Two files side by side, and a match between them.

import "./page.js";
import { asked, remember } from "./address.js";
import { ask } from "./ask.js";
import { byId, count, el, fileLink, originName, plain, problem, put, ready, sideName, signed, stateName, svg } from "./dom.js";

const SIDES = ["one", "other"];
let names = [asked.get("a") ?? "", asked.get("b") ?? ""];
let playing = null;

/** A file, or the source weights (the defaults of the genes), with what people call it. */
async function load(name) {
  if (/^\d+$/.test(name)) {
    const file = await ask(`/api/files/${name}`);
    const genes = file.genes.map((gene) => [gene.name, { opening: gene.opening, endgame: gene.endgame }]);
    return { label: [fileLink(file.file)], file, genes: Object.fromEntries(genes) };
  }
  if (name === "source") {
    const { genes } = await ask("/api/living");
    return { label: ["source"], file: null, genes: Object.fromEntries(genes.map((gene) => [gene.name, { opening: gene.default, endgame: gene.default }])) };
  }
  const { champion, leaders } = await ask("/api/status");
  const number = { champion: champion?.file, leader: leaders[0]?.file }[name];
  if (number === undefined && (name === "champion" || name === "leader")) throw new Error(`there is no ${name} ${name === "champion" ? "yet" : "any more"}`);
  if (number === undefined) throw new Error(`${name}: must be a number, champion, leader or source`);
  const found = await load(String(number));
  return { ...found, label: [`${name} `, ...found.label] };
}

/** What is told of both files before their genes. */
const STANDING = [
  ["Origin", (file) => `${originName(file.origin)}${file.name ? `, “${file.name}”` : ""}`],
  ["State", (file, champion) => standing(file, champion)],
  ["Born at match", (file) => count(file.at)],
  ["Points", (file) => signed(file.points, 2)],
  ["Games", (file) => count(file.games)],
  ["Children", (file) => count(file.children)],
];

/** Where a file is, or that it is the champion. */
const standing = (file, champion) => (file.file === champion ? "champion" : stateName(file));

const standingRow = ([name, tell], both, champion) => el("tr", {}, el("th", { scope: "row" }, name), both.map(({ file }) => el("td", { class: "num" }, file ? tell(file, champion) : "–")), el("td", {}), el("td", {}));

/** Most genes are whole numbers, and so are their differences. */
const difference = (one, other) => signed(other - one, Number.isInteger(other - one) ? 0 : 2);

function geneRow(gene, name, [one, other]) {
  const at = (value) => 6 + (188 * (value - gene.min)) / (gene.max - gene.min || 1);
  const bar = svg(
    "svg",
    { viewBox: "0 0 200 20", class: "pair", role: "img", "aria-label": `${plain(gene.min)} to ${plain(gene.max)}` },
    svg("line", { x1: 6, x2: 194, y1: 10, y2: 10, class: "gene-track" }),
    svg("line", { x1: at(one), x2: at(other), y1: 10, y2: 10, class: "pair-between" }),
    svg("circle", { cx: at(one), cy: 10, r: 5.5, class: "gene-value" }),
    svg("circle", { cx: at(other), cy: 10, r: 5.5, class: "pair-other" }),
  );
  return el("tr", {}, el("th", { scope: "row", title: gene.meaning }, name), el("td", { class: "num" }, plain(one)), el("td", { class: "num" }, plain(other)), el("td", { class: "num" }, difference(one, other)), el("td", {}, bar));
}

/** A row for a gene, and one for the end of the game where that differs. */
function geneRows(gene, both) {
  const values = (phase) => both.map(({ genes }) => genes[gene.name]?.[phase] ?? 0);
  const [opening, endgame] = [values("opening"), values("endgame")];
  if (opening.every((value, n) => value === endgame[n])) return [geneRow(gene, gene.name, opening)];
  return [geneRow(gene, gene.name, opening), geneRow(gene, `${gene.name}, endgame`, endgame)];
}

async function show() {
  SIDES.forEach((side, n) => (byId(side).value = names[n]));
  const { genes } = await ask("/api/living");
  const both = await Promise.all(names.map(load));
  SIDES.forEach((side, n) => put(byId(`name-${side}`), both[n].label));
  const { champion } = await ask("/api/status");
  put(byId("standing"), STANDING.map((row) => standingRow(row, both, champion?.file)));
  put(byId("genes"), genes.flatMap((gene) => geneRows(gene, both)));
  problem(null);
}

/** The score in percent, and Elo with its 95 % error from the pairs. */
export function resultText(pairs) {
  const scores = pairs.map(([first, second]) => (first + second) / 2);
  const mean = scores.reduce((sum, score) => sum + score, 0) / scores.length;
  const spread = scores.reduce((sum, score) => sum + (score - mean) ** 2, 0) / Math.max(1, scores.length - 1);
  const error = 1.96 * Math.sqrt(spread / scores.length);
  const elo = (part) => 400 * Math.log10(part / (1 - part));
  const told = `${count(2 * pairs.length)} games: ${(100 * mean).toFixed(1)} % for the first`;
  if (mean <= 0 || mean >= 1 || pairs.length < 2) return `${told}.`;
  const [low, high] = [elo(Math.max(0.001, mean - error)), elo(Math.min(0.999, mean + error))];
  return `${told}, ${signed(elo(mean))} ± ${((high - low) / 2).toFixed(0)} Elo.`;
}

const gameLink = (game) => el("a", { href: `/play?${new URLSearchParams({ position: game.first, moves: game.moves.join(" ") })}` }, `${game.result === "draw" ? "draw" : `${sideName(game.result)} wins`} after ${game.moves.length}`);

async function play() {
  playing = new AbortController();
  const { signal } = playing;
  const depth = byId("depth").value;
  const pairs = [];
  put(byId("games"));
  byId("result").textContent = "They play …";
  byId("play").disabled = true;
  byId("halt").hidden = false;
  try {
    for (let opening = 0; opening < Number(byId("pairs").value); opening++) {
      const duel = await ask("/api/duel", { a: names[0], b: names[1], opening, depth }, { signal });
      pairs.push(duel.scores);
      byId("games-table").hidden = false;
      byId("games").append(el("tr", {}, el("td", { class: "num" }, opening + 1), ...duel.games.map((game, n) => el("td", {}, gameLink(game), ` (${n ? "the second is Black" : "the first is Black"})`))));
      byId("result").textContent = resultText(pairs);
    }
  } catch (error) {
    if (error.name !== "AbortError") problem(error.message);
  }
  byId("play").disabled = false;
  byId("halt").hidden = true;
}

byId("filter").addEventListener("submit", (event) => {
  event.preventDefault();
  playing?.abort();
  names = SIDES.map((side) => byId(side).value.trim().replace(/^#/, ""));
  remember({ a: names[0], b: names[1] });
  show().catch((error) => problem(error.message));
});
byId("play").addEventListener("click", play);
byId("halt").addEventListener("click", () => playing?.abort());

const status = await ask("/api/status").catch(() => null);
const best = status?.champion ? "champion" : status?.leaders.length ? "leader" : "source";
names = [names[0] || best, names[1] || (names[0] && names[0] !== best ? best : "source")];
await show().catch((error) => problem(error.message));
ready();
