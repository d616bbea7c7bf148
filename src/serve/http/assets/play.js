// The play page: people and machines at one board.

import "./page.js";
import { asked, remember } from "./address.js";
import { askEngine } from "./ask.js";
import { Board } from "./board.js";
import { chancesKnown } from "./chances.js";
import { byId, el, ending, problem, put, ready, sideName } from "./dom.js";
import { Game } from "./game.js";
import { GameClock, clockText, keepClock, keptClock } from "./play_clock.js";
import { exchange } from "./play_exchange.js";
import { loadLines, showLines } from "./play_lines.js";
import { SIDES, engineOf, fillWeights, isMachine, makeSeat, seatFrom, seatName, seatPeople, seatText, swapSeats, timeOf } from "./play_seats.js";
import { Setup } from "./play_setup.js";
import { START, other, parseMove, positionText, positions } from "./position.js";
import { chanceText, showBar, showTrace, valueText } from "./trace.js";

/** Between two moves of machines, so that people can follow. */
const PACE = 350;

const game = new Game();
const board = new Board(byId("board"), { move: (text) => playMove(text), cell: (index) => setup.change(index) });
const setup = new Setup(board, {
  open() {
    work?.abort();
    return { cells: game.now.cells, turn: game.turn };
  },
  cancel: () => go(),
  done: (position) => newGame(position),
});

let work = null;
let thinking = null;
let hint = null;
let paused = false;
/** The position that is looked at; null is the present one. */
let view = null;
/** How a game ended that the board does not end: a side, and why it lost. */
let lost = null;

const clock = new GameClock({
  tick: () => showClocks(),
  over(side) {
    lost = { side, why: LOSSES.overtime };
    go();
  },
});

/** The game is in the address: it survives a reload and can be shared. */
function keepAddress() {
  if (setup.isOpen) return;
  remember({ position: game.first === START ? "" : game.first, moves: game.moves.join(" "), black: seatText("x"), white: seatText("o"), ...lossFor() });
}

/** The ends that the board does not know, by their names in an address. */
const LOSSES = { resigned: "resigns", overtime: "has no time left" };

/** How the game was lost, as an address says it. */
function lossFor() {
  const found = Object.entries(LOSSES).find(([, why]) => why === lost?.why);
  return found ? { [found[0]]: lost.side } : {};
}

/** What the clocks belong to. */
const gameText = () => `${game.first} ${game.moves.join(" ")}`;
addEventListener("pagehide", () => keepClock(clock, gameText()));

const isOver = () => game.isOver || lost !== null;

// The game.

/** Ends whatever is under way, and looks at the game anew. */
async function go() {
  work?.abort();
  work = new AbortController();
  const { signal } = work;
  thinking = null;
  keepAddress();
  show();
  try {
    await game.look(signal);
    problem(null);
    show();
    if (isOver() || paused) clock.stop();
    else if (game.moves.length) clock.run(game.turn);
    judge(signal);
    if (!isOver() && game.listing.legal_moves[0] === "pass") await passOn(signal);
    else if (!isOver() && isMachine(game.turn) && !paused) await machineMove(signal);
  } catch (error) {
    if (error.name !== "AbortError") {
      thinking = null;
      show();
      problem(error.message);
    }
  }
}

async function machineMove(signal) {
  const side = game.turn;
  thinking = side;
  show();
  const begun = Date.now();
  // A clock is for the whole game: a move gets a small part of what is left.
  const left = clock.left(side);
  const time = left === null ? timeOf(side) : Math.max(0.05, Math.min(timeOf(side), left / 20)).toFixed(2);
  const analysis = await askEngine("/api/analyse", { ...game.address, ...engineOf(side), time }, { signal });
  if (isMachine(other(side))) await new Promise((done) => setTimeout(done, Math.max(0, PACE - (Date.now() - begun))));
  if (signal.aborted) return;
  thinking = null;
  playMove(analysis.best);
}

/** Where the rules let a side without a move pass, there is nothing to choose. */
async function passOn(signal) {
  await new Promise((done) => setTimeout(done, 3 * PACE));
  if (!signal.aborted) playMove("pass");
}

function playMove(text) {
  const side = game.turn;
  hint = null;
  view = null;
  game.play(text);
  const move = parseMove(text);
  const words = move ? `${sideName(side)} ${move.capture ? "captures" : "moves"} ${text.slice(0, 2)} to ${text.slice(3)}.` : `${sideName(side)} passes.`;
  byId("announce").textContent = words;
  go();
}

