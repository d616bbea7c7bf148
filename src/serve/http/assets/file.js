// A file's page: its weights, its family and its matches.

import "./page.js";
import { ask } from "./ask.js";
import { ancestryList, loadChampion, proofTable } from "./champion.js";
import { byId, causeName, count, el, fileLink, numberInPath, originName, plain, problem, put, ready, signed, stateName, svg } from "./dom.js";
import { gameText } from "./game_text.js";
import { challengeBadge, challengeText, nats } from "./scholars.js";
import { showValues } from "./values.js";

const number = numberInPath();

function showHead(file) {
  document.title = `File #${file.file} · loatune`;
  byId("title").textContent = `File #${file.file}`;
  const state = byId("state");
  state.textContent = stateName(file);
  state.className = `badge ${file.alive ? "evolving" : "stopped"}`;
  const named = file.name ? `Imported as “${file.name}”. ` : "";
  const words = [`${named}${signed(file.points, 2)} points in ${count(file.games)} games. Born at match ${count(file.at)}, ${originName(file.origin)}.`];
  if (file.death) words.push(` Died at match ${count(file.death.at)}: ${causeName(file.death.cause)}.`);
  byId("summary").textContent = words.join("");
  byId("play").href = `/play?against=${file.file}`;
  const download = byId("download");
  download.href = `/api/files/${file.file}/weights`;
  download.setAttribute("download", `file-${file.file}.toml`);
}

function geneRow(gene) {
  const width = 400;
  const at = (value) => 8 + ((value - gene.min) / (gene.max - gene.min || 1)) * (width - 16);
  const { population } = gene;
  const parts = [svg("line", { x1: 8, x2: width - 8, y1: 14, y2: 14, class: "gene-track" })];
  if (population) {
    const [least, most] = [at(population.least), at(population.most)];
    parts.push(svg("rect", { x: least, y: 9, width: Math.max(2, most - least), height: 10, rx: 5, class: "gene-range" }));
    parts.push(svg("line", { x1: at(population.mean), x2: at(population.mean), y1: 7, y2: 21, class: "gene-mean" }));
  }
  parts.push(svg("path", { d: `M${at(gene.default)} 8l5.5 -8h-11z`, class: "gene-default" }));
  parts.push(svg("circle", { cx: at(gene.opening), cy: 14, r: 6, class: "gene-value" }));
  const twoPhases = gene.opening !== gene.endgame;
  if (twoPhases) parts.push(svg("circle", { cx: at(gene.endgame), cy: 14, r: 4.5, class: "gene-value endgame" }));
  const told = population ? `population ${plain(population.least)} to ${plain(population.most)}` : "";
  return el(
    "div",
    { class: "gene" },
    el("div", { class: "gene-name" }, el("strong", {}, gene.name), el("span", { class: "note" }, gene.meaning)),
    svg("svg", { viewBox: `0 0 ${width} 28`, class: "gene-bar", role: "img", "aria-label": `${gene.name} ${plain(gene.opening)}, default ${plain(gene.default)}, ${told}, allowed ${plain(gene.min)} to ${plain(gene.max)}` }, parts),
    el("div", { class: "gene-number num" }, plain(gene.opening), twoPhases ? ` → ${plain(gene.endgame)}` : "", el("span", { class: "note" }, ` (${plain(gene.default)})`)),
  );
}

const NODE = { width: 96, height: 44, gap: 22, row: 96 };
const MOST_CHILDREN = 8;

/** Four rows: grandparents, parents, this one and its twin, children. */
async function showTree(file) {
  const parents = await Promise.all(file.parents.map((parent) => ask(`/api/files/${parent}`).catch(() => null)));
  const rows = [[], [], [], []];
  const edges = [];
  const node = (row, id, kind, note) => {
    let found = rows[row].find((one) => one.id === id);
    if (!found) rows[row].push((found = { id, kind, note, row }));
    return found;
  };
  const self = node(2, file.file, "self", originName(file.origin));
  const twin = file.twin === null ? null : node(2, file.twin, "twin", "twin");
  parents.forEach((parent, n) => {
    const id = file.parents[n];
    const place = node(1, id, "parent", parent ? `${signed(parent.points, 2)} points` : "parent");
    edges.push([place, self]);
    if (twin) edges.push([place, twin]);
    for (const old of parent?.parents ?? []) edges.push([node(0, old, "grand", "grandparent"), place]);
  });
  const children = file.offspring.slice(0, MOST_CHILDREN);
  for (const child of children) edges.push([self, node(3, child, "child", "child")]);
  const used = rows.filter((row) => row.length);
  const width = Math.max(...used.map((row) => row.length * (NODE.width + NODE.gap)), 320);
  used.forEach((row, n) => {
    const start = (width - row.length * (NODE.width + NODE.gap) + NODE.gap) / 2;
    row.forEach((one, m) => {
      one.x = start + m * (NODE.width + NODE.gap) + NODE.width / 2;
      one.y = n * NODE.row + NODE.height / 2 + 2;
    });
  });
  const lines = edges.map(([from, to]) => {
    const [top, bottom] = [from.y + NODE.height / 2, to.y - NODE.height / 2];
    const middle = (top + bottom) / 2;
    return svg("path", { d: `M${from.x} ${top}C${from.x} ${middle} ${to.x} ${middle} ${to.x} ${bottom}`, class: "edge" });
  });
  const nodes = used.flat().map((one) =>
    svg(
      "a",
      { href: `/files/${one.id}`, class: `node ${one.kind}`, "aria-current": one.kind === "self" ? "true" : null },
      svg("rect", { x: one.x - NODE.width / 2, y: one.y - NODE.height / 2, width: NODE.width, height: NODE.height, rx: 9 }),
      svg("text", { x: one.x, y: one.y - 3, "text-anchor": "middle", class: "node-name" }, `#${one.id}`),
      svg("text", { x: one.x, y: one.y + 13, "text-anchor": "middle", class: "node-note" }, one.note),
    ),
  );
  const high = used.length * NODE.row - (NODE.row - NODE.height) + 4;
  const left = file.offspring.length - children.length;
  put(
    byId("tree"),
    svg("svg", { viewBox: `0 0 ${width} ${high}`, width, height: high, class: "tree", role: "group", "aria-label": "Family tree" }, lines, nodes),
    left > 0 ? el("p", { class: "note" }, el("a", { href: `/files?parent=${file.file}`, id: "all-children" }, `All ${count(Math.max(file.children, file.offspring.length))} children`)) : null,
    edges.length ? null : el("p", { class: "note" }, "No parents and no children are known."),
  );
}

