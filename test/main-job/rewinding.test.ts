import assert from "node:assert/strict";
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { type TestContext, test } from "node:test";
import type { Agent } from "../../src/daemon/agent/resources/agent.ts";
import { openState } from "../../src/memory/state/open-state.ts";
import { isJsonArray, isJsonObject, type Json } from "../../src/text/json.ts";
import { type AgentWorld, calls, makeWorld, onDatabase, talkTo } from "../agent-world.ts";

const write = (path: string, content: string) => calls(["write-file", { path, content }]);

function held(world: AgentWorld, name: string): string | null {
  return existsSync(world.path(name)) ? readFileSync(world.path(name), "utf8") : null;
}

const lastSent = (world: AgentWorld): string => world.provider.requests.at(-1)?.body ?? "";

/** The reply of a command that was executed. */
async function reply(daemon: Agent, command: Parameters<Agent["runCommand"]>[0], session: string) {
  const said = await daemon.runCommand(command, session);
  return said.kind === "said" ? said : assert.fail(said.kind);
}

const countOf = (data: Json | undefined): number =>
  data !== undefined && isJsonArray(data) ? data.length : 0;

const moments = { kind: "rewind", turn: null, what: "all", preview: false } as const;

/** Three turns: one made a.txt, one changed it, made b.txt and remembered something, one only said something. */
async function threeTurns(t: TestContext) {
  const world = await makeWorld(t, [
    write("a.txt", "one"),
    { text: "Made." },
    write("a.txt", "two"),
    write("b.txt", "new"),
    calls(["remember", { text: "The heliotrope cat is called Mimi" }]),
    { text: "Changed." },
    { text: "The weather is fine." },
  ]);
  const daemon = await world.open();
  const talk = await talkTo(daemon);
  await talk.say("make the first file");
  await talk.say("change it, and remember the heliotrope cat");
  await talk.say("and the weather?");
  return { world, daemon, talk, [Symbol.asyncDispose]: () => daemon[Symbol.asyncDispose]() };
}

test("the moments of a session are what was said in it, with what each changed", async (t) => {
  await using begun = await threeTurns(t);
  const { daemon, talk } = begun;
  const listed = await reply(daemon, moments, talk.session);
  assert.partialDeepStrictEqual(listed.data ?? null, [
    { words: "and the weather?", files: 0 },
    { words: "change it, and remember the heliotrope cat", files: 3 },
    { words: "make the first file", files: 1 },
  ]);
  assert.match(
    (await talk.say("/rewind")).text,
    /^\/rewind NUMBER.*\n1 .*weather.*\n2 .*cat \(3 files\)\n3 .*first file \(1 file\)$/,
  );
});

test("a moment gives its words as they were typed, with the pastes and the files; words that went back to the prompt are none", async (t) => {
  const world = await makeWorld(t, [{ text: "Seen." }]);
  await using daemon = await world.open();
  const talk = await talkTo(daemon);
  writeFileSync(world.path("plan.txt"), "roses");
  const attached = await reply(daemon, { kind: "attach", path: "plan.txt" }, talk.session);
  const file = attached.data ?? null;
  const id = isJsonObject(file) ? String(file["id"]) : "";
  const pasted = "def f(x):\n    return {}";
  const text = `${"word ".repeat(120)}\n${pasted}`;
  const { session } = talk;
  const begun = await daemon.say({
    session,
    text,
    source: "cli",
    pasted: true,
    pastes: [pasted],
    attachments: [id],
  });
  await daemon.whenSettled(begun.kind === "turn" ? begun.turn : assert.fail(begun.kind));
  const listed = await reply(daemon, moments, talk.session);
  const [turn = null] = isJsonArray(listed.data ?? null) ? [listed.data ?? null].flat() : [];
  const named = isJsonObject(turn) ? String(turn["id"]) : "";
  const moment = { kind: "rewind", turn: named, what: "all", preview: "said" } as const;
  const said = await reply(daemon, moment, talk.session);
  assert.equal(said.text, text.trim());
  assert.deepEqual(said.data, {
    pastes: [pasted],
    attached: [{ id, name: "plan.txt", media: "text/plain" }],
    gone: [],
  });
  onDatabase(world, "DELETE FROM attachments WHERE turn = ''");
  const later = await reply(daemon, moment, talk.session);
  assert.partialDeepStrictEqual(later.data ?? null, { attached: [], gone: ["plan.txt"] });
  onDatabase(world, `UPDATE turns SET body = json_set(body, '$.code', 'taken-back')`);
  assert.equal((await reply(daemon, moments, talk.session)).code, "no-moments");
});

