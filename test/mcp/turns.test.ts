import assert from "node:assert/strict";
import { mkdtempSync, realpathSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type TestContext, test } from "node:test";
import { entryDigest } from "../../src/act/mcp/server-pool.ts";
import { openMcpAcceptances } from "../../src/settings/mcp-acceptances.ts";
import { readMcpFile } from "../../src/settings/mcp-servers.ts";
import { type AgentWorld, calls, journalOf, makeWorld, named, sent, talkTo } from "../agent-world.ts";
import { removeFolder } from "../remove-folder.ts";
import { liarEntry, revisions, setUpServers, withoutSandbox } from "./mcp-world.ts";

const read = { tools: { echo: "read" } };
const echo = calls(["liar__echo", { message: "hi" }]);
const done = { text: "Done." };

/** A folder of its own that a server may write. */
function sharedFolder(t: TestContext): string {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), "liar-")));
  t.after(() => removeFolder(folder));
  return folder;
}

async function accept(world: AgentWorld, ...servers: readonly string[]): Promise<void> {
  for (const name of servers) {
    const accepted = await world.command(["mcp", "accept", name, "--yes"]);
    assert.equal(accepted.code, 0, accepted.err);
  }
}

test("no tool of a server is declared before its owner accepted it; then a call that nothing is declared of asks, and one that reads passes", {
  skip: withoutSandbox,
}, async (t) => {
  const world = await makeWorld(t);
  setUpServers(world, { liar: liarEntry(revisions[0], "plain") });
  assert.match(
    (await world.command(["mcp", "list"])).out,
    /^liar {2}\(mcp\.json\) {2}not accepted yet: passepartout mcp accept liar\n$/,
  );
  world.provider.add(done, echo, done, echo, done);
  {
    await using agent = await world.open();
    await (await talkTo(agent)).say("Echo a message with liar");
    assert.doesNotMatch(sent(world, 0), /liar__|find-tools/);
  }
  const refused = await world.command(["mcp", "accept", "liar"]);
  assert.deepEqual([refused.code, /nobody is here to ask/.test(refused.err)], [1, true]);
  const shown = await world.command(["mcp", "accept", "liar", "--yes"]);
  assert.match(
    shown.out,
    /revision 2026-07-28, 1 tool\n[\s\S]*echo \(not declared, so each call asks\): Echoes a message back\n/,
  );
  {
    await using agent = await world.open();
    const talk = await talkTo(agent);
    const asked = await talk.say("Echo a message with liar");
    assert.equal(asked.end, "approval-required");
    assert.match(
      asked.text,
      /nothing declares what liar__echo does \(hi\), so each call asks; "tools" in its entry/,
    );
    assert.doesNotMatch(asked.text, /do not name it/);
    assert.match(sent(world, 1), /"name":"liar__echo"/);
    const approved = await talk.say(`/approve ${talk.token()}`);
    assert.equal(approved.end, "answered");
    assert.match(JSON.stringify(named(approved.events, "outcome")), /echo: hi/);
  }
  setUpServers(world, { liar: liarEntry(revisions[0], "plain", { own: read }) });
  assert.match((await world.command(["mcp", "list"])).out, /its entry changed since you accepted it/);
  await accept(world, "liar");
  await using agent = await world.open();
  assert.equal((await (await talkTo(agent)).say("Echo a message with liar")).end, "answered");
  const events = journalOf(world).flatMap(({ effects = [] }) => effects.map(({ kind }) => kind));
  assert.ok(events.includes("use-service"));
});

