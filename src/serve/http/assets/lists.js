// The lists of all files and of all matches, a page at a time.

import "./page.js";
import { ask } from "./ask.js";
import { byId, causeName, count, el, fileLink, originName, problem, sideName, signed } from "./dom.js";

function fileRow(file) {
  const state = file.alive ? "alive" : file.death ? `died at match ${count(file.death.at)}: ${causeName(file.death.cause)}` : "in the hall";
  const parents = file.parents.flatMap((parent, n) => (n ? [" × ", fileLink(parent)] : [fileLink(parent)]));
  return el(
    "tr",
    { class: file.alive ? "" : "dead" },
    el("td", {}, fileLink(file.file)),
    el("td", {}, originName(file.origin)),
    el("td", {}, parents.length ? parents : "–"),
    el("td", { class: "num" }, count(file.at)),
    el("td", { class: "num" }, signed(file.points, 2)),
    el("td", { class: "num" }, count(file.games)),
    el("td", { class: "num" }, count(file.children)),
    el("td", {}, state),
  );
}

/** "Black wins in 43" for a row of a list. */
export function gameText(game) {
  const who = game.result === "draw" ? "draw" : `${sideName(game.result)} wins`;
  return `${who} after ${game.plies}`;
}

function matchRow(match) {
  const [first, second] = match.files;
  return el(
    "tr",
    {},
    el("td", {}, el("a", { href: `/matches/${match.number}` }, count(match.number)), match.final ? " final" : null),
    el("td", {}, fileLink(first), " – ", fileLink(second)),
    el("td", { class: "num" }, signed(match.score, 2)),
    el("td", {}, gameText(match.games[0])),
    el("td", {}, gameText(match.games[1])),
  );
}

const LISTS = {
  files: async (mark) => {
    const { files, next } = await ask("/api/files", { from: mark, count: 100 });
    return [files.map(fileRow), next];
  },
  matches: async (mark) => {
    const { matches, before } = await ask("/api/matches", { before: mark, count: 50 });
    return [matches.map(matchRow), before];
  },
};

const list = LISTS[document.body.dataset.list];
if (list) {
  let mark = null;
  const more = byId("more");
  const load = async () => {
    more.disabled = true;
    try {
      const [rows, next] = await list(mark);
      byId("rows").append(...rows);
      mark = next;
      more.hidden = next === null;
      problem(null);
    } catch (error) {
      problem(error.message);
    }
    more.disabled = false;
  };
  more.addEventListener("click", load);
  load();
}
