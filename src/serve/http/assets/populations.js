// All populations of the directory.

import "./page.js";
import { ask } from "./ask.js";
import { byId, count, el, problem, put, ready, signed } from "./dom.js";

function row({ name, here, show, status, problem: why }) {
  const page = here ? el("a", { href: "/" }, "this page") : status?.page ? el("a", { href: status.page }, status.page) : el("code", {}, show);
  const strength = status?.elo === null || status?.elo === undefined ? "" : `${signed(status.elo)} ± ${status.error === null ? "∞" : status.error.toFixed(0)} Elo`;
  return el(
    "tr",
    {},
    el("th", { scope: "row" }, name),
    el("td", { class: "wrap" }, status ? `${status.state}${status.running ? ", at work" : ""}` : why),
    el("td", { class: "num" }, status ? `${count(status.games)} of ${count(status.budget)}` : ""),
    el("td", { class: "num" }, strength),
    el("td", {}, page),
  );
}

try {
  const { populations } = await ask("/api/populations");
  put(byId("rows"), populations.length ? populations.map(row) : el("tr", {}, el("td", { colspan: 5, class: "note" }, "There is no other population here.")));
  ready();
} catch (error) {
  problem(error.message);
}
