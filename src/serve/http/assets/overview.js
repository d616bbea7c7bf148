// The overview: a population at a glance, as it lives.

import "./page.js";
import { ask, send } from "./ask.js";
import { forgetCalibration, showCalibration } from "./calibration.js";
import { loadChampion, proofTable } from "./champion.js";
import { chartStatus, refreshCharts } from "./charts.js";
import { byId, causeName, count, duration, el, fileLink, matchLink, originName, pace, plain, put, ready, signed } from "./dom.js";
import { showFleet } from "./fleet.js";
import { Live } from "./live.js";
import { showSchool } from "./school.js";
import { valuesFold } from "./values.js";

const FEED = 14;
/** The most genes at a bound that are named. */
const MOST_BOUNDS = 12;

const STATES = {
  evolving: "evolving",
  final: "final",
  proving: "proving the champion",
  finished: "finished",
  stopped: "stopped",
};

function showHead(status) {
  document.title = `${status.population} · loatune`;
  byId("name").textContent = status.population;
  const state = byId("state");
  state.textContent = status.stopping ? "stopping" : STATES[status.state];
  state.className = `badge ${status.state}`;
  const percent = Math.min(100, status.progress * 100);
  const progress = byId("progress");
  progress.setAttribute("aria-valuenow", percent.toFixed(0));
  byId("bar").style.width = `${percent}%`;
  // What is not heard of any more has no speed.
  const rate = status.games_per_second === null || !isLive || !status.running ? "" : ` · ${pace(status.games_per_second)} games a second`;
  byId("done").textContent = `${count(status.games)} of ${count(status.budget)} games (${percent.toFixed(1)} %)${rate}`;
  byId("eta").textContent = eta(status);
}

function eta(status) {
  if (status.state === "finished") return "";
  if (!status.running) return "not running";
  if (!isLive) return "";
  if (status.eta_seconds === null) return "time left: not known yet";
  const range = status.eta_low === null || status.eta_high === null ? "" : ` (${duration(status.eta_low)} to ${duration(status.eta_high)})`;
  return `about ${duration(status.eta_seconds)} left${range}`;
}

function tile(name, value, note, meter = null) {
  return el("div", { class: "tile" }, el("h2", {}, name), el("p", { class: "value" }, value), meter, el("p", { class: "note" }, note));
}

function showTiles(status) {
  const per = (number) => (status.games ? `${((1000 * number) / status.games).toFixed(1)} per 1,000 games` : "");
  put(
    byId("tiles"),
    tile(
      "Population",
      [count(status.files), el("small", {}, ` of ${count(status.capacity)}`)],
      "files that live, and may live",
      el("meter", { min: 0, max: Math.max(1, status.capacity), value: status.files, "aria-label": "Population against capacity" }),
    ),
    tile("Births", count(status.births), per(status.births)),
    tile("Deaths", count(status.deaths), per(status.deaths)),
    leaderTile(status),
  );
}

/** What the last file's opponent in the final is: a scholar may have beaten the elder. */
const rival = ({ final, scholars }) => (scholars.some((one) => one.file === final.elder) ? "scholar" : "elder");

/** Who is ahead: a leader, then two finalists, then the champion. */
function leaderTile(status) {
  const { champion, final } = status;
  if (champion) return tile("Champion", fileLink(champion.file), champion.is_elder ? "the elder, a consensus" : champion.is_scholar ? "a scholar" : "it survived them all");
  if (final) return tile("Final", [fileLink(final.last), el("small", {}, " against "), fileLink(final.elder)], `the last file against the ${rival(status)}`);
  const leader = status.leaders[0];
  return tile("Leader", leader ? fileLink(leader.file) : "–", leader ? `${signed(leader.points, 2)} points in ${count(leader.games)} games` : "nobody lives");
}

/** The names of files that were imported, by their numbers. */
const names = new Map();

