import assert from "node:assert/strict";
import { readFile, rm, symlink, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { test } from "node:test";
import { sha256 } from "../../../machine/digest.ts";
import type { Label } from "../../../signal/label.ts";
import type { JsonObject } from "../../../text/json.ts";
import { makeArgumentLabeller } from "../../argument-labeller.ts";
import {
  callerAt,
  callTool,
  contentOf,
  openWorkbench,
  prepareCall,
  type Workbench,
} from "../workbench.fixture.ts";
import { makeRecallTool, type RecallQuery } from "./recall.ts";
import { makeRememberTool } from "./remember.ts";

type Kept = { readonly id: string; readonly text: string; readonly label: Label };
const untrusted = { integrity: "untrusted", secrecy: "private", sources: [] } as const;

function remembering(bench: Workbench, at = 0) {
  const objects: Kept[] = [];
  const keepObject = async (note: Kept) => {
    objects.push(note);
  };
  return { objects, tool: makeRememberTool({ ...bench.ports, clock: () => at, keepObject }) };
}

test("a note goes to the end of the inbox, to memory, and its pre-image is kept", async () => {
  await using bench = await openWorkbench();
  await writeFile(join(bench.notes, "inbox.org"), "* before\n");
  const { tool, objects } = remembering(bench);
  const prepared = await prepareCall(tool, { text: "Milk is white" }, callerAt(bench.workspace));
  assert.deepEqual(
    prepared.effects.map(({ kind, reversal }) => [kind, reversal]),
    [
      ["write-path", "undoable"],
      ["change-memory", "undoable"],
    ],
  );
  contentOf(await prepared.run(new AbortController().signal));
  const inbox = await readFile(join(bench.notes, "inbox.org"), "utf8");
  assert.match(inbox, /^\* before\n\* Milk is white\n:PROPERTIES:\n:ID: {7}[\da-f-]{36}\n/);
  assert.deepEqual(
    objects.map(({ text }) => text),
    ["Milk is white"],
  );
  assert.ok(inbox.includes(objects[0]?.id ?? "no id"));
  assert.equal(bench.kept.length, 1);
});

test("preparing twice gives the same plan at any time, so that an approval stays valid", async () => {
  await using bench = await openWorkbench();
  const caller = callerAt(bench.workspace);
  const first = await prepareCall(remembering(bench, 0).tool, { text: "x" }, caller);
  const second = await prepareCall(remembering(bench, 600_000).tool, { text: "x" }, caller);
  assert.deepEqual(second.plan, first.plan);
});

test("two equal notes of one turn get two ids", async () => {
  await using bench = await openWorkbench();
  const { tool, objects } = remembering(bench);
  for (let times = 0; times < 2; times += 1)
    contentOf(await callTool(tool, { text: "x" }, callerAt(bench.workspace)));
  assert.equal(new Set(objects.map(({ id }) => id)).size, 2);
});

test("a note with a label of its own carries it into the inbox, the origins and memory", async () => {
  await using bench = await openWorkbench();
  const { tool, objects } = remembering(bench);
  const caller = callerAt(bench.workspace, [
    ["result-1", { value: { page: "from the web" }, label: untrusted }],
  ]);
  contentOf(await callTool(tool, { text: "from the web" }, caller));
  assert.equal(objects[0]?.label.integrity, "untrusted");
  assert.match(await readFile(join(bench.notes, "inbox.org"), "utf8"), /:ORIGIN: {3}untrusted\n/);
  assert.equal([...bench.origins.values()][0]?.secrecy, "private");
});

test("an inbox that is a link is judged and written where it leads, and a missing notes folder is made", async () => {
  await using bench = await openWorkbench();
  await symlink(join(bench.home, "real.org"), join(bench.notes, "inbox.org"));
  const { tool } = remembering(bench);
  const linked = await prepareCall(tool, { text: "x" }, callerAt(null));
  assert.equal(linked.effects[0]?.target, join(bench.home, "real.org"));
  await rm(bench.notes, { recursive: true });
  contentOf(await callTool(tool, { text: "x" }, callerAt(null)));
  assert.match(await readFile(join(bench.notes, "inbox.org"), "utf8"), /\* x/);
});

test("a note is added to what an inbox holds by then, with the ID that it was judged with", async () => {
  await using bench = await openWorkbench();
  const { tool, objects } = remembering(bench);
  const judged = await prepareCall(tool, { text: "x" }, callerAt(null));
  await writeFile(join(bench.notes, "inbox.org"), "a person's");
  const prepared = await prepareCall(tool, { text: "x" }, callerAt(null));
  assert.deepEqual(prepared.plan, judged.plan, "the owner's yes is for the note, whatever the inbox holds");
  await writeFile(join(bench.notes, "inbox.org"), "a person's\n* TODO call");
  contentOf(await prepared.run(new AbortController().signal));
  const text = await readFile(join(bench.notes, "inbox.org"), "utf8");
  assert.match(text, /^a person's\n\* TODO call\n\* x\n/);
  assert.ok(text.includes(objects[0]?.id ?? "nothing was kept in memory"));
  assert.ok(bench.origins.has(sha256(text)), "what the file really holds has its label");
});

test("recall returns the items that memory found, shortened, with their labels", async () => {
  const search = async ({ text, limit }: RecallQuery) => [
    { id: "1", text: `${text} ${limit}`, label: untrusted },
    { id: "2", text: "y".repeat(5000), label: { ...untrusted, integrity: "user" } as const },
  ];
  const prepared = await prepareCall(
    makeRecallTool({ search }),
    { query: "milk", private: true },
    callerAt(null),
  );
  assert.deepEqual([prepared.resultLabel.integrity, prepared.resultLabel.secrecy], ["untrusted", "private"]);
  const content = contentOf(await prepared.run(new AbortController().signal));
  assert.deepEqual(content["found"], [
    { id: "1", text: "milk 10" },
    { id: "2", text: "y".repeat(2000), cut: 5000 },
  ]);
});

test("the query that comes back with a recall is no word of the owner, and each item keeps its own label", async () => {
  const own = { ...untrusted, integrity: "user" } as const;
  const search = async () => [
    { id: "1", text: "my dentist", label: own },
    { id: "2", text: "their page", label: untrusted },
  ];
  for (const items of [search, async () => []]) {
    const prepared = await prepareCall(
      makeRecallTool({ search: items }),
      { query: "made.up" },
      callerAt(null),
    );
    const outcome = await prepared.run(new AbortController().signal);
    const known = {
      value: contentOf(outcome),
      label: prepared.resultLabel,
      fields: prepared.resultFields ?? [],
    };
    const labelOf = makeArgumentLabeller(callerAt(null, [["result-1", known]]));
    assert.notEqual(labelOf("made.up").integrity, "user");
    assert.equal(labelOf("my dentist").integrity, items === search ? "user" : "agent");
    if (items === search) assert.equal(labelOf("their page").integrity, "untrusted");
  }
});

/** Recalls from a memory of a plan, and of so many private items. */
async function recallBeside(privateItems: number, args: JsonObject, caller = callerAt(null)) {
  const kept = { id: "1", text: "diary", label: { ...untrusted, secrecy: "private" } as const };
  const plan = { id: "2", text: "plan", label: { ...untrusted, secrecy: "public" } as const };
  const tool = makeRecallTool({
    search: async ({ publicOnly }) => [
      ...Array.from({ length: publicOnly ? 0 : privateItems }, () => kept),
      plan,
    ],
  });
  const prepared = await prepareCall(tool, { query: "garden shed", ...args }, caller);
  const content = contentOf(await prepared.run(new AbortController().signal));
  return { content, secrecy: prepared.resultLabel.secrecy };
}

test("a public recall is the same to the byte whether private items match or not", async () => {
  const beside = await recallBeside(3, {});
  assert.deepEqual(beside, await recallBeside(0, {}));
  assert.deepEqual(beside, {
    secrecy: "public",
    content: {
      query: "garden shed",
      found: [{ id: "2", text: "plan" }],
      note: "Private notes were not searched.",
    },
  });
});

test("a recall of private items is private even if it finds none, except for the owner's own search", async () => {
  assert.equal((await recallBeside(0, { private: true })).secrecy, "private");
  assert.equal((await recallBeside(1, { private: true })).secrecy, "private");
  const said = { value: "/search garden shed", label: { ...untrusted, integrity: "user" } } as const;
  const owner = callerAt(null, [["signal-1", said]]);
  assert.equal((await recallBeside(0, { private: true }, owner)).secrecy, "public");
  assert.equal((await recallBeside(1, { private: true }, owner)).secrecy, "private");
  const listed = { value: { entries: ["garden shed"] }, label: said.label };
  const agent = callerAt(null, [["result-1", listed]]);
  assert.equal((await recallBeside(0, { private: true }, agent)).secrecy, "private");
});

test("a private query is not repeated in a result that is public", async () => {
  const tool = makeRecallTool({ search: async () => [] });
  const caller = { ...callerAt(null), promptLabel: { ...untrusted, secrecy: "private" } as const };
  const prepared = await prepareCall(tool, { query: "why I wept" }, caller);
  assert.equal(prepared.resultLabel.secrecy, "public");
  const content = contentOf(await prepared.run(new AbortController().signal));
  assert.deepEqual(Object.keys(content), ["found", "note"]);
});

test("an empty result is a result, and an empty query is refused", async () => {
  const tool = makeRecallTool({ search: async () => [] });
  assert.deepEqual(contentOf(await callTool(tool, { query: "x" }, callerAt(null)))["found"], []);
  const refused = await tool.prepare({ query: "" }, callerAt(null), () => untrusted);
  assert.equal(refused.ok ? "" : refused.code, "invalid-arguments");
});
