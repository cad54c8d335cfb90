import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { join } from "node:path";
import { test } from "node:test";
import type { JsonObject } from "../../src/text/json.ts";
import { daemonCodec } from "../../src/wire/codec/codec.ts";
import { proofOf } from "../../src/wire/codec/proof.ts";
import { drawnMessages, folderOfPeers, hardMessages, hasProgram, runPeer, sentForm } from "./peers.ts";

const peer = ["-Q", "--batch", "--load", join(folderOfPeers, "peer.el"), "--eval"];
const argv = (from: string, to: string): readonly [string, ...string[]] => [
  "emacs",
  ...peer,
  `(peer-main ${JSON.stringify(from)} ${JSON.stringify(to)})`,
];
const install = "apt-get install emacs-nox";

/** Has Emacs answer messages, and checks that it read each as it was sent and that we read what it says. */
function check(messages: readonly JsonObject[]): void {
  for (const [index, { back, said }] of runPeer(messages, argv).entries()) {
    assert.deepEqual(back, sentForm(messages[index] ?? {}));
    const reading = daemonCodec.decode(said);
    assert.ok(reading.ok, reading.ok ? "" : `${reading.text}: ${said}`);
    assert.equal(reading.message["id"], "from-emacs");
  }
}

test("Emacs reads our frames with its own reader and prints them back as they were", (t) => {
  if (hasProgram(t, "emacs", install)) check(hardMessages);
});

test("Emacs reads messages of every type that a seed gives", (t) => {
  if (hasProgram(t, "emacs", install)) check(drawnMessages(300));
});

test("what Emacs says with a text that we sent comes back as that text", (t) => {
  if (!hasProgram(t, "emacs", install)) return;
  const [, second] = hardMessages;
  const [reply] = runPeer(second === undefined ? [] : [second], argv);
  assert.deepEqual(daemonCodec.decode(reply?.said ?? ""), {
    ok: true,
    message: {
      type: "event",
      id: "from-emacs",
      meta: { source: "emacs", "session-id": "s1" },
      payload: {
        sensor: "user-input",
        text: 'quotes " and \\ and \\" and \\\\n, bars | ; # ` , \' ( ) and (:TYPE :EVENT)',
      },
    },
  });
});

test("Emacs makes the same proof with its own cryptography", (t) => {
  if (!hasProgram(t, "emacs", install)) return;
  const secret = Uint8Array.from({ length: 32 }, (_, index) => 255 - index);
  const [server, client] = ["0f".repeat(32), "a5".repeat(32)] as const;
  const form = `(princ (peer-proof "${Buffer.from(secret).toString("hex")}" "client" "${server}" "${client}"))`;
  const { stdout, stderr } = spawnSync("emacs", [...peer, form], { encoding: "utf8", timeout: 60_000 });
  assert.equal(stdout, proofOf(secret, "client", server, client), stderr);
});