/** Asks for the names of imported files, once for each file among the leaders. */
async function loadNames(leaders) {
  const unnamed = leaders.filter(({ file, origin }) => (origin === "immigrant" || origin === "seeded") && !names.has(file));
  for (const { file } of unnamed) names.set(file, null);
  for (const { file } of unnamed) {
    const { name } = await ask(`/api/files/${file}`).catch(() => ({ name: null }));
    names.set(file, name);
  }
  if (unnamed.length) showLeaders(latest);
}

function showLeaders(status) {
  loadNames(status.leaders);
  const rows = status.leaders.map((leader) =>
    el(
      "tr",
      {},
      el("td", {}, fileLink(leader.file)),
      el("td", { class: "num" }, signed(leader.points, 2)),
      el("td", { class: "num" }, count(leader.games)),
      el("td", {}, originName(leader.origin), names.get(leader.file) ? ` “${names.get(leader.file)}”` : null),
    ),
  );
  put(byId("leaders"), rows.length ? rows : el("tr", {}, el("td", { colspan: 4, class: "note" }, "No file lives.")));
}

function showHall(status) {
  const entries = status.hall.map((entry) =>
    el(
      "li",
      {},
      fileLink(entry.file),
      el("span", { class: "note" }, ` at match ${count(entry.matches)}`),
      el("span", { class: "elo" }, entry.elo === null ? (entry.games ? `all of ${count(entry.games)} games ended alike` : "not measured yet") : `${signed(entry.elo)} ± ${entry.error === null ? "∞" : entry.error.toFixed(0)} Elo`),
    ),
  );
  put(byId("hall"), entries.length ? entries : el("li", { class: "note" }, "Nobody yet."));
}

function showFinal(status) {
  const last = status.final;
  const place = byId("final");
  if (!last) {
    put(place, el("p", { class: "note" }, "When one file is left, it plays the elder, or the scholar that beat the elder; it takes the title only if it leads by more than two standard errors."));
    return;
  }
  const winner = status.champion?.file;
  const seat = (file, name) => el("div", { class: file === winner ? "finalist winner" : "finalist" }, el("span", { class: "note" }, name), fileLink(file), file === winner ? el("span", { class: "badge finished" }, "champion") : null);
  const score = last.score === null ? "not played yet" : `mean score ${signed(last.score, 3)} ± ${(last.error ?? 0).toFixed(3)} in ${count(last.matches)} matches`;
  put(place, el("div", { class: "bracket" }, seat(last.last, "last file"), el("span", { class: "versus" }, "against"), seat(last.elder, rival(status))), el("p", { class: "note" }, `The last file's ${score}.`));
}

/** Whose card is shown or on its way, and when it is there. */
let crown = { key: null, shown: Promise.resolve() };

/** The champion's card; it is made anew when the proof goes on. */
function showChampion(status) {
  byId("crown").hidden ||= !status.champion;
  const key = status.champion && `${status.champion.file} ${status.state}`;
  if (key && crown.key !== key) crown = { key, shown: makeCrown(status) };
  return crown.shown;
}

/** Who it is, its proof, and what can be done with it. */
async function makeCrown(status) {
  const place = byId("crown");
  const { file, is_elder: isElder, is_scholar: isScholar } = status.champion;
  const champion = await loadChampion();
  place.hidden = false;
  put(
    place,
    el("div", { class: "crown-head" }, el("div", {}, el("h2", { id: "h-crown" }, "The champion"), el("p", { class: "lead" }, fileLink(file), isElder ? " is the elder, the consensus of the survivors." : isScholar ? " is a scholar, learned from the games of the run." : " survived them all.")), el("p", { class: "buttons", id: "crown-buttons" }, champion?.options ? null : el("a", { class: "button primary", href: "/play?against=champion" }, "Play against it"), el("a", { class: "button", href: "/api/champion", download: "champion.toml" }, champion?.options ? "Values of its options" : "Weight file"))),
    proofTable(champion?.certificate),
    champion?.weights ? valuesFold("champion") : null,
    el("p", { class: "note", id: "again" }),
  );
  showAgain();
}

let command = null;
let ended = false;

