import assert from "node:assert/strict";
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { calls, journalOf, makeWorld, sent, talkTo } from "../agent-world.ts";
import type { Step } from "../loopback-provider.ts";

const answers: readonly Step[] = [{ text: "Hello.", repeat: true }];

test("with rules set the prompt of a turn that none matches has the same bytes", async (t) => {
  const world = await makeWorld(t, answers);
  const bodies: string[] = [];
  for (const settings of [{}, { MODEL_ROUTES: "hard: loop/large; private: only ollama" }]) {
    await using daemon = await world.open(settings);
    await (await talkTo(daemon)).say("hi");
    bodies.push(sent(world, bodies.length));
  }
  const timeless = bodies.map((body) =>
    body.replaceAll(/\d{4}-\d\d-\d\d[^"\\]*|\d+ (?:seconds|minutes)/g, ""),
  );
  assert.equal(timeless[0], timeless[1]);
});

test("a rule chooses the model of hard words, and the journal and /status say which", async (t) => {
  const world = await makeWorld(t, answers, { MODEL_ROUTES: "hard: loop/large" });
  await using daemon = await world.open();
  const talk = await talkTo(daemon);
  await talk.say("hi");
  await talk.say("refactor the boiler");
  assert.doesNotMatch(sent(world, 0), /"model":"large"/);
  assert.match(sent(world, 1), /"model":"large"/);
  assert.match((await talk.say("/status")).text, /The last turn asks loop\/large \(hard: loop\/large\)\./);
  const routes = journalOf(world).flatMap(({ kind, detail }) => (kind === "intent" ? [detail["route"]] : []));
  assert.deepEqual(routes, [undefined, "hard: loop/large"]);
});

test("a rule can skip a provider of the order, and the next one answers", async (t) => {
  const second = await makeWorld(t, [{ text: "From the second." }]);
  const world = await makeWorld(t, [{ text: "From the first." }], {
    PROVIDER_CASCADE: "loop,second",
    SECOND_BASE_URL: `${second.provider.url}/v1`,
    MODEL_ROUTES: "hard: skip loop",
  });
  await using daemon = await world.open();
  const talk = await talkTo(daemon);
  assert.equal((await talk.say("refactor the boiler")).text, "From the second.");
  assert.equal((await talk.say("hi")).text, "From the first.");
});

test("once a turn read private text it goes on with the local model, which sees it", async (t) => {
  const remote = await makeWorld(t, [calls(["read-file", { path: "diary.org" }]), { text: "Never." }]);
  const local = await makeWorld(t, [{ text: "Your knee." }]);
  writeFileSync(remote.path("diary.org"), "* Doctor :@personal:\nThe knee of heliotrope hurts.\n");
  await using daemon = await remote.open({
    PROVIDER_CASCADE: "loop,ollama",
    OLLAMA_HOST: `127.0.0.1:${local.provider.port}`,
    MODEL_ROUTES: "private: only ollama",
  });
  const said = await (await talkTo(daemon)).say("what does diary.org say?");
  assert.equal(said.text, "Your knee.");
  assert.equal(remote.provider.requests.length, 1);
  assert.match(local.provider.requests.map(({ body }) => body).join(), /knee of heliotrope/);
});

test("private notes that go with the words choose the local model from the first", async (t) => {
  const remote = await makeWorld(t, answers);
  const local = await makeWorld(t, [{ text: "Your knee.", repeat: true }]);
  mkdirSync(join(remote.home, "memex"));
  writeFileSync(
    join(remote.home, "memex", "diary.org"),
    "* Knee :@personal:\nThe knee of heliotrope hurts.\n",
  );
  await using daemon = await remote.open({
    PROVIDER_CASCADE: "loop,ollama",
    OLLAMA_HOST: `127.0.0.1:${local.provider.port}`,
    MODEL_ROUTES: "private: only ollama",
  });
  const talk = await talkTo(daemon);
  assert.equal((await talk.say("heliotrope knee?")).text, "Your knee.");
  assert.equal(remote.provider.requests.length, 0);
});

test("a turn under way keeps its model when the owner chooses another one meanwhile", async (t) => {
  const gate = Promise.withResolvers<void>();
  const world = await makeWorld(t, [
    { ...calls(["list-files", { path: "." }]), after: gate.promise },
    { text: "Done.", repeat: true },
  ]);
  await using daemon = await world.open();
  const talk = await talkTo(daemon);
  const running = talk.say("list it");
  await world.provider.reached(1);
  await talk.say("/model loop/other");
  gate.resolve();
  await running;
  await talk.say("and now");
  const models = world.provider.requests.map(({ body }) => /"model":"([^"]*)"/.exec(body)?.[1]);
  assert.deepEqual([models[0], models[2]], [models[1], "other"]);
});
