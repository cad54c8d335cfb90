import assert from "node:assert/strict";
import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { calls, makeWorld, talkTo } from "../agent-world.ts";

test("doctor on a machine where all is well says what it looked at, and ends with 0", async (t) => {
  const world = await makeWorld(t);
  const done = await world.run(["doctor"]);
  assert.equal(done.code, 0);
  assert.match(done.out, /^Passepartout \S+ is (healthy|degraded)\.\n/);
  for (const name of ["gates", "settings", "providers", "sandbox", "folders", "state"]) {
    assert.match(done.out, new RegExp(`^ {2}\\S+ +${name}: `, "m"));
  }
  assert.match(done.out, /all that must be blocked is blocked/);
  assert.equal(existsSync(world.state), false);
});

test("diagnostics is another name of doctor, and --json gives the same as one object", async (t) => {
  const world = await makeWorld(t);
  const done = await world.run(["diagnostics", "--json"]);
  assert.equal(done.code, 0);
  assert.match(
    done.out,
    /^\{"health":"(healthy|degraded)","checks":\[\{"name":"gates","result":"ok","text":"/,
  );
});

test("doctor is degraded with a finding for each setting that does not parse and each provider that is not set up", async (t) => {
  const world = await makeWorld(t, [], { DEPTH_LIMIT: "many", PROVIDER_CASCADE: "loop,second" });
  const done = await world.run(["doctor"]);
  assert.equal(done.code, 0);
  assert.match(done.out, /is degraded\./);
  assert.match(done.out, /look +settings: DEPTH_LIMIT is not a whole number above 0/);
  assert.match(done.out, /look +providers: The provider second has no address: set SECOND_BASE_URL/);
});

test("doctor is unhealthy and ends with 1 where the journal is damaged, and leaves it as it is", async (t) => {
  const world = await makeWorld(t, [calls(["list-files", { path: "." }]), { text: "Listed." }]);
  {
    await using daemon = await world.open();
    await (await talkTo(daemon)).say("list");
  }
  const file = join(world.state, "journal.jsonl");
  const damaged = readFileSync(file, "utf8").replace('"verdict":"pass"', '"verdict":"ask_"');
  writeFileSync(file, damaged);
  const done = await world.run(["doctor"]);
  assert.equal(done.code, 1);
  assert.match(done.out, /is unhealthy\.[\s\S]*BAD +journal: damaged/);
  assert.equal(readFileSync(file, "utf8"), damaged);
});

test("doctor is unhealthy where the database is damaged, and says so in words", async (t) => {
  const world = await makeWorld(t);
  mkdirSync(world.state, { recursive: true });
  writeFileSync(join(world.state, "state.db"), "this is no database at all, and was one once ".repeat(100));
  const done = await world.run(["doctor"]);
  assert.equal(done.code, 1);
  assert.match(done.out, /BAD +state: The database .*state\.db is damaged\. It was left as it is\./);
});

test("doctor sends nothing to any provider", async (t) => {
  const world = await makeWorld(t);
  await world.run(["doctor"]);
  assert.equal(world.provider.requests.length, 0);
});
