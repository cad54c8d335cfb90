import assert from "node:assert/strict";
import { mkdirSync } from "node:fs";
import { test } from "node:test";
import { openState } from "../../src/memory/state/open-state.ts";
import { sampleSignal } from "../../src/memory/state/samples.fixture.ts";
import { type AgentWorld, makeWorld } from "../agent-world.ts";
import { readDisk } from "./disk.ts";

const openAt = (world: AgentWorld) =>
  openState({ folder: world.state, clock: Date.now, gates: "g".repeat(64), access: "write" });

/** Leaves the state of processes that ended in so many calls of one turn; gives the turn's id. */
async function loseCalls(world: AgentWorld, count: number): Promise<string> {
  mkdirSync(world.state, { recursive: true, mode: 0o700 });
  const turn = await (async () => {
    await using state = await openAt(world);
    const { id: session } = await state.sessions.open({
      name: null,
      workspace: world.workspace,
      source: "cli",
    });
    const accepted = await state.accept(sampleSignal({ session }), 50);
    await state.commit({ turn: { ...accepted.turn, state: "thinking" } });
    return accepted.turn;
  })();
  for (let lost = 0; lost < count; lost += 1) {
    await using state = await openAt(world);
    const reserved = await state.ledger.reserve({
      turn: turn.id,
      session: turn.session,
      provider: "p",
      model: "m",
      price: { from: "local", day: null },
      microdollars: 0,
      limits: { perDay: null, perSession: null, perTurn: null },
    });
    assert.ok(reserved.ok);
  }
  return turn.id;
}

test("a turn in whose call the process ended three times in a row is not asked again, and says so; after two it is", async (t) => {
  for (const [lost, requests, said] of [
    [2, 1, /^Answered\.$/],
    [3, 0, /ended 3 times while a model was asked for this turn, so it is not asked again/],
  ] as const) {
    const world = await makeWorld(t, [{ text: "Answered." }]);
    const turn = await loseCalls(world, lost);
    await using daemon = await world.open({}, { warn: () => undefined });
    await daemon.whenSettled(turn);
    const [ended] = readDisk(world.state).turns;
    assert.match(ended?.text ?? "", said);
    assert.equal(world.provider.requests.length, requests);
  }
});
