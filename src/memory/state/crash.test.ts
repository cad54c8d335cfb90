import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { after, test } from "node:test";
import { openSampleState } from "./samples.fixture.ts";

const root = mkdtempSync(join(tmpdir(), "memory-test-"));
after(() => rmSync(root, { recursive: true, force: true }));

const samples = new URL("./samples.fixture.ts", import.meta.url).href;

/** Does everything that is acknowledged, all the time, and says each acknowledgement on a line. */
const writer = (place: string): string => `
  import { openSampleState, sampleObject, sampleRecord, sampleSignal } from ${JSON.stringify(samples)};
  const state = await openSampleState(${JSON.stringify(place)});
  const say = (what, value) => process.stdout.write(what + " " + value + ";\\n");
  const run = Math.random().toString(36).slice(2);
  async function talk(lane) {
    for (let count = 0; ; count += 1) {
      const clientId = run + lane + count;
      const { turn } = await state.accept(sampleSignal({ id: clientId, clientId, session: lane }), 50);
      say("accepted", turn.id);
      await state.commit({ turn: { ...turn, state: "thinking" } });
      const reserved = await state.ledger.reserve({ turn: turn.id, session: lane, provider: "p", model: "m", price: { from: "local", day: null }, microdollars: 5, limits: { perDay: null, perSession: null, perTurn: null } });
      const image = await state.changes.storePreImage(new TextEncoder().encode(clientId));
      const record = { turn: turn.id, session: lane, digest: clientId };
      const intent = await state.journal.append(sampleRecord(record), { forced: true });
      say("intent", intent.hash);
      await state.commit({ turn: { ...turn, state: "judging" } });
      await state.commit({ turn: { ...turn, state: "acting", running: clientId } });
      await state.objects.put(sampleObject(lane + (count % 5), clientId), { turn: turn.id, session: lane });
      await state.journal.append(sampleRecord({ ...record, kind: "outcome" }), { forced: count % 2 === 0 });
      await state.ledger.settle(reserved.id, { inputTokens: 1, outputTokens: 1, microdollars: 3 });
      const change = { turn: turn.id, session: lane, sequence: 1, kind: "file", path: "/a", before: image.id, after: null, preImage: image.id, mode: null, undone: false };
      const answer = { id: "a-" + turn.id, session: lane, turn: turn.id, state: "answered", text: clientId, at: 0, delivered: false };
      await state.commit({ turn: { ...turn, state: "answered", text: clientId }, answer, changes: [change] });
      say("answered", turn.id);
    }
  }
  await Promise.all(["s1", "s2", "s3"].map(talk));`;

type Acknowledged = {
  readonly accepted: Set<string>;
  readonly intent: Set<string>;
  readonly answered: Set<string>;
};

async function killAfter(place: string, acknowledgements: number, known: Acknowledged): Promise<void> {
  const child = spawn(process.execPath, ["--input-type=module", "-e", writer(place)], {
    stdio: ["ignore", "pipe", "inherit"],
  });
  const exited = once(child, "exit");
  let count = 0;
  for await (const line of createInterface({ input: child.stdout })) {
    const [, what, value] = /^(accepted|intent|answered) (\S+);$/.exec(line) ?? [];
    if (what !== "accepted" && what !== "intent" && what !== "answered") continue;
    known[what].add(value ?? "");
    count += 1;
    if (count === acknowledgements) child.kill("SIGKILL");
  }
  await exited;
  assert.equal(child.signalCode, "SIGKILL");
}

test("after a kill at any moment nothing acknowledged is missing and everything verifies", async () => {
  const place = mkdtempSync(join(root, "crash-"));
  const known: Acknowledged = { accepted: new Set(), intent: new Set(), answered: new Set() };
  const states = new Map<string, number>();
  for (let round = 0; round < 20; round += 1) {
    await killAfter(place, 1 + Math.floor(Math.random() * 60), known);
    await using state = await openSampleState(place);
    assert.deepEqual(await state.verify(), []);
    const check = await state.journal.verify();
    assert.ok(check.ok, JSON.stringify(check));
    const written = new Set<string>();
    for await (const { hash } of state.journal.entries()) written.add(hash);
    for (const hash of known.intent) assert.ok(written.has(hash), `the intent ${hash} is missing`);
    for (const id of known.accepted) assert.ok(await state.turns.get(id), `the turn ${id} is missing`);
    const waiting = new Set(
      (await Promise.all(["s1", "s2", "s3"].map((session) => state.outbox.undelivered(session)))).flatMap(
        (answers) => answers.map((answer) => answer.turn),
      ),
    );
    for (const id of known.answered) {
      const turn = await state.turns.get(id);
      assert.equal(turn?.state, "answered");
      assert.ok(waiting.has(id), `the answer of ${id} is missing`);
      const [change] = await state.changes.ofTurn(id);
      assert.equal((await state.changes.preImage(change?.preImage ?? "")).status, "kept");
    }
    const open = await state.journal.findIntentWithoutOutcome();
    const unfinished = await state.turns.unfinished();
    for (const { turn } of open) assert.ok(turn !== null && (await state.turns.get(turn)) !== null);
    for (const turn of unfinished) {
      states.set(turn.state, (states.get(turn.state) ?? 0) + 1);
      await state.commit({ turn: { ...turn, state: "failed", code: "restart" } });
    }
  }
  assert.ok(known.accepted.size > 20 && known.answered.size > 0);
  assert.ok(states.size > 0, "no kill hit an open turn");
});
