// The play page: people and machines at one board.

import "./page.js";
import { ask, send } from "./ask.js";
import { Board } from "./board.js";
import { byId, el, ending, problem, put, sideName } from "./dom.js";
import { Game } from "./game.js";
import { START, other, parseMove, parsePosition, positionText } from "./position.js";
import { showBar, showTrace, valueText } from "./trace.js";

const LEVELS = [
  ["minimax", "1 minimax"],
  ["negamax", "2 negamax"],
  ["alphabeta", "3 alpha-beta"],
  ["memory", "4 with memory"],
  ["mtdf", "5 MTD(f)"],
];
const TIMES = [0.1, 0.5, 1, 2, 5];
const DEPTHS = [1, 2, 3, 4, 5, 6, 8, 10];
const SIDES = ["x", "o"];
/** Between two moves of machines, so that people can follow. */
const PACE = 350;

const asked = new URLSearchParams(location.search);
const game = new Game();
const seats = {};
const board = new Board(byId("board"), { move: (text) => playMove(text), cell: (index) => setUpCell(index) });

let work = null;
let thinking = null;
let hint = null;
let paused = false;
let setup = null;

// Who sits where.

function options(pairs, chosen) {
  return pairs.map(([value, name]) => el("option", { value, selected: String(value) === String(chosen) }, name));
}

function makeSeat(side, fieldset, isMachine) {
  const id = (name) => `${name}-${side}`;
  const kind = el("select", { id: id("kind") }, options([["person", "a person"], ["machine", "the machine"]], isMachine ? "machine" : "person"));
  const weights = el("select", { id: id("weights") });
  const file = el("input", { id: id("file"), type: "number", min: 0, step: 1, "aria-label": `Number of ${sideName(side)}'s file`, placeholder: "number" });
  const level = el("select", { id: id("level") }, options(LEVELS, "mtdf"));
  const time = el("select", { id: id("time") }, options(TIMES.map((seconds) => [seconds, `${seconds} s`]), 1));
  const depth = el("select", { id: id("depth") }, options([["", "any"], ...DEPTHS.map((plies) => [plies, `${plies}`])], ""));
  const row = (name, ...fields) => el("p", { class: "row" }, el("label", { for: fields[0].id }, name), fields);
  const machine = el("div", { class: "machine" }, row("Weights", weights, file), row("Level", level), row("Time", time), row("Depth", depth));
  fieldset.append(row("Played by", kind), machine);
  seats[side] = { kind, weights, file, level, time, depth, machine };
  const changed = () => {
    machine.hidden = kind.value !== "machine";
    file.hidden = weights.value !== "file";
    if (setup === null) go();
  };
  for (const field of [kind, weights, file, level, time, depth]) field.addEventListener("change", changed);
  machine.hidden = kind.value !== "machine";
  file.hidden = true;
}

const isMachine = (side) => seats[side].kind.value === "machine";
const weightsOf = (seat) => (seat.weights.value === "file" ? seat.file.value || "default" : seat.weights.value);

function seatName(side) {
  const seat = seats[side];
  if (!isMachine(side)) return "person";
  const weights = weightsOf(seat);
  const whose = /^\d+$/.test(weights) ? `file #${weights}` : weights === "default" ? "default weights" : weights;
  return `${whose}, ${seat.level.value}`;
}

async function fillWeights() {
  const choices = [["default", "default weights"]];
  const status = await ask("/api/status").catch(() => null);
  if (status?.champion) choices.unshift(["champion", "the champion"]);
  if (status?.leaders.length) choices.push(["leader", "the leader"]);
  choices.push(["file", "file number …"]);
  const against = asked.get("against");
  const known = choices.some(([value]) => value === against && value !== "file");
  for (const side of SIDES) {
    const seat = seats[side];
    put(seat.weights, options(choices, known ? against : choices[0][0]));
    if (against && /^\d+$/.test(against)) {
      seat.weights.value = "file";
      seat.file.value = against;
    }
    seat.file.hidden = seat.weights.value !== "file";
  }
  const judges = choices.filter(([value]) => value !== "file");
  if (against && /^\d+$/.test(against)) judges.unshift([against, `file #${against}`]);
  put(byId("judge"), options(judges, judges[0][0]));
}

