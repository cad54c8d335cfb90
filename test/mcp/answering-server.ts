import assert from "node:assert/strict";
import { mkdtempSync, realpathSync, writeFileSync } from "node:fs";
import { createServer, type IncomingHttpHeaders, type IncomingMessage, type ServerResponse } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import type { TestContext } from "node:test";
import { ServerPool } from "../../src/act/mcp/server-pool.ts";
import { startPortsOf } from "../../src/act/mcp/start-ports.ts";
import { findSandbox } from "../../src/act/sandbox/bubblewrap.ts";
import { fillText, readMcpFile } from "../../src/settings/mcp-servers.ts";
import { bottomLabel } from "../../src/signal/label.ts";
import type { McpServer } from "../../src/signal/mcp-server.ts";
import { removeFolder } from "../remove-folder.ts";
import { noLogins, revisions } from "./mcp-world.ts";

/** A pool of connections, and how to read an entry as the owner's `mcp.json` has it. */
export async function openPool(
  t: TestContext,
  environment: Readonly<Record<string, string>> = {},
  idleTime = 60_000,
) {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), "mcp-pool-")));
  const settings = {
    searchPath: "/usr/bin",
    isSecretPath: () => false,
    scan: () => [],
    folders: { home: folder, notes: `${folder}/memex`, own: [], readable: [] },
    config: {
      programFolders: [],
      places: { runtime: folder },
      mcpLogins: noLogins,
      fillMcpText: (words: string) => fillText(words, environment, () => ({ ok: false, reason: "no vault" })),
    },
  };
  const pool = new ServerPool({
    ...startPortsOf(settings, await findSandbox(), async () => bottomLabel),
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

/** A message as a server gets it. */
export type Message = { readonly id?: number; readonly method?: string };

type Answer = (message: Message, response: ServerResponse, headers: IncomingHttpHeaders) => void;

/** A server of the network that answers as a test says, and counts what it is asked and what is open. */
export async function startServer(t: TestContext, answer: Answer) {
  const server = createServer((request: IncomingMessage, response) => {
    void text(request).then((body) => {
      const message: unknown = body === "" ? { method: request.method } : JSON.parse(body);
      counts.requests += 1;
      answer(message as Message, response, request.headers);
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

/** Answers with one message. */
export const json = (response: ServerResponse, message: object): void =>
  void response
    .writeHead(200, { "content-type": "application/json" })
    .end(JSON.stringify({ jsonrpc: "2.0", ...message }));

/** The answers of a server that greets in a revision, up to its tools. */
export function greets(
  { id, method }: Message,
  response: ServerResponse,
  revision: string = revisions[1],
): boolean {
  const isModern = revision === revisions[0];
  const capabilities = { tools: {} };
  if (id === undefined && method?.startsWith("notifications/")) response.writeHead(202).end();
  else if (method === "server/discover")
    json(response, {
      id,
      ...(isModern
        ? {
            result: {
              resultType: "complete",
              ttlMs: 0,
              cacheScope: "private",
              supportedVersions: [revision],
              capabilities,
            },
          }
        : { error: { code: -32601, message: "no" } }),
    });
  else if (method === "initialize")
    json(response, {
      id,
      result: { protocolVersion: revision, capabilities, serverInfo: { name: "slow", version: "1" } },
    });
  else return false;
  return true;
}
