import type { State } from "../memory/state/state.ts";
import type { OwnerCommand } from "../perceive/commands.ts";
import type { LoopEvent, LoopListener } from "../signal/loop-event.ts";
import type { Signal, Source } from "../signal/signal.ts";
import { isFinal, type Turn } from "../signal/turn.ts";
import type { WaitedFor } from "../signal/waiting.ts";
import type { Wait } from "../text/clock.ts";
import { pushAll } from "../text/lists.ts";
import { type AnswerApprovalParts, ApprovalAnswers } from "./answer-approval.ts";
import { CallQueue } from "./call-queue.ts";
import { expireApprovals } from "./expire-approvals.ts";
import type { FileLocks } from "./file-locks.ts";
import { journalEndedPlans } from "./journal-ended-plans.ts";
import type { RecoverTurnParts } from "./recover-turn.ts";
import { DeferredEditResumer } from "./resume-deferred-edits.ts";
import { type RunOtherCommand, runLoopCommand } from "./run-loop-command.ts";
import { type RunTurnParts, runTurn } from "./run-turn.ts";
import { RunningTurns } from "./running-turns.ts";
import { type StopSessionParts, stopSession, stopTurn } from "./stop-session.ts";
import type { SubmitResult } from "./submit-result.ts";
import { submitSignal } from "./submit-signal.ts";
import { type PausedTurns, TurnQueue } from "./turn-queue.ts";

/** What a loop is opened with: every power that a step needs of another room. */
export type LoopParts = Omit<
  RunTurnParts & RecoverTurnParts,
  "takenBackInPart" | "emit" | "closing" | "running" | "queue" | "calls"
> & {
  readonly state: State;
  readonly locks: FileLocks;
  readonly command: RunOtherCommand;
  readonly endPrograms: StopSessionParts["endPrograms"];
  readonly observeAnswer: AnswerApprovalParts["observeAnswer"];
  /** The depth at which the turn of a signal stops. */
  readonly depthLimit: (signal: Signal) => number;
  readonly wait: Wait;
};

type CallerOf = Parameters<LoopParts["callerOf"]>;

/** The loop that runs turns, as the agent uses it. */
export type Loop = {
  /** Accepts a signal; it is on disk when this resolves. */
  readonly submit: (signal: Signal) => Promise<SubmitResult>;
  /** Runs a recognised command; it overtakes the queue. */
  readonly runCommand: (command: OwnerCommand, signal: Signal) => Promise<SubmitResult>;
  readonly subscribe: (listener: LoopListener) => () => void;
  /** Resolves when the turn is final or suspended. */
  readonly whenSettled: (turn: string) => Promise<void>;
  /** Ends what has become due, such as questions that nobody answered in time, and resumes what was left behind. */
  readonly beat: () => Promise<void>;
  /** Resolves when no turn runs or waits to run. */
  readonly whenIdle: () => Promise<void>;
  /**
   * Begins no turn that a person started, until it is resumed. What is said meanwhile is accepted, and waits
   * on disk.
   */
  readonly pauseTurns: () => PausedTurns;
  /**
   * Resumes every turn that a former process left unfinished. Gives what the person must be told.
   * `takenBackInPart`: the change sets of which only a part could be taken back.
   */
  readonly resume: (takenBackInPart: ReadonlySet<string>) => Promise<readonly string[]>;
  /** Makes the deferred edits whose files were released. */
  readonly resumeDeferredEdits: () => Promise<void>;
  /** Cancels the model call and any running tool of the session at once, and what is queued behind; questions that wait stay. False where nothing ran. */
  readonly stop: (session: string) => Promise<boolean>;
  /** Cancels one turn, or ends it where it waits. False where it was over. */
  readonly stopTurn: (turn: string) => Promise<boolean>;
  /** Accepts nothing more, waits at most so many milliseconds for what runs, and leaves the rest on disk to be resumed. */
  readonly drain: (milliseconds: number) => Promise<void>;
  /** Shows words to the clients of a session whose turn is running and came over this channel; false where none is. */
  readonly tell: (session: string, channel: Source, text: string) => boolean;
  /** Tells the clients of a session whose turn is running how its work goes on. */
  readonly notice: (session: string, text: string) => void;
};

/** Milliseconds that cancelled turns get to end when the loop closes. */
const cancelGrace = 1000;

