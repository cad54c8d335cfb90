import type { State } from "../../../memory/state/state.ts";
import { contextText } from "../../../reason/prompt/assemble-context.ts";
import { type Context, emptyContext } from "../../../reason/prompt/context.ts";
import type { LiveState } from "../../../reason/prompt/live-state.ts";
import { readFileFocus } from "../../../signal/file-focus.ts";
import { isHeartbeat, isTextRequest } from "../../../signal/signal.ts";
import { subTaskOf } from "../../../signal/sub-task.ts";
import type { Turn } from "../../../signal/turn.ts";
import type { Clock } from "../../../text/clock.ts";
import type { PromptContextRequest } from "./notes-context.ts";

/** What the live part of a prompt is gathered from. */
export type LiveStateParts = {
  readonly state: Pick<State, "sessions" | "turns" | "approvals">;
  readonly clock: Clock;
  /** The part of the notes that goes with some words. */
  readonly context: (request: PromptContextRequest) => Promise<Context>;
  /** Told what is shown of the notes. */
  readonly onContext: (session: string, context: Context) => void;
  readonly lostNotes: () => Promise<readonly string[]>;
  readonly appointments: () => Promise<NonNullable<LiveState["appointments"]>>;
  /** How many rules of the owner are in force. */
  readonly rules: () => number;
  /** What a skill has to say to the model in a turn. */
  readonly taught: (turn: Turn) => Promise<LiveState["taught"]>;
  /** How many endings of turns the logs show. */
  readonly logLimit: number;
};

/** Milliseconds that providers keep a prompt in their caches. */
const cachedFor = 5 * 60_000;
/** How many turns what was gathered for them is kept of; the oldest go first. */
const mostGathered = 64;

/**
 * Gathers what changes between two turns: the notes that go with the words, logs, time and numbers; at a
 * heartbeat no notes, since nobody spoke, and in a sub-task only those that its words name. The steps of a
 * turn get the same, so that each
 * prompt begins like the one before it, until no provider has that one in its cache any more.
 */
export function makeLiveState(parts: LiveStateParts): (turn: Turn) => Promise<LiveState> {
  const gathered = new Map<string, { readonly at: number; readonly live: Promise<LiveState> }>();
  return (turn) => {
    const now = parts.clock();
    for (const [id, { at }] of gathered) {
      if (Math.abs(now - at) <= cachedFor && gathered.size < mostGathered) break;
      gathered.delete(id);
    }
    const known = gathered.get(turn.id);
    if (known !== undefined) return known.live;
    const live = gatherLiveState(parts, turn);
    gathered.set(turn.id, { at: now, live });
    live.catch(() => gathered.delete(turn.id));
    return live;
  };
}

async function gatherLiveState(parts: LiveStateParts, turn: Turn): Promise<LiveState> {
  const { state } = parts;
  const session = await state.sessions.get(turn.session);
  const endings = await state.turns.endings(turn.session, parts.logLimit);
  const now = parts.clock();
  const isBare = isTextRequest(turn.signal);
  const isDelegated = subTaskOf(turn.signal) !== null;
  const hasNoContext = isBare || isHeartbeat(turn.signal);
  const { text: words, label } = turn.signal;
  const context = hasNoContext
    ? emptyContext
    : await parts.context({ words, focus: session?.focus ?? null, namedOnly: isDelegated, label });
  const lookedAt = hasNoContext || isDelegated ? null : readFileFocus(session?.focus ?? null);
  parts.onContext(turn.session, context);
  const privateContext = contextText(context, "private");
  return {
    context: contextText(context, "public"),
    privateContext: privateContext.text === "" ? null : privateContext,
    logs: [...endings].map(([code, count]) => ({ code, count })),
    time: { now, sessionStart: session?.createdAt ?? now, zoneMinutes: -new Date(now).getTimezoneOffset() },
    appointments: hasNoContext || isDelegated ? [] : await parts.appointments(),
    lostNotes: hasNoContext || isDelegated ? [] : await parts.lostNotes(),
    ...(lookedAt === null ? {} : { lookedAt }),
    rules: parts.rules(),
    taught: isBare ? [] : await parts.taught(turn),
    pendingApprovals: (await state.approvals.open()).length,
  };
}
