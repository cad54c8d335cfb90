import type { Approval } from "../../signal/approval.ts";
import type { JournalRecord } from "../../signal/journal-entry.ts";
import { bottomLabel } from "../../signal/label.ts";
import type { Signal } from "../../signal/signal.ts";
import type { ToolResult } from "../../signal/tool.ts";
import type { ObjectDraft } from "./memory-object.ts";
import { openState, type StateOptions } from "./open-state.ts";
import type { State } from "./state.ts";

/** The time of the samples' clock: 2025-01-15 12:00 UTC, in Unix milliseconds. */
export const noon = 1_736_942_400_000;

/** A state opened for writing at noon, for tests and benchmarks. */
export function openSampleState(folder: string, changes: Partial<StateOptions> = {}): Promise<State> {
  return openState({ folder, clock: () => noon, gates: "g".repeat(64), access: "write", ...changes });
}

/** Something that the owner said. */
export function sampleSignal(changes: Partial<Signal> = {}): Signal {
  return {
    id: "signal-1",
    clientId: null,
    sensor: "user-input",
    session: "session-1",
    source: "cli",
    person: "owner",
    text: "hello",
    payload: {},
    depth: 0,
    label: bottomLabel,
    at: noon,
    ...changes,
  };
}

/** An open question of a turn that waits for an hour. */
export function sampleApproval(turn: string, tokenHash: string, changes: Partial<Approval> = {}): Approval {
  return {
    tokenHash,
    turn,
    session: "session-1",
    digest: "d".repeat(64),
    action: { target: "shell", payload: { cmd: "make" }, explanation: "to build the project" },
    effects: [],
    trace: [],
    codes: ["unproved-program"],
    state: "open",
    createdAt: noon,
    expiresAt: noon + 3_600_000,
    ...changes,
  };
}

/** What a tool gave. */
export function sampleResult(id: string, content: string, changes: Partial<ToolResult> = {}): ToolResult {
  return { id, tool: "read-file", outcome: { status: "success", content }, label: bottomLabel, ...changes };
}

/** A note in the agent's own memory. */
export function sampleObject(id: string, content: string, changes: Partial<ObjectDraft> = {}): ObjectDraft {
  return {
    id,
    realm: "own",
    type: "note",
    parent: null,
    attributes: {},
    content,
    label: bottomLabel,
    ...changes,
  };
}

/** A record of a turn, by default an intent. */
export function sampleRecord(changes: Partial<JournalRecord> = {}): JournalRecord {
  return {
    turn: "turn-1",
    session: "session-1",
    kind: "intent",
    digest: "d".repeat(64),
    effects: [],
    facts: null,
    verdict: "pass",
    trace: [],
    changes: [],
    detail: {},
    ...changes,
  };
}
