import { randomUUID } from "node:crypto";
import { existsSync, realpathSync, statSync } from "node:fs";
import { join } from "node:path";
import { findSandbox } from "../../act/sandbox/bubblewrap.ts";
import { openOwnNotes } from "../../memory/notes/open-own-notes.ts";
import type { OutboxAnswer } from "../../memory/state/outbox.ts";
import type { State } from "../../memory/state/state.ts";
import { StateProblem } from "../../memory/storage/state-problem.ts";
import { type OwnerCommand, recogniseCommand } from "../../perceive/commands.ts";
import { perceiveInput } from "../../perceive/perceive-input.ts";
import type { Policy } from "../../settings/policy.ts";
import type { StartContext } from "../../settings/start-context.ts";
import type { Approval } from "../../signal/approval.ts";
import type { LoopEvent } from "../../signal/loop-event.ts";
import type { Signal, Source } from "../../signal/signal.ts";
import { makeRunOnce, type RunOnce } from "../../turn/idempotent-requests.ts";
import { maskAction } from "../../turn/mask-values.ts";
import type { SubmitResult } from "../../turn/submit-result.ts";
import type { Loop } from "../../turn/turn-loop.ts";
import type { AnswerDetails } from "../../wire/codec/loop-events.ts";
import type { Agent } from "./agent.ts";
import { buildLoop } from "./build-loop.ts";
import { makeJournalPort } from "./journal-port.ts";
import { openOwnSemanticIndex } from "./open-own-semantic-index.ts";
import { removePartialWrites } from "./remove-partial-writes.ts";

/** The agent in this process: what clients of the wire need beside what a command needs. */
export type LocalAgent = Omit<Agent, "openSession" | "undelivered"> & {
  /** `workspace` is the client's folder; where it is not given, that of this process. */
  readonly openSession: (wanted: {
    readonly name: string | null;
    readonly latest: boolean;
    readonly source: Source;
    readonly workspace?: string | null;
  }) => Promise<string>;
  /** The session of that id or name, or a new one of that name. */
  readonly resolveSession: (
    named: string,
    client: { readonly source: Source; readonly workspace: string | null },
  ) => Promise<string>;
  readonly undelivered: (session: string) => Promise<readonly OutboxAnswer[]>;
  /** The session of a turn; null for a turn that is not kept. */
  readonly sessionOf: (turn: string) => Promise<string | null>;
  /** How a turn stands, as the event that says so: its end, or its open question with a further token; null while it goes on. */
  readonly turnStatus: (turn: string) => Promise<LoopEvent | null>;
  readonly handleSignal: (signal: Signal) => Promise<SubmitResult>;
  readonly runOnce: RunOnce;
  /** The questions that wait for the owner. */
  readonly openQuestions: () => Promise<readonly Pick<Approval, "turn" | "expiresAt">[]>;
  readonly figures: (session: string) => Promise<Omit<AnswerDetails, "source" | "trace">>;
  /** Notes in the journal that something was said which is never acted on. */
  readonly recordEvent: (event: string, session: string) => Promise<void>;
  readonly beat: Loop["beat"];
  /** Brings the index over the notes up to date in the background, and keeps it so. */
  readonly watchNotes: () => void;
  /** False once the state folder that was opened is not in its place any more: then nothing that is said can be kept. */
  readonly isStateIntact: () => boolean;
  /** Resolves, with words that say what to do, when a beat or whoever wanted to keep something found the state gone. */
  readonly stateGone: Promise<string>;
  readonly report: (message: string) => void;
  readonly newId: () => string;
  readonly now: () => number;
};

/** What the agent is opened with. */
export type LocalAgentParts = {
  readonly start: StartContext;
  readonly policy: Policy;
  /** Opened for writing; the agent closes it. */
  readonly state: State;
  /** The folder that sessions of this process work in; null where only clients bring theirs. */
  readonly folder: string | null;
};

