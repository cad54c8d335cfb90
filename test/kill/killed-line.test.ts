import assert from "node:assert/strict";
import { mkdirSync } from "node:fs";
import { test } from "node:test";
import { openState } from "../../src/memory/state/open-state.ts";
import { sampleRecord, sampleSignal } from "../../src/memory/state/samples.fixture.ts";
import type { Effect, Reversal } from "../../src/signal/effect.ts";
import { bottomLabel } from "../../src/signal/label.ts";
import { type AgentWorld, explanation, makeWorld } from "../agent-world.ts";
import { readDisk } from "./disk.ts";

const runs = (reversal: Reversal): Effect => ({
  kind: "run-program",
  target: "make",
  label: bottomLabel,
  reversal,
  argv: ["make"],
  binary: "/usr/bin/make",
  proof: null,
  doubt: "it is not known",
  confined: true,
});

/**
 * Leaves the state of a process that was killed while a command line ran, or after what it changed was kept,
 * or dropped.
 */
async function killLine(
  world: AgentWorld,
  { reversal, sets }: { readonly reversal: Reversal; readonly sets: readonly ("kept" | "dropped")[] },
): Promise<{ readonly turn: string; readonly session: string }> {
  mkdirSync(world.state, { recursive: true, mode: 0o700 });
  const gates = "g".repeat(64);
  await using state = await openState({ folder: world.state, clock: Date.now, gates, access: "write" });
  const { workspace } = world;
  const { id: session } = await state.sessions.open({ name: null, workspace, source: "cli" });
  const { turn } = await state.accept(sampleSignal({ session }), 50);
  const digest = "d".repeat(64);
  const action = { target: "tool", payload: { tool: "shell", args: { cmd: "make" } }, explanation };
  const pending = [{ id: "call-1", action }];
  await state.commit({ turn: { ...turn, state: "judging", pending } });
  const intent = sampleRecord({ turn: turn.id, session, digest, effects: [runs(reversal)] });
  await state.journal.append({ ...intent, detail: { tool: "shell" } }, { forced: true });
  await state.commit({ turn: { ...turn, state: "acting", pending, running: digest } });
  for (const [index, what] of sets.entries()) {
    await state.changes.recordCommand({ turn: turn.id, session, workspace, set: `set-${index}` });
    if (what === "dropped") await state.changes.dropCommand(`set-${index}`);
  }
  return { turn: turn.id, session };
}

for (const { name, reversal, sets, says } of [
  {
    name: "that ran over an overlay, before anything was kept, was not done",
    reversal: "undoable",
    sets: [],
    says: "Nothing of it is left: it was not done",
  },
  {
    name: "whose changes were taken back was not done",
    reversal: "undoable",
    sets: ["dropped"],
    says: "Nothing of it is left: it was not done",
  },
  {
    name: "whose changes were kept was done",
    reversal: "undoable",
    sets: ["kept"],
    says: "It ran to its end, and what it changed was kept",
  },
  {
    name: "of whose changes some were kept may have been done in part",
    reversal: "undoable",
    sets: ["kept", "dropped"],
    says: "A part of what it changed is kept",
  },
  {
    name: "that reached further than its overlay may have been done there",
    reversal: "final",
    sets: ["dropped"],
    says: "What it did elsewhere is not known",
  },
  {
    name: "of which nothing is known may have been done",
    reversal: "final",
    sets: [],
    says: "It may have been done, and it is not repeated",
  },
] as const)
  test(`a killed command line ${name}, and owner and model read the same of it`, async (t) => {
    const world = await makeWorld(t, [{ text: "I see." }]);
    const { turn, session } = await killLine(world, { reversal, sets });
    await using daemon = await world.open();
    await daemon.whenSettled(turn);
    const [told = "", ...more] = await daemon.untold(session);
    assert.ok(told.includes(says), told);
    assert.deepEqual(more, []);
    assert.ok(world.provider.requests[0]?.body.includes(says), world.provider.requests[0]?.body);
    assert.equal(readDisk(world.state).turns[0]?.text, "I see.");
  });
