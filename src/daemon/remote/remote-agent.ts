import { answerRequest } from "../../wire/codec/hidden-prompts.ts";
import type { Agent } from "../agent/resources/agent.ts";
import type { DaemonConnection } from "./daemon-connection.ts";
import { commandRequest, isDecision, nearestOf, snapshotOf, wordsEvent } from "./remote-messages.ts";

/** What the agent behind a connection is known by. */
export type RemoteAgentParts = {
  /** The daemon's version. */
  readonly version: string;
  readonly source: "cli" | "tui";
};

const vaultActions = { unlock: "vault-unlock", lock: "vault-lock", none: "vault-status" } as const;

/** The agent of a daemon as a command uses it. The daemon itself keeps what was delivered, and goes on when this is closed. */
export function makeRemoteAgent(connection: DaemonConnection, { version, source }: RemoteAgentParts): Agent {
  return {
    notices: [],
    daemonVersion: version,
    describeSession: async (session) => connection.describe(session),
    untold: async (session) => connection.describe(session).recovered,
    markTold: async () => undefined,
    unsentQuestions: async () => [],
    /** A command shows what waited, and then only what it asked for: what it would not show goes on waiting. */
    openSession: ({ name, latest, own = false }) =>
      connection.openSession({ name, latest, own }, own || source === "cli"),
    say: (said) => connection.submit(wordsEvent(said), { decides: isDecision(said) }),
    runCommand: (command, session) => connection.submit(commandRequest(command, session), { decides: true }),
    findQuestion: async () => null,
    subscribe: (listener) => connection.subscribe(listener),
    whenSettled: (turn) => connection.whenSettled(turn),
    whenIdle: async () => undefined,
    async stop(session) {
      const payload = { action: "stop", "keep-questions": true };
      const message = { type: "request", meta: { "session-id": session }, payload };
      const reply = await connection.submit(message, { decides: false });
      return reply.kind === "said" && reply.code === "stopped";
    },
    drain: async () => undefined,
    takeSnapshot: (note) =>
      connection.request({ type: "request", payload: { action: "snapshot", note } }, snapshotOf),
    findNearest: (query, limit) =>
      connection.request({ type: "request", payload: { action: "nearest", query, limit } }, nearestOf),
    changeVault: ({ change, ...rest }) =>
      connection.submit(
        { type: "request", payload: { action: vaultActions[change], ...rest } },
        { decides: false },
      ),
    askThrough: (asker) => connection.askThrough(asker),
    answerHidden: (id, line) =>
      connection.submit({ type: "request", payload: answerRequest(id, line) }, { decides: false }),
    tellSize: (session, size) => connection.tellSize(session, size),
    recordPolicy: async () => {
      const message = { type: "request", payload: { action: "policy-changed" } };
      await connection.submit(message, { decides: false });
    },
    markDelivered: async () => undefined,
    undelivered: async (session) => connection.undelivered(session),
    [Symbol.asyncDispose]: () => connection[Symbol.asyncDispose](),
  };
}
