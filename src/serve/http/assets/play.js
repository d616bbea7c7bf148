// The play page: people and machines at one board.

import "./page.js";
import { asked, remember } from "./address.js";
import { ask, askEngine, send } from "./ask.js";
import { Board } from "./board.js";
import { chancesKnown } from "./chances.js";
import { byId, el, ending, problem, put, ready, sideName } from "./dom.js";
import { Game } from "./game.js";
import { GameClock, clockText } from "./play_clock.js";
import { loadLines, showLines } from "./play_lines.js";
import { START, other, parseMove, parsePosition, positionText, positions } from "./position.js";
import { showBar, showTrace, valueText } from "./trace.js";

// Strength: Elo of a round robin of six at 5,000 positions a move, with the
// weights of the published champion (docs/players.md).
const LEVELS = [
  ["minimax", "1 minimax", "−279", "sees every line, and so not far"],
  ["negamax", "2 negamax", "−279", "minimax in fewer words"],
  ["alphabeta", "3 alpha-beta", "−53", "skips what cannot matter"],
  ["memory", "4 with memory", "+58", "remembers positions"],
  ["mtdf", "5 MTD(f)", "+114", "closes in on the value; the populations play so"],
  ["selective", "6 selective", "+437", "looks deeper where it matters: the strongest"],
  ["mcts", "7 mcts", null, "plays games out in its mind"],
];
const TIMES = [0.1, 0.5, 1, 2, 5];
const DEPTHS = [1, 2, 3, 4, 5, 6, 8, 10];
const SIDES = ["x", "o"];
/** Between two moves of machines, so that people can follow. */
const PACE = 350;

const game = new Game();
const seats = {};
const board = new Board(byId("board"), { move: (text) => playMove(text), cell: (index) => setUpCell(index) });

let work = null;
let thinking = null;
let hint = null;
let paused = false;
let setup = null;
/** The position that is looked at; null is the present one. */
let view = null;
/** How a game ended that the board does not end: a side, and why it lost. */
let lost = null;

const clock = new GameClock({
  tick: () => showClocks(),
  over(side) {
    lost = { side, why: "has no time left" };
    go();
  },
});

// Who sits where.

function options(pairs, chosen) {
  return pairs.map(([value, name]) => el("option", { value, selected: String(value) === String(chosen) }, name));
}

function makeSeat(side, fieldset, isMachine) {
  const id = (name) => `${name}-${side}`;
  const kind = el("select", { id: id("kind") }, options([["person", "a person"], ["machine", "the machine"]], isMachine ? "machine" : "person"));
  const weights = el("select", { id: id("weights") });
  const file = el("input", { id: id("file"), type: "number", min: 0, step: 1, "aria-label": `Number of ${sideName(side)}'s file`, placeholder: "number" });
  const level = el("select", { id: id("level") }, options(LEVELS.map(([value, name, elo]) => [value, elo ? `${name} (${elo} Elo)` : name]), "mtdf"));
  const levelNote = el("p", { class: "level-note" });
  const describe = () => (levelNote.textContent = LEVELS.find(([value]) => value === level.value)?.[3] ?? "");
  const time = el("select", { id: id("time") }, options(TIMES.map((seconds) => [seconds, `${seconds} s`]), 1));
  const depth = el("select", { id: id("depth") }, options([["", "any"], ...DEPTHS.map((plies) => [plies, `${plies}`])], ""));
  const row = (name, ...fields) => el("p", { class: "row" }, el("label", { for: fields[0].id }, name), fields);
  const machine = el("div", { class: "machine" }, row("Weights", weights, file), row("Level", level), levelNote, row("Time", time), row("Depth", depth));
  fieldset.append(row("Played by", kind), machine);
  seats[side] = { kind, weights, file, level, time, depth, machine, describe };
  describe();
  const changed = () => {
    describe();
    machine.hidden = kind.value !== "machine";
    file.hidden = weights.value !== "file";
    if (setup === null) go();
  };
  for (const field of [kind, weights, file, level, time, depth]) field.addEventListener("change", changed);
  machine.hidden = kind.value !== "machine";
  file.hidden = true;
}

