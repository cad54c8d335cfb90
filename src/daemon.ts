import { randomUUID } from "node:crypto";
import { existsSync, realpathSync } from "node:fs";
import { findSandbox } from "./act/sandbox.ts";
import { assembleActing } from "./assemble.ts";
import { buildLoop } from "./build-loop.ts";
import type { Environment } from "./config.ts";
import { type Ground, layGround } from "./ground.ts";
import { checkHealth, type HealthReport } from "./health.ts";
import type { Loop, Submitted } from "./loop.ts";
import { openState } from "./memory/open-state.ts";
import type { State } from "./memory/state.ts";
import { type Command, recogniseCommand } from "./perceive/commands.ts";
import { perceiveInput } from "./perceive/perceive-input.ts";
import { type Replay, replayJournal } from "./replay.ts";
import type { Action } from "./signal/action.ts";
import { bottom } from "./signal/label.ts";
import type { LoopListener } from "./signal/loop-event.ts";
import type { Source } from "./signal/signal.ts";
import type { Verdict } from "./signal/verdict.ts";
import { sweepCutOff } from "./sweep-cut-off.ts";

/** Where a command was started, and by which version of the program. */
export type Start = {
  readonly environment: Environment;
  readonly cwd: string;
  readonly version: string;
  /** Tells the person what goes wrong outside any turn, as it happens. */
  readonly warn?: (message: string) => void;
};

/** The agent in this process: its loop, its state, and what a client may ask of it. */
export type Daemon = AsyncDisposable & {
  /** What the person should know at the start, each a sentence with what to do. */
  readonly notices: readonly string[];
  readonly greeting: string;
  readonly openSession: (wanted: {
    readonly name: string | null;
    readonly latest: boolean;
    readonly source: Source;
  }) => Promise<string>;
  readonly say: (said: {
    readonly session: string;
    readonly text: string;
    readonly source: Source;
  }) => Promise<Submitted>;
  readonly obey: (command: Command, session: string) => Promise<Submitted>;
  /** What waits under a token, or null. */
  readonly waiting: (token: string) => Promise<{ readonly turn: string; readonly session: string } | null>;
  readonly subscribe: (listener: LoopListener) => () => void;
  readonly settled: Loop["settled"];
  /** Resolves when nothing runs any more, what an earlier process left included. */
  readonly idle: Loop["idle"];
  readonly stop: Loop["stop"];
  readonly drain: Loop["drain"];
  /** Marks a turn's answer as shown. */
  readonly delivered: (turn: string) => Promise<void>;
  readonly undelivered: (session: string) => Promise<readonly { readonly text: string }[]>;
};

/** Opens the agent on this user's state, takes up what a former process left, and listens to nobody but its caller. */
export async function openDaemon(start: Start): Promise<Daemon> {
  const ground = layGround(start.environment);
  const sandboxFound = findSandbox();
  const clock = Date.now;
  const state = await openState({
    folder: ground.config.places.state,
    clock,
    gates: ground.gates,
    access: "write",
  });
  const notices: string[] = [...ground.config.problems, ...state.reports];
  const sandbox = await sandboxFound;
  if (sandbox === null) notices.push(noSandbox);
  if (ground.failedCanaries.length > 0) {
    notices.push(
      `The judge let through what it must block (${ground.failedCanaries.join(", ")}): I answer, but do not act. Install this version anew.`,
    );
  }
  const workspace = workspaceOf(start.cwd, ground, notices);
  const report = (message: string): void =>
    start.warn === undefined ? void notices.push(message) : start.warn(message);
  const loop = buildLoop({ ground, state, sandbox, clock, version: start.version, report });
  await sweepCutOff(state);
  const resumed = await loop.resume();
  notices.push(...resumed);
  const deliver = async (turn: string): Promise<void> => {
    const kept = await state.turns.get(turn);
    if (kept === null) return;
    for (const answer of await state.outbox.undelivered(kept.session)) {
      if (answer.turn === turn) await state.outbox.markDelivered(answer.id);
    }
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
    await state.prune();
    await state[Symbol.asyncDispose]();
  };
  const closing: { done: Promise<void> | null } = { done: null };
  return {
    notices,
    greeting: `Passepartout ${start.version}. ${workspace === null ? "No workspace" : `Workspace ${workspace}`}. /help lists the commands, /exit leaves.`,
    async openSession({ name, latest, source }) {
      const last = latest ? await state.sessions.latest() : null;
      if (last !== null) return last.id;
      return (await state.sessions.open({ name, workspace, source })).id;
    },
    async say({ session, text, source }) {
      const perceived = signalOf(session, text, source);
      if (!perceived.ok) return { kind: "refused", code: perceived.code, text: perceived.message };
      const command = recogniseCommand(perceived.signal);
      return command === null || isThoughtAbout(command)
        ? loop.submit(perceived.signal)
        : loop.obey(command, perceived.signal);
    },
    async obey(command, session) {
      const perceived = signalOf(session || "none", "/command", "cli");
      if (!perceived.ok) return { kind: "refused", code: perceived.code, text: perceived.message };
      return loop.obey(command, perceived.signal);
    },
    async waiting(token) {
      const approval = await state.approvals.byToken(token);
      return approval === null ? null : { turn: approval.turn, session: approval.session };
    },
    subscribe: loop.subscribe,
    settled: loop.settled,
    idle: loop.idle,
    stop: loop.stop,
    drain: loop.drain,
    delivered: deliver,
    undelivered: async (session) => {
      const answers = await state.outbox.undelivered(session);
      for (const answer of answers) await state.outbox.markDelivered(answer.id);
      return answers;
    },
    [Symbol.asyncDispose]: () => {
      closing.done ??= close();
      return closing.done;
    },
  };
}

