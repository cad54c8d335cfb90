import assert from "node:assert/strict";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { type TestContext, test } from "node:test";
import { keyEncodings } from "../../src/gate/secrets/key-encodings.fixture.ts";
import { connectPeer, payloadOf } from "../../src/wire/server/wire.fixture.ts";
import { type AgentWorld, calls, filesWith, isMissing, journalOf, makeWorld, sent } from "../agent-world.ts";
import { startDaemon } from "../daemon/daemon-process.ts";
import { serveDaemon } from "../daemon/serve-daemon.ts";
import { textOf, untilAnswer } from "../daemon/wire-client.ts";
import type { Step } from "../loopback-provider.ts";
import { openTerminal } from "../open-terminal.ts";
import { givePassphrase, keepInVault } from "../vault-world.ts";

const passphrase = "three swans over Ghent";
const value = "vault-kept-key-77aa-Zx91-qq";

/** A world whose provider has its key in the vault; `given` runs a command with the passphrase as a credential. */
async function makeVaultWorld(t: TestContext, steps: readonly Step[], key = "vault:loop-key") {
  const world = await makeWorld(t, steps, { LOOP_API_KEY: key });
  await keepInVault(world, passphrase, "loop-key", value);
  return { world, given: givePassphrase(world, passphrase) };
}

const keysSent = ({ provider }: AgentWorld) =>
  provider.requests.map(({ headers }) => headers["authorization"]);

test("a key in the vault goes to its provider alone, once the passphrase was given", async (t) => {
  const { world, given } = await makeVaultWorld(t, [{ text: "Hello." }]);
  const locked = await world.command(["ask", "hi"]);
  assert.equal(locked.code, 6);
  assert.match(
    locked.err,
    /loop: its key is loop-key of the vault\. The vault is locked\. Unlock it: passepartout/,
  );
  assert.equal(world.provider.requests.length, 0);
  const answered = await world.command(["ask", "hi"], { settings: given });
  assert.equal(answered.out.trim(), "Hello.");
  assert.deepEqual(keysSent(world), [`Bearer ${value}`]);
});

test("a locked provider is skipped, the next one answers, and nothing rests", async (t) => {
  const { world } = await makeVaultWorld(t, [{ text: "From the other.", repeat: true }]);
  const settings = {
    PROVIDER_CASCADE: "loop,other",
    OTHER_BASE_URL: `${world.provider.url}/v1`,
    OTHER_API_KEY: "another-key-of-its-own-1",
  };
  const answered = await world.command(["ask", "hi"], { settings });
  assert.equal(answered.out.trim(), "From the other.");
  assert.deepEqual(keysSent(world), ["Bearer another-key-of-its-own-1"]);
  const status = await world.command(["ask", "/status"], { settings });
  assert.match(status.out, /The vault is locked.*providers are skipped: loop\./);
  assert.doesNotMatch(status.out, /rests|resting/);
});

test("a daemon is unlocked and locked while it runs, and knows what is set meanwhile", async (t) => {
  const { world, given } = await makeVaultWorld(t, [{ text: "Yes.", repeat: true }]);
  await serveDaemon(world);
  const ask = () => world.command(["ask", "hi"]);
  assert.equal((await ask()).code, 6);
  const wrong = await world.command(["vault", "unlock", "--json"], { input: "three swans over Gent\n" });
  assert.equal(wrong.code, 1);
  assert.equal(JSON.parse(wrong.out).code, "wrong-passphrase");
  assert.equal((await ask()).code, 6);
  const unlocked = await world.command(["vault", "unlock"], { input: `${passphrase}\n` });
  assert.deepEqual([unlocked.code, unlocked.out], [0, "In the running agent: The vault is unlocked.\n"]);
  assert.equal((await ask()).out.trim(), "Yes.");
  const set = await world.command(["vault", "set", "loop-key"], { input: `${value}-new\n`, settings: given });
  assert.deepEqual([set.code, set.err], [0, ""], set.err);
  assert.ok(!set.out.includes(value));
  await ask();
  assert.deepEqual(keysSent(world), [`Bearer ${value}`, `Bearer ${value}-new`]);
  const status = await world.command(["vault", "status", "--json"]);
  assert.deepEqual(JSON.parse(status.out), {
    ok: true,
    vault: "locked",
    agent: "unlocked",
    names: ["loop-key"],
  });
  await world.command(["vault", "lock"]);
  assert.equal((await ask()).code, 6);
  assert.equal(world.provider.requests.length, 2);
});

