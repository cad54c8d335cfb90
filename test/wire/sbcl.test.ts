import assert from "node:assert/strict";
import { join } from "node:path";
import { test } from "node:test";
import type { JsonObject } from "../../src/text/json.ts";
import { daemonCodec } from "../../src/wire/codec/codec.ts";
import { drawnMessages, folderOfPeers, hardMessages, hasProgram, runPeer, sentForm } from "./peers.ts";

const argv = (from: string, to: string): readonly [string, ...string[]] => [
  "sbcl",
  "--noinform",
  "--no-userinit",
  "--no-sysinit",
  "--disable-debugger",
  "--script",
  join(folderOfPeers, "peer.sbcl.lisp"),
  from,
  to,
];
const install = "apt-get install sbcl";

/** Has SBCL answer messages, and checks that it read each as it was sent and that we read what it says. */
function check(messages: readonly JsonObject[]): void {
  for (const [index, { back, said }] of runPeer(messages, argv).entries()) {
    const sent = messages[index] ?? {};
    assert.deepEqual(back, sentForm(sent));
    const reading = daemonCodec.decode(said);
    assert.ok(reading.ok, reading.ok ? "" : `${reading.text}: ${said}`);
    assert.equal(reading.message["id"], "from-sbcl");
  }
}

test("SBCL reads our frames with its own reader and prints them back as they were", (t) => {
  if (hasProgram(t, "sbcl", install)) check(hardMessages);
});

test("SBCL reads messages of every type that a seed gives", (t) => {
  if (hasProgram(t, "sbcl", install)) check(drawnMessages(300));
});

test("what SBCL says with a text that we sent comes back as that text", (t) => {
  if (!hasProgram(t, "sbcl", install)) return;
  const [first] = hardMessages;
  const [reply] = runPeer(first === undefined ? [] : [first], argv);
  assert.deepEqual(daemonCodec.decode(reply?.said ?? ""), {
    ok: true,
    message: {
      type: "event",
      id: "from-sbcl",
      meta: { source: "cli", "session-id": "s1" },
      payload: {
        sensor: "user-input",
        text: "beyond the basic plane: 😀 𝒳 \u{10ffff}, and é ß ı ſ Ω 中文",
      },
    },
  });
});
