import assert from "node:assert/strict";
import { test } from "node:test";
import { bottomLabel, joinLabels, type Label } from "../../signal/label.ts";
import type { AcceptedServer, McpServer } from "../../signal/mcp-server.ts";
import type { Caller, Preparation } from "../../signal/tool.ts";
import type { JsonObject } from "../../text/json.ts";
import { openHeardByServers } from "./heard-by-servers.ts";
import { readToolList } from "./list-tools.ts";
import { nameTools } from "./name-tools.ts";
import { openPendingQuestions } from "./pending-questions.ts";
import { entryDigest } from "./server-pool.ts";
import { makeServerTools } from "./server-tools.ts";

const list = readToolList([
  { name: "find", inputSchema: { type: "object", properties: { q: { type: "string" } } } },
]);
const caller: Caller = {
  turn: "t",
  session: "s",
  person: "owner",
  source: "cli",
  startedBy: "person",
  workspace: null,
  known: new Map(),
  promptLabel: bottomLabel,
};

/** A call of a tool that reads, of a server on this machine with these hosts, which now offers another list. */
async function prepareWith(
  hosts: readonly string[],
  {
    offered = null,
    secrecy = "private",
  }: { readonly offered?: AcceptedServer["list"] | null; readonly secrecy?: Label["secrecy"] } = {},
) {
  const server: McpServer = {
    name: "local",
    project: null,
    transport: { kind: "stdio", command: "true", args: [], environment: {} },
    grants: { read: [], write: [], hosts },
    declared: new Map([["find", { effect: "read", critical: [], destinations: [] }]]),
    callTimeout: 1000,
    ignored: [],
  };
  const accepted: AcceptedServer = {
    entry: entryDigest(server),
    list,
    revision: "2026-07-28",
    acceptedAt: 0,
    ...(offered === null ? {} : { offered }),
  };
  const acceptances = { of: () => accepted, accept: () => undefined, offer: () => undefined };
  const [tool] = makeServerTools(nameTools([server], acceptances, () => false).tools, {
    acceptances,
    pool: { call: async () => assert.fail("nothing is called") },
    hasEntry: () => true,
    questions: openPendingQuestions(),
    heard: openHeardByServers(),
    labelOfGrants: async () => bottomLabel,
    resolveHost: async () => assert.fail("nothing is looked up"),
    clock: () => 0,
  });
  return tool?.prepare({ q: "ada" }, caller, () => ({ ...bottomLabel, secrecy }));
}

/** The same server, which gives the same public text whatever it is called with. */
function toolsOfEcho() {
  const both = readToolList([
    { name: "put", inputSchema: { type: "object", properties: { n: { type: "integer" } } } },
    { name: "get", inputSchema: { type: "object", properties: {} } },
  ]);
  const named = (name: string): McpServer => ({
    name,
    project: null,
    transport: { kind: "stdio", command: "true", args: [], environment: {} },
    grants: { read: [], write: [], hosts: [] },
    declared: new Map(),
    callTimeout: 1000,
    ignored: [],
  });
  const servers = [named("one"), named("two")];
  const acceptances = {
    of: (key: string) => {
      const server = servers.find(({ name }) => name === key) ?? assert.fail(key);
      return { entry: entryDigest(server), list: both, revision: "2026-07-28", acceptedAt: 0 };
    },
    accept: () => undefined,
    offer: () => undefined,
  };
  const pool = {
    call: async () => ({
      kind: "done" as const,
      outcome: { status: "success" as const, content: "what was told" },
    }),
  };
  const tools = makeServerTools(nameTools(servers, acceptances, () => false).tools, {
    acceptances,
    pool,
    hasEntry: () => true,
    questions: openPendingQuestions(),
    heard: openHeardByServers(),
    labelOfGrants: async () => bottomLabel,
    resolveHost: async () => assert.fail("nothing is looked up"),
    clock: () => 0,
  });
  return (name: string) => tools.find((tool) => tool.name === name) ?? assert.fail(name);
}

test("what a server was told comes back as secret as it was: from the same call, from any later one of that server, and from one that began before", async () => {
  const tool = toolsOfEcho();
  const isPrivate = () => ({ ...bottomLabel, secrecy: "private" as const });
  const call = async (name: string, args: JsonObject, labelOf: () => Label) => {
    const prepared = await tool(name).prepare(args, caller, labelOf);
    assert.ok(prepared.ok);
    return prepared;
  };
  const secrecyOf = async (prepared: Preparation & { readonly ok: true }) => {
    const { label = bottomLabel } = await prepared.run(new AbortController().signal);
    return joinLabels(prepared.resultLabel, label);
  };
  const before = await call("one__get", {}, () => bottomLabel);
  assert.equal(before.resultLabel.secrecy, "public");
  const told = await call("one__put", { n: 7 }, isPrivate);
  assert.equal(told.resultLabel.secrecy, "private");
  assert.equal(told.resultLabel.integrity, "untrusted");
  await secrecyOf(told);
  assert.equal((await secrecyOf(before)).secrecy, "private");
  const later = await secrecyOf(await call("one__get", {}, () => bottomLabel));
  assert.deepEqual([later.secrecy, later.integrity], ["private", "untrusted"]);
  assert.equal((await secrecyOf(await call("two__get", {}, () => bottomLabel))).secrecy, "public");
});

