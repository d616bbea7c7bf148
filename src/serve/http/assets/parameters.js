// The parameters of the run.

import "./page.js";
import { ask } from "./ask.js";
import { byId, el, problem, put, ready } from "./dom.js";

let params = [];

function show() {
  const only = byId("changed").checked;
  const rows = params
    .filter((one) => !only || one.value !== one.default)
    .map((one) => {
      const differs = one.value !== one.default;
      return el("tr", { class: differs ? "differs" : "" }, el("th", { scope: "row" }, el("code", {}, one.key)), el("td", {}, el("code", {}, one.value)), el("td", {}, el("code", {}, one.default)), el("td", { class: "wrap" }, one.meaning));
    });
  put(byId("rows"), rows.length ? rows : el("tr", {}, el("td", { colspan: 4, class: "note" }, "Everything is at its default.")));
}

byId("changed").addEventListener("change", show);
try {
  ({ params } = await ask("/api/params"));
  show();
  ready();
} catch (error) {
  problem(error.message);
}
