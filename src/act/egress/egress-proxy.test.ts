import assert from "node:assert/strict";
import { once } from "node:events";
import { connect, Socket } from "node:net";
import { join } from "node:path";
import { type TestContext, test } from "node:test";
import { setTimeout as wait } from "node:timers/promises";
import { madeUpInternet, publicAddress, serve, serveTcp } from "../tools/shell/network.fixture.ts";
import { makeScratchFolder } from "../tools/shell/shell.fixture.ts";
import { defaultEgressLimits, type EgressLimits } from "./egress-limits.ts";
import { type EgressConnection, EgressProxy } from "./egress-proxy.ts";

const withoutCredentials = {
  secure: async (socket: Socket) => socket,
  credentials: [],
  values: {
    read: () => ({ ok: false as const, reason: "there is none" }),
    makeMask: () => ({ push: (text: string) => text, end: () => "" }),
  },
};

/** A proxy that allows `good.example`, with a server on loopback behind it. */
async function openProxy(context: TestContext, port: number, limits: Partial<EgressLimits> = {}) {
  const path = join(await makeScratchFolder(context), "proxy");
  const connections: EgressConnection[] = [];
  const internet = madeUpInternet(port);
  const proxy = await EgressProxy.listen(path, {
    allowed: [80, 443].map((each) => ({ host: "good.example", port: each })),
    ...internet,
    ...withoutCredentials,
    record: (connection) => connections.push(connection),
    limits: { ...defaultEgressLimits, ...limits },
  });
  const open = new Set<Socket>();
  context.after(async () => {
    for (const socket of open) socket.destroy();
    await proxy[Symbol.asyncDispose]();
  });
  const send = (text: string): Socket => {
    const socket = connect({ path });
    open.add(socket.on("error", () => socket.destroy()));
    socket.write(text);
    return socket.resume();
  };
  return { proxy, connections, send, dialled: internet.dialled };
}

async function answerOf(socket: Socket): Promise<string> {
  let text = "";
  socket.on("data", (bytes: Buffer) => {
    text += bytes.toString("latin1");
  });
  await Promise.race([once(socket, "close"), wait(30_000, null, { ref: false })]);
  return text;
}

const get = "GET http://good.example/x HTTP/1.1\r\nHost: other.example\r\nConnection: close\r\n\r\n";

test("a name that leads elsewhere at its second look-up is not looked up again", async (context) => {
  const port = await serve(context, (_request, response) => response.end("REACHED"));
  const answers = [[publicAddress], ["127.0.0.1"]];
  const path = join(await makeScratchFolder(context), "proxy");
  const { dial, dialled } = madeUpInternet(port);
  await using _proxy = await EgressProxy.listen(path, {
    allowed: [{ host: "good.example", port: 80 }],
    resolveHost: async () => answers.shift() ?? [],
    dial,
    ...withoutCredentials,
    record: () => undefined,
    limits: defaultEgressLimits,
  });
  for (let turn = 0; turn < 2; turn += 1) {
    const socket = connect({ path });
    socket.write(get);
    assert.match(await answerOf(socket), /REACHED/);
  }
  assert.deepEqual(
    dialled.map(({ addresses }) => addresses),
    [[publicAddress], [publicAddress]],
  );
});

test("headers that come byte by byte end, and so does a connection on which nothing comes", async (context) => {
  const port = await serveTcp(context, (socket) => void socket.on("error", () => socket.destroy()).resume());
  const { send } = await openProxy(context, port, { connectMilliseconds: 500, idleMilliseconds: 800 });
  const slow = send("GET http://good.example/ HTTP/1.1\r\n");
  const drip = setInterval(() => slow.write("a"), 100);
  // Writing to the ended connection is an error, by which `once` would reject.
  const ends = [slow, send(""), send(get), send("CONNECT good.example:443 HTTP/1.1\r\n\r\n")];
  await Promise.all(ends.map((socket) => new Promise((resolve) => socket.once("close", resolve))));
  clearInterval(drip);
});

