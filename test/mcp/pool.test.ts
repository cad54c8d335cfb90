import assert from "node:assert/strict";
import { existsSync, mkdtempSync, readdirSync, readFileSync, realpathSync, writeFileSync } from "node:fs";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import { type TestContext, test } from "node:test";
import { setTimeout as wait } from "node:timers/promises";
import { ServerFailure } from "../../src/act/mcp/server-failure.ts";
import { ServerPool } from "../../src/act/mcp/server-pool.ts";
import { startPortsOf } from "../../src/act/mcp/start-ports.ts";
import { findSandbox } from "../../src/act/sandbox/bubblewrap.ts";
import { fillText, readMcpFile } from "../../src/settings/mcp-servers.ts";
import type { McpServer } from "../../src/signal/mcp-server.ts";
import { removeFolder } from "../remove-folder.ts";
import { startHttpServer } from "./http-server.ts";
import { liarEntry, noLogins, revisions, withoutSandbox } from "./mcp-world.ts";

const never = new AbortController().signal;

/** A pool of connections, and how to read an entry as the owner's `mcp.json` has it. */
async function openPool(
  t: TestContext,
  environment: Readonly<Record<string, string>> = {},
  idleTime = 60_000,
) {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), "mcp-pool-")));
  const settings = {
    searchPath: "/usr/bin",
    isSecretPath: () => false,
    folders: { own: [], readable: [] },
    config: {
      places: { runtime: folder },
      mcpLogins: noLogins,
      fillMcpText: (words: string) => fillText(words, environment, () => ({ ok: false, reason: "no vault" })),
    },
  };
  const pool = new ServerPool({
    ...startPortsOf(settings, await findSandbox()),
    recordConnection: () => undefined,
    version: "test",
    connectTimeout: 5000,
    idleTime,
  });
  t.after(async () => {
    await pool[Symbol.asyncDispose]();
    removeFolder(folder);
  });
  const serverOf = (entry: object): McpServer => {
    const path = join(folder, "mcp.json");
    writeFileSync(path, JSON.stringify({ mcpServers: { one: entry } }));
    return readMcpFile(path, { home: folder, project: null }).servers[0] ?? assert.fail("no server");
  };
  const useOf = (entry: object) => ({ server: serverOf(entry), accepted: null, addresses: ["127.0.0.1"] });
  return { pool, useOf, folder };
}

test("calls that begin at once share one process of a server, which ends with the pool", {
  skip: withoutSandbox,
}, async (t) => {
  const { pool, useOf, folder } = await openPool(t);
  const starts = join(folder, "starts");
  const use = useOf(liarEntry(revisions[0], "counts-starts", { file: starts }));
  await Promise.all([pool.list(use, never), pool.list(use, never), pool.list(use, never)]);
  assert.equal(readFileSync(starts, "utf8"), "started\n");
});

test("an entry that changed is another connection: nothing goes on to the server that was there before", async (t) => {
  const [before, after] = [
    await startHttpServer(t, revisions[0], "plain"),
    await startHttpServer(t, revisions[0], "plain"),
  ];
  const { pool, useOf } = await openPool(t);
  await pool.list(useOf({ url: `http://127.0.0.1:${before.port}/mcp` }), never);
  const asked = before.requests.length;
  await pool.list(useOf({ url: `http://127.0.0.1:${after.port}/mcp` }), never);
  assert.deepEqual([before.requests.length, after.requests.length > 0], [asked, true]);
});

test("a server is idle only while no call of it runs", { skip: withoutSandbox }, async (t) => {
  const { pool, useOf } = await openPool(t, {}, 700);
  const use = useOf(liarEntry(revisions[0], "late"));
  const { list } = await pool.list(use, never);
  const call = { tool: "echo", args: {}, answers: null, digest: list.digest };
  const slow = pool.call(use, call, never);
  await pool.list(use, never);
  assert.equal((await slow).kind, "done", "its answer takes longer than a server may idle");
});

type Message = { readonly id?: number; readonly method?: string };

