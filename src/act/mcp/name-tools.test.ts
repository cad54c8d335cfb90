import assert from "node:assert/strict";
import { test } from "node:test";
import type { AcceptedServer, McpServer } from "../../signal/mcp-server.ts";
import { readToolList } from "./list-tools.ts";
import { nameTools } from "./name-tools.ts";
import { entryDigest } from "./server-pool.ts";

const makeServer = (name: string): McpServer => ({
  name,
  project: null,
  transport: { kind: "stdio", command: "true", args: [], environment: {} },
  grants: { read: [], write: [], hosts: [] },
  declared: new Map(),
  callTimeout: 1000,
  ignored: [],
});

test("a tool whose name would be too long, or could be taken for another, gets none, and says why", () => {
  const offered: Readonly<Record<string, readonly string[]>> = {
    git: ["hub_search", "a.b", "a_b", "x".repeat(60)],
    github: ["search"],
    edit: ["notes", "other"],
  };
  const servers = Object.keys(offered).map(makeServer);
  const of = (key: string): AcceptedServer | null => {
    const server = servers.find(({ name }) => name === key);
    if (server === undefined) return null;
    const list = readToolList((offered[key] ?? []).map((name) => ({ name, inputSchema: {} })));
    return { entry: entryDigest(server), list, revision: "2026-07-28", acceptedAt: 0 };
  };
  const { tools, nameless } = nameTools(servers, { of }, (name) => name === "edit__notes");
  assert.deepEqual(
    tools.map(({ name }) => name),
    ["git__hub_search", "git__a_b", "edit__other"],
  );
  assert.deepEqual(
    nameless.map(({ reason }) => reason.replace(/x{60}/, "x…")),
    [
      "git__a_b cannot be told apart from git__a_b",
      "git__x… has more than 64 characters. Give its server a shorter name",
      "github__search cannot be told apart from git__hub_search",
      "edit__notes cannot be told apart from a tool of this program",
    ],
  );
});
