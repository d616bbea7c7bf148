// What happens, as it happens. After a lost connection it goes on where it
// was; a page that nobody sees does not listen. A server that has said goodbye
// may come back: the same run, resumed.

const LONGEST_WAIT = 15000;

export class Live {
  #source = null;
  #last = null;
  #wait = 1000;
  #timer = null;
  #lost = "reconnecting";

  /** `on` has status(status), events(events, skipped) and state(word). */
  constructor(on) {
    this.on = on;
    document.addEventListener("visibilitychange", () => (document.hidden ? this.#close("paused") : this.#open()));
    addEventListener("pagehide", () => this.#close("paused"));
    addEventListener("pageshow", () => this.#open());
    this.#open();
  }

  #open() {
    if (this.#source || document.hidden) return;
    clearTimeout(this.#timer);
    const after = this.#last === null ? "" : `?after=${this.#last}`;
    const source = new EventSource(`/api/events${after}`);
    this.#source = source;
    source.addEventListener("open", () => {
      this.#wait = 1000;
      this.#lost = "reconnecting";
      this.on.state("live");
    });
    source.addEventListener("events", (event) => {
      this.#last = event.lastEventId;
      const { events, skipped } = JSON.parse(event.data);
      this.on.events(events, skipped);
    });
    source.addEventListener("status", (event) => this.on.status(JSON.parse(event.data)));
    source.addEventListener("bye", () => {
      this.#lost = "ended";
      this.#wait = LONGEST_WAIT;
      this.#later();
    });
    source.addEventListener("error", () => {
      // A browser gives up on some answers, and asks often; we do neither.
      if (source.readyState === EventSource.CLOSED || this.#lost === "ended") this.#later();
      else this.on.state(this.#lost);
    });
  }

  #later() {
    this.#close(this.#lost);
    this.#timer = setTimeout(() => this.#open(), this.#wait);
    this.#wait = Math.min(this.#wait * 2, LONGEST_WAIT);
  }

  #close(state) {
    clearTimeout(this.#timer);
    this.#source?.close();
    this.#source = null;
    this.on.state(state);
  }
}