test("a rewinding takes back words, files and memory of several turns, and /redo brings all of it again", async (t) => {
  await using begun = await threeTurns(t);
  const { world, talk } = begun;
  const memories = (): number =>
    onDatabase(world, "SELECT 1 FROM objects WHERE realm = 'own' AND hash IS NOT NULL").length;
  const before = memories();
  const said = await talk.say("/rewind 2");
  assert.match(said.text, /^The words of 2 turns are taken back\.\nUndone\./);
  assert.deepEqual([held(world, "a.txt"), held(world, "b.txt"), memories()], ["one", null, before - 1]);
  world.provider.add({ text: "Hello again." });
  assert.match(
    (await talk.say("/redo")).text,
    /^The words are back\.\nDone again\.\n[\s\S]*a\.txt has that change again\./,
  );
  assert.deepEqual([held(world, "a.txt"), held(world, "b.txt"), memories()], ["two", "new", before]);
  await talk.say("what now?");
  assert.match(lastSent(world), /change it, and remember the heliotrope/);
});

test("words that were taken back reach no model, no history, no fork and no search; those before them do", async (t) => {
  await using begun = await threeTurns(t);
  const { world, daemon, talk } = begun;
  await talk.say("/rewind 2 words");
  assert.equal(held(world, "a.txt"), "two", "files stay");
  world.provider.add({ text: "Hello again." }, { text: "In the fork." });
  await talk.say("what now?");
  assert.match(lastSent(world), /make the first file/);
  assert.doesNotMatch(lastSent(world), /change it, and|weather/);
  const history = await reply(daemon, { kind: "history", id: null, limit: null }, talk.session);
  assert.doesNotMatch(JSON.stringify(history), /weather/);
  const forked = await reply(daemon, { kind: "fork-session", id: null }, talk.session);
  const { data = null } = forked;
  const fork = await talkTo(daemon, isJsonObject(data) ? String(data["id"]) : "");
  await fork.say("and here?");
  assert.doesNotMatch(lastSent(world), /weather/);
  const other = await talkTo(daemon);
  assert.doesNotMatch((await other.say("/search weather")).text, /and the weather/);
  const listed = await reply(daemon, moments, talk.session);
  assert.equal(countOf(listed.data), 2, "two questions");
});

test("a rewinding in a fork says that what was changed stays with the session that changed it, and of nothing that it was undone", async (t) => {
  await using begun = await threeTurns(t);
  const { world, daemon, talk } = begun;
  const forked = await reply(daemon, { kind: "fork-session", id: null }, talk.session);
  const { data = null } = forked;
  const fork = await talkTo(daemon, isJsonObject(data) ? String(data["id"]) : "");
  const unchanged = await fork.say("/rewind 1");
  assert.match(unchanged.text, /^The words of 1 turn are taken back\.\nThere is nothing to undo in files/);
  const preview = { kind: "rewind", turn: "1", what: "all", preview: true } as const;
  const stays = /What was changed in files stays as it is: the session .* --session \S+, then \/rewind/;
  assert.match((await reply(daemon, preview, fork.session)).text, stays);
  const rewound = await fork.say("/rewind 1");
  assert.match(rewound.text, stays);
  assert.doesNotMatch(rewound.text, /as it was before/);
  assert.deepEqual([held(world, "a.txt"), held(world, "b.txt")], ["two", "new"]);
});

test("after new words, what was taken back stays taken back, and /redo says so", async (t) => {
  await using begun = await threeTurns(t);
  const { world, talk } = begun;
  await talk.say("/rewind 1 words");
  world.provider.add({ text: "Hello." });
  await talk.say("something else");
  assert.match((await talk.say("/redo")).text, /nothing to redo/);
});

test("rewindings one after the other are taken back one after the other, words found again", async (t) => {
  await using begun = await threeTurns(t);
  const { world, talk, daemon } = begun;
  await talk.say("/rewind 1");
  await talk.say("/rewind 2");
  assert.deepEqual([held(world, "a.txt"), held(world, "b.txt")], [null, null]);
  assert.match((await talk.say("/rewind")).text, /Nothing was said/);
  assert.match((await talk.say("/redo")).text, /The words are back/);
  assert.equal(held(world, "a.txt"), "two");
  assert.match((await talk.say("/redo")).text, /^The words are back\.$/);
  const listed = await reply(daemon, moments, talk.session);
  assert.equal(countOf(listed.data), 3);
  const other = await talkTo(daemon);
  assert.match((await other.say("/search weather")).text, /and the weather/);
});

test("files alone go back, the words stay, and a preview changes nothing", async (t) => {
  await using begun = await threeTurns(t);
  const { world, daemon, talk } = begun;
  const preview = await reply(
    daemon,
    { kind: "rewind", turn: "3", what: "all", preview: true },
    talk.session,
  );
  assert.match(preview.text, /words of 3 turns, and:\n[\s\S]*new b\.txt[\s\S]*new a\.txt/);
  assert.equal(held(world, "a.txt"), "two");
  assert.match((await talk.say("/rewind 3 files")).text, /^Undone\./);
  assert.deepEqual([held(world, "a.txt"), held(world, "b.txt")], [null, null]);
  world.provider.add({ text: "Yes." });
  await talk.say("still there?");
  assert.match(lastSent(world), /weather/);
});

