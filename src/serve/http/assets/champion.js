// The champion's card: what it is, and the proof of its strength.

import { ask } from "./ask.js";
import { count, el, fileLink, signed } from "./dom.js";

/** The champion's weight file with its certificate; null before there is one. */
export const loadChampion = () => ask("/api/champion").catch(() => null);

const percent = (part) => `${(100 * part).toFixed(1)} %`;

/** Elo and its error as the certificate has them. */
function eloText(match) {
  if (match.elo === undefined || match.elo === null) return match.wins > match.losses ? "won every game" : "lost every game";
  return `${signed(match.elo, 1)} ± ${match.elo_error === undefined || match.elo_error === null ? "∞" : match.elo_error.toFixed(1)} Elo`;
}

/** A row for each match of the proof. */
export function proofTable(certificate) {
  const matches = certificate?.match ?? [];
  if (!matches.length) return el("p", { class: "note" }, "The matches of the proof are still being played.");
  const rows = matches.map((match) =>
    el(
      "tr",
      {},
      el("th", { scope: "row" }, match.opponent),
      el("td", { class: "num" }, eloText(match)),
      el("td", { class: "num" }, match.los === undefined ? "" : percent(match.los)),
      el("td", { class: "num" }, count(match.games)),
      el("td", { class: "num" }, `${count(match.wins)} · ${count(match.draws)} · ${count(match.losses)}`),
      el("td", { class: "num" }, (match.pentanomial ?? []).join(" · ")),
    ),
  );
  const head = [
    ["Against", ""],
    ["Strength", "num", "the difference in Elo, with its 95 % error"],
    ["LOS", "num", "likelihood of superiority"],
    ["Games", "num"],
    ["Won · drawn · lost", "num"],
    ["Pairs", "num", "pairs of games by their points: 0, ½, 1, 1½, 2"],
  ];
  return el("div", { class: "scroll", tabindex: "0", role: "region", "aria-label": "Matches of the proof" }, el("table", { class: "proof" }, el("thead", {}, el("tr", {}, head.map(([name, kind, title]) => el("th", { scope: "col", class: kind, title: title ?? null }, name)))), el("tbody", {}, rows)));
}

/** Lines such as "#12: crossover of #3 and #4 at match 70", with links. */
export function ancestryList(lines) {
  const linked = (line) => line.split(/(#\d+)/).map((part) => (/^#\d+$/.test(part) ? fileLink(Number(part.slice(1))) : part));
  return el("ol", { class: "ancestry" }, lines.map((line) => el("li", {}, linked(line))));
}
