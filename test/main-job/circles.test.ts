import assert from "node:assert/strict";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { calls, makeWorld, named, sent, talkTo } from "../agent-world.ts";

test("a model that does the same again and again is told so, and its fifth round is not run", async (t) => {
  const world = await makeWorld(t);
  const file = join(world.workspace, "plan.txt");
  writeFileSync(file, "Water the roses.\n");
  const read = (explanation: string) => calls(["read-file", { path: "plan.txt", explanation }]);
  world.provider.add(
    ...["first", "second", "third", "fourth", "fifth"].map((round) =>
      read(`I read the plan a ${round} time.`),
    ),
    { text: "It says: water the roses." },
  );
  await using daemon = await world.open();
  const talk = await talkTo(daemon);
  const said = await talk.say("what does the plan say?");
  assert.equal(said.text, "It says: water the roses.");
  assert.doesNotMatch(sent(world, 4), /each time with the same result/);
  assert.match(sent(world, 5), /this was done 4 times in this turn, each time with the same result/);
});

test("a model that goes in a circle runs an act four times at most, and three refusals of it end the turn", async (t) => {
  const world = await makeWorld(t);
  writeFileSync(join(world.workspace, "plan.txt"), "Water the roses.\n");
  const read = calls(["read-file", { path: "plan.txt" }]);
  const list = calls(["list-files", { path: "." }]);
  world.provider.add(list, ...Array.from({ length: 50 }, (_, at) => (at % 5 === 4 ? list : read)));
  await using daemon = await world.open();
  const said = await (await talkTo(daemon)).say("what does the plan say?");
  assert.equal(said.end, "blocked");
  assert.match(said.text, /^Refused after 3 proposals\. The last reason: read-file: this was done 4 times/);
  const ran = named(said.events, "outcome").filter(({ tool, code }) => tool === "read-file" && code === "");
  assert.equal(ran.length, 4);
  assert.ok(world.provider.requests.length < 12, `${world.provider.requests.length} requests`);
});

test("an act that is done again after something new was done is no repetition", async (t) => {
  const world = await makeWorld(t);
  writeFileSync(join(world.workspace, "plan.txt"), "Water the roses.\n");
  const round = (index: number) =>
    calls(["read-file", { path: "plan.txt" }], ["write-file", { path: `${index}.txt`, content: "x\n" }]);
  world.provider.add(...[1, 2, 3, 4, 5, 6, 7].map(round), { text: "Done." });
  await using daemon = await world.open();
  assert.equal((await (await talkTo(daemon)).say("try")).text, "Done.");
});

test("what gives another result is no repetition, however often it is done", async (t) => {
  const world = await makeWorld(t);
  const file = join(world.workspace, "log.txt");
  writeFileSync(file, "line\n");
  const round = (index: number) =>
    calls(
      ["read-file", { path: "log.txt" }],
      ["write-file", { path: "log.txt", content: `line ${index}\n` }],
    );
  world.provider.add(...[1, 2, 3, 4, 5, 6, 7].map(round), { text: "Done." });
  await using daemon = await world.open();
  const talk = await talkTo(daemon);
  assert.equal((await talk.say("count")).text, "Done.");
  assert.equal(readFileSync(file, "utf8"), "line 7\n");
});

test("a model that would break a valid file is told where, and nothing is written", async (t) => {
  const world = await makeWorld(t);
  const file = join(world.workspace, "settings.json");
  const valid = '{\n  "port": 80\n}\n';
  writeFileSync(file, valid);
  const edit = (replacement: string) =>
    calls(["edit-file", { path: "settings.json", old: '"port": 80', new: replacement }]);
  world.provider.add(edit('"port": 80 "host": "a"'), edit('"port": 80, "host": "a"'), { text: "Done." });
  await using daemon = await world.open();
  const talk = await talkTo(daemon);
  assert.equal((await talk.say("add a host")).text, "Done.");
  assert.match(
    sent(world, 1),
    /settings\.json is valid now and would not be any more: it is no JSON at line 2/,
  );
  assert.deepEqual(JSON.parse(readFileSync(file, "utf8")), { port: 80, host: "a" });
});
