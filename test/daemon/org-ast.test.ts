import assert from "node:assert/strict";
import { appendFileSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { after, test } from "node:test";
import { decodeOrgText, parseOrg } from "#org";
import { listTree, pageOfTree } from "../../src/daemon/agent/tools/org-tree-page.ts";
import { canonicalJson, isJsonArray, isJsonObject, type Json, type JsonObject } from "../../src/text/json.ts";
import { parseJson } from "../../src/text/parse-json.ts";
import { clientCodec, daemonCodec } from "../../src/wire/codec/codec.ts";
import { connectPeer, payloadOf } from "../../src/wire/server/wire.fixture.ts";
import { type AgentWorld, makeWorld } from "../agent-world.ts";
import { type Golden, noGoldens, readGoldens, readWholeGoldens } from "../org/outline-goldens.ts";
import { type AskTree, askWholeTree, dataOf, inCodePoints, nestNodes } from "../org/wire-trees.ts";
import type { Ending } from "./daemon-process.ts";
import { serveDaemon } from "./serve-daemon.ts";
import { listenTo, textOf } from "./wire-client.ts";

type Notes = Readonly<Record<string, string | Uint8Array>>;
type Asked = { readonly world: AgentWorld; readonly ask: AskTree; readonly socketPath: string };

/** A daemon whose notes hold these files, and a proved client that asks it for trees. */
async function openTrees(
  t: Ending,
  notes: Notes,
  settings: Readonly<Record<string, string>> = {},
): Promise<Asked> {
  const world = await makeWorld(t, [], settings);
  mkdirSync(join(world.home, "memex"));
  writeNotes(world, notes);
  const daemon = await serveDaemon(world);
  const listener = listenTo(t, world, daemon);
  return { ...daemon, world, ask: (request) => listener.request("org-ast", request) };
}

function writeNotes(world: AgentWorld, notes: Notes): void {
  for (const [name, contents] of Object.entries(notes)) writeFileSync(pathIn(world, name), contents);
}

/** One daemon for all tests that need no settings. */
const plain: { opened: Promise<Asked> | null } = { opened: null };

/** The same where the notes hold these files too, for a test that needs no settings. */
async function trees(notes: Notes): Promise<Asked> {
  plain.opened ??= openTrees({ after }, notes);
  const asked = await plain.opened;
  writeNotes(asked.world, notes);
  return asked;
}

const pathIn = ({ home }: AgentWorld, name: string): string => join(home, "memex", name);

test("a proved client gets the tree of a file, a note and a text, with ranges in code points", async () => {
  const text =
    "#+TITLE: 😀\r\n* TODO 𝒜 plan :home:\r\n:PROPERTIES:\r\n:ID: plan-1\r\n:END:\r\nSay *yes*.\r\n** Sub\r\n";
  const { ask, world } = await trees({ "plan.org": text });
  const { data, nodes } = await askWholeTree(ask, { file: "~/memex/plan.org" });
  const plain = text.replaceAll("\r\n", "\n");
  assert.deepEqual(
    [data["file"], data["length"], data["eol"], data["secrecy"]],
    [pathIn(world, "plan.org"), Array.from(plain).length, "crlf", undefined],
  );
  const headline = nodes.find(({ type }) => type === "headline") ?? {};
  const within = ({ begin, end }: JsonObject): string =>
    Array.from(plain).slice(Number(begin), Number(end)).join("");
  assert.ok(within(headline).startsWith("* TODO 𝒜 plan"));
  assert.deepEqual(
    [headline["todo-keyword"], headline["raw-value"], headline["tags"], headline["level"]],
    ["TODO", "𝒜 plan", ["home"], 1],
  );
  const bold = nodes.find(({ type }) => type === "bold") ?? {};
  assert.equal(within(bold), "*yes*");
  assert.equal(nodes[Number(bold["parent"])]?.["type"], "paragraph");
  const ofNote = await askWholeTree(ask, { node: "plan-1" });
  assert.deepEqual(ofNote.nodes[0], withoutParent(headline));
  const ofText = await askWholeTree(ask, { text: plain, limit: 3 });
  assert.deepEqual(ofText.nodes, nodes);
  assert.ok(ofText.pages > 3);
});

function withoutParent({ parent: _, ...own }: JsonObject): JsonObject {
  return own;
}

test("what a model could not read is marked in a tree, and an encrypted entry is its heading", async (t) => {
  const note =
    "* Open\nhello\n* Doctor :private:\nlungs\n** Below\nmore\n* Vault :crypt:\nthe plain words\n** Deeper\n";
  const { ask } = await openTrees(t, { "health.org": note }, { PRIVACY_FILTER_TAGS: "private" });
  for (const request of [{ file: "~/memex/health.org" }, { text: note }]) {
    const { data, nodes } = await askWholeTree(ask, request);
    assert.equal(data["secrecy"], "secret");
    const headlines = nodes.filter(({ type }) => type === "headline");
    assert.deepEqual(
      headlines.map((one) => [one["raw-value"], one["secrecy"]]),
      [
        ["Open", undefined],
        ["Doctor", "private"],
        ["Below", "private"],
        ["Vault", "secret"],
      ],
    );
    assert.ok(JSON.stringify(nodes).includes("lungs"));
    assert.ok(!JSON.stringify(nodes).includes("plain words"));
  }
});

test("a key in a note is masked in its tree, also where markup divides it", async () => {
  const key = `ghp_${"aB3dE5fG7h".repeat(4).slice(0, 36)}`;
  const { ask } = await trees({ "keys.org": `* Key ${key}\nuse =${key}= or ${key}\n` });
  const { nodes } = await askWholeTree(ask, { file: "~/memex/keys.org" });
  assert.ok(!JSON.stringify(nodes).includes(key.slice(4, 20)), JSON.stringify(nodes));
  assert.ok(JSON.stringify(nodes).includes("[masked: "));
});

test("a tree is refused in words where its file may not be read, is none, or changed between two pages", async () => {
  const { ask, world } = await trees({ "a.org": "* A\n* B\n" });
  mkdirSync(join(world.home, ".ssh"));
  writeFileSync(join(world.home, ".ssh", "keys.org"), "* secret\n");
  writeFileSync(join(world.home, "big.org"), "* A\n".repeat(1_500_000));
  const refused = async (request: JsonObject): Promise<readonly Json[]> => {
    const { code = "", outcome = "", data = null } = payloadOf(await ask(request));
    return [outcome, code, data];
  };
  for (const request of [
    {},
    { file: "~/memex/a.org", text: "* x" },
    { file: "~/.ssh/keys.org" },
    { file: join(world.state, "wire-secret") },
    { file: "~/memex/none.org" },
    { file: "a.org" },
    { file: "~/memex" },
    { file: "/dev/zero" },
    { file: "" },
    { file: `~/${"x/".repeat(3000)}a.org` },
    { file: "~/memex/a.org\n/etc/passwd" },
    { file: "~/big.org" },
    { node: "none" },
    { node: "" },
  ])
    assert.deepEqual(
      await refused(request),
      ["said", "not-done", null],
      JSON.stringify(request).slice(0, 100),
    );
  const first = dataOf(await ask({ file: "~/memex/a.org", limit: 2 }));
  const cursor = String(first["next"]);
  for (const wrong of [
    "",
    "x",
    `${cursor}0000000000`,
    `${"0".repeat(64)}.1`,
    cursor.replace(/\.\d+$/, ".-1"),
  ])
    assert.deepEqual(
      await refused({ file: "~/memex/a.org", cursor: wrong }),
      ["said", "tree-changed", null],
      wrong,
    );
  assert.deepEqual(dataOf(await ask({ file: "~/memex/a.org", cursor, limit: -5 }))["first"], 2);
  assert.deepEqual(
    dataOf(await ask({ file: "~/memex/a.org", cursor: cursor.replace(/\.\d+$/, ".999") }))["nodes"],
    [],
  );
  appendFileSync(pathIn(world, "a.org"), "* C\n");
  assert.deepEqual(await refused({ file: "~/memex/a.org", cursor }), ["said", "tree-changed", null]);
});

test("hostile texts come as trees within bounds: deep, wide, and without an end", async () => {
  const { ask } = await trees({});
  const texts = [
    "",
    "*".repeat(100_000),
    Array.from({ length: 300 }, (_, depth) => `${" ".repeat(depth)}- deep\n`).join(""),
    "* x\n".repeat(30_000),
    `* x ${":t".repeat(20_000)}:\n`,
    `#+begin_src x\n${"y😀".repeat(100_000)}\n#+end_src\n`,
    `${"#+CAPTION: c\n".repeat(20_000)}p\n`,
    `${Array.from({ length: 30_000 }, (_, at) => `#+ATTR_A${at}: x\n`).join("")}p\n`,
    "[fn::".repeat(5000),
    "\u0000\ufeff\u2028\u202e \ud800 x",
    '#+SETUPFILE: /etc/passwd\n%%(delete-file "x")\n',
  ];
  for (const text of texts) {
    const { nodes } = await askWholeTree(ask, { text });
    assert.ok(nodes.length > 0);
    for (const [at, node] of nodes.entries()) {
      assert.ok(Number(node["parent"] ?? -1) < at);
      assert.ok(JSON.stringify(node).length < 60_000);
    }
  }
});

test("a client that is not proved gets no tree", async (t) => {
  const { world, ask, socketPath } = await openTrees(
    t,
    { "a.org": "* A\n" },
    { PROTOCOL_ENFORCE_HMAC: "false" },
  );
  assert.equal(textOf(await ask({ file: "~/memex/a.org" })), "");
  const peer = connectPeer(t, { path: socketPath });
  const hello = payloadOf(await peer.next());
  assert.ok(Array.isArray(hello["capabilities"]) && hello["capabilities"].includes("org-ast"));
  const file = pathIn(world, "a.org");
  peer.send({ type: "request", id: "1", meta: { source: "cli" }, payload: { action: "org-ast", file } });
  const answer = await peer.next();
  assert.deepEqual([answer["type"], payloadOf(answer)["code"]], ["protocol-error", "unproved"]);
});

test("the tree of the largest outline comes whole, in pages that follow each other", async (t) => {
  const lines = Array.from(
    { length: 9500 },
    (_, at) => `${"*".repeat(1 + (at % 4))} TODO Heading ${at} 😀 :tag${at % 7}:\nSome *words* of it.\n\n`,
  );
  const { ask, world } = await trees({});
  writeFileSync(join(world.home, "big.org"), lines.join(""));
  const sizes: number[] = [];
  const begun = performance.now();
  const { data, nodes } = await askWholeTree(
    async (request) => {
      const reply = await ask(request);
      sizes.push(Buffer.byteLength(JSON.stringify(reply)));
      return reply;
    },
    { file: "~/big.org" },
  );
  const cost = `${sizes.reduce((sum, size) => sum + size, 0)} bytes, ${performance.now() - begun} ms`;
  t.diagnostic(`${data["length"]} characters, ${nodes.length} nodes, ${sizes.length} pages, ${cost}`);
  assert.ok(Number(data["length"]) > 480_000);
  assert.deepEqual(
    headingsIn(nodes),
    lines.map((_, at) => `Heading ${at} 😀`),
  );
  assert.ok(sizes.every((size) => size < 4_000_000));
});

test("a tree has 500,000 characters at most, and one that would have more is refused in words", async () => {
  const { ask, world } = await trees({});
  assert.equal((await askWholeTree(ask, { text: "😀".repeat(500_000) })).data["length"], 500_000);
  writeFileSync(join(world.home, "big.org"), "a".repeat(500_001));
  for (const request of [{ file: "~/big.org" }, { text: "😀".repeat(500_001) }]) {
    const { code = "", text = "" } = payloadOf(await ask(request));
    assert.match(
      `${String(code)} ${String(text)}`,
      /^not-done .* has more than 500,000 characters, and no more are read as one tree\.$/,
    );
  }
});

function headingsIn(nodes: readonly JsonObject[]): readonly Json[] {
  return nodes.flatMap((node) => (node["type"] === "headline" ? (node["raw-value"] ?? []) : []));
}

function objectsIn(list: Json | undefined): readonly JsonObject[] {
  return isJsonArray(list) ? list.filter(isJsonObject) : [];
}

test("docs/wire.md shows a tree as the daemon gives it", async () => {
  const page = readFileSync(new URL("../../docs/wire.md", import.meta.url), "utf8");
  const [asked, told] = [/^← .{6}(.*:ACTION :ORG-AST .*)$/m, /^→ .{6}(.*:CODE :ORG-AST .*)$/m].map(
    (example) => example.exec(page)?.[1] ?? "",
  );
  const [request, response] = [daemonCodec.decode(asked ?? ""), clientCodec.decode(told ?? "")];
  assert.ok(request.ok && response.ok);
  const { action: _, ...payload } = payloadOf(request.message);
  const { ask } = await trees({});
  assert.deepEqual(payloadOf(await ask(payload)), payloadOf(response.message));
});

/** Whether the nodes of a page that left nothing out are the tree that Emacs has of the text. */
function isEmacsTree(nodes: readonly JsonObject[], text: string, golden: Golden): boolean {
  const theirs = parseJson(JSON.stringify(golden.ast));
  return canonicalJson(nestNodes(nodes)) === canonicalJson(inCodePoints(theirs, text));
}

const isWhole = (nodes: readonly JsonObject[]): boolean =>
  nodes.every(({ left, secrecy }) => left === undefined && secrecy !== "secret");

test("trees of real and of hostile files on the wire are Emacs's own", { skip: noGoldens }, async (t) => {
  const goldens = readWholeGoldens().filter(({ bytes }) => bytes.length <= 500_000);
  const files = Object.fromEntries(goldens.map(({ bytes }, at) => [`notes-${at}.org`, bytes] as const));
  const { ask } = await trees(files);
  const [same, other]: [string[], string[]] = [[], []];
  for (const [at, { bytes, golden }] of goldens.entries()) {
    const { text } = decodeOrgText(bytes);
    const { nodes } = await askWholeTree(ask, { file: `~/memex/notes-${at}.org` });
    // What is cut, or encrypted, or no UTF-8, is not what Emacs has.
    if (!isWhole(nodes) || !text.isWellFormed()) continue;
    (isEmacsTree(nodes, text, golden) ? same : other).push(golden.file);
  }
  t.diagnostic(`${same.length} of ${goldens.length} files are the same`);
  assert.ok(same.length > 50 && other.length <= 1, other.join("\n"));
});

test("trees of the fragments of Org's own tests are Emacs's own", { skip: noGoldens }, async () => {
  const other: string[] = [];
  const all = readGoldens().filter(({ text }) => text.length < 20_000 && text.isWellFormed());
  for (const { text, golden } of all) {
    const tree = await listTree({ text, tree: parseOrg(text), labels: new Map(), secrets: [] });
    const { nodes } = await pageOfTree(tree, { top: 0, first: 0, limit: 10_000 });
    const payload = { action: "message", text: "", code: "org-ast", data: { nodes } };
    const read = clientCodec.decode(daemonCodec.encode({ type: "response", payload }));
    assert.ok(read.ok);
    const { data = null } = payloadOf(read.message);
    const told = isJsonObject(data) ? objectsIn(data["nodes"]) : [];
    assert.equal(told.length, nodes.length);
    if (isWhole(told) && !isEmacsTree(told, text, golden)) other.push(golden.file);
  }
  assert.ok(all.length > 1500 && other.length / all.length < 0.01, other.join("\n"));
});
