// Who sits where: a person or a machine on each side, with which weights and how
// strong.

import { asked } from "./address.js";
import { ask } from "./ask.js";
import { byId, el, put, sideName } from "./dom.js";

// Strength: Elo in the round robin of docs/players.md, which says how it was
// played; a test compares the figures.
const LEVELS = [
  ["minimax", "1 minimax", "−281 ± 25", "sees every line, and so not far"],
  ["negamax", "2 negamax", "−281 ± 25", "minimax in fewer words, and as strong"],
  ["alphabeta", "3 alpha-beta", "−30 ± 22", "skips what cannot matter"],
  ["memory", "4 with memory", "+123 ± 24", "remembers positions"],
  ["mtdf", "5 MTD(f)", "+146 ± 24", "closes in on the value; the populations play so"],
  ["selective", "6 selective", "+554 ± 46", "looks deeper where it matters: the strongest"],
  ["mcts", "7 mcts", "−232 ± 24", "plays games out in its mind: another way, not a stronger one"],
];
const TIMES = [0.1, 0.5, 1, 2, 5];
const DEPTHS = [1, 2, 3, 4, 5, 6, 8, 10];
export const SIDES = ["x", "o"];

/** What can be chosen of a player. */
const FIELDS = ["kind", "weights", "file", "level", "time", "depth"];

const seats = {};

function options(pairs, chosen) {
  return pairs.map(([value, name]) => el("option", { value, selected: String(value) === String(chosen) }, name));
}

/** Makes a seat; `onChange` is called when another player sits down. */
export function makeSeat(side, fieldset, isMachine, onChange) {
  const id = (name) => `${name}-${side}`;
  const kind = el("select", { id: id("kind") }, options([["person", "a person"], ["machine", "the machine"]], isMachine ? "machine" : "person"));
  const weights = el("select", { id: id("weights") });
  const file = el("input", { id: id("file"), type: "number", min: 0, step: 1, "aria-label": `Number of ${sideName(side)}'s file`, placeholder: "number" });
  const level = el("select", { id: id("level") }, options(LEVELS.map(([value, name, elo]) => [value, `${name} (${elo} Elo)`]), "mtdf"));
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
    onChange();
  };
  for (const field of FIELDS.map((name) => seats[side][name])) field.addEventListener("change", changed);
  machine.hidden = kind.value !== "machine";
  file.hidden = true;
}

/** A seat as a short text for the address. */
export function seatText(side) {
  const seat = seats[side];
  if (!isMachine(side)) return "person";
  return ["machine", weightsOf(side), seat.level.value, seat.time.value, seat.depth.value].join(",");
}

/** Takes a seat from such a text; what it does not know stays as it is. */
export function seatFrom(side, text) {
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

export const isMachine = (side) => seats[side].kind.value === "machine";

function weightsOf(side) {
  const { weights, file } = seats[side];
  return weights.value === "file" ? file.value || "default" : weights.value;
}

/** The longest that a machine thinks, in seconds. */
export const timeOf = (side) => Number(seats[side].time.value);

/** How a machine thinks, in the words of the interface; its time aside. */
export const engineOf = (side) => ({ weights: weightsOf(side), player: seats[side].level.value, depth: seats[side].depth.value });

/** Who plays a side, in a few words. */
export function seatName(side) {
  if (!isMachine(side)) return "person";
  const weights = weightsOf(side);
  const whose = /^\d+$/.test(weights) ? `file #${weights}` : weights === "default" ? "default weights" : weights;
  return `${whose}, ${seats[side].level.value}`;
}

function showFields(side) {
  seats[side].machine.hidden = !isMachine(side);
  seats[side].file.hidden = seats[side].weights.value !== "file";
  seats[side].describe();
}

/** Who played Black plays White. */
export function swapSeats() {
  for (const field of FIELDS) {
    const [black, white] = [seats.x[field], seats.o[field]];
    [black.value, white.value] = [white.value, black.value];
  }
  SIDES.forEach(showFields);
}

/** Lets people play both sides. */
export function seatPeople() {
  for (const side of SIDES) {
    seats[side].kind.value = "person";
    showFields(side);
  }
}

/** Offers the weights that the population has; the address may ask for some. */
export async function fillWeights() {
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
    showFields(side);
  }
  const judges = choices.filter(([value]) => value !== "file");
  if (against && /^\d+$/.test(against)) judges.unshift([against, `file #${against}`]);
  put(byId("judge"), options(judges, judges[0][0]));
}