test("a moment that is not there, and one whose turn still waits, change nothing", async (t) => {
  await using begun = await threeTurns(t);
  const { world, talk } = begun;
  for (const wrong of ["9", "nobody", "0"])
    assert.match((await talk.say(`/rewind ${wrong}`)).text, /There is no moment/);
  world.provider.add(write("../outside.txt", "x"));
  assert.equal((await talk.say("write outside")).end, "approval-required");
  assert.match((await talk.say("/rewind 1")).text, /runs or waits/);
  assert.match((await talk.say("/rewind 1 2 3")).text, /Usage: \/rewind/);
});

test("who takes back the words takes back their yes to the flight plan that was approved since", async (t) => {
  const world = await makeWorld(t);
  const outside = `${world.home}/plan.txt`;
  const planned = calls(["propose-plan", { steps: `3x write ${outside}`, minutes: 60 }]);
  const inPlan = calls(["write-file", { path: outside, content: "x" }]);
  world.provider.add({ text: "Hello." }, planned, inPlan, { text: "Done." }, { text: "Fine." });
  await using daemon = await world.open();
  const talk = await talkTo(daemon);
  await talk.say("hello");
  await talk.say("do the job");
  assert.equal((await talk.say(`/approve ${talk.token()}`)).end, "answered");
  await talk.say("and the weather?");
  assert.ok(!(await talk.say("/rewind 1 words")).text.includes("flight plan"), "it was approved before");
  assert.match((await talk.say("/plan")).text, /The flight plan of this session/);
  assert.match((await talk.say("/rewind 1 words")).text, /flight plan .* has ended/);
  assert.match((await talk.say("/plan")).text, /has no flight plan/);
  world.provider.add(inPlan);
  assert.equal((await talk.say("once more")).end, "approval-required");
});

/** Leaves a file that was undone as it is where a kill came before it. */
function notUndone(world: AgentWorld, name: string, content: string): void {
  writeFileSync(world.path(name), content);
  onDatabase(world, `UPDATE changes SET undone = 0 WHERE undid = '[]' AND path LIKE '%/${name}'`);
  onDatabase(
    world,
    `UPDATE changes SET undid = '[]', undone = 1 WHERE undid != '[]' AND path LIKE '%/${name}'`,
  );
}

for (const [where, files] of [
  ["before its files", "none"],
  ["in the middle of its files", "one"],
  ["between its files and its words", "all"],
] as const)
  test(`a rewinding that was killed ${where} is finished at the next start, and can be taken back`, async (t) => {
    await using begun = await threeTurns(t);
    const { world, daemon, talk } = begun;
    if (files !== "none") await talk.say("/rewind 2 files");
    await daemon[Symbol.asyncDispose]();
    {
      const { state: folder } = world;
      await using state = await openState({ folder, clock: Date.now, gates: "g", access: "write" });
      const words = (await state.turns.ofSession(talk.session, { limit: 9 })).slice(1).map(({ id }) => id);
      const made = await Promise.all(words.map((turn) => state.changes.ofTurn(turn)));
      const id = (await state.changes.latestUndo(talk.session)) ?? "cut-off";
      const about = {
        id,
        command: "rewind",
        session: talk.session,
        client: null,
        workspace: world.workspace,
      };
      const changes = made.flat().map(({ number }) => number);
      const going = { turns: words.toReversed(), changes, snapshot: null, words, rewinding: null };
      await state.begunUndo.set({ ...about, ...going });
    }
    if (files === "one") notUndone(world, "b.txt", "new");
    await using next = await world.open();
    assert.match(
      (await next.untold("")).join("\n"),
      /in the middle of \/rewind in session .*words of 2 turns are taken back/s,
    );
    const again = await talkTo(next, talk.session);
    const listed = await reply(next, moments, again.session);
    assert.equal(countOf(listed.data), 1);
    assert.equal(held(world, "a.txt"), "one");
    assert.equal(held(world, "b.txt"), null);
    assert.match((await again.say("/redo")).text, /^The words are back\./);
    assert.equal(countOf((await reply(next, moments, again.session)).data), 3);
    assert.deepEqual([held(world, "a.txt"), held(world, "b.txt")], ["two", "new"]);
    assert.deepEqual(onDatabase(world, "SELECT 1 FROM rewindings WHERE stands > 0"), []);
  });

test("a rewinding that cannot be made is not made at the next start either", async (t) => {
  await using begun = await threeTurns(t);
  const { world, talk } = begun;
  world.provider.add(write("../outside.txt", "x"));
  await talk.say("write outside");
  assert.match((await talk.say("/rewind 2")).text, /runs or waits/);
  assert.deepEqual(onDatabase(world, "SELECT 1 FROM rewindings"), []);
});
