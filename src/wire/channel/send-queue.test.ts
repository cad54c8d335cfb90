import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { makeSendQueue, type SendQueue } from "./send-queue.ts";

const bounds = { chunkBytes: 2_000, queueBytes: 5_000 };
const bytes = (text: string): Uint8Array => Buffer.from(text);
const stream = { session: "s", turn: "t" };
const chunk = (queue: SendQueue, text: string, to = stream): void =>
  queue.addChunk(to, bytes(text), () => bytes(`<${to.turn} withdrawn>`));

function drain(queue: SendQueue): string {
  const taken: string[] = [];
  for (let next = queue.take(); next !== null; next = queue.take())
    taken.push(Buffer.from(next.bytes).toString());
  return taken.join("");
}

test("frames are sent in order, small frames together", () => {
  const queue = makeSendQueue(bounds);
  for (const text of ["a", "b"]) assert.ok(queue.add([bytes(text)]));
  chunk(queue, "c");
  assert.equal(Buffer.from(queue.take()?.bytes ?? []).toString(), "abc");
  assert.equal(queue.take(), null);
});

test("a stream that exceeds the bound is replaced by its withdrawal until it ends; other frames stay", () => {
  const queue = makeSendQueue(bounds);
  queue.add([bytes("[kept]")]);
  chunk(queue, "x".repeat(1_000));
  chunk(queue, "y".repeat(1_000));
  chunk(queue, "late");
  assert.equal(drain(queue), "[kept]<t withdrawn>");
  chunk(queue, "still dropped");
  queue.add([bytes("[answer]")]);
  queue.endStream("s");
  chunk(queue, "new", { session: "s", turn: "t2" });
  assert.equal(drain(queue), "[answer]new");
});

test("the session's next turn streams again even if nothing ended the stream before", () => {
  const queue = makeSendQueue(bounds);
  chunk(queue, "x".repeat(3_000));
  assert.equal(drain(queue), "<t withdrawn>");
  chunk(queue, "fresh", { session: "s", turn: "t2" });
  assert.equal(drain(queue), "fresh");
});

test("a full queue refuses messages, and exceeds its bound by at most one message", () => {
  const queue = makeSendQueue(bounds);
  assert.ok(queue.add([bytes("x".repeat(20_000))]));
  assert.ok(!queue.add([bytes("y")]));
  drain(queue);
  assert.ok(queue.add([bytes("y")]));
});

test("the sender is told when the last frame of a message is written, and never of a cleared message", () => {
  const queue = makeSendQueue(bounds);
  const told: string[] = [];
  queue.add([bytes("x".repeat(70_000)), bytes("end")], () => told.push("first"));
  assert.deepEqual(queue.take()?.written, []);
  for (const tell of queue.take()?.written ?? []) tell();
  queue.add([bytes("lost")], () => told.push("second"));
  queue.clear();
  assert.equal(queue.take(), null);
  assert.deepEqual(told, ["first"]);
});

test("many small frames are bounded too", () => {
  const queue = makeSendQueue(bounds);
  let taken = 0;
  while (queue.add([bytes("1")])) taken += 1;
  assert.ok(taken < 50);
});

test("no reader sees the rest of a stream whose middle was dropped", () => {
  const step = fc.oneof(
    fc.record({ kind: fc.constant("chunk" as const), size: fc.integer({ min: 1, max: 900 }) }),
    fc.constant({ kind: "take" as const }),
    fc.constant({ kind: "answer" as const }),
  );
  fc.assert(
    fc.property(fc.array(step, { maxLength: 200 }), (steps) => {
      const queue = makeSendQueue(bounds);
      const sent = { turn: 0, piece: 0 };
      const shown: string[] = [];
      for (const next of steps) {
        if (next.kind === "take") shown.push(Buffer.from(queue.take()?.bytes ?? []).toString());
        else if (next.kind === "chunk") {
          const turn = `${sent.turn}`;
          const text = `c${turn}.${sent.piece}|${" ".repeat(next.size)}`;
          queue.addChunk({ session: "s", turn }, bytes(text), () => bytes(`r${turn}|`));
          sent.piece += 1;
        } else {
          if (!queue.add([bytes(`a${sent.turn}|`)])) return;
          queue.endStream("s");
          sent.turn += 1;
          sent.piece = 0;
        }
      }
      shown.push(drain(queue));
      const dropped = new Set<string>();
      const expected = new Map<string, number>();
      for (const word of shown
        .join("")
        .split("|")
        .map((text) => text.trim())) {
        const [turn = "", piece = ""] = word.slice(1).split(".");
        if (word.startsWith("r")) dropped.add(turn);
        if (!word.startsWith("c")) continue;
        assert.ok(!dropped.has(turn), `a chunk of ${turn} after its withdrawal`);
        assert.equal(Number(piece), expected.get(turn) ?? 0, `a gap in ${turn}`);
        expected.set(turn, Number(piece) + 1);
      }
    }),
  );
});
