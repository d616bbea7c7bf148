// The clocks of a game: each side has so much time, and who has none left has
// lost.

/** Between two looks at a clock that runs. */
const TICK = 100;

export class GameClock {
  #left = { x: null, o: null };
  #running = null;
  #since = 0;
  #timer = null;

  /** `on` has tick() and over(side). */
  constructor(on) {
    this.on = on;
  }

  /** Sets both clocks to so many seconds; null takes them away. */
  set(seconds) {
    this.stop();
    this.#left = { x: seconds, o: seconds };
    this.on.tick();
  }

  get isSet() {
    return this.#left.x !== null && this.#left.x !== undefined;
  }

  /** The seconds that a side has left; null without a clock. */
  left(side) {
    if (!this.isSet) return null;
    const used = this.#running === side ? (Date.now() - this.#since) / 1000 : 0;
    return Math.max(0, this.#left[side] - used);
  }

  /** Sets the clocks to what each side has left. */
  restore(left) {
    this.stop();
    this.#left = { ...left };
    this.on.tick();
  }

  /** Lets the clock of one side run, and no other. */
  run(side) {
    if (!this.isSet || this.#running === side) return;
    this.stop();
    this.#running = side;
    this.#since = Date.now();
    this.#timer = setInterval(() => {
      this.on.tick();
      if (this.left(side) > 0) return;
      this.stop();
      this.on.over(side);
    }, TICK);
  }

  stop() {
    if (this.#running) this.#left[this.#running] = this.left(this.#running);
    clearInterval(this.#timer);
    this.#running = null;
  }
}

/** Where the clocks of this window's game are kept over a reload. */
const KEPT = "loatune-clock";

/** Keeps the clocks of a game, which its address names. */
export function keepClock(clock, game) {
  try {
    if (clock.isSet) sessionStorage.setItem(KEPT, JSON.stringify({ game, left: { x: clock.left("x"), o: clock.left("o") } }));
    else sessionStorage.removeItem(KEPT);
  } catch {
    // The game goes on without a clock then.
  }
}

/** The clocks that were kept of a game; null where there are none. */
export function keptClock(game) {
  try {
    const kept = JSON.parse(sessionStorage.getItem(KEPT));
    const isTime = (time) => typeof time === "number" && time >= 0;
    return kept?.game === game && isTime(kept.left?.x) && isTime(kept.left?.o) ? kept.left : null;
  } catch {
    return null;
  }
}

/** Minutes and seconds: 4:07. */
export function clockText(seconds) {
  const whole = Math.ceil(seconds);
  return `${Math.floor(whole / 60)}:${String(whole % 60).padStart(2, "0")}`;
}
