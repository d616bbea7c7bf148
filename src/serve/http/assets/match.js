// A match's page: both games on a board, move by move.

import "./page.js";
import { ask, askEngine } from "./ask.js";
import { Board } from "./board.js";
import { chancesKnown } from "./chances.js";
import { Curve } from "./curve.js";
import { byId, count, el, ending, fileLink, numberInPath, problem, put, ready, sideName, signed } from "./dom.js";
import { positions } from "./position.js";
import { showBar, showTrace } from "./trace.js";

const PACE = 700;
const number = numberInPath();
const board = new Board(byId("board"));
const curve = new Curve(byId("curve"), (ply) => show(ply));

let match = null;
let game = null;
let boards = [];
let chances = [];
let ply = 0;
let running = null;
let asking = null;

function showGame(which) {
  stop();
  game = match.games[which];
  boards = positions(game.first, game.moves);
  chances = [];
  for (const n of [0, 1]) byId(`game-${n}`).setAttribute("aria-pressed", String(n === which));
  for (const [n, side] of ["x", "o"].entries()) {
    const won = game.result === side;
    put(byId(`seat-${side}`), el("span", { class: `disc ${side}` }), `${sideName(side)}: `, fileLink(game.files[n]), won ? el("span", { class: "badge finished" }, "won") : null);
  }
  const items = game.moves.map((move, n) => el("li", { class: n < game.opening_plies ? "opening-move" : "" }, el("button", { type: "button", onclick: () => show(n + 1), title: n < game.opening_plies ? "part of the opening" : null }, move)));
  put(byId("moves"), items);
  const judges = game.files.map((file, n) => el("option", { value: file }, `file #${file}, ${sideName("xo"[n])}`));
  put(byId("judge"), judges, el("option", { value: "default" }, "the default weights"));
  byId("sgf").href = `/api/sgf?${new URLSearchParams({ position: game.first, moves: game.moves.join(" "), black: `#${game.files[0]}`, white: `#${game.files[1]}` })}`;
  show(game.opening_plies);
  loadCurve();
}

async function loadCurve() {
  const now = game;
  curve.wait();
  try {
    const weights = byId("judge").value;
    await chancesKnown(weights);
    const found = await askEngine("/api/curve", { position: now.first, moves: now.moves.join(" "), weights });
    if (now !== game || weights !== byId("judge").value) return;
    chances = found.chances;
    curve.show(chances, now.opening_plies);
    curve.at(ply);
    showBar(byId("evalbar"), chances[ply] ?? null, false);
  } catch (error) {
    problem(error.message);
  }
}

function show(to) {
  ply = Math.max(0, Math.min(boards.length - 1, to));
  const last = ply ? game.moves[ply - 1] : null;
  board.show({ cells: boards[ply].cells, last });
  curve.at(ply);
  showBar(byId("evalbar"), chances[ply] ?? null, false);
  const [list] = [byId("moves")];
  list.querySelector("[aria-current]")?.removeAttribute("aria-current");
  const current = ply ? list.children[ply - 1].firstChild : null;
  current?.setAttribute("aria-current", "true");
  // The list scrolls, the page does not.
  if (current) list.scrollTop = current.offsetTop - list.offsetTop - list.clientHeight / 2;
  else list.scrollTop = 0;
  const isEnd = ply === boards.length - 1;
  const words = last ? `Move ${ply} of ${game.moves.length}: ${sideName(boards[ply - 1].turn)} ${last}` : `Start of ${game.moves.length} moves`;
  byId("where").textContent = isEnd ? `${words}. ${ending(game.result, game.reason)}` : words;
  byId("from-here").href = `/play?${new URLSearchParams({ position: game.first, moves: game.moves.slice(0, ply).join(" ") })}`;
  for (const id of ["first", "back"]) byId(id).disabled = ply === 0;
  for (const id of ["last", "forward"]) byId(id).disabled = isEnd;
  if (isEnd) stop();
  showEvaluation();
}

let pause = null;

/** After a moment, so that stepping quickly asks once. */
function showEvaluation() {
  clearTimeout(pause);
  asking?.abort();
  pause = setTimeout(async () => {
    asking = new AbortController();
    try {
      const analysis = await askEngine("/api/analyse", { position: game.first, moves: game.moves.slice(0, ply).join(" "), weights: byId("judge").value, depth: 2, time: 1 }, { signal: asking.signal });
      showTrace(byId("trace"), analysis);
      problem(null);
    } catch (error) {
      if (error.name !== "AbortError") problem(error.message);
    }
  }, 120);
}

/** The picture on the button that plays and pauses. */
const icon = (path) => byId("run").querySelector("path").setAttribute("d", path);

function stop() {
  clearInterval(running);
  running = null;
  icon("M5 3v14l11-7z");
  byId("run").setAttribute("aria-label", "Play the game through");
}

function run() {
  if (running !== null) {
    stop();
    return;
  }
  if (ply === boards.length - 1) show(0);
  icon("M5 3h3.6v14H5zM11.4 3H15v14h-3.6z");
  byId("run").setAttribute("aria-label", "Pause");
  running = setInterval(() => show(ply + 1), PACE);
}

const step = (by) => {
  stop();
  show(ply + by);
};

byId("first").addEventListener("click", () => step(-ply));
byId("back").addEventListener("click", () => step(-1));
byId("forward").addEventListener("click", () => step(1));
byId("last").addEventListener("click", () => step(boards.length));
byId("run").addEventListener("click", run);
byId("judge").addEventListener("change", () => {
  loadCurve();
  showEvaluation();
});
for (const n of [0, 1]) byId(`game-${n}`).addEventListener("click", () => showGame(n));

document.addEventListener("keydown", (event) => {
  if (!game || event.altKey || event.ctrlKey || event.metaKey || event.target.closest("select, input")) return;
  const actions = { ArrowLeft: () => step(-1), ArrowRight: () => step(1), Home: () => step(-ply), End: () => step(boards.length) };
  if (event.key === " " && !event.target.closest("button, a")) actions[" "] = run;
  const action = actions[event.key];
  if (!action) return;
  event.preventDefault();
  action();
});

try {
  match = await ask(`/api/matches/${number}`);
  document.title = `Match ${count(number)} · loatune`;
  const [first, second] = match.files;
  byId("title").textContent = `Match ${count(number)}`;
  byId("score").textContent = match.final ? "final" : "";
  byId("score").hidden = !match.final;
  put(byId("summary"), fileLink(first), " against ", fileLink(second), `, the same opening twice with colours swapped. Score of #${first}: ${signed(match.score, 2)}.`);
  showGame(0);
  ready();
} catch (error) {
  problem(error.message);
}
