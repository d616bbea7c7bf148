// Scholars as any page shows them: how likely their lessons' results were, and
// what became of their challenges.

import { el, signed } from "./dom.js";

/** The likelihood of a result that nothing explains, in nats. */
export const COIN = -Math.LN2;

/** Elo of a mean score from -1 to 1. */
const elo = (score) => 400 * Math.log10((1 + score) / (1 - score));

/** Scores this close to 1 have no Elo. */
const within = (score) => Math.max(-0.995, Math.min(0.995, score));

/** How strong a scholar was against the consensus: Elo with its 95 % error;
    null before the challenge is over. */
export function challengeElo({ score, error }) {
  if (score === null || score === undefined) return null;
  const wide = 1.96 * (error ?? 0);
  return { elo: elo(within(score)), low: elo(within(score - wide)), high: elo(within(score + wide)) };
}

/** What became of a challenge, as a badge. */
export function challengeBadge({ won }) {
  if (won === null || won === undefined) return el("span", { class: "badge final" }, "challenge goes on");
  return el("span", { class: won ? "badge finished" : "badge lost" }, won ? "challenge won" : "challenge lost");
}

/** The score of a challenge with its standard error. */
export const challengeText = ({ score, error }) => (score === null ? "" : `${signed(score, 3)} ± ${(error ?? 0).toFixed(3)}`);

/** A likelihood as people read it. */
export const nats = (number, digits = 4) => number.toFixed(digits).replace("-", "−");