/** A server of the network that answers as a test says, and counts what it is asked and what is open. */
async function startServer(t: TestContext, answer: (message: Message, response: ServerResponse) => void) {
  const server = createServer((request: IncomingMessage, response) => {
    void text(request).then((body) => {
      const message: unknown = body === "" ? { method: request.method } : JSON.parse(body);
      counts.requests += 1;
      answer(message as Message, response);
    });
  });
  const counts = {
    requests: 0,
    open: () => new Promise<number>((done) => server.getConnections((_, n) => done(n))),
  };
  await new Promise<void>((listening) => server.listen(0, "127.0.0.1", listening));
  t.after(() => {
    server.closeAllConnections();
    server.close();
  });
  const address = server.address();
  assert.ok(address !== null && typeof address === "object");
  return { url: `http://127.0.0.1:${address.port}/mcp`, counts };
}

const json = (response: ServerResponse, message: object): void =>
  void response
    .writeHead(200, { "content-type": "application/json" })
    .end(JSON.stringify({ jsonrpc: "2.0", ...message }));

/** The answers of an older server that greets, up to its tools. */
function greets({ id, method }: Message, response: ServerResponse): boolean {
  if (id === undefined && method?.startsWith("notifications/")) response.writeHead(202).end();
  else if (method === "server/discover") json(response, { id, error: { code: -32601, message: "no" } });
  else if (method === "initialize")
    json(response, {
      id,
      result: {
        protocolVersion: revisions[1],
        capabilities: { tools: {} },
        serverInfo: { name: "slow", version: "1" },
      },
    });
  else return false;
  return true;
}

const failsWith = (words: RegExp) => (error: unknown) =>
  error instanceof ServerFailure && words.test(error.message);

test("a server that never greets is given up in its time, and no connection to it stays open", async (t) => {
  const { url, counts } = await startServer(t, () => {});
  const { pool, useOf } = await openPool(t);
  await assert.rejects(pool.list(useOf({ url }), never), failsWith(/did not answer in time/));
  await wait(50);
  assert.equal(await counts.open(), 0);
});

test("a server that ends each stream and asks to be called again at once is not called without end", async (t) => {
  const { url, counts } = await startServer(t, (message, response) => {
    if (greets(message, response)) return;
    if (message.method === "tools/list") json(response, { id: message.id, result: { tools: [] } });
    else response.writeHead(200, { "content-type": "text/event-stream" }).end("retry: 0\nid: 1\ndata:\n\n");
  });
  const { pool, useOf } = await openPool(t);
  await pool.list(useOf({ url }), never);
  await wait(1500);
  assert.ok(counts.requests < 250, `${counts.requests} requests`);
});

test("a server that floods its stream while nobody uses it is left, and connected again for the next use", async (t) => {
  const stream = Promise.withResolvers<ServerResponse>();
  const { url } = await startServer(t, (message, response) => {
    if (greets(message, response)) return;
    if (message.method === "tools/list") json(response, { id: message.id, result: { tools: [] } });
    else stream.resolve(response.writeHead(200, { "content-type": "text/event-stream" }));
  });
  const { pool, useOf } = await openPool(t);
  const use = useOf({ url });
  await pool.list(use, never);
  const response = await stream.promise;
  const closed = new Promise((resolve) => response.once("close", resolve));
  const notice = { jsonrpc: "2.0", method: "notifications/tools/list_changed" };
  response.write(`data: ${JSON.stringify(notice)}\n\n`.repeat(10_050));
  await closed;
  assert.deepEqual((await pool.list(use, never)).list.tools, []);
});

test("a list whose pages never end, or that says the same page again and again, is given up", async (t) => {
  for (const cursor of [() => "again", (page: number) => `page-${page}`]) {
    let pages = 0;
    const { url } = await startServer(t, (message, response) => {
      if (greets(message, response)) return;
      if (message.method !== "tools/list") return void response.writeHead(405).end();
      pages += 1;
      const tool = { name: `tool-${pages}`, inputSchema: { type: "object" } };
      json(response, { id: message.id, result: { tools: [tool], nextCursor: cursor(pages) } });
    });
    const { pool, useOf } = await openPool(t);
    await assert.rejects(pool.list(useOf({ url }), never), ServerFailure);
    assert.ok(pages <= 25, `${pages} pages`);
    await pool[Symbol.asyncDispose]();
  }
});