test("no file, answer, error or prompt has the value or the passphrase in any encoding", async (t) => {
  const { world, given } = await makeVaultWorld(t, [
    calls(["read-file", { path: "key.txt" }]),
    { text: `Your key is ${value}, backwards ${[...value].reverse().join("")}.` },
    { status: 401, body: `{"error":{"message":"bad key ${value}"}}` },
  ]);
  writeFileSync(world.path("key.txt"), `It is ${Buffer.from(value).toString("base64")} or ${value}.\n`);
  await serveDaemon(world, { settings: given });
  const runs = [
    await world.command(["ask", "--json", `read key.txt, it is ${value}`]),
    await world.command(["ask", "again"]),
    await world.command(["vault", "list", "--json"]),
    await world.command(["vault", "status", "--json"]),
    await world.command(["doctor", "--json"]),
    await world.command(["journal", "tail", "--json"]),
    await world.command(["ask", "/status"]),
  ];
  const shown = runs.map(({ out, err }) => out + err).join("\n");
  const prompts = world.provider.requests.map((_, number) => sent(world, number)).join("\n");
  assert.equal(world.provider.requests.length, 3);
  for (const secret of [value, passphrase]) {
    for (const [way, encode] of Object.entries(keyEncodings)) {
      const encoded = encode(secret);
      assert.ok(!shown.includes(encoded), `shown ${way}`);
      assert.ok(!prompts.includes(encoded), `sent ${way}`);
      for (const folder of [world.state, world.configuration])
        assert.deepEqual(filesWith(folder, encoded), [], `kept ${way}`);
    }
  }
});

test("what a model thinks, streams in pieces and calls with has the value in no file, frame or request", async (t) => {
  const ways = Object.values(keyEncodings).map((encode) => encode(value));
  const pieces = (text: string) => text.match(/[\s\S]{1,7}/g) ?? [];
  const thought = pieces(`It is ${value}, ${ways[1]}, ${[...value].reverse().join("")}.`);
  const { world, given } = await makeVaultWorld(t, [
    {
      deltas: thought.flatMap((text, index) => [
        { reasoning_content: text },
        { reasoning_details: [{ type: "reasoning.text", index, text: ways[index % ways.length] }] },
      ]),
      ...calls(["list-files", { path: "." }]),
    },
    { text: pieces(`<think>${value} ${ways.join(" ")}</think>Done: ${ways.join("\n")}`) },
    { text: [value.slice(0, 11)] },
    { text: [value.slice(11)] },
    calls(["recall", { query: value }], ["write-file", { path: "made.txt", content: ways[2] ?? "" }]),
  ]);
  const daemon = await startDaemon(t, world, { settings: { ...given, LOOP_THINKING_IN_TEXT: "true" } });
  const shown = [
    await world.command(["ask", "--json", "think"]),
    await world.command(["ask", "--json", "--continue", "half"]),
    await world.command(["ask", "--json", "--continue", "other half"]),
    await world.command(["ask", "--json", "--continue", "again"]),
    await world.command(["journal", "tail", "--json"]),
    await world.command(["context", "--prompt"], { settings: given }),
  ]
    .map(({ out, err }) => out + err)
    .join("\n");
  const requests = world.provider.requests;
  assert.equal(requests.length, 5);
  for (const [way, encode] of Object.entries(keyEncodings)) {
    const encoded = encode(value);
    assert.ok(!shown.includes(encoded), `shown ${way}`);
    for (const { body, path } of requests) assert.ok(!`${path}${body}`.includes(encoded), `sent ${way}`);
    for (const folder of [world.state, world.configuration])
      assert.deepEqual(filesWith(folder, encoded), [], `kept ${way}`);
  }
  assert.ok(!readFileSync(`/proc/${daemon.pid}/environ`, "utf8").includes(value));
});

