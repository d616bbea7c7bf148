// All files: searched, filtered, sorted, a page at a time.

import "./page.js";
import { asked, numberIn, remember } from "./address.js";
import { ask } from "./ask.js";
import { ORIGINS, byId, causeName, count, el, fileLink, originName, problem, put, ready, signed, stateName } from "./dom.js";
import { challengeBadge } from "./scholars.js";

const PAGE = 100;
/** After the last key. */
const PAUSE = 200;

const HEADS = [
  ["File", "number"],
  ["Name", null],
  ["Origin", null],
  ["Parents", null],
  ["Born at", null, "num"],
  ["Points", "points", "num"],
  ["Games", "games", "num"],
  ["Children", "children", "num"],
  ["State", null],
];

let sort = asked.get("sort") ?? "number";
let descending = asked.get("descending") === "true";
let shown = 0;
let question = 0;
/** The scholars by their numbers. */
let scholars = new Map();

function row(file) {
  const state = file.death ? `died at match ${count(file.death.at)}: ${causeName(file.death.cause)}` : stateName(file);
  const scholar = scholars.get(file.file);
  const parents = file.parents.flatMap((parent, n) => (n ? [" × ", fileLink(parent)] : [fileLink(parent)]));
  const children = file.children ? el("a", { href: `/files?parent=${file.file}` }, count(file.children)) : "0";
  return el(
    "tr",
    { class: `${file.alive ? "" : "dead"}${file.origin === "scholar" ? " scholar" : ""}` },
    el("td", {}, fileLink(file.file)),
    el("td", {}, file.name ?? ""),
    el("td", {}, originName(file.origin), scholar ? [" ", challengeBadge(scholar)] : null),
    el("td", {}, parents.length ? parents : "–"),
    el("td", { class: "num" }, count(file.at)),
    el("td", { class: "num" }, signed(file.points, 2)),
    el("td", { class: "num" }, count(file.games)),
    el("td", { class: "num" }, children),
    el("td", {}, state),
  );
}

function showHeads() {
  const heads = HEADS.map(([name, key, kind]) => {
    const isSorted = key === sort;
    const order = isSorted ? (descending ? "descending" : "ascending") : null;
    if (!key) return el("th", { scope: "col", class: kind ?? "" }, name);
    const button = el("button", { type: "button", class: "sort", "data-sort": key }, name, el("span", { "aria-hidden": "true" }, isSorted ? (descending ? " ↓" : " ↑") : ""));
    button.addEventListener("click", () => {
      // The first look is at the best, or at the oldest.
      descending = isSorted ? !descending : key !== "number";
      sort = key;
      load();
    });
    return el("th", { scope: "col", class: kind ?? "", "aria-sort": order }, button);
  });
  put(byId("heads"), heads);
}

function query() {
  return {
    search: byId("search").value.trim(),
    state: byId("filter-state").value,
    origin: byId("filter-origin").value,
    parent: numberIn(byId("filter-parent").value),
    sort: sort === "number" ? "" : sort,
    descending,
  };
}

async function load(isMore = false) {
  const own = ++question;
  const wanted = query();
  remember(wanted);
  if (!isMore) shown = 0;
  byId("more").disabled = true;
  try {
    const [page, status] = await Promise.all([ask("/api/files", { ...wanted, skip: shown, count: PAGE }), ask("/api/status")]);
    // An older question's answer may come later.
    if (own !== question) return;
    scholars = new Map(status.scholars.map((one) => [one.file, one]));
    showHeads();
    if (isMore) byId("rows").append(...page.files.map(row));
    else put(byId("rows"), page.files.map(row));
    shown += page.files.length;
    byId("total").textContent = `${count(page.total)} ${page.total === 1 ? "file" : "files"}`;
    byId("more").hidden = shown >= page.total;
    problem(null);
    ready();
  } catch (error) {
    problem(error.message);
  }
  byId("more").disabled = false;
}

byId("filter-origin").append(...Object.entries(ORIGINS).map(([value, name]) => el("option", { value }, name)));
for (const [id, name] of [["search", "search"], ["filter-state", "state"], ["filter-origin", "origin"], ["filter-parent", "parent"]]) {
  byId(id).value = asked.get(name) ?? "";
  byId(id).addEventListener("change", () => load());
}
let pause = null;
for (const id of ["search", "filter-parent"]) {
  byId(id).addEventListener("input", () => {
    clearTimeout(pause);
    pause = setTimeout(load, PAUSE);
  });
}
byId("filter").addEventListener("submit", (event) => {
  event.preventDefault();
  const number = numberIn(byId("jump").value);
  if (number !== null) location.assign(`/files/${number}`);
  else load();
});
byId("more").addEventListener("click", () => load(true));
load();