/** The evaluation beside the board; a game goes on without it. */
async function judge(signal) {
  const weights = byId("judge").value;
  const address = viewed();
  try {
    if (byId("show-eval").checked) {
      const analysis = await askEngine("/api/analyse", { ...address, weights, depth: 3, time: 0.5 }, { signal });
      showTrace(byId("trace"), analysis);
      let { chance } = await askEngine("/api/chance", { ...address, weights }, { signal });
      if (chance === null && (await chancesKnown(weights, signal))) ({ chance } = await askEngine("/api/chance", { ...address, weights }, { signal }));
      showBar(byId("evalbar"), chance, board.flipped);
      byId("chance-text").textContent = chance === null ? "Too few games to know chances" : `Black's chance: ${chanceText(chance)}`;
    } else {
      showTrace(byId("trace"), null);
      showBar(byId("evalbar"), null, board.flipped);
      byId("chance-text").textContent = "";
    }
    const found = await loadLines(address, weights, signal);
    board.arrows = showLines(found, address, chooseLine);
  } catch (error) {
    if (error.name !== "AbortError") console.warn(error.message);
  }
}

function show() {
  if (setup.isOpen) return;
  const past = view === null ? null : positions(game.first, game.moves)[view];
  const { cells } = past ?? game.now;
  const over = isOver();
  const mayMove = game.listing && !over && !isMachine(game.turn);
  const last = past ? game.moves[view - 1] ?? null : game.last;
  board.show({ cells, legal: mayMove && !past ? game.listing.legal_moves : [], last, hint: past ? null : hint });
  byId("position").value = positionText(cells, past ? past.turn : game.turn);
  for (const [id, side] of [["seat-top", board.flipped ? "x" : "o"], ["seat-bottom", board.flipped ? "o" : "x"]]) {
    const pieces = cells.filter((mark) => mark === side).length;
    put(byId(id), el("span", { class: `disc ${side}` }), el("strong", {}, sideName(side)), ` ${seatName(side)}`, el("span", { class: "clock", "data-clock": side }), el("span", { class: "note" }, `${pieces} pieces`));
    byId(id).classList.toggle("to-move", !over && game.turn === side);
  }
  byId("turn").textContent = turnText();
  byId("turn").classList.toggle("over", over);
  showMoves();
  showClocks();
  byId("elo-note").hidden = !SIDES.some(isMachine);
  const ply = view ?? game.moves.length;
  for (const id of ["first", "back"]) byId(id).disabled = ply === 0;
  for (const id of ["last", "forward"]) byId(id).disabled = view === null;
  byId("branch").hidden = view === null;
  byId("resign").disabled = over || !SIDES.some((side) => !isMachine(side));
  byId("undo").disabled = !game.moves.length;
  byId("hint").disabled = !mayMove;
  const machines = SIDES.every(isMachine);
  byId("pause").hidden = !machines || over;
  byId("pause").textContent = paused ? "Go on" : "Pause";
  byId("save").href = `/api/sgf?${new URLSearchParams({ ...game.address, black: seatName("x"), white: seatName("o"), ...lossFor() })}`;
}

function showClocks() {
  for (const place of document.querySelectorAll("[data-clock]")) {
    const left = clock.left(place.dataset.clock);
    place.textContent = left === null ? "" : clockText(left);
    place.classList.toggle("low", left !== null && left < 20);
  }
}

/** The game up to the position that is looked at. */
const viewed = () => (view === null ? game.address : { position: game.first, moves: game.moves.slice(0, view).join(" ") });

/** Looks at a position of the game. */
function look(ply) {
  const most = game.moves.length;
  const to = Math.max(0, Math.min(most, ply));
  view = to === most ? null : to;
  show();
  looking?.abort();
  looking = new AbortController();
  judge(looking.signal);
}

let looking = null;
const step = (by) => look((view ?? game.moves.length) + by);

/** A move of a line is played where a person may move. */
function chooseLine(move) {
  if (view === null && game.listing && !isOver() && !isMachine(game.turn) && game.listing.legal_moves.includes(move)) playMove(move);
}

function turnText() {
  if (view !== null) return view ? `Move ${view} of ${game.moves.length}: ${game.moves[view - 1]}` : `Start of ${game.moves.length} moves`;
  if (lost) {
    const words = `${sideName(other(lost.side))} wins: ${sideName(lost.side)} ${lost.why}`;
    byId("announce").textContent = words;
    return words;
  }
  if (game.isOver) {
    const words = ending(game.listing.result, game.listing.reason);
    byId("announce").textContent = words;
    return words;
  }
  if (thinking) return `${sideName(thinking)} thinks …`;
  if (!game.listing) return "…";
  if (paused && isMachine(game.turn)) return "Paused.";
  if (hint) return `Hint: ${hint}`;
  if (game.listing.legal_moves[0] === "pass") return `${sideName(game.turn)} has no move and passes.`;
  return `${sideName(game.turn)} to move: ${game.listing.legal_moves.length} moves`;
}

