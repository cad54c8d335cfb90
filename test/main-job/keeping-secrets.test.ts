import assert from "node:assert/strict";
import { existsSync, mkdirSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { keyEncodings, leaks } from "../../src/gate/secrets/key-encodings.fixture.ts";
import { openState } from "../../src/memory/state/open-state.ts";
import {
  type AgentWorld,
  calls,
  filesWith,
  journalOf,
  makeWorld,
  named,
  providerKey,
  sent,
  talkTo,
} from "../agent-world.ts";

/** Looks like a token of GitHub and is none. */
const token = `ghp_${"aB3dE6gH9jK2mN5pQ8sT1vW4yZ7".padEnd(36, "qRsTuVwXy")}`;

test("a configured key that a person types never reaches a remote provider", async (t) => {
  const world = await makeWorld(t, [{ text: "I saw nothing." }]);
  await using daemon = await world.open();
  await (await talkTo(daemon)).say(`my key is ${providerKey}, is it good?`);
  assert.match(sent(world, 0), /my key is \[masked: configured-key\]/);
  assert.ok(!sent(world, 0).includes(providerKey));
});

test("a configured key that a file holds never reaches a remote provider", async (t) => {
  const world = await makeWorld(t, [calls(["read-file", { path: "notes.txt" }]), { text: "Read." }]);
  writeFileSync(world.path("notes.txt"), `the key is ${providerKey}\n`);
  await using daemon = await world.open();
  await (await talkTo(daemon)).say("read the notes");
  assert.equal(world.provider.requests.length, 2);
  assert.ok(!sent(world, 1).includes(providerKey));
  assert.match(sent(world, 1), /\[masked: configured-key\]/);
});

test("a key in base64 is found as well", async (t) => {
  const world = await makeWorld(t, [{ text: "I saw nothing." }]);
  const encoded = Buffer.from(providerKey).toString("base64");
  await using daemon = await world.open();
  await (await talkTo(daemon)).say(`decode ${encoded}`);
  assert.ok(!sent(world, 0).includes(encoded));
});

test("what looks like a token of a known kind is masked before it is sent", async (t) => {
  const world = await makeWorld(t, [calls(["read-file", { path: "notes.txt" }]), { text: "Read." }]);
  writeFileSync(world.path("notes.txt"), `deploy with ${token}\n`);
  await using daemon = await world.open();
  await (await talkTo(daemon)).say("read the notes");
  assert.ok(!sent(world, 1).includes(token));
  assert.match(sent(world, 1), /masked: github-token/);
});

test("a value that .env calls a token, secret or password is kept from every provider", async (t) => {
  const world = await makeWorld(t, [{ text: "I saw nothing." }]);
  mkdirSync(world.configuration, { recursive: true });
  writeFileSync(join(world.configuration, ".env"), "HOUSE_PASSWORD=open-sesame-42-now\n");
  await using daemon = await world.open();
  await (await talkTo(daemon)).say("the door opens with open-sesame-42-now");
  assert.ok(!sent(world, 0).includes("open-sesame-42-now"));
});

test("a key that a tool's result holds is not shown to the person", async (t) => {
  const world = await makeWorld(t, [calls(["read-file", { path: "notes.txt" }]), { text: "Read." }]);
  writeFileSync(world.path("notes.txt"), `the key is ${providerKey}\n`);
  await using daemon = await world.open();
  const said = await (await talkTo(daemon)).say("read the notes");
  assert.match(JSON.stringify(named(said.events, "outcome")[0]?.content), /masked: configured-key/);
  assert.ok(!JSON.stringify(said.events).includes(providerKey));
});

test("the provider's key is in its requests' header, and nowhere in the output, the journal, or the state", async (t) => {
  const world = await makeWorld(t, [
    calls(["write-file", { path: "a.txt", content: "x" }]),
    { text: "Written." },
  ]);
  const done = await world.command(["ask", "--json", "write it"]);
  assert.equal(done.code, 0);
  assert.equal(world.provider.requests[0]?.headers["authorization"], `Bearer ${providerKey}`);
  assert.ok(!`${done.out}${done.err}`.includes(providerKey));
  assert.ok(journalOf(world).length > 0);
  assert.deepEqual(filesWith(world.state, providerKey), []);
  assert.ok(!sent(world, 0).includes(providerKey));
});

test("a provider's failure is told without the key that it repeats", async (t) => {
  const body = JSON.stringify({ error: { message: `Incorrect API key provided: ${providerKey}.` } });
  const world = await makeWorld(t, [{ status: 401, body }]);
  const done = await world.command(["ask", "hi"]);
  assert.equal(done.code, 6);
  assert.ok(!`${done.out}${done.err}`.includes(providerKey));
  assert.deepEqual(filesWith(world.state, providerKey), []);
});

test("a secret path is blocked by name, in any case and through a link, and its text reaches nobody", async (t) => {
  const read = (path: string) => calls(["read-file", { path }]);
  const world = await makeWorld(t, [read(".SSH/id_rsa"), read("innocent.txt"), read("~/.ssh/id_rsa")]);
  mkdirSync(join(world.home, ".ssh"));
  mkdirSync(world.path(".SSH"));
  writeFileSync(join(world.home, ".ssh", "id_rsa"), "heliotrope");
  writeFileSync(world.path(".SSH/id_rsa"), "heliotrope");
  symlinkSync(join(world.home, ".ssh", "id_rsa"), world.path("innocent.txt"));
  await using daemon = await world.open();
  const said = await (await talkTo(daemon)).say("read the key");
  assert.equal(said.end, "blocked");
  assert.ok(named(said.events, "verdict").every(({ verdict }) => verdict === "block"));
  assert.ok(world.provider.requests.every(({ body }) => !body.includes("heliotrope")));
});

test("a search of the workspace never enters a secret path", async (t) => {
  const world = await makeWorld(t, [calls(["search-files", { pattern: "heliotrope" }]), { text: "Found." }]);
  mkdirSync(world.path(".ssh"));
  writeFileSync(world.path(".ssh/id_rsa"), "heliotrope in the key");
  writeFileSync(world.path("poem.txt"), "heliotrope in the poem");
  await using daemon = await world.open();
  await (await talkTo(daemon)).say("search");
  assert.match(sent(world, 1), /heliotrope in the poem/);
  assert.doesNotMatch(sent(world, 1), /heliotrope in the key/);
});

test("the agent's own state and settings are never written, approval or not", async (t) => {
  const world = await makeWorld(t);
  const write = (path: string) => calls(["write-file", { path, content: "x" }]);
  world.provider.add(
    write(join(world.state, "journal.jsonl")),
    write(join(world.configuration, ".env")),
    write(join(world.configuration, "sub", "new.txt")),
  );
  await using daemon = await world.open();
  const said = await (await talkTo(daemon)).say("change yourself");
  assert.equal(said.end, "blocked");
  assert.equal(named(said.events, "approval-required").length, 0);
  assert.equal(existsSync(world.configuration), false);
});

test("an encoded key does not leave in an address, a command or a file", async (t) => {
  const actions = Object.values(keyEncodings).flatMap((encode) => {
    const encoded = encode(providerKey);
    return [
      { encoded, tool: "fetch-url", args: { url: `http://127.0.0.1:9/?q=${encoded}` } },
      { encoded, tool: "shell", args: { cmd: `echo ${JSON.stringify(encoded)}` } },
      { encoded, tool: "write-file", args: { path: "a.txt", content: `first\n${encoded}\nlast\n` } },
    ];
  });
  const [half, rest] = [providerKey.slice(0, 12), providerKey.slice(12)];
  actions.push({ encoded: providerKey, tool: "write-file", args: { path: half, content: rest } });
  const world = await makeWorld(t);
  const input = actions.map(({ tool, args }) => `${JSON.stringify({ tool, args })}\n`).join("");
  const judged = await world.command(["judge", "--json"], { input });
  const lines = judged.out.trim().split("\n");
  assert.equal(lines.length, actions.length, judged.err);
  for (const [at, line] of lines.entries()) {
    assert.match(
      line,
      /^\{"verdict":"block"|"gate":"secret-filter","result":"approval"/,
      JSON.stringify(actions[at]),
    );
    assert.ok(!line.includes(providerKey) && !line.includes(actions[at]?.encoded ?? providerKey), line);
  }
});

test("an encoded key that a file holds and a model repeats is in nothing that is sent, shown or kept", async (t) => {
  const encodings = Object.values(keyEncodings).map((encode) => encode(providerKey));
  const text = `these:\n\n${encodings.join("\n\nand\n\n")}\n\nand that is all`;
  const world = await makeWorld(t, [calls(["read-file", { path: "leak.txt" }]), { text }]);
  writeFileSync(world.path("leak.txt"), text);
  const shown: string[] = [];
  {
    await using daemon = await world.open();
    const said = await (await talkTo(daemon)).say(`read leak.txt: ${encodings.at(-1)}`);
    shown.push(JSON.stringify(said), ...world.provider.requests.map(({ body }) => body));
  }
  assert.equal(shown.length, 3);
  for (const encoded of encodings) {
    for (const each of shown)
      assert.ok(!leaks(each, encoded) && !leaks(each, JSON.stringify(encoded).slice(1, -1)), encoded);
    assert.deepEqual(filesWith(world.state, encoded), [], encoded);
  }
});

test("a key does not leave inside the address of a page", async (t) => {
  const world = await makeWorld(t, [
    calls(["fetch-url", { url: `http://127.0.0.1:9/?q=${providerKey}` }]),
    { text: "No." },
  ]);
  await using daemon = await world.open();
  const said = await (await talkTo(daemon)).say("fetch it");
  assert.equal(named(said.events, "verdict")[0]?.verdict, "block");
});

/** Keeps a note that is private, as a tag in the owner's notes makes it. */
async function keepPrivateNote(world: AgentWorld): Promise<void> {
  await using state = await openState({ folder: world.state, clock: Date.now, gates: "g", access: "write" });
  await state.objects.put(
    {
      id: "diary",
      realm: "own",
      type: "note",
      parent: null,
      attributes: {},
      content: "heliotrope is my secret love",
      label: { integrity: "user", secrecy: "private", sources: [] },
    },
    { turn: null, session: null },
  );
}

test("private text goes to no provider that is not local", async (t) => {
  const world = await makeWorld(t, [
    calls(["recall", { query: "heliotrope", private: true }]),
    { text: "Withheld." },
    { text: "Nothing in focus that I may see." },
  ]);
  await keepPrivateNote(world);
  await using daemon = await world.open();
  const talk = await talkTo(daemon);
  await talk.say("what do you know?");
  await talk.say("/focus diary");
  await talk.say("and now?");
  assert.ok(world.provider.requests.length >= 2);
  assert.ok(world.provider.requests.every(({ body }) => !body.includes("secret love")));
});

test("private text goes to a local provider", async (t) => {
  const world = await makeWorld(
    t,
    [calls(["recall", { query: "heliotrope", private: true }]), { text: "Found." }],
    {
      PROVIDER_CASCADE: "ollama",
    },
  );
  await keepPrivateNote(world);
  await using daemon = await world.open({ OLLAMA_HOST: `127.0.0.1:${world.provider.port}` });
  await (await talkTo(daemon)).say("what do you know?");
  assert.match(sent(world, 1), /secret love/);
});

test("a configured key stays masked for a local provider too", async (t) => {
  const world = await makeWorld(t, [{ text: "Hello." }], { PROVIDER_CASCADE: "ollama" });
  await using daemon = await world.open({ OLLAMA_HOST: `127.0.0.1:${world.provider.port}` });
  await (await talkTo(daemon)).say(`the key is ${providerKey}`);
  assert.equal(world.provider.requests.length, 1);
  assert.ok(!sent(world, 0).includes(providerKey));
});

test("a configured key that the owner types, or that a tool brings, is in nothing that is kept", async (t) => {
  const world = await makeWorld(t, [calls(["read-file", { path: "leak.txt" }]), { text: "Read." }]);
  writeFileSync(world.path("leak.txt"), `the key is ${providerKey}\n`);
  {
    await using daemon = await world.open();
    const talk = await talkTo(daemon);
    await talk.say(`my key is ${providerKey}, read leak.txt`);
  }
  assert.deepEqual(filesWith(world.state, providerKey), []);
});

test("a configured key that a model says, or that the owner gives as the reason of a no, is in nothing that is kept", async (t) => {
  const world = await makeWorld(t, [
    { thinking: `is it ${providerKey}?`, text: `the key is ${providerKey}` },
    { text: `with ${providerKey}`, ...calls(["list-files", { path: "." }]) },
    { text: "Listed." },
    calls(["shell", { cmd: "make all" }]),
    { text: "Left." },
    { calls: [{ id: providerKey, name: `no-${providerKey}`, arguments: "{" }] },
    { text: "Sorry." },
  ]);
  {
    await using daemon = await world.open();
    const talk = await talkTo(daemon);
    assert.equal((await talk.say("what is the key?")).text, "the key is [masked: configured-key]");
    await talk.say("list the files");
    await talk.say("build it");
    assert.equal((await talk.say(`/deny ${talk.token()} because ${providerKey} is mine`)).end, "answered");
    await talk.say("call it");
  }
  assert.equal(world.provider.requests.length, 7);
  assert.deepEqual(filesWith(world.state, providerKey), []);
});