/** Opens the loop: turns run one at a time in a session, sessions side by side. */
export function openLoop(given: LoopParts): Loop {
  const closing = new AbortController();
  const listeners = new EventListeners(given.report);
  const running = new RunningTurns();
  const queue: TurnQueue = new TurnQueue({
    report: given.report,
    async run(id) {
      await runTurn(parts, id);
      await edits.resume();
    },
  });
  const parts = {
    ...given,
    callerOf: async (...of: CallerOf) => ({ ...(await given.callerOf(...of)), ...waitingFor(of[0], parts) }),
    closing: closing.signal,
    running,
    queue,
    calls: new CallQueue(),
    emit: listeners.emit.bind(listeners),
  };
  const edits = new DeferredEditResumer(parts);
  const approvals = new ApprovalAnswers(parts);
  return {
    submit: (signal) => submitSignal(parts, signal),
    runCommand: (command, signal) => runLoopCommand({ ...parts, approvals }, command, signal),
    subscribe: (listener) => listeners.subscribe(listener),
    whenSettled: (turn) => whenSettled(parts, turn),
    async beat() {
      await expireApprovals(parts);
      await journalEndedPlans(parts);
      if (!closing.signal.aborted) await queueUnfinished(parts);
      await edits.resume();
    },
    whenIdle: () => queue.whenIdle(),
    pauseTurns: () => queue.pause(),
    async resume(takenBackInPart) {
      const reports = await recoverUnfinished({ ...parts, takenBackInPart });
      await edits.resume();
      return reports;
    },
    resumeDeferredEdits: () => edits.resume(),
    stop: (session) => stopSession(parts, session, { questionsToo: false }),
    stopTurn: (turn) => stopTurn(parts, turn),
    async drain(milliseconds) {
      closing.abort(new Error("closing"));
      queue.resume();
      parts.locks.watch([]);
      await queue.settleWithin(milliseconds, parts.wait);
      running.cancelAll(closing.signal.reason);
      await queue.settleWithin(cancelGrace, parts.wait);
    },
    notice: (session, text) => noticeTo(parts, session, text),
    tell(session, channel, text) {
      const turn = running.inSession(session)?.turn;
      if (turn?.signal.source !== channel) return false;
      parts.emit({ type: "text", session, turn: turn.id, text: `${text}\n`, reset: false });
      return true;
    },
  };
}

/** Whoever waits for the call of a turn, while it runs. */
function waitingFor(
  { id, session }: Turn,
  parts: Pick<RunTurnParts, "running" | "emit" | "filter">,
): WaitedFor {
  const current = parts.running.inSession(session);
  if (current?.turn.id !== id) return {};
  return {
    waiting: { cancel: current.cancel.signal, notice: (text) => noticeTo(parts, session, text) },
  };
}

function noticeTo(
  { running, emit, filter }: Pick<RunTurnParts, "running" | "emit" | "filter">,
  session: string,
  text: string,
): void {
  const turn = running.inSession(session)?.turn;
  if (turn !== undefined)
    emit({ type: "thinking", session, turn: turn.id, depth: turn.depth, text: filter(text) });
}

type QueueParts = RecoverTurnParts & { readonly state: Pick<State, "turns">; readonly queue: TurnQueue };

/** Resolves when a turn has ended, or neither runs nor waits to run. */
async function whenSettled({ state, queue }: Pick<QueueParts, "state" | "queue">, id: string): Promise<void> {
  for (;;) {
    const turn = await state.turns.get(id);
    if (turn === null || isFinal(turn.state)) return;
    const end = queue.endOf(id);
    if (end === undefined) return;
    await end;
  }
}

async function queueUnfinished({ state, queue }: Pick<QueueParts, "state" | "queue">): Promise<void> {
  for (const turn of await state.turns.unfinished()) if (turn.state !== "suspended") queue.addOnce(turn);
}

/**
 * Decides about every turn before the first goes on, which may change the files that the next one is decided
 * by.
 */
async function recoverUnfinished(parts: QueueParts): Promise<readonly string[]> {
  const reports: string[] = [];
  const going: Turn[] = [];
  for (const turn of await parts.state.turns.unfinished()) {
    const { recoverTurn } = await import("./recover-turn.ts");
    const recovery = await recoverTurn(parts, turn);
    pushAll(reports, recovery.reports);
    if (recovery.runs) going.push(turn);
  }
  for (const turn of going) parts.queue.add(turn);
  return reports;
}

/** The listeners of a loop. A listener that throws is reported; the turn and the other listeners go on. */
class EventListeners {
  readonly #listeners = new Set<LoopListener>();
  readonly #report: (message: string) => void;

  constructor(report: (message: string) => void) {
    this.#report = report;
  }

  /** Adds a listener; gives the function that removes it. */
  subscribe(listener: LoopListener): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  emit(event: LoopEvent): void {
    for (const listener of [...this.#listeners]) {
      try {
        listener(event);
      } catch (error) {
        this.#report(`A client's listener failed on ${event.type}: ${String(error)}`);
      }
    }
  }
}