test("a list that changed after its server was told or granted private text is kept from every provider, and the answer says how it is accepted", async () => {
  const server: McpServer = {
    name: "local",
    project: null,
    transport: { kind: "stdio", command: "true", args: [], environment: {} },
    grants: { read: [], write: [], hosts: [] },
    declared: new Map([["find", { effect: "read", critical: [], destinations: [] }]]),
    callTimeout: 1000,
    ignored: [],
  };
  const says = (description: string) => readToolList([{ name: "find", description, inputSchema: {} }]);
  let now = list;
  let offered: string[] = [];
  const accepted = { entry: entryDigest(server), list, revision: "2026-07-28", acceptedAt: 0 };
  const acceptances = {
    of: () => accepted,
    accept: () => undefined,
    offer: (_: string, { tools }: AcceptedServer["list"]) => void offered.push(tools[0]?.description ?? ""),
  };
  const done = { kind: "done" as const, outcome: { status: "success" as const, content: "found" } };
  const toolOf = (granted: Label["secrecy"]) =>
    makeServerTools(nameTools([server], acceptances, () => false).tools, {
      acceptances,
      pool: {
        call: async (_, { digest }) =>
          digest === now.digest ? done : { kind: "changed" as const, list: now },
      },
      hasEntry: () => true,
      questions: openPendingQuestions(),
      heard: openHeardByServers(),
      labelOfGrants: async () => ({ ...bottomLabel, secrecy: granted }),
      resolveHost: async () => assert.fail("nothing is looked up"),
      clock: () => 0,
    })[0];
  for (const [granted, said, kept] of [
    ["public", "public", ["Finds zebra99"]],
    ["public", "private", []],
    ["private", "public", []],
  ] as const) {
    const tool = toolOf(granted);
    const call = async (secrecy: Label["secrecy"]) => {
      const prepared = await tool?.prepare({ q: "ada" }, caller, () => ({ ...bottomLabel, secrecy }));
      assert.ok(prepared?.ok);
      return prepared.run(new AbortController().signal);
    };
    [now, offered] = [list, []];
    assert.equal((await call(said)).status, "success");
    now = says("Finds zebra99");
    const outcome = await call("public");
    assert.ok(outcome.status === "error" && outcome.code === "tools-changed");
    assert.deepEqual(offered, kept, `${granted} ${said}`);
    if (kept.length > 0) continue;
    assert.match(outcome.message, /told or granted private text.*passepartout mcp accept local/);
    assert.equal(outcome.label?.secrecy, "private");
    assert.doesNotMatch(outcome.message, /zebra99/);
  }
});

/** The effects of such a call, and those that the server's entry licenses. */
async function effectsWith(hosts: readonly string[], secrecy: Label["secrecy"]) {
  const prepared = await prepareWith(hosts, { secrecy });
  assert.ok(prepared?.ok === true);
  const { effects, licences = [] } = prepared;
  const licensed = licences
    .filter(({ kind }) => kind === "rule")
    .flatMap(({ effectIndexes }) => effectIndexes);
  return {
    hosts: effects.flatMap(({ kind, target, label }) =>
      kind === "reach-host" ? [[target, label.secrecy]] : [],
    ),
    kinds: effects.map(({ kind }) => kind),
    licensed,
  };
}

test("a call of a server on this machine reaches the hosts that it was granted, so that private text in it asks, also where the tool only reads", async () => {
  assert.deepEqual(await effectsWith([], "private"), { hosts: [], kinds: ["use-service"], licensed: [] });
  const hosts = ["api.example.org", "b.example.net:8443", "https://api.example.org"];
  for (const [secrecy, licensed] of [
    ["private", []],
    ["public", [1, 2]],
  ] as const)
    assert.deepEqual(await effectsWith(hosts, secrecy), {
      hosts: [
        ["api.example.org", secrecy],
        ["b.example.net", secrecy],
      ],
      kinds: ["use-service", "reach-host", "reach-host"],
      licensed,
    });
});

test("a changed list is put to the owner in a question only where the question shows all of it", async () => {
  const tool = (name: string, description = "", names: readonly string[] = ["q"]) => ({
    name,
    ...(description === "" ? {} : { description }),
    inputSchema: {
      type: "object" as const,
      properties: Object.fromEntries(names.map((one) => [one, { type: "string" }])),
    },
  });
  const named = (count: number) => Array.from({ length: count }, (_, index) => tool(`more-${index}`));
  for (const [offered, asks] of [
    [[tool("find"), ...named(8)], true],
    [[tool("find", "x".repeat(160))], true],
    [[tool("find"), ...named(9)], false],
    [[tool("find", "x".repeat(161))], false],
    [
      [
        tool(
          "find",
          "",
          [..."abcdefghijklm"].map((one) => one.repeat(20)),
        ),
      ],
      false,
    ],
  ] as const) {
    const prepared = await prepareWith([], { offered: readToolList(offered) });
    assert.ok(prepared !== undefined);
    assert.equal(prepared.ok, asks);
    if (!prepared.ok)
      assert.match(prepared.message, /than a question can show\. Tell the owner: passepartout mcp accept/);
  }
});
