// The head of every page: where to go, and light or dark.

import { byId, el } from "./dom.js";

const LINKS = [
  ["/", "Overview"],
  ["/files", "Files"],
  ["/matches", "Matches"],
  ["/play", "Play"],
];

const ICON = { light: "☀", dark: "☾" };

/** Whether the page is dark now. */
export function isDark() {
  const chosen = document.documentElement.dataset.theme;
  if (chosen) return chosen === "dark";
  return matchMedia("(prefers-color-scheme: dark)").matches;
}

const listeners = [];

/** Calls back when light turns dark or dark light. */
export function onTheme(listener) {
  listeners.push(listener);
}

function head() {
  const here = location.pathname;
  const links = LINKS.map(([href, name]) => {
    const isHere = href === "/" ? here === "/" : here.startsWith(href);
    return el("a", { href, "aria-current": isHere ? "page" : null }, name);
  });
  const button = el("button", { type: "button", class: "theme", id: "theme" });
  const show = () => {
    const next = isDark() ? "light" : "dark";
    button.textContent = ICON[next];
    button.setAttribute("aria-label", `Switch to ${next}`);
    button.title = `Switch to ${next}`;
  };
  const changed = () => {
    show();
    for (const listener of listeners) listener(isDark());
  };
  button.addEventListener("click", () => {
    const next = isDark() ? "light" : "dark";
    document.documentElement.dataset.theme = next;
    try {
      localStorage.setItem("loatune-theme", next);
    } catch {
      // It holds for this page only.
    }
    changed();
  });
  matchMedia("(prefers-color-scheme: dark)").addEventListener("change", changed);
  show();
  byId("top").append(
    el("a", { href: "#main", class: "skip" }, "Skip to the content"),
    el("a", { href: "/", class: "brand" }, el("img", { src: "/assets/icon.svg", alt: "", width: 26, height: 26 }), "loatune"),
    el("nav", { "aria-label": "Pages" }, links),
    button,
  );
}

head();
