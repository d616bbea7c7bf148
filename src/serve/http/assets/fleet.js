// The machines that play for a run, where it has a fleet.

import { ask } from "./ask.js";
import { byId, count, duration, el, put } from "./dom.js";

/** Between two questions, in milliseconds: where there is a fleet, and where there is none. */
const PAUSE = 2000;
const PAUSE_WITHOUT = 30000;
const WORKERS = 200;
const EVENTS = 8;

let asked = 0;
let isThere = true;

/** How the states of workers look. */
const BADGES = { new: "badge final", trusted: "badge finished", barred: "badge lost", gone: "badge" };

function row(worker) {
  const number = (text) => el("td", { class: "num" }, text);
  return el(
    "tr",
    {},
    el("td", { class: worker.why ? "wrap" : "" }, worker.worker, worker.why ? el("span", { class: "note why" }, worker.why) : null),
    el("td", {}, el("span", { class: BADGES[worker.state] ?? "badge" }, worker.state)),
    number(count(worker.threads)),
    number(count(worker.games)),
    number(worker.games_per_second.toFixed(1)),
    number(worker.load === null ? "–" : worker.load.toFixed(2)),
    number(count(worker.checked)),
    number(count(worker.faults)),
  );
}

function show(fleet) {
  isThere = fleet !== null;
  byId("fleet").hidden = fleet === null;
  if (fleet === null) return;
  const link = fleet.connected ? "" : " · the broker is lost";
  byId("fleet-line").textContent = `${fleet.name} at ${fleet.broker}${link}: ${fleet.games_per_second.toFixed(1)} games a second, ${count(fleet.out)} matches out, ${count(fleet.checks)} checks, ${count(fleet.differences)} differences, ${count(fleet.refused)} refused`;
  const rows = fleet.workers.slice(0, WORKERS).map(row);
  const more = fleet.workers.length - rows.length;
  if (more > 0) rows.push(el("tr", {}, el("td", { colspan: 8, class: "note" }, `and ${count(more)} more`)));
  put(byId("workers"), rows.length ? rows : el("tr", {}, el("td", { colspan: 8, class: "note" }, "No worker yet.")));
  const events = fleet.events.slice(-EVENTS).reverse();
  put(byId("fleet-events"), events.map((event) => el("li", { class: "event" }, el("span", { class: "kind" }, `${duration(event.seconds_ago)} ago`), el("span", {}, event.text))));
}

/** Asks for the fleet from time to time. */
export function showFleet(status) {
  if (Date.now() - asked < (isThere ? PAUSE : PAUSE_WITHOUT) && status.running) return;
  asked = Date.now();
  ask("/api/fleet")
    .then(({ fleet }) => show(fleet))
    .catch((error) => console.warn(error.message));
}
