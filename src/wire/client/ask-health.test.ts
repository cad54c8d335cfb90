import assert from "node:assert/strict";
import { mkdtempSync, rmSync } from "node:fs";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";
import { frame } from "../codec/frame.ts";
import { askHealth } from "./ask-health.ts";

test("a newer daemon that speaks another protocol is no stranger: it says that this program is the older one", async (t) => {
  const folder = mkdtempSync(join(tmpdir(), "ask-health-"));
  const socketPath = join(folder, "socket");
  const handshake = `(:TYPE :EVENT :PAYLOAD (:ACTION :HANDSHAKE :VERSION "9.0.0" :PROTOCOL 99 :CAPABILITIES NIL :NONCE "${"0".repeat(64)}"))`;
  const server = createServer((socket) => socket.on("error", () => undefined).write(frame(handshake)));
  const { promise, resolve } = Promise.withResolvers<void>();
  server.listen(socketPath, resolve);
  await promise;
  t.after(() => {
    server.close();
    rmSync(folder, { recursive: true });
  });
  const wait = (_: number, over: AbortSignal) =>
    new Promise<void>((done) => over.addEventListener("abort", () => done(), { once: true }));
  const answer = await askHealth({ socketPath, secret: Buffer.alloc(32), wait, patience: 5_000 });
  assert.equal(answer.kind, "other-protocol");
  assert.match("reason" in answer ? answer.reason : "", /version 9\.0\.0 .*This program is the older one/);
});
