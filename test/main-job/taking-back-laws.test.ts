import assert from "node:assert/strict";
import { existsSync, readFileSync } from "node:fs";
import { type TestContext, test } from "node:test";
import fc from "fast-check";
import { type AgentWorld, calls, makeWorld, onDatabase, talkTo } from "../agent-world.ts";

const files = ["a.txt", "b.txt", "c.txt"];

/** One call of a turn: a file is written, or, without one, something is remembered. */
type Deed = { readonly file: string | null; readonly content: string };
type Command =
  | { readonly kind: "turn"; readonly session: number; readonly deeds: readonly Deed[] }
  | { readonly kind: "undo"; readonly session: number }
  /** `back`: it is undone right away. */
  | { readonly kind: "rollback"; readonly session: number; readonly to: number; readonly back: boolean };

const session = fc.nat({ max: 1 });
const deed: fc.Arbitrary<Deed> = fc.record({
  file: fc.constantFrom(...files, null),
  content: fc.constantFrom("0", "1", "2"),
});
const command: fc.Arbitrary<Command> = fc.oneof(
  fc.record({
    kind: fc.constant("turn" as const),
    session,
    deeds: fc.array(deed, { minLength: 1, maxLength: 3 }),
  }),
  fc.record({ kind: fc.constant("undo" as const), session }),
  fc.record({ kind: fc.constant("rollback" as const), session, to: fc.nat(), back: fc.boolean() }),
);

/** What is to be the same again: files, memory, and which of the changes so far an undo could still take back. */
type Standing = {
  readonly files: readonly (string | null)[];
  readonly memory: readonly object[];
  readonly undoable: readonly object[];
  readonly changes: number;
};

function standing(world: AgentWorld, changes = lastChange(world)): Standing {
  return {
    files: files.map((name) =>
      existsSync(world.path(name)) ? readFileSync(world.path(name), "utf8") : null,
    ),
    memory: onDatabase(world, "SELECT id, hash FROM objects WHERE hash IS NOT NULL ORDER BY id"),
    undoable: onDatabase(
      world,
      `SELECT number FROM changes WHERE undone = 0 AND number <= ${changes} ORDER BY number`,
    ),
    changes,
  };
}

function lastChange(world: AgentWorld): number {
  return Number(onDatabase(world, "SELECT coalesce(max(number), 0) AS last FROM changes")[0]?.["last"]);
}

function nextSnapshot(world: AgentWorld): number {
  return 1 + Number(onDatabase(world, "SELECT coalesce(max(id), 0) AS last FROM snapshots")[0]?.["last"]);
}

async function play(t: TestContext, commands: readonly Command[]): Promise<void> {
  const world = await makeWorld(t);
  await using daemon = await world.open();
  const talks = [await talkTo(daemon), await talkTo(daemon)];
  const snapshots: { readonly id: number; readonly was: Standing }[] = [];
  for (const one of commands) {
    const talk = talks[one.session];
    assert.ok(talk !== undefined);
    const was = standing(world);
    const id = nextSnapshot(world);
    if (one.kind === "undo") {
      await talk.say("/undo");
    } else if (one.kind === "turn") {
      const steps = one.deeds.map(({ file, content }) =>
        file === null
          ? calls(["remember", { text: `thing ${content}` }])
          : calls(["write-file", { path: file, content }]),
      );
      world.provider.add(...steps, { text: "Done." });
      assert.equal((await talk.say("do it")).end, "answered");
      snapshots.push({ id, was });
    } else {
      const to = snapshots[one.to % Math.max(1, snapshots.length)];
      if (to === undefined) continue;
      assert.match((await talk.say(`/rollback ${to.id}`)).text, /^Rolled back/);
      assert.deepEqual(standing(world, to.was.changes), to.was);
      snapshots.push({ id, was });
      if (!one.back) continue;
      await talk.say("/undo");
      assert.deepEqual(standing(world, was.changes), was);
    }
  }
}

test("whatever was done, undone and rolled back: a rollback brings back files, memory and what can be undone, and /undo of it all that it took", async (t) => {
  const commands = fc.array(command, { minLength: 6, maxLength: 14 });
  await fc.assert(
    fc.asyncProperty(commands, (given) => play(t, given)),
    // `npm run long` makes six.
    { numRuns: process.env["LONG"] === "all" ? 6 : 3 },
  );
});