/** Opens the agent on this user's state in this process, and takes up what a former one left. */
export async function openLocalAgent(parts: LocalAgentParts): Promise<LocalAgent> {
  const { start, policy, folder } = parts;
  const clock = Date.now;
  const { isStateIntact, gone, state } = watchState(parts.state, policy.config.places.state);
  const notices: string[] = [...policy.config.problems, ...state.reports];
  const sandbox = await findSandbox();
  if (sandbox === null) notices.push(noSandbox);
  if (policy.failedCanaries().length > 0) {
    notices.push(
      `The judge let through what it must block (${policy.failedCanaries().join(", ")}): I answer, but do not act. Install this version anew.`,
    );
  }
  const workspace = folder === null ? null : workspaceOf(folder, policy, notices);
  const report = (message: string): void =>
    start.warn === undefined ? void notices.push(message) : start.warn(message);
  const notes = openOwnNotes({
    folder: policy.folders.notes,
    stateFolder: policy.config.places.state,
    privacyTags: policy.config.privacyTags,
    originsOf: state.origins.of,
    report,
    serving: folder === null,
  });
  const semanticIndex = await openOwnSemanticIndex({
    policy,
    state,
    notes,
    clock,
    report,
    journal: makeJournalPort(state),
  });
  const loop = buildLoop({
    policy,
    state,
    notes,
    semanticIndex,
    sandbox,
    clock,
    version: start.version,
    report,
  });
  await removePartialWrites(state);
  await state.compact();
  const resumed = await loop.resume();
  notices.push(...resumed);
  const deliver = async (turn: string): Promise<void> => {
    const kept = await state.turns.get(turn);
    if (kept !== null) await state.outbox.markTurnDelivered(kept.session, turn);
  };
  const signalOf = (session: string, text: string, source: Source) =>
    perceiveInput({
      id: randomUUID(),
      clientId: null,
      session,
      source,
      person: "owner",
      at: clock(),
      sensor: "user-input",
      payload: { text },
    });
  const close = async (): Promise<void> => {
    await loop.drain(5000);
    await semanticIndex?.[Symbol.asyncDispose]();
    await notes[Symbol.asyncDispose]();
    await state.compact();
    await state.prune();
    await state[Symbol.asyncDispose]();
  };
  const openSession: LocalAgent["openSession"] = async ({ name, latest, source, workspace: given }) => {
    const last = latest ? await state.sessions.latest() : null;
    if (last !== null) return last.id;
    const place = given === undefined ? workspace : given === null ? null : workspaceOf(given, policy, []);
    return (await state.sessions.open({ name, workspace: place, source })).id;
  };
  const handleSignal = async (signal: Signal): Promise<SubmitResult> => {
    if (!isStateIntact()) return { kind: "refused", code: "state-gone", text: gone.notice() };
    const command = recogniseCommand(signal);
    return command === null || isThoughtAbout(command)
      ? loop.submit(signal)
      : loop.runCommand(command, signal);
  };
  const closing: { done: Promise<void> | null } = { done: null };
  return {
    notices,
    greeting: `Passepartout ${start.version}. ${workspace === null ? "No workspace" : `Workspace ${workspace}`}. /help lists the commands, /exit leaves.`,
    openSession,
    async resolveSession(named, { source, workspace: given }) {
      const kept = (await state.sessions.get(named)) ?? (await state.sessions.byName(named));
      return kept?.id ?? openSession({ name: named, latest: false, source, workspace: given });
    },
    async say({ session, text, source }) {
      const perceived = signalOf(session, text, source);
      if (!perceived.ok) return { kind: "refused", code: perceived.code, text: perceived.message };
      return handleSignal(perceived.signal);
    },
    async runCommand(command, session) {
      const perceived = signalOf(session || "none", "/command", "cli");
      if (!perceived.ok) return { kind: "refused", code: perceived.code, text: perceived.message };
      return loop.runCommand(command, perceived.signal);
    },
    async findQuestion(token) {
      const approval = await state.approvals.byToken(token);
      return approval === null ? null : { turn: approval.turn, session: approval.session };
    },
    handleSignal,
    runOnce: makeRunOnce(state.requests),
    openQuestions: () => state.approvals.open(),
    sessionOf: async (turn) => (await state.turns.get(turn))?.session ?? null,
    turnStatus: (turn) => standingOf(state, policy, turn),
    takeSnapshot: async (note) => String((await state.objects.snapshot(note)).id),
    async figures(session) {
      const pending = (await state.approvals.open()).length;
      return { rules: 0, pending, focus: (await state.sessions.get(session))?.focus ?? null };
    },
    recordEvent: (event, session) => makeJournalPort(state)({ kind: "note", session, detail: { event } }),
    async beat() {
      notes.onHeartbeat();
      if (isStateIntact()) {
        await loop.beat();
        semanticIndex?.onHeartbeat();
        await state.compact();
      } else gone.notice();
    },
    watchNotes: () => notes.watch(),
    isStateIntact,
    stateGone: gone.noticed,
    report,
    newId: randomUUID,
    now: clock,
    subscribe: loop.subscribe,
    whenSettled: loop.whenSettled,
    whenIdle: loop.whenIdle,
    stop: loop.stop,
    drain: loop.drain,
    markDelivered: deliver,
    undelivered: state.outbox.undelivered,
    [Symbol.asyncDispose]: () => {
      closing.done ??= close();
      return closing.done;
    },
  };
}