test("a host that never answers is given up, and the command is told", async (context) => {
  const path = join(await makeScratchFolder(context), "proxy");
  const connections: EgressConnection[] = [];
  await using _proxy = await EgressProxy.listen(path, {
    allowed: [{ host: "good.example", port: 443 }],
    resolveHost: async () => [publicAddress],
    // A socket that is connected to nothing waits like one to a host that drops every packet.
    dial: () => new Socket(),
    ...withoutCredentials,
    record: (connection) => connections.push(connection),
    limits: { ...defaultEgressLimits, connectMilliseconds: 200 },
  });
  const socket = connect({ path });
  socket.write("CONNECT good.example:443 HTTP/1.1\r\n\r\n");
  assert.match(await answerOf(socket), /^HTTP\/1\.1 502 .*could not be reached: no answer in time/s);
  assert.match(connections[0]?.refused ?? "", /no answer in time/);
});

test("a thousand connections at once get no more than the limit through, and the proxy still works after them", async (context) => {
  const port = await serve(context, (_request, response) => response.end("REACHED"));
  const { send, connections } = await openProxy(context, port, { together: 10, connections: 2_000 });
  const sockets = Array.from({ length: 1_000 }, () => send("CONNECT good.example:443 HTTP/1.1\r\n\r\n"));
  const open = (): number => sockets.filter(({ destroyed }) => !destroyed).length;
  for (let tries = 0; tries < 300 && open() > 10; tries += 1) await wait(100);
  assert.ok(open() <= 10, `${open()}`);
  for (const socket of sockets) socket.destroy();
  await wait(100);
  assert.match(await answerOf(send(get)), /REACHED/);
  assert.ok(connections.length <= 11, `${connections.length}`);
});

test("beyond its number of connections a command reaches nothing more, whether they were refused or not", async (context) => {
  let reached = 0;
  const port = await serve(context, (_request, response) => {
    reached += 1;
    response.end("REACHED");
  });
  const { send } = await openProxy(context, port, { connections: 6 });
  const foreign = "CONNECT other.example:443 HTTP/1.1\r\n\r\n";
  for (const request of [get, foreign, get, foreign, get, get]) await answerOf(send(request));
  assert.equal(reached, 4);
  for (let left = 3; left > 0; left -= 1)
    assert.match(await answerOf(send(get)), /403.*too many connections/s);
  assert.equal(reached, 4);
});

test("what a host answers cannot bring the proxy down", async (context) => {
  const answers = [
    "HTTP/1.1 099 Odd\r\n\r\n",
    "HTTP/1.1 200 OK\r\nx: \x01\x02\r\n\r\n",
    "HTTP/1.1 101 Switching\r\nupgrade: x\r\nconnection: upgrade\r\n\r\nraw",
    "HTTP/1.1 200 OK\r\ncontent-length: 5\r\ncontent-length: 6\r\n\r\n",
    "HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\nzz\r\n",
    "\x00\xff garbage",
    "",
  ];
  const port = await serveTcp(context, (socket) => {
    socket
      .on("error", () => socket.destroy())
      .once("data", () => socket.end(answers.shift() ?? "HTTP/1.1 204 No\r\n\r\n", "latin1"));
  });
  const { send } = await openProxy(context, port);
  for (let left = answers.length; left > 0; left -= 1) await answerOf(send(get));
  assert.match(await answerOf(send(get)), /^HTTP\/1\.1 204/);
});

test("a body goes up and down whole, and headers for one connection only do not pass", async (context) => {
  const port = await serve(context, (request, response) => {
    response.setHeader("x-seen", Object.keys(request.headers).sort().join(","));
    response.setHeader("content-length", request.headers["content-length"] ?? 0);
    request.pipe(response);
  });
  const { send, connections, proxy } = await openProxy(context, port);
  const body = "0123456789".repeat(100_000);
  const answer = await answerOf(
    send(
      `POST http://good.example/ HTTP/1.1\r\nHost: x\r\nConnection: close, x-mine\r\nx-mine: 1\r\nProxy-Authorization: Basic eA==\r\ncontent-length: ${body.length}\r\n\r\n${body}`,
    ),
  );
  assert.match(answer, /x-seen: connection,content-length,host\r\n/);
  assert.ok(answer.endsWith(`\r\n\r\n${body}`));
  await proxy[Symbol.asyncDispose]();
  assert.equal(connections.length, 1);
  assert.ok((connections[0]?.sent ?? 0) > 1_000_000 && (connections[0]?.received ?? 0) > 1_000_000);
});
