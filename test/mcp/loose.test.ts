import assert from "node:assert/strict";
import type { ServerResponse } from "node:http";
import { type TestContext, test } from "node:test";
import { ServerFailure } from "../../src/act/mcp/server-failure.ts";
import { greets, json, type Message, openPool, startServer } from "./answering-server.ts";
import { revisions } from "./mcp-world.ts";

const never = new AbortController().signal;
const failsWith = (words: RegExp) => (error: unknown) =>
  error instanceof ServerFailure && words.test(error.message);

/** A server of the network that greets in a revision, and answers the rest as a test says. */
async function open(t: TestContext, revision: string, say: (message: Message, to: ServerResponse) => void) {
  const { url, counts } = await startServer(t, (message, response) => {
    if (greets(message, response, revision)) return;
    if (message.method === "GET" || message.id === undefined) response.writeHead(405).end();
    else say(message, response);
  });
  const { pool, useOf } = await openPool(t);
  const use = useOf({ url });
  const list = async () => (await pool.list(use, never)).list;
  const call = async (tool = "fine") =>
    pool.call(use, { tool, args: {}, answers: null, digest: (await list()).digest }, never);
  return { list, call, counts };
}

const fine = { name: "fine", inputSchema: { type: "object" } };

/** Lists of which a strict reader takes nothing, each with the tools beside `fine` that are usable. */
const looseLists: readonly (readonly [object | null | string | number, readonly string[]])[] = [
  [{ ...fine, name: "a", description: null }, ["a"]],
  [{ ...fine, name: "a", description: 7 }, ["a"]],
  [{ ...fine, name: "a", title: 7, annotations: "read only", icons: {}, _meta: null }, ["a"]],
  [{ name: "a" }, ["a"]],
  [{ name: "a", inputSchema: null }, ["a"]],
  [{ name: "a", inputSchema: true }, ["a"]],
  [{ name: "a", inputSchema: {} }, ["a"]],
  [{ name: "a", inputSchema: { type: ["object", "null"] } }, ["a"]],
  [{ name: "a", inputSchema: { type: "object", properties: null, required: null } }, ["a"]],
  [{ name: "a", inputSchema: { type: "object", properties: { b: true }, required: "b" } }, ["a"]],
  [{ ...fine, name: "a", outputSchema: [] }, ["a"]],
  [{ ...fine, name: "a", execution: "now" }, ["a"]],
  [{ name: "a", inputSchema: { type: "string" } }, []],
  [{ name: "a", inputSchema: [] }, []],
  [{ name: 7, inputSchema: {} }, []],
  [{ inputSchema: {} }, []],
  [null, []],
  ["a", []],
  [7, []],
];

test("one tool that is described loosely is read, or left out by its name, and takes no other along, in both revisions", async (t) => {
  for (const revision of revisions) {
    const said = { tools: [] as unknown[], more: {} };
    const { list } = await open(t, revision, ({ id }, to) =>
      json(to, { id, result: { tools: said.tools, ...said.more } }),
    );
    for (const [tool, usable] of looseLists) {
      said.tools = [tool, fine];
      const { tools, unusable } = await list();
      const about = `${revision} ${JSON.stringify(tool)}`;
      assert.deepEqual(
        tools.map(({ name }) => name),
        [...usable, "fine"],
        about,
      );
      assert.equal(unusable.length, 1 - usable.length, about);
    }
    for (const more of [{ nextCursor: null }, { nextCursor: "" }, { _meta: null }, { ttlMs: "long" }]) {
      said.more = more;
      assert.equal((await list()).tools.length, 1, `${revision} ${JSON.stringify(more)}`);
    }
  }
});

/** Results of which a strict reader takes nothing, each with what is kept of it. */
const looseResults: readonly (readonly [object, unknown])[] = [
  [{ content: "done" }, "done"],
  [{ content: { type: "text", text: "done" } }, "done"],
  [{ content: ["done"] }, "done"],
  [{ content: [{ text: "done" }] }, "done"],
  [{ content: [{ type: "text", text: 7 }] }, "7"],
  [{ content: [{ type: "text", text: "done", annotations: "none" }], _meta: null }, "done"],
  [{ content: [{ type: "text", text: "done" }], structuredContent: null }, "done"],
  [{ content: [{ type: "text", text: "done" }], isError: "no" }, "done"],
  [{ content: [], structuredContent: [1, 2] }, [1, 2]],
  [{ structuredContent: "done" }, "done"],
  [{ structuredContent: 7 }, 7],
  [{ content: null, structuredContent: { a: 1 } }, { a: 1 }],
  [{ content: [{ type: "image", data: "AAAA" }] }, "[image, unknown type, 4 characters, not shown]"],
  [{ content: [{ type: "text", text: "done" }, null] }, ["done", "[a part that cannot be read]"]],
  [
    { content: [{ type: "text", text: "done" }, { type: "odd" }] },
    ["done", "[a part of the kind odd, not shown]"],
  ],
  [{}, []],
];

