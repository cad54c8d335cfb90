import { describeError } from "../../text/describe-error.ts";
import { cleanText } from "../screen/clean.ts";
import type { SessionEvent } from "./wire-session.ts";

/** What starting an agent needs. */
export type AgentStarterParts = {
  /** Starts an agent in a process of its own; resolves, when it has ended, with what is to be said of that, if anything. */
  readonly start: (onWords: (text: string) => void) => Promise<string>;
  readonly clock: () => number;
  readonly say: (text: string, tone: "warning" | "error") => void;
  /** An agent ended before it was reached. */
  readonly failed: () => void;
};

/** Milliseconds that a daemon may be away before an agent is started in its place. */
const patience = 3_000;

/** Starts an agent where no daemon answers, one at a time, as often as needed. What each says is told once until an agent was reached. */
export class AgentStarter {
  readonly #parts: AgentStarterParts;
  readonly #told = new Set<string>();
  #runs = false;
  #wasReady = false;
  #lostAt = 0;

  constructor(parts: AgentStarterParts) {
    this.#parts = parts;
  }

  observe(event: SessionEvent): void {
    if (event.kind === "ready") {
      this.#wasReady = true;
      this.#lostAt = 0;
      this.#told.clear();
    }
    if (event.kind !== "lost") return;
    const now = this.#parts.clock();
    if (this.#lostAt === 0) this.#lostAt = now;
    const mayStart = event.code === "unreachable" || event.code === "no-secret";
    // A daemon that was there may be starting again.
    const isOver = !this.#wasReady || now - this.#lostAt > patience;
    if (mayStart && isOver && !this.#runs) void this.#run();
  }

  async #run(): Promise<void> {
    this.#runs = true;
    try {
      const said = await this.#parts.start((text) => this.#tell(text, "warning"));
      this.#tell(said, "error");
    } catch (error) {
      this.#tell(`The agent could not be started: ${describeError(error)}`, "error");
    }
    this.#runs = false;
    if (this.#lostAt !== 0) this.#parts.failed();
  }

  #tell(said: string, tone: "warning" | "error"): void {
    const text = cleanText(said.trim());
    if (text === "" || this.#told.has(text)) return;
    this.#told.add(text);
    this.#parts.say(text, tone);
  }
}