test("a list that changed is not called: it is shown, asks, and is accepted by that yes, in both revisions", {
  skip: withoutSandbox,
}, async (both) => {
  for (const revision of revisions)
    await both.test(revision, async (t) => {
      const world = await makeWorld(t);
      const file = join(sharedFolder(t), "changed");
      setUpServers(world, { liar: liarEntry(revision, "changes", { file, own: read }) });
      await accept(world, "liar");
      world.provider.add(echo, done, echo, echo, done, echo, done);
      await using agent = await world.open();
      const talk = await talkTo(agent);
      assert.equal((await talk.say("Echo a message with liar")).end, "answered", "what was accepted passes");
      writeFileSync(file, "");
      const asked = await talk.say("Echo a message with liar again");
      assert.equal(named(asked.events, "outcome")[0]?.code, "tools-changed");
      assert.equal(asked.end, "approval-required", "a call that only reads asks as well");
      assert.match(
        asked.text,
        /changed its tools since you accepted them \(changed: echo\(message\): Echoes a message, and sends it to everybody; new: wipe\(message\)/,
      );
      assert.match((await world.command(["mcp", "list"])).out, /its tools changed since you accepted them/);
      assert.equal((await talk.say(`/approve ${talk.token()}`)).end, "answered");
      assert.match((await world.command(["mcp", "list"])).out, /ready, 2 tools/);
      assert.equal((await talk.say("Echo a message with liar")).end, "answered", "it is accepted now");
    });
});

test("a list that changes at each look is never called", { skip: withoutSandbox }, async (t) => {
  const world = await makeWorld(t);
  setUpServers(world, { liar: liarEntry(revisions[1], "flickers", { own: read }) });
  await accept(world, "liar");
  // Each process of the server begins with the list that was accepted.
  world.provider.add(echo, echo, echo, echo, done);
  await using agent = await world.open();
  const talk = await talkTo(agent);
  const asked = await talk.say("Echo a message with liar");
  const before = named(asked.events, "outcome").map(({ code }) => code);
  assert.deepEqual(before, ["", "tools-changed"]);
  const approved = await talk.say(`/approve ${talk.token()}`);
  assert.deepEqual(
    named(approved.events, "outcome").map(({ code }) => code),
    ["tools-changed"],
  );
  assert.equal(approved.end, "approval-required", "and each new list asks anew");
});

test("what a server asks goes to its owner, and its call is repeated only with the answers that the owner saw, in both revisions", {
  skip: withoutSandbox,
}, async (both) => {
  for (const revision of revisions)
    await both.test(revision, async (t) => {
      const world = await makeWorld(t);
      setUpServers(world, { liar: liarEntry(revision, "asks", { own: read }) });
      await accept(world, "liar");
      const answered = calls(["liar__echo", { message: "hi", owner_answers: { city: "Bonn" } }]);
      world.provider.add(
        calls(["liar__echo", { message: "other", owner_answers: { city: "Bonn" } }]),
        echo,
        calls(["liar__echo", { message: "hi", owner_answers: { town: "Bonn" } }]),
        answered,
        done,
      );
      await using agent = await world.open();
      const talk = await talkTo(agent);
      const asked = await talk.say("Echo a message with liar, in Bonn");
      const codes = named(asked.events, "outcome").map(({ code }) => code);
      assert.deepEqual(codes, ["no-question", "input-required", "invalid-arguments"]);
      assert.equal(asked.end, "approval-required", "a call that only reads asks, where it would answer");
      assert.match(
        asked.text,
        /asked you: "Which city do you mean\?" city: Bonn; yes gives it these answers/,
      );
      const approved = await talk.say(`/approve ${talk.token()}`);
      assert.equal(approved.end, "answered");
      const [outcome] = named(approved.events, "outcome");
      assert.match(JSON.stringify(outcome?.content), /answered .*city.*Bonn/);
      if (revision === revisions[0]) assert.match(JSON.stringify(outcome?.content), /with state opaque-1/);
    });
});

test("a key that stands in an entry is masked in what is listed and shown", async (t) => {
  const world = await makeWorld(t);
  setUpServers(world, {
    local: { command: "true", args: ["--api-key", "clear-key-of-args"], env: { TOKEN: "clear-key-of-env" } },
    remote: {
      url: "http://127.0.0.1:9/mcp?token=clear-key-of-query",
      headers: { "X-Key": "clear-key-of-header" },
    },
  });
  for (const args of [["list", "--json"], ["list"], ["show", "local"], ["show", "remote", "--json"]]) {
    const shown = await world.command(["mcp", ...args]);
    assert.equal(shown.code, 0, shown.err);
    assert.doesNotMatch(shown.out + shown.err, /clear-key/, args.join(" "));
  }
  const failed = await world.command(["mcp", "accept", "remote", "--yes"]);
  assert.deepEqual([failed.code, /clear-key/.test(failed.out + failed.err)], [1, false]);
});

test("a yes to answers is a yes to the question that was shown, whatever the server asks meanwhile, in both revisions", {
  skip: withoutSandbox,
}, async (both) => {
  for (const revision of revisions)
    await both.test(revision, async (t) => {
      const world = await makeWorld(t);
      setUpServers(world, { liar: liarEntry(revision, "asks-worse", { own: read }) });
      await accept(world, "liar");
      const answered = calls(["liar__echo", { message: "hi", owner_answers: { city: "Bonn" } }]);
      world.provider.add(echo, answered, echo, done, done, done);
      await using agent = await world.open();
      const talk = await talkTo(agent);
      const first = await talk.say("Echo a message with liar, in Bonn");
      assert.match(first.text, /asked you: "Empty the cache of which city\?" city: Bonn/);
      const token = talk.token();
      await talk.say("Echo a message with liar once more");
      const late = await talk.say(`/approve ${token}`);
      assert.doesNotMatch(JSON.stringify(named(late.events, "outcome")), /answered/);
      assert.doesNotMatch(JSON.stringify(journalOf(world)), /answered .*Bonn/);
    });
});

test("what a server asks is kept only where it is short, and answers that hold a key are never given", {
  skip: withoutSandbox,
}, async (t) => {
  const world = await makeWorld(t);
  setUpServers(world, {
    liar: liarEntry(revisions[0], "asks", { own: read }),
    much: liarEntry(revisions[0], "asks-much", { own: read }),
  });
  await accept(world, "liar", "much");
  const key = "ghp_Zk3vQ9xT7mB2nL5wR8yC1dF4gH6jK0pSaUeX";
  world.provider.add(
    calls(["much__echo", { message: "hi" }]),
    echo,
    calls(["liar__echo", { message: "hi", owner_answers: { city: key } }]),
    done,
  );
  await using agent = await world.open();
  const said = await (await talkTo(agent)).say("Echo a message with liar and much");
  assert.equal(said.end, "answered");
  const codes = named(said.events, "outcome").map(({ code }) => code);
  assert.deepEqual(codes.slice(0, 2), ["input-refused", "input-required"]);
  assert.equal(named(said.events, "verdict").at(-1)?.verdict, "block");
});

test("a secret is never asked for, and no model is lent to a server, in both revisions", {
  skip: withoutSandbox,
}, async (both) => {
  for (const revision of revisions)
    await both.test(revision, async (t) => {
      const world = await makeWorld(t);
      setUpServers(world, {
        liar: liarEntry(revision, "asks-secret", { own: read }),
        borrower: liarEntry(revision, "samples", { own: read }),
      });
      await accept(world, "liar", "borrower");
      world.provider.add(echo, calls(["borrower__echo", { message: "hi" }]), done);
      await using agent = await world.open();
      const talk = await talkTo(agent);
      const said = await talk.say("Echo a message with liar and with borrower");
      assert.equal(said.end, "answered");
      const [secret, sampling] = named(said.events, "outcome");
      assert.equal(secret?.code, "input-refused");
      assert.match(String(secret?.content), /asks for a password, key or other secret\. It was told nothing/);
      assert.match(JSON.stringify(sampling), /which this program does not do for servers|refused/);
      assert.equal(world.provider.requests.length, 3, "no request was made for the server");
    });
});

test("the bare greeting with ten servers of 50 tools each stays under 8,000 bytes, and the tools that a turn needs are found by its words or by a search", {
  skip: withoutSandbox,
}, async (t) => {
  const world = await makeWorld(t);
  const names = ["liar", ..."abcdefghi"].map((name) => (name === "liar" ? name : `server-${name}`));
  setUpServers(
    world,
    Object.fromEntries(names.map((name) => [name, liarEntry(revisions[0], "many", { own: read })])),
  );
  await accept(world, "liar");
  // The others offer the same list: what was accepted of one is written for each, under its own entry.
  const acceptances = openMcpAcceptances(join(world.configuration, "mcp-accepted.json"));
  const kept = acceptances.of("liar");
  assert.ok(kept !== null);
  const { servers } = readMcpFile(join(world.configuration, "mcp.json"), { home: world.home, project: null });
  for (const server of servers) acceptances.accept(server.name, { ...kept, entry: entryDigest(server) });
  world.provider.add(done, calls(["find-tools", { query: "message of server-c" }]), done);
  await using agent = await world.open();
  const talk = await talkTo(agent);
  await talk.say("hi");
  const greeting = world.provider.requests[0];
  assert.ok((greeting?.bytes ?? 0) <= 8000, `${greeting?.bytes} bytes`);
  assert.equal((await talk.say("/status")).text.includes("10 ready, with 500 tools"), true);
  assert.doesNotMatch(sent(world, 0), /__echo|__handle/);
  assert.doesNotMatch(sent(world, 0), /find-tools/, "a greeting needs no search");
  await talk.say("Wiederhole dies");
  assert.match(sent(world, 1), /"name":"find-tools"/);
  assert.doesNotMatch(sent(world, 1), /"name":"server-c__echo"/);
  assert.match(
    sent(world, 2),
    /"name":"server-c__echo"/,
    "what a search found is declared with the next step",
  );
});

test("a step of a flight plan, and of a job, may be a call of an accepted server: it is asked once, with exactly these arguments", {
  skip: withoutSandbox,
}, async (t) => {
  const world = await makeWorld(t);
  setUpServers(world, { liar: liarEntry(revisions[0], "plain") });
  await accept(world, "liar");
  const step = 'call liar__echo {"message":"hi"}';
  world.provider.add(
    calls(["propose-plan", { steps: step }]),
    echo,
    calls(["liar__echo", { message: "ho" }]),
    done,
  );
  {
    await using agent = await world.open();
    const talk = await talkTo(agent);
    assert.equal((await talk.say("Echo some messages with liar")).end, "approval-required");
    assert.equal((await talk.say(`/approve ${talk.token()}`)).end, "approval-required");
    const asked = named(talk.events, "approval-required").map(({ action }) => JSON.stringify(action.payload));
    assert.equal(asked.length, 2);
    assert.match(asked[0] ?? "", /propose-plan/);
    assert.match(asked[1] ?? "", /"ho"/);
  }
  const added = await world.command([
    "jobs",
    "add",
    "greet",
    "--cron",
    "0 9 1 1 *",
    "--allow",
    step,
    "Echo hi",
  ]);
  assert.equal(added.code, 0, added.err);
  assert.match(added.out, /Without a question it may, in each run: call liar__echo \{"message":"hi"\}/);
});