function showMoves() {
  const list = byId("moves");
  const known = list.children.length;
  if (known > game.moves.length || (known && list.children[known - 1].textContent !== game.moves[known - 1])) put(list);
  for (const [n, move] of [...game.moves.entries()].slice(list.children.length)) list.append(el("li", {}, el("button", { type: "button", onclick: () => look(n + 1) }, move)));
  list.querySelector("[aria-current]")?.removeAttribute("aria-current");
  const current = list.children[(view ?? game.moves.length) - 1]?.firstChild;
  current?.setAttribute("aria-current", "true");
  if (view === null) list.scrollTop = list.scrollHeight;
}

// Buttons.

function newGame(first = START, moves = []) {
  hint = null;
  paused = false;
  view = null;
  lost = null;
  game.start(first, moves);
  clock.set(byId("clock").value ? Number(byId("clock").value) : null);
  put(byId("moves"));
  go();
}

function undo() {
  if (!game.moves.length) return;
  hint = null;
  view = null;
  lost = null;
  game.undo();
  // Back to a person's turn, where there is a person.
  const machines = SIDES.filter(isMachine);
  if (machines.length === 1 && isMachine(game.now.turn) && game.moves.length) game.undo();
  if (machines.length === 2) paused = true;
  byId("announce").textContent = "Taken back.";
  go();
}

async function giveHint() {
  byId("hint").disabled = true;
  byId("turn").textContent = "Thinking …";
  const { signal } = work;
  try {
    const analysis = await askEngine("/api/analyse", { ...game.address, weights: byId("judge").value, time: 1 }, { signal });
    hint = analysis.best;
    const turn = analysis.side_to_move === "x" ? 1 : -1;
    const value = analysis.value === null ? null : turn * analysis.value;
    show();
    byId("announce").textContent = `Hint: ${hint}, value ${valueText(value, analysis.plies_to_end)}`;
  } catch (error) {
    if (error.name !== "AbortError") problem(error.message);
    show();
  }
}

/** Whoever played Black plays White, and the board turns with the person. */
function swap() {
  swapSeats();
  if (isMachine("x") !== isMachine("o")) board.flipped = isMachine("x");
  go();
}

byId("new").addEventListener("click", () => {
  setup.close();
  newGame();
});
byId("undo").addEventListener("click", undo);
byId("hint").addEventListener("click", giveHint);
byId("swap").addEventListener("click", swap);
byId("flip").addEventListener("click", () => {
  board.flipped = !board.flipped;
  byId("evalbar").classList.toggle("flipped", board.flipped);
  show();
});
byId("pause").addEventListener("click", () => {
  paused = !paused;
  go();
});
byId("show-targets").addEventListener("change", (event) => {
  board.targets = event.target.checked;
  board.refresh();
});
for (const id of ["show-eval", "judge", "show-lines"]) byId(id).addEventListener("change", () => judge(work.signal));
byId("first").addEventListener("click", () => look(0));
byId("back").addEventListener("click", () => step(-1));
byId("forward").addEventListener("click", () => step(1));
byId("last").addEventListener("click", () => look(game.moves.length));
byId("branch").addEventListener("click", () => {
  const moves = game.moves.slice(0, view);
  newGame(game.first, moves);
});
byId("resign").addEventListener("click", () => {
  // With two people it is the one whose turn it is.
  const people = SIDES.filter((side) => !isMachine(side));
  lost = { side: people.includes(game.turn) ? game.turn : people[0], why: LOSSES.resigned };
  view = null;
  go();
});

// The keys that work anywhere on the page.
document.addEventListener("keydown", (event) => {
  if (event.target.closest("input, select, textarea") || event.altKey || event.ctrlKey || event.metaKey) return;
  const button = { u: "undo", h: "hint", n: "new", f: "flip", ArrowLeft: "back", ArrowRight: "forward", Home: "first", End: "last" }[event.key];
  if (button && event.key.length > 1) event.preventDefault();
  if (button && !byId(button).disabled) byId(button).click();
});

exchange((loaded) => {
  setup.close();
  seatPeople();
  newGame(loaded.first, loaded.moves);
  if (!loaded.resigned) return;
  lost = { side: loaded.resigned, why: LOSSES.resigned };
  go();
});

const changed = () => {
  if (!setup.isOpen) go();
};
makeSeat("x", byId("black"), false, changed);
makeSeat("o", byId("white"), !asked.has("moves"), changed);
await fillWeights();
for (const [side, name] of [["x", "black"], ["o", "white"]]) if (asked.has(name)) seatFrom(side, asked.get(name));
const first = asked.get("position") ?? START;
if (isMachine("x") && !isMachine("o")) board.flipped = true;
newGame(first, (asked.get("moves") ?? "").split(" ").filter(Boolean));
const left = keptClock(gameText());
if (left) clock.restore(left);
for (const [name, why] of Object.entries(LOSSES)) {
  const side = asked.get(name);
  if (SIDES.includes(side)) lost = { side, why };
}
if (lost || left) go();
ready();
