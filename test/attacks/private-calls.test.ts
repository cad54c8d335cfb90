import assert from "node:assert/strict";
import { existsSync, mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { type TestContext, test } from "node:test";
import { type AgentWorld, calls, explanation, makeWorld, talkTo } from "../agent-world.ts";
import { startLoopbackProvider } from "../loopback-provider.ts";

const word = "wombats4711";
const readDiary = calls(["read-file", { path: "../memex/diary.org" }]);
const told = (world: AgentWorld): readonly string[] =>
  world.provider.requests.flatMap(({ body }) => new RegExp(`.{0,90}${word}.{0,40}`).exec(body) ?? []);

/** A world with a private note, a local provider that plays these steps, and a hosted one. */
async function worldOf(t: TestContext, steps: Parameters<typeof startLoopbackProvider>[0]) {
  const near = await startLoopbackProvider(steps);
  t.after(() => near.close());
  const world = await makeWorld(t, [], {
    PROVIDER_CASCADE: "ollama,loop",
    OLLAMA_BASE_URL: `${near.url}/v1`,
  });
  const memex = join(world.home, "memex");
  mkdirSync(memex);
  writeFileSync(join(memex, "diary.org"), `* Doctor :@personal:\n${word} in the left knee\n`);
  writeFileSync(join(memex, "tasks.org"), "* TODO Call\n* Other\n");
  writeFileSync(world.path("f.txt"), "hello\n");
  return { world, near };
}

test("neither the name of a tool that a local model made up nor the id of a call tells a hosted model of a private text", async (t) => {
  const read = { id: word, name: "read-file", arguments: { path: "f.txt", explanation } };
  const made = { id: "call-1", name: `tell_about_${word}`, arguments: { message: "x", explanation } };
  const { world } = await worldOf(t, [readDiary, { calls: [read, made] }, { repeat: true, status: 401 }]);
  world.provider.add({ text: "Done." });
  await using agent = await world.open();
  await (await talkTo(agent)).say("What does my diary say about the doctor?");
  const [request] = world.provider.requests;
  assert.ok(request !== undefined, "control: the hosted model was asked");
  assert.deepEqual(told(world), []);
  const names = [...request.body.matchAll(/"function":\{"name":"([^"]*)","arguments"/g)].map(
    ([, name]) => name,
  );
  assert.deepEqual(names, ["read-file", "read-file", "withheld"]);
  const ids = (field: string): readonly string[] =>
    [...request.body.matchAll(new RegExp(`"${field}":"(call[^"]*)"`, "g"))].map(([, id]) => id ?? "");
  assert.equal(new Set(ids("tool_call_id")).size, 3);
  assert.deepEqual(ids("id"), ids("tool_call_id"), "each result follows its call");
});

test("the name of an archive that a local model chose by a private text is told to no hosted model", async (t) => {
  const put = { op: "put", at: "Call", key: "ARCHIVE", value: `${word}.org::` };
  const archive = { op: "archive", at: "Call" };
  const keyword = {
    path: "../memex/tasks.org",
    old: "* TODO Call",
    new: `#+ARCHIVE: ${word}.org::\n* TODO Call`,
  };
  const edit = (...operations: readonly object[]) => calls(["edit-notes", { file: "tasks.org", operations }]);
  const ways = [
    { near: [edit(put, archive)], far: [] },
    { near: [edit(put), edit(archive)], far: [] },
    { near: [edit(put)], far: [edit(archive)] },
    { near: [calls(["edit-file", keyword])], far: [edit(archive)] },
  ];
  for (const { near: acts, far } of ways) {
    const { world } = await worldOf(t, [readDiary, ...acts, { text: "Done." }]);
    await using agent = await world.open();
    const talk = await talkTo(agent);
    const { end } = await talk.say("What does my diary say? Archive the call.");
    if (end === "approval-required") await talk.say(`/approve ${talk.token()}`);
    const other = await talkTo(agent);
    await other.say("/model loop");
    const look = calls(["list-files", { path: "../memex" }], ["shell", { cmd: "ls ../memex" }]);
    world.provider.add(...far, look, { text: "Done." });
    await other.say("Archive the call.");
    assert.ok(existsSync(join(world.home, `memex/${word}.org`)), "control: it was archived there");
    assert.deepEqual(told(world), [], JSON.stringify([acts, far]));
  }
});

test("an archive by its usual name is listed", async (t) => {
  const archive = { file: "tasks.org", operations: [{ op: "archive", at: "Call" }] };
  const { world } = await worldOf(t, [readDiary, calls(["edit-notes", archive]), { text: "Done." }]);
  await using agent = await world.open();
  await (await talkTo(agent)).say("What does my diary say? Archive the call.");
  const other = await talkTo(agent);
  await other.say("/model loop");
  world.provider.add(calls(["list-files", { path: "../memex" }]), { text: "Done." });
  await other.say("What is there?");
  assert.match(world.provider.requests.at(-1)?.body ?? "", /tasks\.org_archive/);
});
