import type { State } from "../memory/state/state.ts";
import type { OwnerCommand } from "../perceive/commands.ts";
import type { Clock } from "../signal/clock.ts";
import type { LoopEvent, LoopListener } from "../signal/loop-event.ts";
import type { Signal, Source } from "../signal/signal.ts";
import { isFinal } from "../signal/turn.ts";
import { driveTurn } from "./drive-turn.ts";
import { expireQuestion, finishTurn } from "./end-turn.ts";
import { type CrashParts, handleCrash } from "./handle-crash.ts";
import { recoverTurn } from "./recover-turn.ts";
import { makeDeferredEditResumer } from "./resume-deferred-edits.ts";
import type { DriveParts } from "./turn-ports.ts";

export type LoopParts = Omit<DriveParts, "emit" | "stopping"> & {
  readonly state: State;
  readonly clock: Clock;
  readonly crash: CrashParts;
  /** Carries out a command that is not about a turn under way (`/undo`, `/search`, …) and gives what it came to as a word and the text to show. */
  readonly command: (
    command: OwnerCommand,
    signal: Signal,
  ) => Promise<{ readonly code: string; readonly text: string }>;
  /** Tells of what went wrong outside any turn. */
  readonly report: (message: string) => void;
};

/** What became of something that was said to the loop. */
export type SubmitResult =
  | { readonly kind: "turn"; readonly turn: string; readonly session: string; readonly fresh: boolean }
  /** `code` says as a word what the words say. */
  | {
      readonly kind: "said";
      readonly code: string;
      readonly text: string;
      /** The number of a snapshot that was taken. */
      readonly snapshot?: string;
    }
  | { readonly kind: "refused"; readonly code: string; readonly text: string };

/** The answer to an id of a client's that stands for something else already. */
export const idTakenRefusal: SubmitResult = {
  kind: "refused",
  code: "id-taken",
  text: "This :ID was used in this session for something else, so nothing was done. Send it again under a new, random :ID.",
};

export type Loop = {
  /** Takes a signal in; it is on disk when this resolves. */
  readonly submit: (signal: Signal) => Promise<SubmitResult>;
  /** Carries out a recognised command; it overtakes the queue. */
  readonly runCommand: (command: OwnerCommand, signal: Signal) => Promise<SubmitResult>;
  readonly subscribe: (listener: LoopListener) => () => void;
  /** Resolves when the turn is final or suspended. */
  readonly whenSettled: (turn: string) => Promise<void>;
  /** Ends what has become due, such as questions that nobody answered in time, and takes up what was left behind. */
  readonly beat: () => Promise<void>;
  /** Resolves when no turn runs or waits to run. */
  readonly whenIdle: () => Promise<void>;
  /** Takes up every turn that a former process left unfinished. */
  readonly resume: () => Promise<readonly string[]>;
  /** Looks for files that editors let go of, and makes the edits that waited for them. */
  readonly resumeDeferredEdits: () => Promise<void>;
  /** Cancels the model call and any running tool of the session at once, and what is queued behind; questions that wait stay. False where nothing ran. */
  readonly stop: (session: string) => Promise<boolean>;
  /** Takes nothing more in, waits at most `ms` for what runs, and leaves the rest on disk to be resumed. */
  readonly drain: (ms: number) => Promise<void>;
  /** Shows words to the clients of a session whose turn is running and came over this channel; false where none is. */
  readonly tell: (session: string, channel: Source, text: string) => boolean;
};

type Running = {
  readonly turn: string;
  readonly session: string;
  readonly source: Source;
  readonly cancel: AbortController;
};

