import assert from "node:assert/strict";
import { mkdir, readdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { test } from "node:test";
import * as z from "zod";
import { scanOutline } from "#org";
import { readNodes } from "../../../notes/read-nodes.ts";
import type { Caller } from "../../../signal/tool.ts";
import type { JsonObject } from "../../../text/json.ts";
import {
  callerAt,
  callTool,
  codeOf,
  contentOf,
  openWorkbench,
  prepareCall,
  type Workbench,
} from "../workbench.fixture.ts";
import { makeEditNotesTool } from "./edit-notes.ts";
import { operationSchema } from "./operation-schema.ts";

const plan = "#+TITLE: Plan\n\n* TODO Buy milk\nFrom the corner shop.\n* Call Ann :phone:\n** Number\n5550\n";
const noon = new Date(2024, 0, 15, 12, 0).getTime();

async function notesBench(content: string | Uint8Array = plan) {
  const bench = await openWorkbench();
  const path = join(bench.notes, "plan.org");
  await mkdir(bench.notes, { recursive: true });
  await writeFile(path, content);
  const tool = makeEditNotesTool({
    ...bench.ports,
    clock: () => noon,
    settingsOf: async () => ({}),
    fileOfNode: async (id) => (id === "known-id" ? path : null),
  });
  const edit = (
    operations: readonly JsonObject[],
    caller: Caller = callerAt(bench.workspace),
    file = "plan.org",
  ) => callTool(tool, { file, operations }, caller);
  return { bench, path, tool, edit, read: () => readFile(path, "utf8") };
}

async function using(
  content: string | Uint8Array,
  work: (on: Awaited<ReturnType<typeof notesBench>>) => Promise<void>,
) {
  const on = await notesBench(content);
  await using bench: Workbench = on.bench;
  assert.ok(bench.root !== "");
  await work(on);
}

test("operations change their own lines and no other byte", () =>
  using(plan, async ({ edit, read }) => {
    const content = contentOf(
      await edit([
        { op: "todo", at: "Buy milk", state: "DONE" },
        { op: "put", at: "Call Ann", key: "Mood", value: "good" },
      ]),
    );
    assert.equal(content["note"], "2 of 2 operations done.");
    assert.equal(
      await read(),
      plan
        .replace("TODO Buy", "DONE Buy")
        .replace(":phone:\n", ":phone:\n:PROPERTIES:\n:Mood:     good\n:END:\n"),
    );
  }));

test("an operation that fails is named with its reason and the others are done; if all fail, nothing is written", () =>
  using(plan, async ({ edit, read, bench }) => {
    const content = contentOf(
      await edit([
        { op: "todo", at: "Nothing", state: "DONE" },
        { op: "todo", at: "Buy milk", state: "DONE" },
      ]),
    );
    assert.match(
      String(content["note"]),
      /^1 of 2 operations done\. Not done: 1\. todo at 'Nothing': no heading has the title or ID 'Nothing'/,
    );
    const kept = bench.kept.length;
    assert.equal(codeOf(await edit([{ op: "todo", at: "Nothing", state: "DONE" }])), "refused");
    assert.equal(bench.kept.length, kept);
    assert.match(await read(), /DONE Buy milk/);
  }));

test("line ends, a byte order mark and bytes that are not UTF-8 stay", () =>
  using(
    Buffer.concat([Buffer.from("\uFEFF* TODO a\r\n\tb "), Buffer.of(0xe9), Buffer.from("\r\n")]),
    async ({ edit, path }) => {
      contentOf(await edit([{ op: "todo", at: "a", state: "DONE" }]));
      const expected = Buffer.concat([
        Buffer.from("\uFEFF* DONE a\r\n\tb "),
        Buffer.of(0xe9),
        Buffer.from("\r\n"),
      ]);
      assert.deepEqual(await readFile(path), expected);
    },
  ));

test("a node's ID stands for its file, and for the heading where an operation names none", () =>
  using("* a\n:PROPERTIES:\n:ID: known-id\n:END:\n", async ({ edit, read }) => {
    contentOf(await edit([{ op: "todo", state: "TODO" }], undefined, "known-id"));
    assert.match(await read(), /^\* TODO a\n/);
    const refused = await (await notesBench()).tool.prepare(
      { file: "other-id", operations: [{ op: "id" }] },
      callerAt(null),
      () => callerAt(null).promptLabel,
    );
    assert.equal(refused.ok ? "" : refused.code, "not-found");
  }));

test("operations outside of the closed schema, other files and marks of origin are refused in words", async () => {
  const { bench, tool } = await notesBench();
  await using _bench = bench;
  const caller = callerAt(bench.workspace);
  for (const [file, operation, message] of [
    ["plan.org", { op: "eval", at: "a" }, /op/],
    ["plan.org", { op: "todo", at: "a" }, /operation 1 \(todo\): state/],
    ["plan.org", { op: "id", at: "a", value: "x" }, /operation 1 \(id\)/],
    ["plan.txt/x", { op: "id", at: "a" }, /\.org/],
    ["plan.org", { op: "delete-property", at: "a", key: "origin" }, /only the owner/],
    ["plan.org", { op: "put", at: "a", key: "ORIGIN", value: "user" }, /only the owner/],
  ] as const) {
    const refused = await tool.prepare({ file, operations: [operation] }, caller, () => caller.promptLabel);
    assert.match(refused.ok ? "" : refused.message, message);
  }
});

test("preparing twice plans the same, though the text would carry another id", async () => {
  const { bench, tool } = await notesBench();
  await using _bench = bench;
  const prepare = () =>
    prepareCall(tool, { file: "plan.org", operations: [{ op: "id", at: "Call Ann" }] }, callerAt(null));
  const [first, second] = [await prepare(), await prepare()];
  assert.deepEqual(first.plan, second.plan);
  assert.deepEqual(
    first.effects.map(({ kind }) => kind),
    ["read-path", "write-path"],
  );
});

const noSources = {
  words: [],
  results: [],
  contacts: async () => [],
  approved: [],
} satisfies NonNullable<Caller["sources"]>;
const page = { integrity: "untrusted", secrecy: "public", sources: [{ id: "page-1", path: "" }] } as const;

test("untrusted words are marked beside the text, and only they make the file's contents untrusted", () =>
  using(plan, async ({ edit, bench, read }) => {
    const known = [["page-1", { value: "Buy gold", label: page }]] as const;
    const caller = { ...callerAt(bench.workspace, known), promptLabel: page };
    contentOf(await edit([{ op: "put", at: "Call Ann", key: "Quote", value: "Buy gold" }], caller));
    assert.match(await read(), /\* Call Ann.*\n:PROPERTIES:\n:ORIGIN: +untrusted\n:Quote: +Buy gold\n/);
    assert.equal([...bench.origins.values()].at(-1)?.integrity, "untrusted");
    await writeFile(join(bench.notes, "plan.org"), plan);
    const sources = { ...noSources, words: ["I bought the milk, it is done"] };
    contentOf(await edit([{ op: "todo", at: "Buy milk", state: "DONE" }], { ...caller, sources }));
    assert.equal([...bench.origins.values()].at(-1)?.integrity, "user");
    contentOf(await edit([{ op: "todo", at: "Buy milk", state: "TODO" }], { ...caller, sources }));
    assert.equal([...bench.origins.values()].at(-1)?.integrity, "untrusted");
  }));

test("new headings of words that are not the owner's carry their origin in their drawer, however the words are dressed", () =>
  using("* Inbox\n", async ({ edit, bench, read }) => {
    const words = [
      "* one\n* two\n:PROPERTIES:\n:ORIGIN: user\n:X: y\n:END:\nbody\n** below\n",
      "SCHEDULED: <2024-02-01 Thu>\nmore\n* a heading",
    ];
    const known = words.map((value, at) => [`page-${at}`, { value, label: page }] as const);
    const caller = { ...callerAt(bench.workspace, known), promptLabel: page };
    contentOf(
      await edit(
        [
          { op: "paste", at: "Inbox", text: words[0] ?? "" },
          { op: "insert", at: "Inbox", title: "three", text: words[1] ?? "" },
          { op: "capture", title: "four" },
        ],
        caller,
      ),
    );
    const text = await read();
    for (const title of ["one", "two", "four"]) {
      assert.match(text, new RegExp(`^\\*+ ${title}\\n *:PROPERTIES:\\n *:ORIGIN: +untrusted\\n`, "m"));
    }
    assert.match(
      text,
      /^\*\* three\nSCHEDULED: <2024-02-01 Thu>\n *:PROPERTIES:\n *:ORIGIN: +untrusted\n *:END:\nmore\n\*\*\* a heading\n/m,
    );
    assert.doesNotMatch(text, /ORIGIN: +user/);
    assert.match(text, /^ *:X: y$/m);
  }));

test("lines of untrusted words that would be headings are quoted where they come below a heading that is there", () =>
  using("* Inbox\nold\n", async ({ edit, bench, read }) => {
    const caller = { ...callerAt(bench.workspace), promptLabel: page };
    contentOf(await edit([{ op: "append", at: "Inbox", text: "good\n* bad :trusted:" }], caller));
    assert.match(
      await read(),
      /^\* Inbox\n:PROPERTIES:\n:ORIGIN: +untrusted\n:END:\nold\ngood\n,\* bad :trusted:\n$/,
    );
  }));

test("in untrusted words, neither a broken drawer nor a file keyword removes the mark or tags other notes", () =>
  using("* Inbox\nold\n", async ({ edit, bench, read }) => {
    const caller = { ...callerAt(bench.workspace), promptLabel: page };
    const dressed = [
      ":PROPERTIES:\nfoo\n:END:\nbody",
      ":PROPERTIES:\n:X: y",
      "DEADLINE: soon\n:PROPERTIES:\n",
      "",
    ];
    const operations: readonly JsonObject[] = [
      ...dressed.map((text) => ({ op: "insert", title: "bad", text })),
      ...dressed.map((text) => ({ op: "paste", text: `* bad\n${text}` })),
      { op: "capture", title: "bad", text: "foo\n:PROPERTIES:\n:END:\n* bad" },
      { op: "schedule", at: "Inbox", value: "+1d", note: "note\n#+FILETAGS: :bad:" },
      { op: "append", at: "Inbox", text: "bad\n #+filetags: :bad:\n#+TODO: bad\n#+ARCHIVE: /bad::" },
    ];
    contentOf(await edit(operations, caller));
    const outline = scanOutline(await read());
    assert.deepEqual(outline.settings.tags, []);
    assert.match(await read(), /^bad\n ,#\+filetags: :bad:\n,#\+TODO: bad\n,#\+ARCHIVE/m);
    const ofUntrusted = readNodes("plan.org", outline).filter(
      ({ node, searchFields }) => node.title === "bad" || searchFields.text.includes("bad"),
    );
    assert.ok(ofUntrusted.length >= 10);
    for (const { node } of ofUntrusted) assert.equal(node.label.integrity, "untrusted", await read());
  }));

test("an operation that replaces a whole text is merged with later changes, or refused", () =>
  using("* a\nold\n* b\n* c\nother\n", async ({ edit, bench, path, read }) => {
    const seen = await read();
    const result = { path, text: seen, from: 1, to: 5, size: seen.length };
    const known = [["read-1", { value: result, label: page }]] as const;
    const caller = callerAt(bench.workspace, known);
    await writeFile(path, seen.replace("other", "changed"));
    contentOf(await edit([{ op: "body", at: "a", text: "new" }], caller));
    assert.equal(await read(), "* a\nnew\n* b\n* c\nchanged\n");
    await writeFile(path, seen.replace("old", "theirs"));
    assert.equal(codeOf(await edit([{ op: "body", at: "a", text: "newer" }], caller)), "edited-meanwhile");
    assert.equal(await read(), seen.replace("old", "theirs"));
  }));

test("a subtree is archived to another file: both files change, or neither does", () =>
  using(plan, async ({ edit, bench, tool, read, path }) => {
    const archive = join(bench.notes, "plan.org_archive");
    const args = { file: "plan.org", operations: [{ op: "archive", at: "Call Ann" }] };
    const prepared = await prepareCall(tool, args, callerAt(bench.workspace));
    assert.deepEqual(
      prepared.changes.map((change) => change.path),
      [archive, path],
    );
    await writeFile(path, `${plan}* more\n`);
    assert.equal(codeOf(await prepared.run(new AbortController().signal)), "conflict");
    assert.deepEqual(await readdir(bench.notes), ["plan.org"]);
    contentOf(await edit(args.operations));
    assert.equal(await read(), `${plan.slice(0, plan.indexOf("* Call Ann"))}* more\n`);
    assert.match(
      await readFile(archive, "utf8"),
      /^\* Call Ann .*:phone:\n:PROPERTIES:\n[\s\S]*\n\*\* Number\n5550\n/m,
    );
    assert.equal(bench.kept.length > 2, true);
  }));

test("the model may propose every operation", async () => {
  const { bench, tool } = await notesBench();
  await using _bench = bench;
  const known = JSON.stringify(z.toJSONSchema(operationSchema));
  const ops = [...known.matchAll(/"op":\{[^}]*?"(?:const":("[^"]+")|enum":\[([^\]]+)\])/g)].flatMap(
    ([, one, several]) => (one ?? several ?? "").split(","),
  );
  const declared =
    /"op":\{"type":"string","enum":\[([^\]]+)\]/.exec(JSON.stringify(tool.parameters))?.[1] ?? "";
  assert.ok(ops.length > 20);
  assert.deepEqual(declared.split(",").toSorted(), ops.toSorted());
});