const noSandbox =
  "There is no working bubblewrap here, so programs cannot be confined: what is proved harmless runs, all else asks. Install the package `bubblewrap`.";

/** Commands that are a turn of their own: judged, journalled, and answered by reflex. */
function isThoughtAbout(command: Command): boolean {
  return command.kind === "note" || command.kind === "search" || command.kind === "continue";
}

/** The folder of the client, unless it is a home folder or the root: those are too much to be a workspace unasked. */
function workspaceOf(cwd: string, ground: Ground, notices: string[]): string | null {
  const folder = existsSync(cwd) ? realpathSync(cwd) : cwd;
  if (folder !== "/" && folder !== ground.folders.home) return folder;
  notices.push(
    `${folder} is not taken as a workspace. Start in a project's folder to work on its files without questions.`,
  );
  return null;
}

/** The state of this user, for looking only. */
export type Reading = AsyncDisposable & { readonly state: State; readonly replay: () => Promise<Replay> };

/** Opens the state without its lock, beside whoever has it. */
export async function openReading(start: Start): Promise<Reading> {
  const ground = layGround(start.environment);
  const folder = ground.config.places.state;
  const state = await openState({ folder, clock: Date.now, gates: ground.gates, access: "read" });
  return {
    state,
    replay: () => replayJournal(state.journal, ground.judge, ground.gates),
    [Symbol.asyncDispose]: () => state[Symbol.asyncDispose](),
  };
}

/** Opens the state for the owner's own changes of it, with its lock. */
export async function openWriting(start: Start): Promise<AsyncDisposable & { readonly state: State }> {
  const ground = layGround(start.environment);
  const folder = ground.config.places.state;
  const state = await openState({ folder, clock: Date.now, gates: ground.gates, access: "write" });
  return { state, [Symbol.asyncDispose]: () => state[Symbol.asyncDispose]() };
}

/** What the judge says of an action, with nothing run, looked up or kept. */
export type Judging = {
  readonly judge: (
    action: Action,
  ) => Promise<Omit<Verdict, "asks"> & { readonly effects: readonly object[] }>;
};

/** Opens the judge by itself, in a workspace that need not exist. */
export async function openJudging(start: Start): Promise<Judging> {
  const ground = layGround(start.environment);
  const { acting } = assembleActing(ground, {
    origins: { of: async () => null, keep: async () => undefined },
    keepPreImage: async () => "",
    keepObject: async () => undefined,
    search: async () => [],
    tell: () => false,
    sandbox: await findSandbox(),
    clock: Date.now,
    resolve: false,
  });
  const workspace = existsSync(start.cwd) ? realpathSync(start.cwd) : start.cwd;
  return {
    async judge(action) {
      const prepared = await acting.prepare(
        action,
        {
          turn: "judge",
          session: "judge",
          person: "owner",
          source: "cli",
          startedBy: "person",
          workspace,
          known: new Map(),
          promptLabel: bottom,
        },
        [],
      );
      if (!prepared.ok) return { verdict: "block", reason: prepared.message, effects: [], trace: [] };
      const { verdict, reason, trace } = ground.judge(prepared.effects, prepared.facts);
      return { verdict, reason, effects: prepared.effects, trace };
    },
  };
}

/** Checks what the agent stands on; never throws: a check that fails itself is unhealthy. */
export async function diagnose(start: Start): Promise<HealthReport> {
  return checkHealth(start);
}