/** A seat as a short text for the address, and back. */
function seatText(side) {
  const seat = seats[side];
  if (!isMachine(side)) return "person";
  return ["machine", weightsOf(seat), seat.level.value, seat.time.value, seat.depth.value].join(",");
}

function seatFrom(side, text) {
  const seat = seats[side];
  const [kind, weights, level, time, depth] = text.split(",");
  if (kind !== "person" && kind !== "machine") return;
  seat.kind.value = kind;
  seat.machine.hidden = kind !== "machine";
  const choose = (field, value) => {
    if ([...field.options].some((option) => option.value === value)) field.value = value;
  };
  if (kind === "person") return;
  if (/^\d+$/.test(weights)) {
    seat.weights.value = "file";
    seat.file.value = weights;
  } else choose(seat.weights, weights);
  seat.file.hidden = seat.weights.value !== "file";
  choose(seat.level, level);
  choose(seat.time, time);
  choose(seat.depth, depth ?? "");
  seat.describe();
}

/** The game is in the address: it survives a reload and can be shared. */
function keepAddress() {
  if (!seats.x || setup !== null) return;
  remember({ position: game.first === START ? "" : game.first, moves: game.moves.join(" "), black: seatText("x"), white: seatText("o"), resigned: lost?.why === "resigns" ? lost.side : "" });
}

const isOver = () => game.isOver || lost !== null;

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
  const seat = seats[side];
  thinking = side;
  show();
  const begun = Date.now();
  // A clock is for the whole game: a move gets a small part of what is left.
  const left = clock.left(side);
  const time = left === null ? seat.time.value : Math.max(0.05, Math.min(Number(seat.time.value), left / 20)).toFixed(2);
  const analysis = await askEngine("/api/analyse", { ...game.address, weights: weightsOf(seat), player: seat.level.value, time, depth: seat.depth.value }, { signal });
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
    } else {
      showTrace(byId("trace"), null);
      showBar(byId("evalbar"), null, board.flipped);
    }
    const found = await loadLines(address, weights, signal);
    board.arrows = showLines(found, chooseLine);
  } catch (error) {
    if (error.name !== "AbortError") console.warn(error.message);
  }
}

function show() {
  if (setup !== null) return;
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
  byId("save").href = `/api/sgf?${new URLSearchParams({ ...game.address, black: seatName("x"), white: seatName("o") })}`;
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
  lost = { side: people.includes(game.turn) ? game.turn : people[0], why: "resigns" };
  view = null;
  go();
});

async function copy(text, words) {
  try {
    await navigator.clipboard.writeText(text);
    byId("copied").textContent = words;
  } catch {
    byId("copied").textContent = text;
  }
}
byId("copy-position").addEventListener("click", () => copy(byId("position").value, "The position is copied."));
byId("copy-link").addEventListener("click", () => copy(location.href, "The link is copied: it leads to this game."));

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
  const button = { u: "undo", h: "hint", n: "new", f: "flip", ArrowLeft: "back", ArrowRight: "forward", Home: "first", End: "last" }[event.key];
  if (button && event.key.length > 1) event.preventDefault();
  if (button && !byId(button).disabled) byId(button).click();
});

makeSeat("x", byId("black"), false);
makeSeat("o", byId("white"), !asked.has("moves"));
await fillWeights();
for (const [side, name] of [["x", "black"], ["o", "white"]]) if (asked.has(name)) seatFrom(side, asked.get(name));
const first = asked.get("position") ?? START;
const resigned = asked.get("resigned");
if (isMachine("x") && !isMachine("o")) board.flipped = true;
newGame(first, (asked.get("moves") ?? "").split(" ").filter(Boolean));
if (resigned === "x" || resigned === "o") {
  lost = { side: resigned, why: "resigns" };
  go();
}
ready();