// The game.

/** Ends whatever is under way, and looks at the game anew. */
async function go() {
  work?.abort();
  work = new AbortController();
  const { signal } = work;
  thinking = null;
  show();
  try {
    await game.look(signal);
    problem(null);
    show();
    judge(signal);
    if (!game.isOver && game.listing.legal_moves[0] === "pass") await passOn(signal);
    else if (!game.isOver && isMachine(game.turn) && !paused) await machineMove(signal);
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
  const seat = seats[side];
  thinking = side;
  show();
  const begun = Date.now();
  const analysis = await ask("/api/analyse", { ...game.address, weights: weightsOf(seat), player: seat.level.value, time: seat.time.value, depth: seat.depth.value }, { signal });
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
  game.play(text);
  const move = parseMove(text);
  const words = move ? `${sideName(side)} ${move.capture ? "captures" : "moves"} ${text.slice(0, 2)} to ${text.slice(3)}.` : `${sideName(side)} passes.`;
  byId("announce").textContent = words;
  go();
}

/** The evaluation beside the board; a game goes on without it. */
async function judge(signal) {
  if (!byId("show-eval").checked) {
    showTrace(byId("trace"), null);
    showBar(byId("evalbar"), null, board.flipped);
    return;
  }
  try {
    const analysis = await ask("/api/analyse", { ...game.address, weights: byId("judge").value, depth: 3, time: 0.5 }, { signal });
    const turn = analysis.side_to_move === "x" ? 1 : -1;
    showBar(byId("evalbar"), analysis.value === null ? null : turn * analysis.value, board.flipped, analysis.plies_to_end);
    showTrace(byId("trace"), analysis);
  } catch (error) {
    if (error.name !== "AbortError") console.warn(error.message);
  }
}

function show() {
  if (setup !== null) return;
  const { cells } = game.now;
  const over = game.isOver;
  const mayMove = game.listing && !over && !isMachine(game.turn);
  board.show({ cells, legal: mayMove ? game.listing.legal_moves : [], last: game.last, hint });
  for (const [id, side] of [["seat-top", board.flipped ? "x" : "o"], ["seat-bottom", board.flipped ? "o" : "x"]]) {
    const pieces = cells.filter((mark) => mark === side).length;
    put(byId(id), el("span", { class: `disc ${side}` }), el("strong", {}, sideName(side)), ` ${seatName(side)}`, el("span", { class: "note" }, `${pieces} pieces`));
    byId(id).classList.toggle("to-move", !over && game.turn === side);
  }
  byId("turn").textContent = turnText();
  byId("turn").classList.toggle("over", over);
  showMoves();
  byId("undo").disabled = !game.moves.length;
  byId("hint").disabled = !mayMove;
  const machines = SIDES.every(isMachine);
  byId("pause").hidden = !machines || over;
  byId("pause").textContent = paused ? "Go on" : "Pause";
  byId("save").href = `/api/sgf?${new URLSearchParams({ ...game.address, black: seatName("x"), white: seatName("o") })}`;
}

function turnText() {
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
  for (const move of game.moves.slice(list.children.length)) list.append(el("li", {}, el("span", {}, move)));
  list.scrollTop = list.scrollHeight;
}

// Buttons.

function newGame(first = START, moves = []) {
  hint = null;
  paused = false;
  game.start(first, moves);
  put(byId("moves"));
  go();
}

function undo() {
  if (!game.moves.length) return;
  hint = null;
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
    const analysis = await ask("/api/analyse", { ...game.address, weights: byId("judge").value, time: 1 }, { signal });
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
  const fields = ["kind", "weights", "file", "level", "time", "depth"];
  for (const field of fields) {
    const [black, white] = [seats.x[field], seats.o[field]];
    [black.value, white.value] = [white.value, black.value];
  }
  for (const side of SIDES) {
    seats[side].machine.hidden = !isMachine(side);
    seats[side].file.hidden = seats[side].weights.value !== "file";
  }
  if (isMachine("x") !== isMachine("o")) board.flipped = isMachine("x");
  go();
}

byId("new").addEventListener("click", () => {
  closeSetup();
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
byId("show-eval").addEventListener("change", () => judge(work.signal));
byId("judge").addEventListener("change", () => judge(work.signal));

byId("load").addEventListener("change", async (event) => {
  const [file] = event.target.files;
  event.target.value = "";
  if (!file) return;
  try {
    const { games } = await send("/api/sgf", await file.text());
    closeSetup();
    for (const side of SIDES) {
      seats[side].kind.value = "person";
      seats[side].machine.hidden = true;
    }
    newGame(games[0].first, games[0].moves);
  } catch (error) {
    problem(`${file.name}: ${error.message}`);
  }
});

// Setting up.

function openSetup() {
  work?.abort();
  const { cells } = game.now;
  setup = { cells: cells.slice(), turn: game.turn };
  byId("setup-card").hidden = false;
  byId("setup").setAttribute("aria-expanded", "true");
  byId("setup-turn").value = setup.turn;
  board.setup = true;
  showSetup();
  byId("setup-card").scrollIntoView({ block: "nearest" });
}

function closeSetup() {
  if (setup === null) return;
  setup = null;
  board.setup = false;
  byId("setup-card").hidden = true;
  byId("setup").setAttribute("aria-expanded", "false");
  problem(null);
}

function showSetup() {
  board.show({ cells: setup.cells });
  byId("setup-text").value = positionText(setup.cells, setup.turn);
  byId("turn").textContent = "Setting up";
}

function setUpCell(index) {
  setup.cells[index] = { "": "x", x: "o", o: "" }[setup.cells[index]];
  showSetup();
}

byId("setup").addEventListener("click", () => {
  if (setup === null) {
    openSetup();
    return;
  }
  closeSetup();
  go();
});
byId("setup-cancel").addEventListener("click", () => {
  closeSetup();
  go();
});
byId("setup-clear").addEventListener("click", () => {
  setup.cells.fill("");
  showSetup();
});
byId("setup-start").addEventListener("click", () => {
  setup = parsePosition(START);
  byId("setup-turn").value = setup.turn;
  showSetup();
});
byId("setup-turn").addEventListener("change", (event) => {
  setup.turn = event.target.value;
  showSetup();
});
byId("setup-text").addEventListener("change", async (event) => {
  try {
    const { position } = await ask("/api/moves", { position: event.target.value });
    setup = parsePosition(position);
    byId("setup-turn").value = setup.turn;
    problem(null);
    showSetup();
  } catch (error) {
    problem(error.message);
  }
});
byId("setup-done").addEventListener("click", async () => {
  try {
    const { position } = await ask("/api/moves", { position: positionText(setup.cells, setup.turn) });
    closeSetup();
    newGame(position);
  } catch (error) {
    problem(error.message);
  }
});

// The keys that work anywhere on the page.
document.addEventListener("keydown", (event) => {
  if (event.target.closest("input, select, textarea") || event.altKey || event.ctrlKey || event.metaKey) return;
  const button = { u: "undo", h: "hint", n: "new", f: "flip" }[event.key];
  if (button && !byId(button).disabled) byId(button).click();
});

makeSeat("x", byId("black"), false);
makeSeat("o", byId("white"), !asked.has("moves"));
await fillWeights();
const first = asked.get("position") ?? START;
newGame(first, (asked.get("moves") ?? "").split(" ").filter(Boolean));
