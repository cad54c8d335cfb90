import assert from "node:assert/strict";
import { readFileSync, writeFileSync } from "node:fs";
import { test } from "node:test";
import type { Agent } from "../../src/daemon/agent/resources/agent.ts";
import { calls, filesWith, isMissing, makeWorld, providerKey, sent, talkTo } from "../agent-world.ts";
import { startLoopbackProvider } from "../loopback-provider.ts";

type Command = Parameters<Agent["runCommand"]>[0];

/** The text and data of a command's reply. */
async function reply(daemon: Agent, command: Command, session = "") {
  const said = await daemon.runCommand(command, session);
  assert.equal(said.kind, "said");
  return said.kind === "said" ? said : assert.fail();
}

test("sessions are listed with their first words, named, forked with their past, and deleted with all that was said", async (t) => {
  const world = await makeWorld(t, [{ text: "The boiler is fine." }, { text: "As I said." }]);
  await using daemon = await world.open();
  const first = await talkTo(daemon);
  await first.say("how is the\nboiler in the heliotrope room?");
  const { data } = await reply(daemon, { kind: "sessions" });
  assert.partialDeepStrictEqual(data, [
    {
      id: first.session,
      title: "how is the boiler in the heliotrope room?",
      turns: 1,
      workspace: world.workspace,
    },
  ]);
  await first.say("/session rename house");
  assert.match((await first.say("/session")).text, /1 {2}house {2}\(this one\)\n.*1 turn/);
  const forked = await reply(daemon, { kind: "fork-session", id: "house" });
  const fork = await talkTo(daemon, (forked.data as { id: string }).id);
  await fork.say("and now?");
  assert.match(sent(world, 1), /heliotrope/);
  const listed = await world.command(["sessions", "--json"]);
  assert.deepEqual(
    listed.out
      .split("\n")
      .slice(0, -1)
      .map((line) => JSON.parse(line))
      .map(({ id, title, named }) => [id, title, named]),
    [
      [fork.session, "how is the boiler in the heliotrope room?", false],
      [first.session, "house", true],
    ],
  );
  const history = await reply(daemon, { kind: "history", id: null, limit: null }, fork.session);
  assert.partialDeepStrictEqual(history.data, [{ answer: "The boiler is fine." }, { answer: "As I said." }]);
  assert.match((await first.say("/session delete house")).text, /the session that you are in/);
  for (const id of [fork.session, first.session]) await reply(daemon, { kind: "delete-session", id });
  assert.deepEqual((await reply(daemon, { kind: "sessions" })).data, []);
  await daemon[Symbol.asyncDispose]();
  assert.deepEqual(filesWith(world.state, "heliotrope"), []);
});

test("/diff shows what /undo would take back, /redo brings it again, and neither does anything where there is nothing", async (t) => {
  const world = await makeWorld(t, [
    calls(["edit-file", { path: "a.txt", old: "two", new: "2" }]),
    { text: "Edited." },
  ]);
  writeFileSync(world.path("a.txt"), "one\ntwo\n");
  await using daemon = await world.open();
  const talk = await talkTo(daemon);
  const now = (): string => readFileSync(world.path("a.txt"), "utf8");
  assert.match((await talk.say("/redo")).text, /nothing to redo/);
  await talk.say("edit it");
  assert.match((await talk.say("/diff")).text, /a\.txt \(\+1 −1\)\n {4}│ {3}one\n {4}│ - two\n {4}│ \+ 2$/);
  await talk.say("/undo");
  assert.match((await talk.say("/diff")).text, /nothing to take back/);
  assert.match((await talk.say("/redo")).text, /^Done again/);
  assert.equal(now(), "one\n2\n");
  assert.match((await talk.say("/redo")).text, /nothing to redo/);
  await talk.say("/undo");
  assert.equal(now(), "one\ntwo\n");
  await talk.say("/redo");
  assert.equal(now(), "one\n2\n");
});

test("/output shows all that the last command gave, behind a margin, without keys", async (t) => {
  const world = await makeWorld(t, [
    calls(["shell", { cmd: "seq 1 300; cat key.txt" }]),
    { text: "Counted." },
  ]);
  writeFileSync(world.path("key.txt"), `x ${providerKey}\n`);
  await using daemon = await world.open();
  const talk = await talkTo(daemon);
  assert.match((await talk.say("/output")).text, /there is no output/);
  await talk.say("count");
  const { text } = await talk.say("/output");
  assert.match(text, /^shell gave:\n {4}│ 1\n/);
  assert.match(text, /\n {4}│ 300\n {4}│ x \[masked: [^\n]+\]$/);
});

test("the overview tells the model, its window, what the prompt took, and what waits", async (t) => {
  const world = await makeWorld(t, [{ text: "Hello." }], { LOOP_CONTEXT_WINDOW: "32000" });
  await using daemon = await world.open();
  const talk = await talkTo(daemon);
  await talk.say("hi");
  const { data, text } = await reply(daemon, { kind: "overview" }, talk.session);
  assert.partialDeepStrictEqual(data, {
    provider: "loop",
    workspace: world.workspace,
    trusted: false,
    "context-window": 32_000,
    problem: null,
    questions: 0,
    running: 0,
  });
  assert.match(text, /^~\/work · loop\/.* of 32k/);
});

