// What happens, as it happens. After a lost connection it goes on where it
// was; a page that nobody sees does not listen. A server that has said goodbye
// may come back: the same run, resumed.
//
// The stream is read by hand: an EventSource could not send the session.

import { listen } from "./ask.js";
import { messages } from "./event_stream.js";

const SHORTEST_WAIT = 1000;
const LONGEST_WAIT = 15000;

export class Live {
  #listening = null;
  #last = null;
  #wait = SHORTEST_WAIT;
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
    if (this.#listening || document.hidden) return;
    clearTimeout(this.#timer);
    const listening = new AbortController();
    this.#listening = listening;
    this.#listen(listening.signal)
      .catch(() => {})
      .finally(() => {
        // Unless it was closed here, it was lost.
        if (this.#listening === listening) this.#later();
      });
  }

  async #listen(signal) {
    const after = this.#last === null ? "" : `?after=${this.#last}`;
    const response = await listen(`/api/events${after}`, signal);
    this.#wait = SHORTEST_WAIT;
    this.#lost = "reconnecting";
    this.on.state("live");
    for await (const message of messages(response.body)) {
      if (message.event === "events") {
        this.#last = message.id;
        const { events, skipped } = JSON.parse(message.data);
        this.on.events(events, skipped);
      } else if (message.event === "status") {
        this.on.status(JSON.parse(message.data));
      } else if (message.event === "bye") {
        this.#lost = "ended";
        this.#wait = LONGEST_WAIT;
        return;
      }
    }
  }

  #later() {
    this.#close(this.#lost);
    this.#timer = setTimeout(() => this.#open(), this.#wait);
    this.#wait = Math.min(this.#wait * 2, LONGEST_WAIT);
  }

  #close(state) {
    clearTimeout(this.#timer);
    const listening = this.#listening;
    this.#listening = null;
    listening?.abort();
    this.on.state(state);
  }
}
