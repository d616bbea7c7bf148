// The head of every page: where to go, and light or dark.

import { ask, save } from "./ask.js";
import { byId, el, svg } from "./dom.js";
import { forget, logout, secret } from "./session.js";

const LINKS = [
  ["/", "Overview"],
  ["/files", "Files"],
  ["/matches", "Matches"],
  ["/compare", "Compare"],
  ["/play", "Play"],
];

const ICON = {
  light: "M10 5.6a4.4 4.4 0 1 0 0 8.8 4.4 4.4 0 0 0 0-8.8zM9.2 1h1.6v3H9.2zM9.2 16h1.6v3H9.2zM1 9.2h3v1.6H1zM16 9.2h3v1.6h-3zM3 4.2L4.2 3l2.1 2.1-1.2 1.2zM13.7 14.9l1.2-1.2L17 15.8 15.8 17zM3 15.8l2.1-2.1 1.2 1.2L4.2 17zM13.7 5.1L15.8 3 17 4.2l-2.1 2.1z",
  dark: "M12.5 2.2a8 8 0 1 0 5.3 10.3A6.5 6.5 0 0 1 12.5 2.2z",
};

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
    button.replaceChildren(svg("svg", { viewBox: "0 0 20 20", class: "icon", "aria-hidden": "true" }, svg("path", { d: ICON[next] })));
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
    ...(secret() ? [logoutButton()] : []),
    button,
  );
}

const FOOT = [
  ["/parameters", "Parameters"],
  ["/populations", "Populations"],
  ["/api/openapi.json", "Interface"],
];

/** The end of every page: what is looked at now and then. */
function foot() {
  const links = FOOT.map(([href, name]) => el("a", { href, "aria-current": location.pathname === href ? "page" : null }, name));
  document.body.append(el("footer", { id: "foot" }, el("nav", { "aria-label": "More" }, links)));
}

/** Ends the session; hidden where the server knows it no more. */
function logoutButton() {
  const button = el("button", { type: "button", class: "logout", id: "logout" }, "Log out");
  button.addEventListener("click", async () => {
    await logout().catch(() => {});
    location.assign("/");
  });
  ask("/api/session")
    .then((session) => {
      if (session.may_change) return;
      forget();
      button.remove();
    })
    .catch(() => {});
  return button;
}

/** Files that need the session cannot be had by following a link. */
document.addEventListener("click", (event) => {
  const link = event.target.closest?.('a[href^="/api/"]');
  if (!link || !secret()) return;
  event.preventDefault();
  save(link).catch((error) => console.warn(error.message));
});

/** The program stays after the end of a run while somebody looks. A page in the
    background or without events looks, too. */
setInterval(() => fetch("/healthz", { cache: "no-store" }).catch(() => {}), 50000);

head();
foot();