async function standingOf(state: State, policy: Policy, id: string): Promise<LoopEvent | null> {
  const turn = await state.turns.get(id);
  if (turn === null) return null;
  const where = { session: turn.session, turn: id };
  switch (turn.state) {
    case "answered":
      return { type: turn.state, ...where, text: turn.text };
    case "blocked":
    case "failed":
    case "stopped":
      return { type: turn.state, ...where, code: turn.code, reason: turn.text };
    case "suspended": {
      const open = (await state.approvals.byTurn(id, turn.session)).findLast((one) => one.state === "open");
      if (open === undefined) return null;
      const { effects, trace, expiresAt } = open;
      const asks = trace.filter(({ result }) => result === "approval").map(({ reason }) => reason);
      return {
        ...{ type: "approval-required", ...where, effects, trace, expiresAt, reason: asks.join(" ") },
        token: await state.approvals.reissueToken(open),
        action: maskAction(open.action, policy.filter),
      };
    }
    case "queued":
    case "thinking":
    case "judging":
    case "acting":
      return null;
  }
}

/** A state that keeps nothing more once its database is not in its place, where a write would be lost without a word. */
function watchState(state: State, folder: string) {
  const path = join(folder, "state.db");
  const identity = (): string => {
    const found = statSync(path, { throwIfNoEntry: false });
    return found === undefined ? "" : `${found.dev} ${found.ino}`;
  };
  const before = identity();
  const isStateIntact = (): boolean => identity() === before;
  const text = `The state folder ${folder} is gone or was replaced, so nothing that is said can be kept, and nothing more is done. Put it back in its place, then start Passepartout again.`;
  const noticed = Promise.withResolvers<string>();
  const gone = {
    noticed: noticed.promise,
    notice: (): string => {
      noticed.resolve(text);
      return text;
    },
  };
  const check = (): void => {
    if (!isStateIntact()) throw new StateProblem("missing", gone.notice());
  };
  const watched: State = {
    ...state,
    async accept(signal, depthLimit) {
      check();
      return state.accept(signal, depthLimit);
    },
    async commit(step) {
      check();
      await state.commit(step);
    },
  };
  return { isStateIntact, gone, state: watched };
}

const noSandbox =
  "There is no working bubblewrap here, so programs cannot be confined: what is proved harmless runs, all else asks. Install the package `bubblewrap`.";

/** Commands that are a turn of their own: judged, journalled, and answered by reflex. */
function isThoughtAbout(command: OwnerCommand): boolean {
  return command.kind === "note" || command.kind === "search" || command.kind === "continue";
}

/** The folder of the client, unless it is a home folder or the root: those are too much to be a workspace unasked. */
function workspaceOf(cwd: string, policy: Policy, notices: string[]): string | null {
  const folder = existsSync(cwd) ? realpathSync(cwd) : cwd;
  if (folder !== "/" && folder !== policy.folders.home) return folder;
  notices.push(
    `${folder} is not taken as a workspace. Start in a project's folder to work on its files without questions.`,
  );
  return null;
}
