import type { Agent } from "../../daemon/agent/agent.ts";
import type { LoopEvent } from "../../signal/loop-event.ts";
import { followTurn } from "./follow-turn.ts";
import { exitCodes, type Io, UsageError } from "./io.ts";
import { parseOptions } from "./options.ts";
import { runInterruptibly, waitForResumedTurns } from "./run-interruptibly.ts";
import { withAgent } from "./with-agent.ts";

/** Says yes to what waits under a token, follows the turn to its end, and has `ask`'s output and exit codes. */
export function approveCommand(io: Io): Promise<number> {
  return decide(io, "approve");
}

/** Says no to what waits under a token. */
export function denyCommand(io: Io): Promise<number> {
  return decide(io, "deny");
}

async function decide(io: Io, kind: "approve" | "deny"): Promise<number> {
  const usage = `passepartout ${kind} [--json] [--quiet] TOKEN`;
  const { values, positionals } = parseOptions({ ...io, args: tokenLast(io.args) }, usage, {
    json: { type: "boolean", default: false },
    quiet: { type: "boolean", default: false },
  });
  const [token, ...more] = positionals;
  if (token === undefined || more.length > 0) throw new UsageError(`One token is needed.\nUsage: ${usage}`);
  const { json, quiet } = values;
  return withAgent(io, "cli", (daemon) => carryOut(io, daemon, { kind, token, json, quiet }));
}

type Deciding = {
  readonly kind: "approve" | "deny";
  readonly token: string;
  readonly json: boolean;
  readonly quiet: boolean;
};

async function carryOut(io: Io, daemon: Agent, { kind, token, json, quiet }: Deciding): Promise<number> {
  if (!quiet) for (const notice of daemon.notices) io.err(`${notice}\n`);
  const waiting = await daemon.findQuestion(token);
  const mine = { turn: waiting?.turn ?? null, session: waiting?.session ?? "" };
  const follower = followTurn(io, () => mine.turn, { json, quiet });
  const early: LoopEvent[] = [];
  const unsubscribe = daemon.subscribe((event) => {
    if (mine.turn === null) early.push(event);
    else if (kind === "approve" || json) follower.listen(event);
  });
  const follow = (turn: string | undefined): void => {
    if (mine.turn !== null || turn === undefined) return;
    mine.turn = turn;
    for (const event of early) follower.listen(event);
  };
  try {
    return await runInterruptibly(
      io,
      daemon,
      () => mine.session,
      async () => {
        const said = await daemon.runCommand({ kind, token }, mine.session);
        if (said.kind === "refused") {
          io.err(`${said.text}\n`);
          return exitCodes.failed;
        }
        if (said.kind === "said") {
          const ended = mine.turn ?? early.find(({ type }) => type === "blocked")?.turn;
          if (json) follow(ended);
          else io.out(`${said.text}\n`);
          if (ended !== undefined) await daemon.markDelivered(ended);
          return exitCodes.done;
        }
        mine.session = said.session;
        follow(said.turn);
        await daemon.whenSettled(said.turn);
        await daemon.markDelivered(said.turn);
        if (follower.exitCode() !== exitCodes.approvalPending) await waitForResumedTurns(io, daemon);
        return follower.exitCode();
      },
    );
  } finally {
    unsubscribe();
  }
}

/** A token may begin with a hyphen, and is no option for that. */
function tokenLast(args: readonly string[]): readonly string[] {
  const isToken = (arg: string): boolean => /^-[\w-]{21}$/.test(arg);
  return args.some(isToken) ? [...args.filter((arg) => !isToken(arg)), "--", ...args.filter(isToken)] : args;
}
