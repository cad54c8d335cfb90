import assert from "node:assert/strict";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, test } from "node:test";
import type { PrefixBreak, SentPrefix } from "../../signal/sent-prefix.ts";
import { openSampleState, sampleSignal } from "./samples.fixture.ts";

const root = mkdtempSync(join(tmpdir(), "memory-test-"));
after(() => rmSync(root, { recursive: true, force: true }));

const sent: SentPrefix = {
  model: "loop/m",
  strict: false,
  tools: [["read-file", "1"]],
  instructions: [["IDENTITY", "2"]],
  messages: [["words", "3"]],
};
const broken = (at: number): PrefixBreak => ({
  at,
  session: "session-1",
  model: "loop/m",
  differs: [{ part: "tools", what: "new: x" }],
  inputTokens: 1,
  cacheReadTokens: 0,
});

test("what a session sent last is kept over a restart until the session is forgotten; breaks stay, the latest of them", async () => {
  {
    await using state = await openSampleState(root);
    await state.accept(sampleSignal(), 50);
    await state.sentPrefixes.save("session-1", sent);
    for (let at = 1; at <= 502; at += 1) await state.sentPrefixes.addBreak(broken(at));
  }
  await using state = await openSampleState(root);
  assert.deepEqual(await state.sentPrefixes.last("session-1"), sent);
  assert.equal(await state.sentPrefixes.last("session-2"), null);
  await state.forgetSession({ session: "session-1", grown: null });
  assert.equal(await state.sentPrefixes.last("session-1"), null);
  assert.deepEqual((await state.sentPrefixes.breaks(0)).map(({ at }) => at).slice(0, 2), [3, 4]);
  assert.deepEqual(await state.sentPrefixes.breaks(502), [broken(502)]);
});

test("whatever is forgotten, nothing stays of what sessions sent: its digest may stand in any of them", async () => {
  await using state = await openSampleState(mkdtempSync(join(root, "forgotten-")));
  await state.accept(sampleSignal(), 50);
  await state.sentPrefixes.save("session-2", sent);
  await state.forgetSession({ session: "session-1", grown: null });
  assert.equal(await state.sentPrefixes.last("session-2"), null);
});