test("a loose result of an act that was done keeps its text, and any value may be structured content, in both revisions", async (t) => {
  for (const revision of revisions) {
    let said: object = {};
    const { call } = await open(t, revision, ({ id, method }, to) =>
      json(to, { id, result: method === "tools/list" ? { tools: [fine] } : said }),
    );
    for (const [result, kept] of looseResults) {
      said = result;
      const outcome = { status: "success", content: kept };
      const about = `${revision} ${JSON.stringify(result)}`;
      assert.deepEqual(await call(), { kind: "done", outcome }, about);
    }
    said = { content: [{ type: "text", text: "no" }], isError: true };
    assert.deepEqual(await call(), {
      kind: "done",
      outcome: { status: "error", code: "server-error", message: "no" },
    });
  }
});

test("a message of millions of small values is refused before it is parsed, also inside a text", async (t) => {
  const many = `[${"1,".repeat(1_900_000)}1]`;
  const text = JSON.stringify(many);
  let result = `{"content": [], "structuredContent": ${many}}`;
  const { call } = await open(t, revisions[1], ({ id, method }, to) => {
    const said = method === "tools/list" ? JSON.stringify({ tools: [fine] }) : result;
    to.writeHead(200, { "content-type": "application/json" });
    to.end(`{"jsonrpc": "2.0", "id": ${id}, "result": ${said}}`);
  });
  await assert.rejects(call(), failsWith(/^it sent a message of more than 50000 values$/));
  result = `{"content": [{"type": "text", "text": ${text}}]}`;
  const inside = await call();
  assert.ok(inside.kind === "done" && inside.outcome.status === "success");
  assert.equal(typeof inside.outcome.content, "string");
  const parts = Array.from({ length: 4 }, () => ({ type: "text", text: `[${"1,".repeat(20_000)}1]` }));
  result = JSON.stringify({ content: parts });
  const shared = await call();
  assert.ok(shared.kind === "done" && shared.outcome.status === "success");
  assert.deepEqual(
    [shared.outcome.content].flat().map((part) => typeof part),
    ["object", "object", "string", "string"],
  );
});

/** Sends a message as events do, in pieces. */
function sendEvents(to: ServerResponse, pieces: readonly string[]): void {
  to.writeHead(200, { "content-type": "text/event-stream" });
  for (const piece of pieces) to.write(piece);
}

test("events whose lines end in CR, in CR and LF, or in the middle of both are read, and the last needs no blank line", async (t) => {
  const message = (id: unknown, result: object) => JSON.stringify({ jsonrpc: "2.0", id, result });
  const ways: readonly ((said: string) => readonly string[])[] = [
    (said) => [`event: message\rdata: ${said}\r\r`],
    (said) => [`event: message\r\ndata: ${said}\r\n\r\n`],
    (said) => ["event: message\r", "\ndata: ", said, "\r", "\n", "\r", "\n"],
    (said) => [`\uFEFF: hello\n\ndata:${said}\n\n`],
    (said) => [`data: ${said.slice(0, -1)}\ndata: }\n\n`],
  ];
  for (const [at, way] of ways.entries()) {
    const { list } = await open(t, revisions[1], ({ id }, to) =>
      sendEvents(to, way(message(id, { tools: [fine] }))),
    );
    assert.equal((await list()).tools.length, 1, `${at}`);
  }
  const { list } = await open(t, revisions[1], ({ id }, to) => {
    sendEvents(to, [`data: ${message(id, { tools: [fine] })}`]);
    to.end();
  });
  assert.equal((await list()).tools.length, 1);
});

test("a stream that breaks off before its answer is told at once, in both revisions", async (t) => {
  for (const revision of revisions)
    for (const end of ["end", "destroy"] as const) {
      const { call } = await open(t, revision, ({ id, method }, to) => {
        if (method === "tools/list") return json(to, { id, result: { tools: [fine] } });
        sendEvents(to, [": begun\n\n", 'data: {"jsonrpc": "2.0", "id": 1, "res']);
        setImmediate(() => to[end]());
      });
      await assert.rejects(call(), failsWith(/^the stream of its answer broke off$/), `${revision} ${end}`);
    }
});

test("a server that forgot its session gets a new one, in which the same is sent again, once", async (t) => {
  let sessions = 0;
  let calls = 0;
  let isForgotten = false;
  let isLost = false;
  const { url } = await startServer(t, (message, response, headers) => {
    const { id, method } = message;
    if (method === "initialize") {
      sessions += 1;
      response.setHeader("mcp-session-id", `session-${sessions}`);
      isForgotten = false;
    }
    if (greets(message, response)) return;
    const known = headers["mcp-session-id"] === `session-${sessions}` && !isForgotten && !isLost;
    if (method === "GET" || method === "DELETE") return void response.writeHead(405).end();
    if (!known) return void response.writeHead(404).end("Session not found");
    if (method === "tools/call") calls += 1;
    json(response, { id, result: method === "tools/list" ? { tools: [fine] } : { content: "done" } });
  });
  const { pool, useOf } = await openPool(t);
  const use = useOf({ url });
  const { list } = await pool.list(use, never);
  const call = { tool: "fine", args: {}, answers: null, digest: list.digest };
  isForgotten = true;
  assert.equal((await pool.call(use, call, never)).kind, "done");
  assert.deepEqual([sessions, calls], [2, 1]);
  isLost = true;
  await assert.rejects(pool.call(use, call, never), failsWith(/^it answered 404: Session not found/));
  assert.deepEqual([sessions, calls], [3, 1]);
});
