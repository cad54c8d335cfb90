import assert from "node:assert/strict";
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, test } from "node:test";
import { beginSet, endSet, writeSet } from "../../act/trial/set-files.ts";
import { sha256 } from "../../machine/digest.ts";
import { openSampleState } from "../../memory/state/samples.fixture.ts";
import type { State } from "../../memory/state/state.ts";
import { loadPolicy } from "../../settings/policy.ts";
import { revertTurn } from "./undo-turn.ts";

const root = mkdtempSync(join(tmpdir(), "undo-without-room-"));
after(() => rmSync(root, { recursive: true, force: true }));

/**
 * A turn that replaced the words of a file, and whatever is to be undone of it with a state that is changed
 * for that.
 */
async function replacedFile(changed: (state: State) => Partial<State>) {
  const home = mkdtempSync(join(root, "home-"));
  const [path, sets] = [join(home, "a.txt"), join(home, "commands")];
  mkdirSync(sets);
  writeFileSync(path, "new");
  const state = await openSampleState(join(home, "state"));
  const { id } = await state.changes.storePreImage(Buffer.from("old"), { path });
  const record = { turn: "turn", session: "session", mode: null, undone: true } as const;
  const words = { before: sha256("old"), after: sha256("new"), preImage: id };
  const numbers = await state.changes.planUndo([
    { ...record, ...words, sequence: 1, kind: "file", path },
    { ...record, before: null, after: null, preImage: "set", sequence: 2, kind: "command", path: home },
  ]);
  for (const number of numbers)
    await state.changes.confirmUndoChange({ number, mode: null, undone: false, undid: [] });
  await beginSet(join(sets, "set"), { what: "keep", folder: home });
  const made = { path: join(home, "made"), was: null, becomes: "file", incoming: null, aside: null } as const;
  await writeSet(join(sets, "set"), {
    version: 2,
    exchanges: [{ ...made, source: null, left: null }],
    modes: [],
    times: [],
  });
  await endSet(join(sets, "set"));
  return {
    state,
    path,
    standing: async () => (await state.changes.ofTurn("turn")).filter(({ undone }) => !undone).length,
    revert: () =>
      revertTurn(
        {
          state: { ...state, ...changed(state) },
          policy: loadPolicy({ HOME: home }),
          sets,
          journal: async () => {},
          keepPreImage: async () => "",
        },
        { id: "turn", session: "session" },
      ),
  };
}

test("where no room is left to note an undo, nothing is undone, of files and of commands", async () => {
  const made = await replacedFile(({ diskReserve }) => ({
    diskReserve: { ...diskReserve, makeRoom: async () => false },
  }));
  await using _ = made.state;
  const { done, conflicts } = await made.revert();
  assert.deepEqual(done, []);
  assert.equal(conflicts.length, 2, conflicts.join("\n"));
  for (const line of conflicts)
    assert.match(line, /stays as it is: no room is left on the disk of the state to note a change\. Free/);
  assert.equal(readFileSync(made.path, "utf8"), "new");
  assert.equal(await made.standing(), 2);
});

test("what was undone, and could not be noted after all, is put back", async () => {
  const made = await replacedFile(({ changes }) => ({
    changes: {
      ...changes,
      confirmUndoChange: async (change) => {
        if (change.undid.length > 0) throw new Error("database or disk is full");
        return changes.confirmUndoChange(change);
      },
    },
  }));
  await using _ = made.state;
  const { done, conflicts } = await made.revert();
  assert.deepEqual(done, []);
  assert.equal(conflicts.length, 2);
  for (const line of conflicts) assert.match(line, /stays as it is: no room is left/);
  assert.equal(readFileSync(made.path, "utf8"), "new");
});
