// All matches: filtered by file and result, a page at a time.

import "./page.js";
import { asked, numberIn, remember } from "./address.js";
import { ask } from "./ask.js";
import { byId, count, el, fileLink, problem, put, ready, signed } from "./dom.js";
import { gameText } from "./game_text.js";

const PAGE = 50;

let before = null;
let question = 0;

function row(match) {
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

async function load(isMore = false) {
  const own = ++question;
  const wanted = { file: numberIn(byId("filter-file").value), result: byId("filter-result").value };
  remember(wanted);
  byId("filter-note").textContent = wanted.result ? (wanted.file === null ? "for the first of both files" : `for #${wanted.file}`) : "";
  if (!isMore) before = null;
  byId("more").disabled = true;
  try {
    let found = 0;
    let isNew = !isMore;
    // The server looks at some thousand matches a question.
    do {
      const page = await ask("/api/matches", { ...wanted, before, count: PAGE - found });
      if (own !== question) return;
      if (isNew) put(byId("rows"));
      isNew = false;
      byId("rows").append(...page.matches.map(row));
      found += page.matches.length;
      before = page.before;
      ready();
    } while (before !== null && found < PAGE);
    if (!byId("rows").children.length) put(byId("rows"), el("tr", {}, el("td", { colspan: 5, class: "note" }, "No such match.")));
    byId("more").hidden = before === null;
    problem(null);
  } catch (error) {
    problem(error.message);
  }
  byId("more").disabled = false;
}

byId("filter-file").value = asked.get("file") ?? "";
byId("filter-result").value = asked.get("result") ?? "";
for (const id of ["filter-file", "filter-result"]) byId(id).addEventListener("change", () => load());
byId("filter").addEventListener("submit", (event) => {
  event.preventDefault();
  load();
});
byId("more").addEventListener("click", () => load(true));
load();
