import type { Agent } from "../../daemon/agent/resources/agent.ts";
import type { Io } from "../../kernel/io.ts";
import { askForHiddenOf, canAskHidden } from "../../program/answer-hidden.ts";
import { type TurnDisplayOptions, TurnFollower } from "../../program/follow-turn.ts";
import { exitCodes, usageError } from "../../program/io.ts";
import { parseCommand } from "../../program/options.ts";
import { runInterruptibly, waitForOtherTurns } from "../../program/run-interruptibly.ts";
import { withAgent } from "../../program/with-agent.ts";
import type { LoopEvent } from "../../signal/loop-event.ts";
import { approveSpec, denySpec } from "../table/own-specs.ts";

/** Approves the question that waits under a token, follows the turn to its end, and has `ask`'s output and exit codes. */
export function approveCommand(io: Io): Promise<number> {
  return decide(io, approveSpec, (token, more) => {
    const [word, ...others] = more;
    if (word === undefined) return { kind: "approve", token };
    return word.toLowerCase() === "value" && others.length === 0
      ? { kind: "approve", token, value: true }
      : "Only a token is needed, as the question printed it, and after it nothing or: value.";
  });
}

/** Denies the question that waits under a token, and follows the turn to its end. */
export function denyCommand(io: Io): Promise<number> {
  return decide(io, denySpec, (token, [because, ...words]) => {
    if (because === undefined) return { kind: "deny", token, reason: null };
    const reason = words.join(" ").trim();
    return because.toLowerCase() === "because" && reason !== ""
      ? { kind: "deny", token, reason }
      : "Only a token is needed, as the question printed it, and after it a reason: because REASON.";
  });
}

type Decision =
  | { readonly kind: "approve"; readonly token: string; readonly value?: true }
  | { readonly kind: "deny"; readonly token: string; readonly reason: string | null };
/** Reads a decision from a token and the words after it; gives what is wrong with them in words. */
type ReadDecision = (token: string, more: readonly string[]) => Decision | string;

async function decide(
  io: Io,
  spec: typeof approveSpec | typeof denySpec,
  read: ReadDecision,
): Promise<number> {
  const { values, words } = parseCommand({ ...io, args: tokenBehindOptions(io.args) }, spec);
  const [token, ...more] = words;
  if (token === undefined) {
    const show = (agent: Agent): Promise<number> => showQuestions(io, agent, values.json);
    return withAgent(io, "cli", show, { isLookup: true });
  }
  const decision = /^\d{1,3}$/.test(token) ? notByNumber : read(token, more);
  if (typeof decision === "string") throw usageError(decision, spec);
  const asksHidden = !values.json && canAskHidden(io);
  return withAgent(io, "cli", (agent) => sendDecision(io, agent, decision, values), { asksHidden });
}

const notByNumber =
  "A question is named by its token: a number could stand for another question by now. Without a token, the questions are listed.";

/** Shows the open questions as every door shows them. */
async function showQuestions(io: Io, agent: Agent, json: boolean): Promise<number> {
  const reply = await agent.runCommand({ kind: "questions" }, "");
  if (reply.kind === "turn") return exitCodes.failed;
  const { code, text } = reply;
  io.out(json ? `${JSON.stringify({ code, text })}\n` : `${text}\n`);
  if (reply.kind === "refused") return exitCodes.failed;
  return reply.code === "questions" ? exitCodes.approvalPending : exitCodes.done;
}

async function sendDecision(
  io: Io,
  agent: Agent,
  decision: Decision,
  { json, quiet }: { readonly json: boolean; readonly quiet: boolean },
): Promise<number> {
  if (!quiet) for (const notice of agent.notices) io.err(`${notice}\n`);
  const waiting = await agent.findQuestion(decision.token);
  const decided = new DecidedTurn(io, waiting, { json, quiet });
  const unsubscribe = agent.subscribe((event) => decided.listen(event));
  const endAsking = askForHiddenOf(io, agent, {
    sees: ({ session }) => session === decided.session,
    json,
  });
  const send = async (): Promise<number> => {
    const reply = await agent.runCommand(decision, decided.session);
    if (reply.kind === "refused") {
      io.err(`${reply.text}\n`);
      return exitCodes.failed;
    }
    if (reply.kind === "said") {
      const ended = decided.endedTurn;
      if (!json) io.out(`${reply.text}\n`);
      else if (ended !== undefined) decided.follow(ended);
      if (ended !== undefined) await agent.markDelivered(ended);
      return exitCodes.done;
    }
    decided.session = reply.session;
    decided.follow(reply.turn);
    await agent.whenSettled(reply.turn);
    await agent.markDelivered(reply.turn);
    if (decided.exitCode !== exitCodes.approvalPending) await waitForOtherTurns(io, agent);
    return decided.exitCode;
  };
  try {
    return await runInterruptibly(io, agent, () => decided.session, send);
  } finally {
    unsubscribe();
    await endAsking();
  }
}

/** The turn that a decision is about. What happens in it before the decision was replied to is kept until then. */
class DecidedTurn {
  session: string;
  readonly #waiting: string | null;
  readonly #follower: TurnFollower;
  readonly #early: LoopEvent[] = [];
  #turn: string | null = null;

  constructor(
    io: Io,
    waiting: { readonly turn: string; readonly session: string } | null,
    options: TurnDisplayOptions,
  ) {
    this.session = waiting?.session ?? "";
    this.#waiting = waiting?.turn ?? null;
    this.#follower = new TurnFollower(io, () => this.#turn, options);
  }

  get exitCode(): number {
    return this.#follower.exitCode;
  }

  /** The turn that the decision ended, where it is known. */
  get endedTurn(): string | undefined {
    return this.#waiting ?? this.#early.find(({ type }) => type === "blocked")?.turn;
  }

  listen(event: LoopEvent): void {
    if (this.#turn === null) this.#early.push(event);
    else this.#follower.listen(event);
  }

  /** Follows a turn, with the events that came before. */
  follow(turn: string): void {
    this.#turn = turn;
    for (const event of this.#early.splice(0)) this.#follower.listen(event);
  }
}

/** A token may begin with a hyphen, and is not an option then. */
function tokenBehindOptions(args: readonly string[]): readonly string[] {
  if (!args.some((arg) => /^-[\w-]{21}$/.test(arg) && !arg.startsWith("--"))) return args;
  const isOption = (arg: string): boolean => arg.startsWith("--");
  return [...args.filter(isOption), "--", ...args.filter((arg) => !isOption(arg))];
}
