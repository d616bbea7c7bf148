// The school: what each lesson taught, how its scholar's challenge ended, and
// whether what it predicts comes true in games that it did not learn from.

import { showReliability } from "./calibration.js";
import { byId, count, el, fileLink, put } from "./dom.js";
import { challengeBadge, challengeText, nats } from "./scholars.js";

/** Matches after a lesson that a check needs; the server says the same. */
const ENOUGH = 20;

function row(scholar) {
  return el(
    "tr",
    { "data-scholar": scholar.file },
    el("td", {}, fileLink(scholar.file)),
    el("td", { class: "num" }, count(2 * scholar.matches)),
    el("td", { class: "num" }, count(scholar.games)),
    el("td", { class: "num" }, count(scholar.positions)),
    el("td", { class: "num" }, nats(scholar.log_likelihood)),
    el("td", { class: "num" }, challengeText(scholar)),
    el("td", {}, challengeBadge(scholar)),
  );
}

/** The scholar whose calibration is worth a look: the last that won and has
    games after its lesson, else the last that has. */
function best({ scholars, matches }) {
  const known = scholars.filter((one) => one.matches + ENOUGH <= matches);
  return known.findLast((one) => one.won) ?? known.at(-1) ?? scholars.at(-1);
}

let shown = null;
let chosen = null;

function showCheck(status) {
  const choice = byId("school-scholar");
  const wanted = chosen ?? best(status).file;
  const names = status.scholars.map((one) => el("option", { value: one.file, selected: one.file === wanted }, `#${one.file}, after ${count(2 * one.matches)} games`));
  put(choice, names.reverse());
  check(wanted, status.scholars.find((one) => one.file === wanted));
}

let asking = null;

function check(file, scholar) {
  if (asking?.file === file) return;
  asking?.stop.abort();
  asking = { file, stop: new AbortController() };
  const place = byId("school-calibration");
  const words = (found) => {
    const unseen = found.from >= scholar.matches;
    return `Chances of scholar #${file}, fitted to ${count(found.fitted)} positions and checked on ${count(found.checked)} positions of other games, ${unseen ? "all played after its lesson: it did not learn from them" : "among them games that it learned from, because too few were played since"}. ${nats(found.log_likelihood, 3)} nats a position; a coin has −0.693.`;
  };
  put(place);
  showReliability(place, String(file), words, asking.stop.signal);
}

/** Shows the school of a run that has scholars; drawn anew when something is. */
export function showSchool(status) {
  const { scholars } = status;
  byId("school").hidden = !scholars.length;
  if (!scholars.length) return;
  const key = JSON.stringify(scholars);
  if (key === shown) return;
  shown = key;
  put(byId("scholars"), scholars.map(row).reverse());
  const over = scholars.filter((one) => one.won !== null);
  byId("school-line").textContent = `${count(scholars.length)} ${scholars.length === 1 ? "lesson" : "lessons"}: weights learned from the positions of recent games are born as scholars and challenge the consensus. ${count(over.filter((one) => one.won).length)} of ${count(over.length)} challenges won.`;
  showCheck(status);
}

byId("school-scholar").addEventListener("change", (event) => {
  chosen = Number(event.target.value);
  const scholar = JSON.parse(shown).find((one) => one.file === chosen);
  check(chosen, scholar);
});