/** How to see this page when the program has ended, and whether it has. */
function showAgain() {
  const place = byId("again");
  const buttons = byId("crown-buttons");
  if (buttons) buttons.hidden = ended;
  if (!place || !command) return;
  if (ended) put(place, "The program has ended. This command shows the page again, and lets you play: ", el("code", {}, command));
  else if (latest && !latest.running) put(place, "The run is over. When its program has ended, this command shows the page again: ", el("code", {}, command));
  else put(place);
}

function showRun(status) {
  byId("ends").textContent = status.champion ? `${status.ends[0].toUpperCase()}${status.ends.slice(1)}.` : `How it ends: ${status.ends}.`;
  const fact = (name, value) => [el("dt", {}, name), el("dd", {}, value)];
  put(byId("facts"), fact("Matches applied", count(status.matches)), fact("Seed", String(status.seed)), fact("Parameters", el("code", { title: status.params }, status.params.slice(0, 12))), status.running ? fact("Threads", count(status.threads)) : null);
  byId("stop").hidden = status.stopping;
  // What nobody works on can be neither stopped nor given weights.
  byId("control").hidden = !status.running || !mayChange;
  byId("control-note").hidden = !status.running;
}

/** Genes whose consensus lies at a bound, as `loatune status` names them. */
function showBounds({ at_bounds: found }) {
  const one = ({ gene, value, is_most: isMost }) => `${gene} ${plain(value)} (${isMost ? "most" : "least"})`;
  const more = found.length > MOST_BOUNDS ? ` and ${found.length - MOST_BOUNDS} more` : "";
  byId("at-bounds").hidden = !found.length;
  byId("at-bounds").textContent = found.length ? `At a bound: the consensus of ${found.slice(0, MOST_BOUNDS).map(one).join(", ")}${more}. Better values may lie beyond.` : "";
}

/** Whether this browser may stop the run. */
let mayChange = false;

/** Matches from which on chances can be fitted; the server says the same. */
const ENOUGH_MATCHES = 20;

/** What the calibration that is shown was asked for. */
const NOTHING_ASKED = { matches: 0, isChampion: false };
let honesty = NOTHING_ASKED;

/** The calibration is asked for as soon as there are enough games, again when
    there are twice as many, and for the champion. */
function showHonesty(status) {
  const { matches } = status;
  const isChampion = status.champion !== null;
  const isNew = matches >= Math.max(ENOUGH_MATCHES, 2 * honesty.matches) || isChampion !== honesty.isChampion;
  const places = [byId("calibration"), byId("importance")];
  if (matches < ENOUGH_MATCHES) {
    for (const place of places) put(place, el("p", { class: "note" }, `Known after ${ENOUGH_MATCHES} matches.`));
  } else if (isNew) {
    honesty = { matches, isChampion };
    showCalibration(...places, status);
  }
}

let latest = null;

function showStatus(status) {
  const isOver = latest && latest.state !== status.state;
  latest = status;
  showHead(status);
  showTiles(status);
  showLeaders(status);
  showHall(status);
  showFinal(status);
  showRun(status);
  showBounds(status);
  showHonesty(status);
  showSchool(status);
  showFleet(status);
  showAgain();
  showLive();
  chartStatus(status);
  if (isOver) refreshCharts(true);
  // The champion's card stands above the rest.
  showChampion(status).finally(ready);
}