/** Runs turns: one at a time in a session, sessions side by side. The only part that knows the order of the stages (with `driveTurn`). */
export function openLoop(parts: LoopParts): Loop {
  const listeners = new Set<LoopListener>();
  const queues = new Map<string, Promise<void>>();
  const running = new Map<string, Running>();
  /** Turns that run or wait to run, each with its end. */
  const active = new Map<string, Promise<void>>();
  const decisions = { last: Promise.resolve() as Promise<unknown> };
  const stopping = new AbortController();

  const emit = (event: LoopEvent): void => {
    for (const listener of [...listeners]) {
      try {
        listener(event);
      } catch (error) {
        parts.report(`A client's listener failed on ${event.type}: ${String(error)}`);
      }
    }
  };
  const drive: DriveParts = { ...parts, emit, stopping: stopping.signal };

  /** Where not even the crash can be written down, the clients are told, and the turn is taken up again at a later beat. */
  const crashed = async (id: string, error: unknown): Promise<void> => {
    try {
      await handleCrash({ ...parts.crash, drive }, id, error);
    } catch (fault) {
      const why = parts.filter(fault instanceof Error ? fault.message : String(fault));
      parts.report(`The end of turn ${id} could not be kept: ${why}`);
      const session = [...running.values()].find(({ turn }) => turn === id)?.session ?? "";
      const reason = `Something failed inside, and its end could not be kept: ${why}. It is taken up again when that is possible.`;
      emit({ type: "failed", session, turn: id, code: "loop-error", reason });
    }
  };

  const run = async (id: string): Promise<void> => {
    const turn = await parts.state.turns.get(id);
    if (turn === null || isFinal(turn.state) || stopping.signal.aborted) return;
    if (turn.state === "suspended" && turn.approved === null) return;
    const cancel = new AbortController();
    running.set(turn.session, { turn: id, session: turn.session, source: turn.signal.source, cancel });
    try {
      await driveTurn(drive, turn, cancel.signal);
    } catch (error) {
      await crashed(id, error);
    } finally {
      running.delete(turn.session);
    }
    await resumeDeferredEdits();
  };

  const enqueue = (session: string, id: string): void => {
    const before = queues.get(session) ?? Promise.resolve();
    const next = before
      .then(() => run(id))
      .catch((error: unknown) => parts.report(`Turn ${id} failed: ${String(error)}`));
    queues.set(session, next);
    active.set(id, next);
    void next.finally(() => {
      if (active.get(id) === next) active.delete(id);
      if (queues.get(session) === next) queues.delete(session);
    });
  };

  const expireQuestions = async (): Promise<void> => {
    for (const id of await parts.state.approvals.suspendedPastExpiry(parts.clock())) {
      const turn = await parts.state.turns.get(id);
      if (turn !== null) await expireQuestion(drive, turn);
    }
  };

  const resumeUnfinished = async (): Promise<void> => {
    if (stopping.signal.aborted) return;
    for (const turn of await parts.state.turns.unfinished()) {
      if (turn.state !== "suspended" && !active.has(turn.id)) enqueue(turn.session, turn.id);
    }
  };

  const resumeDeferredEdits = makeDeferredEditResumer({
    ...parts,
    stopping: stopping.signal,
    begin(turn) {
      if (turn.state !== "suspended" && !active.has(turn.id)) enqueue(turn.session, turn.id);
    },
  });

  const untilAllOr = async (ms: number): Promise<void> => {
    const over = new AbortController();
    const all = Promise.allSettled([...queues.values()]);
    await Promise.race([all, parts.wait(ms, over.signal)]);
    over.abort();
  };

  /** Two answers to one question never meet: the first counts, the others hear that it was used. */
  const oneByOne = <T>(act: () => Promise<T>): Promise<T> => {
    const done = decisions.last.then(act);
    decisions.last = Promise.allSettled([done]);
    return done;
  };

  const decide = async (
    command: OwnerCommand & { readonly kind: "approve" | "deny" },
  ): Promise<SubmitResult> => {
    const approval = await parts.state.approvals.byToken(command.token);
    const refused = (why: string): SubmitResult => ({
      kind: "refused",
      code: "bad-token",
      text: `This token ${why}. /status lists what waits.`,
    });
    if (approval === null) return refused("is not known");
    const turn = await parts.state.turns.get(approval.turn);
    if (approval.state === "expired") {
      if (turn !== null) await expireQuestion(drive, turn);
      return refused("has expired, which means no");
    }
    if (approval.state !== "open") return refused(`was used or has ended (${approval.state})`);
    if (turn === null || turn.state !== "suspended") return refused("belongs to a turn that has ended");
    const journal = { turn: turn.id, session: turn.session, digest: approval.digest };
    if (command.kind === "deny") {
      await parts.journal({ ...journal, kind: "approval", detail: { answer: "no" } });
      await finishTurn(drive, turn, {
        state: "blocked",
        code: "denied",
        text: "You said no. Nothing of it was done.",
        closeApproval: { tokenHash: approval.tokenHash, state: "denied" },
      });
      return { kind: "said", code: "denied", text: "Denied. Nothing of it was done." };
    }
    await parts.journal({ ...journal, kind: "approval", detail: { answer: "yes" } });
    await parts.state.commit({
      turn: {
        ...turn,
        state: "judging",
        approved: { digest: approval.digest, by: approval.tokenHash, codes: approval.codes },
        updatedAt: parts.clock(),
      },
      closeApproval: { tokenHash: approval.tokenHash, state: "approved" },
    });
    enqueue(turn.session, turn.id);
    return { kind: "turn", turn: turn.id, session: turn.session, fresh: true };
  };

  const stop = async (session: string, what: "what runs" | "questions too"): Promise<boolean> => {
    const current = running.get(session);
    current?.cancel.abort(new Error("stopped by the owner"));
    let any = current !== undefined;
    for (const turn of await parts.state.turns.unfinished()) {
      if (turn.session !== session || turn.id === current?.turn) continue;
      if (turn.state === "suspended" && what === "what runs") continue;
      any = true;
      await finishTurn(drive, turn, {
        state: "stopped",
        code: "stopped",
        text: `Stopped before it was begun or decided: ${turn.signal.text.slice(0, 80)}`,
      });
    }
    return any;
  };

  return {
    async submit(signal) {
      if (stopping.signal.aborted) {
        return {
          kind: "refused",
          code: "closing",
          text: "Passepartout is closing. Say it again after the next start.",
        };
      }
      if (!startsTurn(signal)) {
        await parts.journal({ kind: "note", session: signal.session, detail: { event: signal.sensor } });
        return { kind: "said", code: "noted", text: "Noted." };
      }
      await expireQuestions();
      const kept = withoutKeys(signal, parts.maskKeys);
      const { session, clientId } = signal;
      if (clientId !== null && (await parts.state.requests.has({ session, client: clientId })))
        return idTakenRefusal;
      const { turn, fresh, clash } = await parts.state.accept(kept, parts.depthLimit(signal));
      if (clash === true) return idTakenRefusal;
      emit({ type: "accepted", session: turn.session, turn: turn.id, id: signal.clientId ?? signal.id });
      if (fresh) enqueue(turn.session, turn.id);
      return { kind: "turn", turn: turn.id, session: turn.session, fresh };
    },
    async runCommand(command, signal) {
      switch (command.kind) {
        case "approve":
        case "deny":
          return oneByOne(() => decide({ ...command, kind: command.kind }));
        case "stop":
          return (await stop(signal.session, "questions too"))
            ? { kind: "said", code: "stopped", text: "Stopped." }
            : { kind: "said", code: "idle", text: "Nothing was running or waiting in this session." };
        case "help":
        case "exit":
        case "status":
        case "undo":
        case "rollback":
        case "focus":
        case "trust":
        case "forget":
        case "search":
        case "note":
        case "continue":
        case "unknown-command":
        case "misused-command":
          return { kind: "said", ...(await parts.command(command, signal)) };
      }
    },
    subscribe(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    async whenSettled(id) {
      for (;;) {
        const turn = await parts.state.turns.get(id);
        if (turn === null || isFinal(turn.state)) return;
        const end = active.get(id);
        if (end === undefined) return;
        await end;
      }
    },
    async beat() {
      await expireQuestions();
      await resumeUnfinished();
      await resumeDeferredEdits();
    },
    async whenIdle() {
      while (queues.size > 0) await Promise.allSettled([...queues.values()]);
    },
    async resume() {
      const reports: string[] = [];
      for (const turn of await parts.state.turns.unfinished()) {
        const recovered = await recoverTurn(drive, turn);
        reports.push(...recovered.reports);
        if (recovered.runs) enqueue(turn.session, turn.id);
      }
      await resumeDeferredEdits();
      return reports;
    },
    resumeDeferredEdits,
    stop: (session) => stop(session, "what runs"),
    tell(session, channel, text) {
      const current = running.get(session);
      if (current?.source !== channel) return false;
      emit({ type: "text", session, turn: current.turn, text: `${text}\n`, reset: false });
      return true;
    },
    async drain(ms) {
      stopping.abort(new Error("closing"));
      parts.locks.watch([]);
      await untilAllOr(ms);
      for (const { cancel } of running.values()) cancel.abort(stopping.signal.reason);
      await untilAllOr(1000);
    },
  };
}

/** Only what a person says is thought about; every other perception is recorded and passes through. */
function startsTurn({ sensor }: Signal): boolean {
  return sensor === "user-input" || sensor === "chat-message";
}

/** A key that somebody types is in nothing that is kept or sent. */
function withoutKeys(signal: Signal, maskKeys: (text: string) => string): Signal {
  const text = maskKeys(signal.text);
  return text === signal.text ? signal : { ...signal, text, payload: { ...signal.payload, text } };
}
