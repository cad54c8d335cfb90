import assert from "node:assert/strict";
import { existsSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import type { ServerResponse } from "node:http";
import { join } from "node:path";
import { test } from "node:test";
import { setTimeout as wait } from "node:timers/promises";
import { ServerFailure } from "../../src/act/mcp/server-failure.ts";
import { greets, json, openPool, startServer } from "./answering-server.ts";
import { startHttpServer } from "./http-server.ts";
import { liarEntry, revisions, withoutSandbox } from "./mcp-world.ts";

const never = new AbortController().signal;

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
