import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { once } from "node:events";
import { chmodSync, existsSync, mkdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { createServer } from "node:net";
import { join } from "node:path";
import { test } from "node:test";
import { type ListenResult, listen } from "./listen.ts";
import { connectPeer, connectProved, makeFolder, openTestServer } from "./wire.fixture.ts";

const ears = { accept: () => {}, report: () => {} };

function refused(listening: ListenResult): { readonly code: string; readonly reason: string } {
  if (listening.ok) listening.stop();
  assert.ok(!listening.ok);
  return listening;
}

test("only this user can reach the socket and its folder", async (t) => {
  const socketPath = join(makeFolder(t), "made", "passepartout.sock");
  await openTestServer(t, { socketPath });
  assert.equal(statSync(socketPath).mode & 0o777, 0o600);
  assert.equal(statSync(join(socketPath, "..")).mode & 0o777, 0o700);
});

test("the socket is gone when the server is closed", async (t) => {
  const at = await openTestServer(t);
  await at.server.close();
  assert.ok(!existsSync(at.socketPath));
});

test("a socket that a killed process left behind is replaced", async (t) => {
  const socketPath = join(makeFolder(t), "passepartout.sock");
  const script = `require("node:net").createServer().listen(${JSON.stringify(socketPath)}, () => process.stdout.write("."))`;
  const child = spawn(process.execPath, ["-e", script], { stdio: ["ignore", "pipe", "inherit"] });
  await once(child.stdout, "data");
  child.kill("SIGKILL");
  await once(child, "exit");
  assert.ok(existsSync(socketPath));
  const at = await openTestServer(t, { socketPath });
  await connectProved(t, at);
});

test("a socket that another program listens on is refused with a reason, and keeps working", async (t) => {
  const at = await openTestServer(t);
  const { code, reason } = refused(await listen({ socketPath: at.socketPath, port: null }, ears));
  assert.equal(code, "socket-taken");
  assert.match(reason, /already listens on .*passepartout\.sock\. Use that daemon/);
  await connectProved(t, at);
});

test("a file in the place of the socket is refused and not changed", async (t) => {
  const socketPath = join(makeFolder(t), "passepartout.sock");
  writeFileSync(socketPath, "a letter");
  const { code, reason } = refused(await listen({ socketPath, port: null }, ears));
  assert.equal(code, "socket-unusable");
  assert.match(reason, /is not a socket/);
  assert.equal(readFileSync(socketPath, "utf8"), "a letter");
});

test("a folder that other users can enter is refused and not changed", async (t) => {
  const folder = join(makeFolder(t), "open");
  mkdirSync(folder);
  chmodSync(folder, 0o755);
  const { reason } = refused(
    await listen({ socketPath: join(folder, "passepartout.sock"), port: null }, ears),
  );
  assert.match(reason, /mode 755\)\. Run chmod 700/);
  assert.equal(statSync(folder).mode & 0o777, 0o755);
});

test("a path that is too long for a socket is refused with its length", async (t) => {
  const socketPath = join(makeFolder(t), "x".repeat(100), "passepartout.sock");
  assert.match(
    refused(await listen({ socketPath, port: null }, ears)).reason,
    /bytes; at most 107 are possible/,
  );
});

test("a folder that cannot be made is refused with a reason", async (t) => {
  const file = join(makeFolder(t), "file");
  writeFileSync(file, "");
  const { reason } = refused(await listen({ socketPath: join(file, "passepartout.sock"), port: null }, ears));
  assert.match(reason, /cannot be used/);
});

test("a port in use is refused with a reason, and then the socket is not open either", async (t) => {
  const squatter = createServer();
  squatter.listen(0, "127.0.0.1");
  await once(squatter, "listening");
  t.after(() => squatter.close());
  const address = squatter.address();
  const port = typeof address === "object" ? (address?.port ?? 0) : 0;
  const socketPath = join(makeFolder(t), "passepartout.sock");
  const { code, reason } = refused(await listen({ socketPath, port }, ears));
  assert.equal(code, "port-taken");
  assert.match(reason, new RegExp(`Port ${port} on 127\\.0\\.0\\.1 is used by another program\\. .* --port`));
  assert.ok(!existsSync(socketPath));
});

test("the port is open on the loopback address, beside the socket", async (t) => {
  const at = await openTestServer(t, { port: 0 });
  assert.ok(at.server.port !== null);
  const peer = connectPeer(t, { port: at.server.port });
  assert.equal((await peer.next())["type"], "event");
  assert.equal(peer.socket.remoteAddress, "127.0.0.1");
});
