import type { Agent } from "../../daemon/agent/agent.ts";
import type { LoopEvent } from "../../signal/loop-event.ts";
import { TurnFollower } from "./follow-turn.ts";
import { exitCodes, type Io, usageError } from "./io.ts";
import { parseOptions } from "./options.ts";
import { runInterruptibly, waitForResumedTurns } from "./run-interruptibly.ts";
import { withAgent } from "./with-agent.ts";

const approveUsage = `passepartout approve [--json] [--quiet] TOKEN
Says yes to the pending question with this token, and follows its turn to the end, as ask does.
Without TOKEN, it shows the pending questions, with their tokens.
  --json   prints every event of the turn as a line of JSON
  --quiet  prints the answer alone, without progress
Exit codes: those of ask; 1 also where the token is unknown, used or expired.`;

const denyUsage = `passepartout deny [--json] [--quiet] TOKEN
Says no to the pending question with this token. Nothing of it is done.
  --json   prints every event of the turn as a line of JSON
Exit codes: 0 denied, 1 the token is unknown, used or expired, 2 wrong usage.`;

/** Approves the question that waits under a token, follows the turn to its end, and has `ask`'s output and exit codes. */
export function approveCommand(io: Io): Promise<number> {
  return decide(io, "approve", approveUsage);
}

/** Denies the question that waits under a token. */
export function denyCommand(io: Io): Promise<number> {
  return decide(io, "deny", denyUsage);
}

async function decide(io: Io, kind: "approve" | "deny", usage: string): Promise<number> {
  const { values, positionals } = parseOptions({ ...io, args: tokenLast(io.args) }, usage, {
    json: { type: "boolean", default: false },
    quiet: { type: "boolean", default: false },
  });
  const [token, ...more] = positionals;
  if (token === undefined) await withAgent(io, "cli", (agent) => showWhatWaits(io, agent));
  if (token === undefined || more.length > 0) {
    throw usageError("Exactly one token is needed, as the question printed it.", usage);
  }
  const { json, quiet } = values;
  return withAgent(io, "cli", (agent) => sendDecision(io, agent, { kind, token, json, quiet }));
}

/** Shows the open questions as every door shows them. */
async function showWhatWaits(io: Io, agent: Agent): Promise<number> {
  const { text } = await agent.runCommand({ kind: "status" }, "").then((reply) => ({ text: "", ...reply }));
  io.out(`${text}\n`);
  return exitCodes.done;
}

type Decision = {
  readonly kind: "approve" | "deny";
  readonly token: string;
  readonly json: boolean;
  readonly quiet: boolean;
};

async function sendDecision(io: Io, agent: Agent, { kind, token, json, quiet }: Decision): Promise<number> {
  if (!quiet) for (const notice of agent.notices) io.err(`${notice}\n`);
  const waiting = await agent.findQuestion(token);
  const decided = new DecidedTurn(io, waiting, { json, quiet, follows: kind === "approve" || json });
  const unsubscribe = agent.subscribe((event) => decided.listen(event));
  const send = async (): Promise<number> => {
    const reply = await agent.runCommand({ kind, token }, decided.session);
    if (reply.kind === "refused") {
      io.err(`${reply.text}\n`);
      return exitCodes.failed;
    }
    if (reply.kind === "said") {
      const ended = decided.endedTurn;
      if (json) decided.follow(ended);
      else io.out(`${reply.text}\n`);
      if (ended !== undefined) await agent.markDelivered(ended);
      return exitCodes.done;
    }
    decided.session = reply.session;
    decided.follow(reply.turn);
    await agent.whenSettled(reply.turn);
    await agent.markDelivered(reply.turn);
    if (decided.exitCode !== exitCodes.approvalPending) await waitForResumedTurns(io, agent);
    return decided.exitCode;
  };
  try {
    return await runInterruptibly(io, agent, () => decided.session, send);
  } finally {
    unsubscribe();
  }
}

type DecidedTurnOptions = {
  readonly json: boolean;
  readonly quiet: boolean;
  /** Whether the turn is shown while it goes on. */
  readonly follows: boolean;
};

/** The turn that a decision is about. It may be known only after its first events: those are kept until then. */
class DecidedTurn {
  session: string;
  #turn: string | null;
  readonly #follows: boolean;
  readonly #follower: TurnFollower;
  readonly #early: LoopEvent[] = [];

  constructor(
    io: Io,
    waiting: { readonly turn: string; readonly session: string } | null,
    { json, quiet, follows }: DecidedTurnOptions,
  ) {
    this.session = waiting?.session ?? "";
    this.#turn = waiting?.turn ?? null;
    this.#follows = follows;
    this.#follower = new TurnFollower(io, () => this.#turn, { json, quiet });
  }

  get exitCode(): number {
    return this.#follower.exitCode;
  }

  /** The turn that the decision ended, where it is known. */
  get endedTurn(): string | undefined {
    return this.#turn ?? this.#early.find(({ type }) => type === "blocked")?.turn;
  }

  listen(event: LoopEvent): void {
    if (this.#turn === null) this.#early.push(event);
    else if (this.#follows) this.#follower.listen(event);
  }

  /** Follows a turn, with the events that came before it was known. */
  follow(turn: string | undefined): void {
    if (this.#turn !== null || turn === undefined) return;
    this.#turn = turn;
    for (const event of this.#early) this.#follower.listen(event);
  }
}

/** A token may begin with a hyphen, and is not an option then. */
function tokenLast(args: readonly string[]): readonly string[] {
  const isToken = (arg: string): boolean => /^-[\w-]{21}$/.test(arg);
  return args.some(isToken) ? [...args.filter((arg) => !isToken(arg)), "--", ...args.filter(isToken)] : args;
}