test("what was said while the vault was locked goes to no model and is shown to nobody once it is unlocked", async (t) => {
  const { world } = await makeVaultWorld(t, [
    { text: `I see ${value} and ${Buffer.from(value).toString("base64")}.`, thinking: `It is ${value}.` },
    { text: "Nothing more.", repeat: true },
  ]);
  const other = { OTHER_BASE_URL: `${world.provider.url}/v1`, OTHER_API_KEY: "another-key-of-its-own-1" };
  await serveDaemon(world, { settings: { PROVIDER_CASCADE: "other", ...other } });
  await world.command(["ask", `it is ${value}`]);
  const unlocked = await world.command(["vault", "unlock"], { input: `${passphrase}\n` });
  assert.equal(unlocked.code, 0, unlocked.err);
  const shown = [
    await world.command(["ask", "--continue", "and now?"]),
    await world.command(["ask", "--continue", "/history"]),
    await world.command(["ask", "--json", "--continue", "again"]),
  ];
  for (const [way, encode] of Object.entries(keyEncodings)) {
    for (const { body } of world.provider.requests.slice(1)) assert.ok(!body.includes(encode(value)), way);
    for (const { out, err } of shown) assert.ok(!(out + err).includes(encode(value)), way);
  }
  assert.match(world.provider.requests[1]?.body ?? "", /I see \[masked: configured-key\]/);
});

test("neither a file tool nor a command reads the vault, and its name gives a model no value", async (t) => {
  const { world, given } = await makeVaultWorld(t, [
    calls(["read-file", { path: "../.config/passepartout/vault.json" }]),
    calls(["shell", { command: "cat ../.config/passepartout/vault.json" }]),
    calls(["write-file", { path: "made.txt", content: "vault:loop-key" }]),
    { text: "Done: vault:loop-key" },
  ]);
  const answered = await world.command(["ask", "hi"], { settings: given });
  assert.equal(answered.out.trim(), "Done: vault:loop-key");
  assert.equal(readFileSync(world.path("made.txt"), "utf8"), "vault:loop-key");
  for (const number of world.provider.requests.keys())
    assert.doesNotMatch(sent(world, number), /"scrypt"|"nonce"/);
});

test("a connection that did not prove itself cannot unlock, lock or ask for the vault", async (t) => {
  const world = await makeWorld(t, [], { PROTOCOL_ENFORCE_HMAC: "false" });
  const daemon = await serveDaemon(world);
  for (const action of ["vault-unlock", "vault-lock", "vault-status"]) {
    const peer = connectPeer(t, { port: daemon.port });
    await peer.next();
    const more = action === "vault-unlock" ? { passphrase } : {};
    peer.send({ type: "request", id: "one", payload: { action, ...more } });
    const [refused] = await untilAnswer(peer);
    assert.equal(payloadOf(refused ?? {})["code"], "unproved", textOf(refused ?? {}));
  }
});

test("on a terminal the value and the passphrase are typed unseen", async (t) => {
  if (isMissing(t, "tmux", "tmux")) return;
  const world = await makeWorld(t);
  await using terminal = await openTerminal(world, ["vault", "set", "loop-key"]);
  for (const [prompt, typed] of [
    [/Value of loop-key/, value],
    [/New passphrase/, passphrase],
    [/The same passphrase again/, passphrase],
  ] as const) {
    await terminal.shows(prompt);
    terminal.type(typed);
    terminal.press("Enter");
  }
  const screen = await terminal.shows(/left with 0/);
  assert.ok(!screen.includes(value) && !screen.includes(passphrase), screen);
});

test("ask wants the passphrase once, where a provider needs it and a person is there", async (t) => {
  if (isMissing(t, "tmux", "tmux")) return;
  const { world } = await makeVaultWorld(t, [{ text: "Hello." }]);
  await using terminal = await openTerminal(world, ["ask", "hi"]);
  await terminal.shows(/Passphrase of the vault/);
  terminal.type("wrong one");
  terminal.press("Enter");
  await terminal.shows(/The passphrase is wrong[\s\S]*Passphrase of the vault/);
  terminal.type(passphrase);
  terminal.press("Enter");
  const screen = await terminal.shows(/left with 0/);
  assert.match(screen, /Hello\./);
  assert.ok(!screen.includes(passphrase), screen);
});

test("a command that only looks something up asks for no passphrase", async (t) => {
  if (isMissing(t, "tmux", "tmux")) return;
  const { world } = await makeVaultWorld(t, []);
  const entry = { mcpServers: { files: { command: "no-such-server" } } };
  writeFileSync(join(world.configuration, "mcp.json"), JSON.stringify(entry));
  for (const line of ["jobs", "review", "sessions", "approve", "mcp accept files"]) {
    await using terminal = await openTerminal(world, line.split(" "));
    const screen = await terminal.shows(/left with \d|Passphrase of the vault/);
    assert.doesNotMatch(screen, /Passphrase of the vault/, line);
  }
});

