// Games and positions in and out: the clipboard, and SGF files.

import { send } from "./ask.js";
import { byId, problem } from "./dom.js";

async function copy(text, words) {
  try {
    await navigator.clipboard.writeText(text);
    byId("copied").textContent = words;
  } catch {
    byId("copied").textContent = text;
  }
}

/** Serves the buttons; `load(game)` is given the first game of a file. */
export function exchange(load) {
  byId("copy-position").addEventListener("click", () => copy(byId("position").value, "The position is copied."));
  byId("copy-link").addEventListener("click", () => copy(location.href, "The link is copied: it leads to this game."));
  byId("load").addEventListener("change", async (event) => {
    const [file] = event.target.files;
    if (!file) return;
    try {
      const { games } = await send("/api/sgf", await file.text());
      const [first] = games;
      load(first);
      const players = first.players.some(Boolean) ? ` ${first.players.map((name) => name || "?").join(" against ")}` : "";
      const others = games.length > 1 ? `, the first of ${games.length} games in the file` : "";
      byId("copied").textContent = `Loaded${players}${others}.`;
    } catch (error) {
      problem(`${file.name}: ${error.message}`);
    }
    // The same file may be chosen again.
    event.target.value = "";
  });
}