/** The line of first parents, back to one that has none. */
async function showDescent(file) {
  if (!file.parents.length) return;
  const line = await ask(`/api/files/${file.file}/descent`);
  const step = (one) => el("li", {}, fileLink(one.file), ` ${originName(one.origin)}`, one.parents.length > 1 ? [" with ", fileLink(one.parents[1])] : null, ` at match ${count(one.at)}`, one.name ? `, “${one.name}”` : null);
  byId("descent-card").hidden = false;
  byId("descent-note").textContent = `${count(line.length - 1)} ${line.length === 2 ? "generation" : "generations"} of first parents, back to ${line.at(-1).origin === "founder" ? "a founder" : `#${line.at(-1).file}`}.`;
  put(byId("descent"), el("ol", { class: "ancestry" }, line.map(step)));
}

/** What a scholar learned from, and how its challenge ended. */
function showLesson(scholar) {
  byId("lesson").hidden = false;
  const score = scholar.score === null ? "" : ` Its mean score against the consensus: ${challengeText(scholar)}.`;
  put(
    byId("lesson"),
    el("div", { class: "title-row" }, el("h2", { id: "h-lesson" }, "Scholar"), challengeBadge(scholar)),
    el("p", {}, `Learned from ${count(scholar.positions)} positions of ${count(scholar.games)} games, ${nats(scholar.log_likelihood)} nats a position; a coin has −0.6931.${score}`),
  );
}

/** The page of a scholar tells of its lesson; the champion's own page says that
    it is the champion, with its certificate. */
async function showStanding() {
  const status = await ask("/api/status");
  const scholar = status.scholars.find((one) => one.file === number);
  if (scholar) showLesson(scholar);
  if (status.champion?.file !== number) return;
  const champion = await loadChampion();
  byId("crown").hidden = false;
  const state = byId("state");
  state.textContent = "champion";
  state.className = "badge finished";
  byId("play").href = "/play?against=champion";
  put(
    byId("crown"),
    el("h2", { id: "h-crown" }, "The champion"),
    el("p", { class: "lead" }, status.champion.is_elder ? "It is the elder, the consensus of the survivors." : status.champion.is_scholar ? "It is a scholar, learned from the games of the run." : "It survived them all."),
    el("h3", {}, "Certificate"),
    proofTable(champion?.certificate),
    champion?.certificate && [el("h3", { class: "spaced" }, "Ancestry"), ancestryList(champion.certificate.ancestry)],
  );
}

let before = null;

async function loadMatches() {
  const page = await ask("/api/matches", { file: number, before, count: 20 });
  byId("all-matches").href = `/matches?file=${number}`;
  const rows = page.matches.map((match) => {
    const isFirst = match.files[0] === number;
    const [black, white] = isFirst ? match.games : [match.games[1], match.games[0]];
    return el(
      "tr",
      {},
      el("td", {}, el("a", { href: `/matches/${match.number}` }, count(match.number))),
      el("td", {}, fileLink(match.files[isFirst ? 1 : 0])),
      el("td", { class: "num" }, signed(isFirst ? match.score : -match.score, 2)),
      el("td", {}, gameText(black)),
      el("td", {}, gameText(white)),
    );
  });
  byId("matches").append(...rows);
  if (!byId("matches").children.length) put(byId("matches"), el("tr", {}, el("td", { colspan: 5, class: "note" }, "It has not played yet.")));
  before = page.before;
  byId("more").hidden = before === null;
}

try {
  const file = await ask(`/api/files/${number}`);
  showHead(file);
  put(byId("genes"), file.genes.map(geneRow));
  byId("compare").href = `/compare?a=${number}`;
  if (file.weights === null) put(byId("values"), el("p", { class: "note" }, "Its genes are not those of this program's evaluation: there is nothing to explain."));
  // The engine may be busy; the page does not wait for it.
  else showValues(byId("values"), number);
  await Promise.all([showTree(file), showDescent(file), showStanding()]);
  ready();
  await loadMatches();
  byId("more").addEventListener("click", () => loadMatches().catch((error) => problem(error.message)));
} catch (error) {
  problem(error.message);
}
