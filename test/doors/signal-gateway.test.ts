import assert from "node:assert/strict";
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { loadPolicy } from "../../src/settings/policy.ts";
import { makeWorld, onDatabase } from "../agent-world.ts";
import { serveDaemon } from "../daemon/serve-daemon.ts";
import { until } from "./chat-world.ts";
import { agentNumber, FakeSignal, olga } from "./fake-signal.ts";
import { makeSignalWorld } from "./signal-world.ts";

const day = 86_400_000;

/** Puts a Java of a version into a folder, and gives the folder of its programs. */
function putJava(home: string, version: string): string {
  const folder = join(home, "jdk", "bin");
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, "java"), "");
  writeFileSync(join(home, "jdk", "release"), `IMPLEMENTOR="a test"\nJAVA_VERSION="${version}"\n`);
  return folder;
}

test("from signal-cli to an answer on a phone: what is missing is named, then linked by a code, tried, listed, told by doctor, and taken back", async (t) => {
  await using fake = await FakeSignal.start();
  const world = await makeWorld(t, [{ text: "I hear you." }]);
  const folder = join(world.home, "credentials");
  mkdirSync(folder);
  writeFileSync(join(folder, "passepartout-passphrase"), "four herons over Delft\n");
  const settings = {
    CREDENTIALS_DIRECTORY: folder,
    JAVA_HOME: "",
    PATH: `${putJava(world.home, "21.0.2")}:/usr/bin:/bin`,
  };
  const gateway = (args: readonly string[], input = "") =>
    world.command(["gateway", ...args], { settings, input });
  const link = (input: string) => gateway(["link", "signal"], input);

  assert.match((await gateway([])).out, /^signal: not set up\./m);
  for (const wrong of ["http://192.168.0.7:8080 +4915100000001", "https://127.0.0.1:8080 +49151", fake.url])
    assert.match(
      (await link(`${wrong}\n`)).err,
      /no address of signal-cli's daemon on this machine[\s\S]*Nothing was kept/,
    );
  const { key } = fake;
  await fake.stop();
  const silent = await link(`${key}\n`);
  assert.match(silent.err, /nothing listens at http:\/\/127/);
  assert.match(silent.err, /signal-cli is not on PATH: install version 0\.14\.10/);
  assert.match(silent.err, /Java 21\.0\.2 is too old: signal-cli needs version 25/);
  assert.match(
    silent.err,
    /signal-cli -a \+4915100000001 daemon --http 127\.0\.0\.1:\d+ --receive-mode=manual/,
  );
  await fake.restart();
  fake.version = "0.13.99";
  assert.match((await link(`${key}\n`)).err, /signal-cli 0\.13\.99 is too old: version 0\.14\.10 is needed/);
  fake.version = "0.14.10";
  fake.accounts = ["+4930999999"];
  assert.match((await link(`${key}\n`)).err, /has no account \+4915100000001/);
  fake.accounts = [agentNumber];
  putJava(world.home, "25.0.1");
  const set = await link(`${key}\n`);
  assert.match(
    set.out,
    /The vault keeps the key of \+4915100000001 \(signal-cli 0\.14\.10, Java 25\.0\.1\)/,
    set.err,
  );

  const daemon = await serveDaemon(world, { settings });
  fake.say("hello?");
  await until("a code", () => fake.said().length === 1);
  const [, code = ""] = / ([A-Z2-9]{8})$/.exec(fake.said()[0] ?? "") ?? [];
  assert.match(
    (await gateway(["link", "signal", code, "--yes"])).out,
    /^Linked: "Olga, \+4915100000002" \(id 0a1b2c3d-[^)]*, private chat 0a1b2c3d-[^)]*\)\./,
  );
  fake.say("hello!");
  await until("the answer", () => fake.said().length === 2);
  assert.equal(fake.said()[1], "I hear you.");
  assert.match(
    (await gateway(["list"])).out,
    /signal: last asked within the last minute by signal-cli 0\.14\.10, Java 25\.0\.1\n {2}linked: "Olga/,
  );
  assert.match((await gateway(["test", "signal"])).out, new RegExp(`chat ${olga.uuid}: can be reached`));
  assert.match(
    (await world.command(["doctor", "--json"], { settings })).out,
    /"name":"doors","result":"ok","text":"signal: last asked within the last minute by signal-cli 0\.14\.10, Java 25\.0\.1"/,
  );
  assert.match((await world.command(["ask", "/status"], { settings })).out, /The door signal: last asked/);
  assert.match((await gateway(["unlink", "signal"])).out, /^Unlinked: 1\./);
  fake.say("hello again");
  await until(
    "it is handled",
    () => onDatabase(world, "SELECT 1 FROM chat_inbox WHERE state = 'done'").length === 3,
  );
  assert.equal(fake.said().length, 2, "nobody answers a chat that was taken back");
  assert.match(
    (await gateway(["link", "signal"])).out,
    /For 15 minutes whoever writes to the agent's number/,
  );
  fake.say("hello once more");
  await until("another code", () => fake.said().length === 3);
  assert.equal(world.provider.requests.length, 1);
  await daemon.leave();
});

test("20 days after the last receive the owner is warned, once, by doctor, and by what waits for them", async (t) => {
  const { fake, world, open } = await makeSignalWorld(t);
  {
    await using opened = await open();
    await until("it was asked", () => fake.calls.length > 3);
    await opened.doors[Symbol.asyncDispose]();
    const kept = { receivedAt: Date.now() - 21 * day, problem: null, program: "signal-cli 0.14.10" };
    await opened.state.chats.marks.set("signal", "status", kept);
  }
  const old = await world.command(["doctor", "--json"]);
  assert.match(old.out, /nothing was received for 21 days: Signal drops a device/);
  await fake.stop();
  {
    await using opened = await open();
    await until("it is told", async () => (await opened.agent.untold("")).length > 0);
    const told = (await opened.agent.untold("")).join("\n");
    assert.match(told, /^Signal: nothing was received for 21 days: [^\n]*$/);
  }
  assert.match(
    (await world.command(["gateway", "list"])).out,
    /signal: nothing listens at .*; nothing was received for 21 days/,
  );
});

test("signal is a default actuator only where it is set up", async (t) => {
  const settings = { DEFAULT_ACTUATOR: "signal" };
  const without = await makeWorld(t, [{ text: "hello" }]);
  assert.match(
    loadPolicy({ ...without.environment, ...settings }).config.problems.join(),
    /DEFAULT_ACTUATOR is not one of cli, tui;/,
  );
  const { world } = await makeSignalWorld(t);
  const { config } = loadPolicy({ ...world.environment, ...settings });
  assert.deepEqual([config.defaultActuator, config.problems], ["signal", []]);
});