test("the passphrase is changed and a value is bound while a daemon has the vault unlocked", async (t) => {
  const { world, given } = await makeVaultWorld(t, [{ text: "Yes.", repeat: true }]);
  await serveDaemon(world, { settings: given });
  const changed = await world.command(["vault", "passphrase"], { settings: given, input: "a fourth swan\n" });
  assert.deepEqual([changed.code, changed.err], [0, ""], changed.err);
  assert.equal((await world.command(["ask", "hi"])).out.trim(), "Yes.", "the daemon stays unlocked");
  const old = await world.command(["vault", "bind", "loop-key", "api.example"], { settings: given });
  assert.equal(old.code, 1);
  assert.match(old.err, /The passphrase is wrong/);
  writeFileSync(join(world.home, "credentials", "passepartout-passphrase"), "a fourth swan\n");
  const bound = await world.command(["vault", "bind", "loop-key", "api.example:8443", "--header", "X-Key"], {
    settings: given,
  });
  assert.match(bound.out, /may use it at api\.example:8443, in the header x-key.*\$LOOP_KEY/);
  const listed = await world.command(["vault", "list", "--json"]);
  assert.deepEqual(JSON.parse(listed.out).bindings["loop-key"], {
    host: "api.example",
    port: 8443,
    header: "x-key",
    variable: "LOOP_KEY",
  });
  for (const words of [
    ["loop-key"],
    ["loop-key", "127.0.0.1"],
    ["loop-key", "http://api.example/x"],
    ["loop-key", "api.example", "--header", "Host"],
    ["loop-key", "api.example", "--variable", "a b"],
  ])
    assert.equal(
      (await world.command(["vault", "bind", ...words], { settings: given })).code,
      2,
      words.join(" "),
    );
  assert.equal((await world.command(["vault", "unbind", "loop-key"], { settings: given })).code, 0);
  assert.ok(!(await world.command(["vault", "list", "--json"])).out.includes("bindings"));
});

test("each change of the vault is in the journal: a value that is set, replaced, bound and removed, and another passphrase", async (t) => {
  const { world, given } = await makeVaultWorld(t, []);
  const events = () =>
    journalOf(world).flatMap(({ kind, detail: { event } }) => (kind === "note" ? [String(event)] : []));
  const secret = "a-further-value-of-the-vault-31";
  const change = async (words: readonly string[], input = ""): Promise<readonly string[]> => {
    const before = events().length;
    const run = await world.command(["vault", ...words], { settings: given, input });
    assert.equal(run.code, 0, run.err);
    return events().slice(before);
  };
  await change(["bind", "loop-key", "api.example"]);
  assert.deepEqual(await change(["set", "other"], `${secret}\n`), ["vault-value-set", "vault-changed"]);
  assert.deepEqual(await change(["set", "other"], `${secret}-new\n`), ["vault-changed"]);
  assert.deepEqual(await change(["bind", "other", "api.example"]), ["vault-changed", "vault-changed"]);
  assert.deepEqual(await change(["unbind", "other"]), ["vault-changed", "vault-changed"]);
  assert.deepEqual(await change(["remove", "other"]), ["vault-value-removed", "vault-changed"]);
  assert.deepEqual(await change(["passphrase"], "a fifth swan\n"), ["vault-changed"]);
  assert.ok(!JSON.stringify(journalOf(world)).includes(secret));
});

test("a model is told of a bound value by name and host, and the owner is asked for each use", async (t) => {
  const { world, given } = await makeVaultWorld(t, [
    calls(["shell", { cmd: "make deploy", credentials: ["loop-key"] }]),
    { text: "Done.", repeat: true },
  ]);
  const parts = async () =>
    JSON.stringify((await world.command(["context", "--prompt"], { settings: given })).out);
  assert.ok(!(await parts()).includes("LOOP_KEY"));
  const bound = await world.command(["vault", "bind", "loop-key", "api.example"], { settings: given });
  assert.equal(bound.code, 0, bound.err);
  const asked = await world.command(["ask", "deploy it"], { settings: given });
  assert.match(
    asked.out + asked.err,
    /once, with network to api\.example and your credential loop-key at api\.example/,
  );
  assert.match(sent(world, 0), /loop-key \(\$LOOP_KEY, header authorization, http:\/\/api\.example\)/);
});