function told(event) {
  const twin = event.twin === null || event.twin === undefined ? [] : [", twin of ", fileLink(event.twin)];
  switch (event.kind) {
    case "match":
      return ["match", [fileLink(event.files[0]), " – ", fileLink(event.files[1]), " ", signed(event.score, 2), ", ", matchLink(event.played)]];
    case "born": {
      const parents = event.parents.flatMap((parent, n) => (n ? [" × ", fileLink(parent)] : [" of ", fileLink(parent)]));
      return ["born", [fileLink(event.file), ` born, ${originName(event.origin)}`, parents, twin]];
    }
    case "died":
      return ["died", [fileLink(event.file), ` died: ${causeName(event.cause)}`]];
    case "hall":
      return ["hall", [fileLink(event.file), " entered the hall"]];
    case "final":
      return ["final", ["the final: ", fileLink(event.last), " against the elder ", fileLink(event.elder)]];
    case "champion":
      return ["champion", [fileLink(event.file), " is the champion"]];
    case "changed":
      return ["changed", [`parameters changed: ${event.keys.join("; ")}`]];
    case "scholar":
      return ["born", [fileLink(event.file), ` learned from ${event.games} games, ${event.log_likelihood.toFixed(4)} nats a position`]];
    case "challenge":
      return ["hall", [fileLink(event.scholar), event.won ? " won its challenge: the consensus moved to it" : " lost its challenge", ` (${event.score.toFixed(3)} ± ${event.error.toFixed(3)})`]];
    case "semifinal":
      return ["final", ["the scholar ", fileLink(event.scholar), " against the elder ", fileLink(event.elder), `: ${event.score.toFixed(3)} ± ${event.error.toFixed(3)}`]];
    case "extended":
      return ["changed", [`taken further, to ${event.budget} games, after the champion `, fileLink(event.champion)]];
    default:
      return null;
  }
}

function showEvents(events, skipped) {
  const feed = byId("events");
  const lines = [];
  if (skipped > 0) lines.push(el("li", { class: "skipped" }, `${count(skipped)} more events`));
  for (const event of events.slice(skipped > 0 ? 1 - FEED : -FEED)) {
    const line = told(event);
    if (line) lines.push(el("li", { class: `event ${line[0]}` }, el("span", { class: "kind" }, line[0]), el("span", {}, line[1])));
  }
  feed.prepend(...lines.reverse());
  while (feed.children.length > FEED) feed.lastChild.remove();
  // Among those that were left out may be some that the charts show.
  if (skipped > 0 || events.some((event) => event.kind === "sample" || event.kind === "hall" || event.kind === "champion")) refreshCharts();
}

async function showControl() {
  const session = await ask("/api/session");
  command = session.show_again;
  showAgain();
  mayChange = session.may_change;
  if (latest) showRun(latest);
  const note = byId("control-note");
  if (!session.may_change && session.has_token) put(note, "To stop the run or to import weights from here, ", el("a", { href: "/login" }, "enter the token"), " that is in the population's directory.");
  byId("stop").addEventListener("click", async () => {
    if (!confirm("Stop the run? It saves what is applied and can be resumed.")) return;
    try {
      await send("/api/stop");
      note.textContent = "Stopping: what is applied is saved.";
    } catch (error) {
      note.textContent = error.message;
    }
  });
  byId("import").addEventListener("change", async (event) => {
    const [file] = event.target.files;
    if (!file) return;
    try {
      const { file: number } = await send("/api/import", await file.text());
      put(note, "Imported as ", fileLink(number), ".");
    } catch (error) {
      note.textContent = error.message;
    }
    event.target.value = "";
  });
}

const STATE_WORDS = { live: "live", reconnecting: "reconnecting", paused: "paused", ended: "the program has ended" };

let isLive = false;

/** Whether what is shown is new, and whether there is anything new to come. */
function showLive() {
  const place = byId("live");
  const isAtRest = isLive && latest?.running === false;
  place.textContent = isAtRest ? "at rest" : STATE_WORDS[place.dataset.state];
  place.title = isAtRest ? "The page is connected; nobody works on the population." : "";
  place.classList.toggle("resting", isAtRest);
}

new Live({
  status: showStatus,
  events: showEvents,
  state(state) {
    byId("live").dataset.state = state;
    isLive = state === "live";
    if (!isLive) {
      forgetCalibration();
      honesty = NOTHING_ASKED;
    }
    showLive();
    ended = state === "ended" || (state === "reconnecting" && latest?.champion != null);
    showAgain();
    if (latest) showHead(latest);
  },
});
// Even where too many browsers listen already, there is something to see.
ask("/api/status")
  .then((status) => latest ?? showStatus(status))
  .catch((error) => console.warn(error.message));
refreshCharts(true);
showControl().catch((error) => console.warn(error.message));
// The last resort, where nothing answers.
setTimeout(ready, 20000);
