// Whether the chances of some weights are known. The server computes them when
// they are asked for first, which takes a moment.

import { ask } from "./ask.js";

/** Between two questions while the server computes. */
const PAUSE = 1500;

/** Waits until they are known; false where the population has too few games. */
export async function chancesKnown(weights, signal) {
  for (;;) {
    try {
      await ask("/api/calibration", { weights }, { signal });
      return true;
    } catch (error) {
      if (error.name === "AbortError") throw error;
      if (!/try again/.test(error.message)) return false;
    }
    await new Promise((done) => setTimeout(done, PAUSE));
    signal?.throwIfAborted();
  }
}
