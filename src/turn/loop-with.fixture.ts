import assert from "node:assert/strict";
import { randomUUID } from "node:crypto";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { TestContext } from "node:test";
import { wait } from "../machine/wait.ts";
import { openState } from "../memory/state/open-state.ts";
import { bottomLabel } from "../signal/label.ts";
import type { LoopEvent } from "../signal/loop-event.ts";
import type { Signal } from "../signal/signal.ts";
import { type LoopParts, openLoop } from "./turn-loop.ts";

const refuse = async (): Promise<never> => Promise.reject(new Error("not expected here"));

/** The parts of a loop in which nothing runs and nothing is recovered. */
const refusingParts = {
  clock: Date.now,
  newId: randomUUID,
  gateCount: 0,
  judge: () => ({ decision: "block", reason: "not expected here", trace: [], asks: [] }),
  prepare: refuse,
  callerOf: refuse,
  judgeTelling: async () => ({ decision: "pass", reason: "", trace: [], asks: [] }),
  filter: (text) => text,
  endPrograms: async () => false,
  makeFilter: () => ({ push: (text) => text, end: () => "" }),
  maskKeys: (text) => text,
  snapshot: async () => undefined,
  recover: async () => null,
  isMessageActuator: () => false,
  labelOfOutcome: async () => bottomLabel,
  filesRead: async () => [],
  isSilent: () => false,
  typedCommand: () => null,
  isCommand: () => false,
  findLostRight: async () => null,
  tellOwner: async () => undefined,
  route: async () => null,
  consensus: { concerns: () => false, ask: async () => null },
  maySteer: async () => true,
  stateOfFile: async () => "other",
  revertChanges: async () => undefined,
  depthLimit: () => 50,
  locks: {
    holderOf: async () => null,
    isEditable: async () => true,
    holdOff: async () => undefined,
    watch: () => undefined,
    keepBase: async () => null,
    setAside: async () => "",
    forgetSetAside: async () => 0,
  },
  approvalExpiry: 1000,
  limits: { repeats: 4, denials: 3 },
  policyInForce: () => ({ gates: "gates", rules: "", settings: "" }),
  recordPolicy: async () => undefined,
  takeCalls: async () => null,
  licencesOfRules: () => [],
  allowanceOfPlan: async () => null,
  stepAllowing: async () => null,
  adviseQuestion: async () => ({}),
  observeAnswer: async () => undefined,
  wait,
  revert: async () => [],
  formatResult: () => "",
  projectOf: async () => null,
  command: async () => ({ code: "", text: "" }),
} satisfies Partial<LoopParts>;

/** A loop on a real state whose thinking is given; everything that is not thought about here refuses. */
export async function loopWith(t: TestContext, given: Partial<LoopParts> & Pick<LoopParts, "think">) {
  const folder = mkdtempSync(join(tmpdir(), "passepartout-loop-"));
  const state = await openState({ folder, clock: Date.now, gates: "gates", access: "write" });
  t.after(async () => {
    await state[Symbol.asyncDispose]();
    rmSync(folder, { recursive: true, force: true });
  });
  const events: LoopEvent[] = [];
  const notes: { readonly [key: string]: unknown }[] = [];
  const reports: string[] = [];
  const loop = openLoop({
    state,
    ...refusingParts,
    journal: async (record) => {
      if (record.detail !== undefined) notes.push(record.detail);
    },
    report: (message) => void reports.push(message),
    ...given,
  });
  loop.subscribe((event) => void events.push(event));
  const { id: session } = await state.sessions.open({ name: null, workspace: null, source: "cli" });
  const say = async (about: Partial<Signal> = {}) => {
    const id = randomUUID();
    const said = await loop.submit({
      id,
      clientId: null,
      sensor: "user-input",
      session,
      source: "cli",
      person: "owner",
      text: "hello",
      payload: {},
      depth: 0,
      label: bottomLabel,
      at: 0,
      ...about,
    });
    assert.equal(said.kind, "turn");
    if (said.kind === "turn") await loop.whenSettled(said.turn);
    return events.at(-1);
  };
  return { loop, state, session, events, notes, reports, say };
}