test("answers with other ids, of both revisions at once, or with nothing in them are no answers", async (t) => {
  const odd: readonly ((id: number | undefined) => object)[] = [
    (id) => ({ id: (id ?? 0) + 1, result: { tools: [] } }),
    (id) => ({ id, result: { resultType: "input_required", inputRequests: {} } }),
    (id) => ({ id, result: null }),
    (id) => ({ id, result: { tools: "all" } }),
    (id) => ({ id, result: { tools: [] }, error: { code: 1, message: "both" } }),
    () => ({}),
  ];
  for (const [at, say] of odd.entries()) {
    const { url } = await startServer(t, (message, response) => {
      if (greets(message, response)) return;
      if (message.method === "tools/list") json(response, say(message.id));
      else response.writeHead(405).end();
    });
    const { pool, useOf } = await openPool(t);
    await assert.rejects(pool.list(useOf({ url }), never), ServerFailure, `${at}`);
    await pool[Symbol.asyncDispose]();
  }
});

test("a value of an entry that cannot be sent is told by its name alone", async (t) => {
  const { url, counts } = await startServer(t, () => {});
  const { pool, useOf } = await openPool(t, { TOKEN: "swan-first\nswan-second" });
  const entry = { url, headers: { Authorization: `Bearer \${TOKEN}` } };
  await assert.rejects(
    pool.list(useOf(entry), never),
    (error) =>
      error instanceof ServerFailure && /Authorization/.test(error.message) && !/swan/.test(error.message),
  );
  assert.equal(counts.requests, 0);
});

test("the variables of a server reach it, also behind the proxy, and stand in no list of processes", {
  skip: withoutSandbox,
}, async (t) => {
  for (const hosts of [[], ["example.org"]]) {
    const { pool, useOf, folder } = await openPool(t, { TOKEN: "swan-in-the-environment" });
    const file = join(folder, "environment");
    const entry = liarEntry(revisions[0], "tells-environment", { file, own: { hosts } });
    await pool.list(useOf({ ...entry, env: { SWAN: `\${TOKEN}` } }), never);
    assert.equal(readFileSync(file, "utf8"), "swan-in-the-environment");
    const listed = readdirSync("/proc").filter((name) => /^\d+$/.test(name));
    const lines = listed.flatMap((name) => {
      const path = join("/proc", name, "cmdline");
      return existsSync(path) ? [readFileSync(path, "utf8")] : [];
    });
    assert.ok(lines.some((line) => line.includes("tells-environment")));
    assert.deepEqual(
      lines.filter((line) => line.includes("swan-in-the-environment")),
      [],
    );
    await pool[Symbol.asyncDispose]();
  }
});

test("a server starts in the folder that its entry names, where that is granted", {
  skip: withoutSandbox,
}, async (t) => {
  const { pool, useOf, folder } = await openPool(t);
  const file = join(folder, "where");
  const entry = liarEntry(revisions[0], "tells-folder", { file });
  await pool.list(useOf({ ...entry, cwd: folder }), never);
  assert.equal(readFileSync(file, "utf8"), folder);
  await assert.rejects(
    pool.list(useOf({ ...entry, cwd: "/home" }), never),
    failsWith(/^it starts in \/home, which it may not see\. Write .*"read": \["\/home"\]/),
  );
});

test("a command that fetches a program, or starts a container, fails soon and says what to do", {
  skip: withoutSandbox,
}, async (t) => {
  const { pool, useOf, folder } = await openPool(t);
  for (const [program, words] of [
    ["npx", /npx fetches programs, and its entry grants no host/],
    ["docker", /No container can be started from the sandbox/],
  ] as const) {
    const command = join(folder, program);
    writeFileSync(command, '#!/bin/sh\n[ "$npm_config_offline" = true ] && exit 1\nsleep 60\n', {
      mode: 0o755,
    });
    await assert.rejects(pool.list(useOf({ command }), never), failsWith(words));
  }
});

test("a null character in an entry starts nothing", { skip: withoutSandbox }, async (t) => {
  const { pool, useOf } = await openPool(t);
  const entry = { ...liarEntry(revisions[0], "plain"), env: { A: "b\0--bind\0/\0/" } };
  await assert.rejects(pool.list(useOf(entry), never), failsWith(/^its entry holds a null character/));
});
