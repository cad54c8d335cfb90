import assert from "node:assert/strict";
import { chmodSync, mkdirSync, statSync } from "node:fs";
import { createServer } from "node:net";
import { dirname, join } from "node:path";
import { test } from "node:test";
import manifest from "../../package.json" with { type: "json" };
import { openState } from "../../src/memory/state/open-state.ts";
import { loadPolicy } from "../../src/settings/policy.ts";
import { daemonCodec } from "../../src/wire/codec/codec.ts";
import { frame } from "../../src/wire/codec/frame.ts";
import { readSecret } from "../../src/wire/codec/proof-secret.ts";
import { connectPeer, payloadOf, proofFor } from "../../src/wire/server/wire.fixture.ts";
import { makeWorld } from "../agent-world.ts";
import { refusedDaemon, startDaemon } from "./daemon-process.ts";
import { serveDaemon } from "./serve-daemon.ts";
import { healthUntilChecked, listenTo, provedPeer, untilAnswer, wordsIn } from "./wire-client.ts";

const { version } = manifest;

test("the daemon greets on its socket and its port with its true version, and only the owner reaches the socket", async (t) => {
  const world = await makeWorld(t);
  const daemon = await serveDaemon(world);
  const nonces = new Set<unknown>();
  for (const place of [{ path: daemon.socketPath }, { port: daemon.port }]) {
    const handshake = payloadOf(await connectPeer(t, place).next());
    assert.equal(handshake["action"], "handshake");
    assert.equal(handshake["version"], version);
    assert.equal(handshake["protocol"], 1);
    assert.deepEqual(handshake["capabilities"], [
      "auth",
      "buffers",
      "hidden-prompt",
      "org-ast",
      "output",
      "stream",
      "terminal-size",
    ]);
    assert.match(String(handshake["nonce"]), /^[0-9a-f]{64}$/);
    nonces.add(handshake["nonce"]);
  }
  assert.equal(nonces.size, 2);
  assert.equal(statSync(daemon.socketPath).mode & 0o777, 0o600);
  assert.equal(statSync(dirname(daemon.socketPath)).mode & 0o777, 0o700);
  assert.equal(statSync(join(world.state, "wire-secret")).mode & 0o777, 0o600);
});

test("health is told before any proof, on the socket and on the port", async (t) => {
  const world = await makeWorld(t);
  const daemon = await serveDaemon(world);
  for (const place of [{ path: daemon.socketPath }, { port: daemon.port }]) {
    const peer = connectPeer(t, place);
    await peer.next();
    const told = await healthUntilChecked(peer);
    const { type, status, ...rest } = told.at(-1) ?? {};
    assert.equal(type, "health-response");
    assert.match(String(status), /^(healthy|degraded)$/);
    assert.deepEqual(rest, { "checked-p": true });
    for (const { status, "checked-p": checked } of told.slice(0, -1)) {
      assert.deepEqual([status, checked], ["unknown", false]);
    }
  }
});

test("health is told while a session thinks and another runs a tool that computes without end", async (t) => {
  const world = await makeWorld(t, [
    { when: "first session", fault: "hang" },
    {
      when: "second session",
      calls: [{ name: "eval", arguments: { code: "for (;;) {}", explanation: "To keep the machine busy" } }],
    },
  ]);
  const daemon = await serveDaemon(world);
  const busy = listenTo(t, world, daemon);
  busy.client.send(wordsIn("a", "I am the first session", "one"));
  busy.client.send(wordsIn("b", "I am the second session", "two"));
  await busy.message((message) => payloadOf(message)["action"] === "judged");
  await world.provider.reached(2);
  const peer = connectPeer(t, { path: daemon.socketPath });
  await peer.next();
  for (let asked = 0; asked < 5; asked += 1) {
    peer.send({ type: "health-check" });
    assert.equal((await peer.next())["type"], "health-response");
  }
});

test("the daemon's proof is checked by our client, which tells a squatter nothing", async (t) => {
  const world = await makeWorld(t, [{ text: "Hello." }]);
  const first = await startDaemon(t, world);
  first.signal("SIGTERM");
  await first.end;
  const heard: string[] = [];
  const nonce = "a".repeat(64);
  const greeting = { action: "handshake", version, protocol: 1, capabilities: ["auth"], nonce };
  const lie = { action: "authenticated", mac: "b".repeat(64) };
  const squatter = createServer((socket) => {
    socket.on("error", () => socket.destroy());
    socket.on("data", (bytes) => heard.push(bytes.toString("utf8")));
    socket.write(frame(daemonCodec.encode({ type: "event", payload: greeting })));
    socket.once("data", () => socket.write(frame(daemonCodec.encode({ type: "response", payload: lie }))));
  });
  t.after(() => squatter.close());
  await new Promise<void>((resolve) => squatter.listen(first.socketPath, resolve));
  const asked = await world.command(["ask", "my secret plans"]);
  assert.equal(asked.code, 1);
  assert.match(asked.err, /does not know the secret: it is not your daemon/);
  assert.ok(heard.length > 0, "the squatter was asked for its proof");
  assert.ok(!heard.join("").includes("secret plans"));
  const second = await refusedDaemon(t, world);
  assert.equal(second.code, 1);
  assert.match(second.said, /A daemon already listens on .*passepartout\.sock\. Use that daemon, or stop it/);
});

