// A game in a few words.

import { sideName } from "./dom.js";

/** "Black wins after 43" for a row of a list. */
export function gameText(game) {
  const who = game.result === "draw" ? "draw" : `${sideName(game.result)} wins`;
  return `${who} after ${game.plies}`;
}
