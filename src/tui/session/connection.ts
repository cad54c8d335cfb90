import { isAbsent, type SessionEvent } from "./wire-session.ts";

/** How the daemon stands: not there yet, there, or away while the client tries again. */
export type ConnectionState = "starting" | "ready" | "away";

/** What the status bar says of the daemon. */
export class Connection {
  readonly #changed: () => void;
  #state: ConnectionState = "starting";

  constructor(changed: () => void) {
    this.#changed = changed;
  }

  get state(): ConnectionState {
    return this.#state;
  }

  observe(event: SessionEvent): void {
    if (event.kind === "ready") this.#state = "ready";
    else if (event.kind === "lost" && (this.#state === "ready" || !isAbsent(event.code))) this.fail();
  }

  /** No daemon can be reached, or an agent that was started ended. */
  fail(): void {
    this.#state = "away";
    this.#changed();
  }
}