test("a port that is taken is refused in words, and nothing is left open", async (t) => {
  const world = await makeWorld(t, [{ text: "Hello." }]);
  const holder = createServer();
  t.after(() => holder.close());
  await new Promise<void>((resolve) => holder.listen(0, "127.0.0.1", resolve));
  const address = holder.address();
  const port = typeof address === "object" ? (address?.port ?? 0) : 0;
  const { code, said } = await refusedDaemon(t, world, { port });
  assert.equal(code, 1);
  assert.match(said, new RegExp(`Port ${port} on 127\\.0\\.0\\.1 is used by another program\\. .*--port N`));
  assert.equal((await world.command(["ask", "hello"])).out, "Hello.\n");
});

test("a second daemon is refused in words, and the first goes on", async (t) => {
  const world = await makeWorld(t, [{ text: "Hello." }]);
  await serveDaemon(world);
  const { code, said } = await refusedDaemon(t, world);
  assert.equal(code, 1);
  assert.match(
    said,
    /is in use by process \d+(?:, which listens at \S+)?\. Talk to that one, or stop it|A daemon already listens on .*passepartout\.sock/,
  );
  assert.equal((await world.command(["ask", "hello"])).out, "Hello.\n");
});

test("a runtime folder that others can enter is refused in words", async (t) => {
  const world = await makeWorld(t);
  const runtime = join(world.home, "runtime/passepartout");
  mkdirSync(runtime, { recursive: true });
  chmodSync(runtime, 0o755);
  const settings = { XDG_RUNTIME_DIR: join(world.home, "runtime") };
  const { code, said } = await refusedDaemon(t, world, { settings });
  assert.equal(code, 1);
  assert.match(said, /Other users can enter the socket's folder .*\. Run chmod 700 on it/);
});

test("a proof counts once: a recorded one is refused on another connection", async (t) => {
  const world = await makeWorld(t);
  const daemon = await serveDaemon(world);
  const first = connectPeer(t, { path: daemon.socketPath });
  const proof = proofFor(await first.next(), readSecret(world.state));
  first.send(proof);
  assert.equal(payloadOf(await first.next())["action"], "authenticated");
  const second = connectPeer(t, { path: daemon.socketPath });
  await second.next();
  second.send(proof);
  const [refused] = await second.rest();
  assert.equal(payloadOf(refused ?? {})["code"], "wrong-proof");
});

test("where proof is enforced, words without one are refused and reach no model", async (t) => {
  const world = await makeWorld(t, [{ text: "never" }]);
  const daemon = await serveDaemon(world);
  const peer = connectPeer(t, { port: daemon.port });
  await peer.next();
  peer.send(wordsIn("s1", "hello", "one"));
  const [refused, ...more] = await peer.rest();
  assert.equal(payloadOf(refused ?? {})["code"], "unproved");
  assert.deepEqual(more, []);
  assert.equal(world.provider.requests.length, 0);
});

test("a web page that posts to the port is told off and reaches no model", async (t) => {
  const world = await makeWorld(t, [{ text: "never" }]);
  const daemon = await serveDaemon(world);
  const page = connectPeer(t, { port: daemon.port });
  await page.next();
  page.write("POST / HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Length: 3\r\n\r\nhey");
  const [refused] = await page.rest();
  assert.equal(refused?.["type"], "protocol-error");
  assert.equal(world.provider.requests.length, 0);
});

for (const name of ["SIGINT", "SIGTERM", "SIGHUP", "SIGQUIT"] as const) {
  test(`${name} lets a turn that is paid for come to its end, then the daemon leaves with exit code 0`, async (t) => {
    const world = await makeWorld(t, [{ text: ["Just ", "in ", "time."], pauseMs: 150 }]);
    const daemon = await startDaemon(t, world);
    const peer = await provedPeer(t, world, daemon);
    peer.send(wordsIn("s1", "take your time", "one"));
    await world.provider.reached(1);
    daemon.signal(name);
    const heard = await untilAnswer(peer);
    assert.equal(payloadOf(heard.at(-1) ?? {})["text"], "Just in time.");
    const { code, said } = await daemon.end;
    assert.equal(code, 0, said);
  });
}

test("health is told again and again while the check of the start reads a large journal", async (t) => {
  const world = await makeWorld(t);
  const { gatesHash } = loadPolicy(world.environment);
  {
    await using state = await openState({
      folder: world.state,
      clock: Date.now,
      gates: gatesHash,
      access: "write",
    });
    const record = { turn: null, session: null, digest: null, effects: [], facts: null, verdict: null };
    const entry = {
      ...record,
      trace: [],
      changes: [],
      kind: "note" as const,
      detail: { text: "x".repeat(500) },
    };
    await Promise.all(Array.from({ length: 4_000 }, () => state.journal.append(entry, { forced: false })));
  }
  const pieces = statSync(`${world.state}/journal.jsonl`).size / 65_536;
  const daemon = await serveDaemon(world);
  const peer = connectPeer(t, { path: daemon.socketPath });
  await peer.next();
  const told = await healthUntilChecked(peer, 2 * pieces + 1);
  assert.match(String(told.at(-1)?.["status"]), /^(healthy|degraded)$/);
  assert.ok(told.length > 2 * pieces, `${told.length} answers while ${pieces} pieces of 64 KiB were read`);
});