test("/model NAME is asked alone in its session from then on, over a restart too, until /model default", async (t) => {
  const other = await startLoopbackProvider([{ text: "The other." }]);
  t.after(() => other.close());
  const world = await makeWorld(t, [{ text: "One.", repeat: true }], {
    PROVIDER_CASCADE: "loop,spare",
    LOOP_MODEL: "heliotrope-7b",
    SPARE_BASE_URL: `${other.url}/v1`,
    SPARE_API_KEY: "unused-spare-key-of-this-test",
    SPARE_MODEL: "spare-1",
  });
  const modelsAsked = () =>
    world.provider.requests.map(({ body }) => /"model":"([^"]+)"/.exec(body)?.[1] ?? "none");
  const session = await (async () => {
    await using daemon = await world.open();
    const talk = await talkTo(daemon);
    const elsewhere = await talkTo(daemon);
    assert.match(
      (await talk.say("/model loop/heliotrope-70b")).text,
      /asks loop\/heliotrope-70b .* no other/,
    );
    assert.match((await talk.say("/model")).text, /^ {2}1 {2}loop\/heliotrope-70b, .*chosen$/m);
    await talk.say("hi");
    await elsewhere.say("hi");
    assert.deepEqual(modelsAsked(), ["heliotrope-70b", "heliotrope-7b"]);
    for (const wrong of ["3", "0", "nobody", "nobody/x", "loop/"])
      assert.match(
        (await talk.say(`/model ${wrong}`)).text,
        /names none of the providers\. Providers: loop, spare\./,
      );
    return talk.session;
  })();
  await using daemon = await world.open();
  const talk = await talkTo(daemon, session);
  await talk.say("still there?");
  assert.equal(modelsAsked().at(-1), "heliotrope-70b");
  await talk.say("/provider 2");
  const { data } = await reply(daemon, { kind: "overview" }, session);
  assert.partialDeepStrictEqual(data, { provider: "spare", model: "spare-1" });
  assert.match((await talk.say("and you?")).text, /The other\./);
  await talk.say("/model default");
  await talk.say("who is there?");
  assert.equal(modelsAsked().at(-1), "heliotrope-7b");
});

test("/why says in plain words what was allowed, needs a yes, was allowed by one, was tried, or is refused", async (t) => {
  if (isMissing(t, "bwrap", "bubblewrap")) return;
  const world = await makeWorld(t, [], { TRIALS: "true" });
  await using daemon = await world.open();
  const talk = await talkTo(daemon);
  const why = async () => (await talk.say("/why")).text.replaceAll(/\d+ gates · \d+\.\d ms/g, "N gates");
  const act = async (tool: string, args: object) => {
    world.provider.add(calls([tool, args]), { text: "Done." });
    await talk.say("do it");
    return why();
  };
  const tried = await act("shell", { cmd: "sh -c 'echo x > b.txt'" });
  assert.match(
    tried,
    /^shell: tried in a copy, so nobody is asked · N gates\n[\s\S]*\n {2}programs +tried +`echo x`/,
  );
  assert.match(tried, /\nshell: allowed · N gates\n/);
  assert.doesNotMatch(tried, /asks|approval/);
  const asked = await act("write-file", { path: "../out.txt", content: "x" });
  assert.match(
    asked,
    /^write-file: needs your yes · N gates\n[\s\S]*\n {2}paths +asks +\S+ is outside the workspace/,
  );
  await talk.say(`/approve ${talk.token()}`);
  assert.match(await why(), /\nwrite-file: allowed · [\s\S]*; allowed by approval [0-9a-f]{8}\n/);
  const refused = await act("write-file", { path: "../.ssh/id_rsa", content: "x" });
  assert.match(refused, /^write-file: refused · N gates\n[\s\S]*\n {2}paths +blocked +\S+ is a secret path/);
});

test("/why tells what each gate said, /model what is asked, /rules and /agenda what there is", async (t) => {
  const world = await makeWorld(
    t,
    [calls(["shell", { cmd: "cat a.txt" }], ["read-file", { path: "a.txt" }]), { text: "Read." }],
    { LOOP_MODEL: "heliotrope-7b", LOOP_CONTEXT_WINDOW: "32000" },
  );
  writeFileSync(world.path("a.txt"), "one\n");
  await using daemon = await world.open();
  const talk = await talkTo(daemon);
  assert.match((await talk.say("/why")).text, /Nothing was judged in this session/);
  await talk.say("read it");
  const { text } = await talk.say("/why");
  assert.match(text, /^shell: allowed · \d\d gates · \d+\.\d ms\n {2}\S+ +passed +/);
  assert.match(
    text,
    /\nread-file: allowed · [\s\S]*\n {2}paths +passed +inside the workspace\n[\s\S]* more passed without concern$/,
  );
  assert.match((await talk.say("/model")).text, /^ {2}1 {2}loop\/heliotrope-7b, 32k tokens$/m);
  assert.match((await talk.say("/rules")).text, /There are no rules/);
  const requests = world.provider.requests.length;
  assert.equal((await talk.say("/agenda +1d")).end, "answered");
  assert.equal(world.provider.requests.length, requests, "the agenda asks no model");
  assert.match((await talk.say("/cost")).text, /today/);
});
