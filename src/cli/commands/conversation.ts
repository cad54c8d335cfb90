import { createInterface, type Interface } from "node:readline";
import type { Agent } from "../../daemon/agent/agent.ts";
import { formatApprovalQuestion } from "../../signal/approval-question.ts";
import type { LoopEvent } from "../../signal/loop-event.ts";
import { TurnFollower } from "./follow-turn.ts";
import type { Io } from "./io.ts";

/** Milliseconds that running turns get after SIGTERM. */
const terminationPatience = 5000;

/** Reads lines, sends each to the agent, and shows all that happens in the session, until the person leaves. */
export class Conversation {
  readonly #io: Io;
  readonly #agent: Agent;
  readonly #session: string;
  readonly #lines: Interface;
  readonly #follower: TurnFollower;
  readonly #end = Promise.withResolvers<void>();
  /** The messages whose turns have not ended yet. */
  readonly #pending = new Set<Promise<void>>();
  readonly #unsubscribe: () => void;
  readonly #ignoreInterrupts: () => void;
  #interrupts = 0;
  /** Token of the question that was shown last. */
  #token: string | null = null;
  /** True after `/exit`: later lines are ignored. */
  #exiting = false;
  #leaving = false;

  constructor(io: Io, agent: Agent, session: string) {
    this.#io = io;
    this.#agent = agent;
    this.#session = session;
    this.#follower = new TurnFollower(io, () => null, { json: false, quiet: false });
    this.#lines = createInterface({
      input: io.input,
      output: io.output,
      terminal: this.#isTerminal,
      prompt: this.#isTerminal ? "> " : "",
    });
    this.#unsubscribe = agent.subscribe((event) => this.#show(event));
    this.#ignoreInterrupts = io.onInterrupt((signal) => {
      if (signal === "SIGTERM") this.#leaveAfter(terminationPatience);
      else this.#interrupt();
    });
    this.#lines.on("SIGINT", () => this.#interrupt());
    this.#lines.on("line", (line) => this.#readLine(line));
    this.#lines.on("close", () => this.#endOfInput());
    this.#lines.prompt();
  }

  /** Resolves when the person has left. */
  get ended(): Promise<void> {
    return this.#end.promise;
  }

  get #isTerminal(): boolean {
    return this.#io.input.isTTY === true && this.#io.outIsTerminal;
  }

  #show(event: LoopEvent): void {
    if (event.session === this.#session) {
      if (event.type === "approval-required") this.#token = event.token;
      this.#follower.listen(event);
    } else if (event.type === "approval-required") {
      this.#io.out(`Session ${event.session} asks:\n${formatApprovalQuestion(event, Date.now())}`);
    }
  }

  #readLine(line: string): void {
    if (this.#exiting) return;
    this.#exiting = isExit(line);
    this.#interrupts = 0;
    const earlier = [...this.#pending];
    const work = this.#handleLine(line, earlier)
      .catch((error: unknown) => this.#reportError(error))
      .finally(() => {
        this.#pending.delete(work);
        if (!this.#leaving) this.#lines.prompt();
      });
    this.#pending.add(work);
  }

  /** Without a terminal, `/exit` waits for the messages before it: a pipe ends before its answers come. */
  async #handleLine(line: string, earlier: readonly Promise<void>[]): Promise<void> {
    if (line.trim() === "") return;
    if (isExit(line)) {
      if (!this.#isTerminal) await Promise.allSettled(earlier);
      this.#leave();
      return;
    }
    const text = withToken(line, this.#token);
    const reply = await this.#agent.say({ session: this.#session, text, source: "tui" });
    if (reply.kind !== "turn") {
      this.#io.out(`${reply.text}\n`);
      return;
    }
    await this.#agent.whenSettled(reply.turn);
    await this.#agent.markDelivered(reply.turn);
  }

  #endOfInput(): void {
    if (this.#leaving) return;
    Promise.allSettled([...this.#pending]).then(
      () => this.#leave(),
      (error: unknown) => this.#reportError(error),
    );
  }

  #interrupt(): void {
    this.#interrupts += 1;
    if (this.#interrupts > 1) {
      this.#leaveAfter(0);
      return;
    }
    this.#io.out("\n(Press Ctrl-C again to leave.)\n");
    this.#agent.stop(this.#session).then(
      () => this.#lines.prompt(),
      (error: unknown) => this.#reportError(error),
    );
  }

  /** Leaves; running turns go on in this process until they have ended. */
  #leave(): void {
    if (this.#leaving) return;
    this.#stopReading();
    this.#finish();
  }

  /** Leaves, and gives running turns at most `patience` milliseconds; they continue at the next start. */
  #leaveAfter(patience: number): void {
    if (this.#leaving) return;
    this.#stopReading();
    this.#agent.drain(patience).then(
      () => this.#finish(),
      (error: unknown) => this.#end.reject(error),
    );
  }

  #stopReading(): void {
    this.#leaving = true;
    this.#ignoreInterrupts();
    this.#lines.close();
  }

  #finish(): void {
    this.#unsubscribe();
    this.#end.resolve();
  }

  #reportError(error: unknown): void {
    this.#io.err(`passepartout: ${error instanceof Error ? error.message : String(error)}\n`);
  }
}

/** `/approve` and `/deny` alone answer the question that was shown last. */
function withToken(line: string, token: string | null): string {
  return token !== null && /^\s*\/(approve|deny)\s*$/i.test(line) ? `${line.trim()} ${token}` : line;
}

function isExit(line: string): boolean {
  return /^\s*\/exit\s*$/i.test(line);
}
