import assert from "node:assert/strict";
import { existsSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { type AgentWorld, calls, journalOf, makeWorld, named, talkTo } from "../agent-world.ts";
import type { Step } from "../loopback-provider.ts";

const outside = (world: AgentWorld, name: string): string => join(world.home, name);
const writes = (world: AgentWorld, name: string): Step =>
  calls(["write-file", { path: outside(world, name), content: `${name}\n` }]);
const rulesFile = (world: AgentWorld): string => join(world.home, ".config", "passepartout", "rules.json");

test("a rule is shown before it is kept, spares the same question from then on, and can be taken back", async (t) => {
  const world = await makeWorld(t);
  const done: Step = { text: "Done." };
  world.provider.add(
    writes(world, "a.txt"),
    done,
    writes(world, "a.txt"),
    done,
    writes(world, "b.txt"),
    done,
  );
  world.provider.add(writes(world, "a.txt"), done);
  {
    await using daemon = await world.open();
    const talk = await talkTo(daemon);
    const asked = await talk.say("write it");
    const [question] = named(asked.events, "approval-required");
    assert.match(question?.rule ?? "", /^write .*a\.txt, if it can be undone$/);
    const shown = await talk.say(`/always ${talk.token()}`);
    assert.match(
      shown.text,
      /This rule would allow from now on,\nin .*\n {2}write .*a\.txt, if it can be undone\n/,
    );
    assert.match(shown.text, /Of your last 0 answers it would have spared 0: 0 yes, 0 no\./);
    assert.equal(existsSync(rulesFile(world)), false, "showing keeps nothing");
    const kept = await talk.say(`/always ${talk.token()} keep`);
    assert.deepEqual([kept.end, kept.text], ["answered", "Done."]);
    assert.match(named(kept.events, "thinking")[0]?.text ?? "", /^Kept as the rule write-path-/);
    assert.equal(statSync(rulesFile(world)).mode & 0o777, 0o600);
    rmSync(outside(world, "a.txt"));
    assert.equal((await talk.say("write it again")).end, "answered");
    assert.equal(readFileSync(outside(world, "a.txt"), "utf8"), "a.txt\n");
    assert.equal((await talk.say("write the other one")).end, "approval-required");
    assert.equal((await talk.say(`/approve ${talk.token()}`)).end, "answered");
    const listed = await world.command(["rules", "list"]);
    const name = /^(\S+)\n/.exec(listed.out)?.[1] ?? "";
    assert.equal((await world.command(["rules", "explain", name])).code, 0);
    assert.match(
      (await world.command(["rules", "test"])).out,
      /its examples hold; of your answers it would have spared 1: 1 yes, 0 no/,
    );
    assert.equal((await world.command(["rules", "forget", name])).code, 0);
    assert.equal((await world.command(["rules", "forget", name])).code, 1);
    assert.equal((await talk.say("write it a last time")).end, "approval-required");
  }
  const licences = journalOf(world).flatMap(({ facts }) => facts?.licences ?? []);
  assert.ok(
    licences.some(({ kind }) => kind === "rule"),
    "the journal says by which rule it was allowed",
  );
  assert.equal((await world.command(["journal", "replay"])).code, 0);
});

test("a rules file that cannot be used allows nothing, and is told", async (t) => {
  const world = await makeWorld(t);
  world.provider.add(writes(world, "a.txt"), { text: "Done." }, writes(world, "a.txt"), { text: "Done." });
  {
    await using daemon = await world.open();
    const talk = await talkTo(daemon);
    await talk.say("write it");
    await talk.say(`/always ${talk.token()} keep`);
  }
  const kept = readFileSync(rulesFile(world), "utf8");
  for (const damaged of [kept.slice(0, -20), kept.replace('"version": 1', '"version": 2'), "[]"]) {
    writeFileSync(rulesFile(world), damaged);
    const listed = await world.command(["rules", "list"]);
    assert.equal(listed.code, 1);
    assert.match(listed.err, /rules\.json cannot be used, so no rule is in force/);
    assert.match((await world.command(["doctor"])).out, /rules\.json cannot be used, so no rule is in force/);
  }
  await using daemon = await world.open();
  const talk = await talkTo(daemon);
  assert.equal((await talk.say("write it again")).end, "approval-required");
});

test("a token of another question, an answered one and a made-up one keep no rule", async (t) => {
  const world = await makeWorld(t);
  world.provider.add(writes(world, "a.txt"), { text: "Done." });
  await using daemon = await world.open();
  const talk = await talkTo(daemon);
  await talk.say("write it");
  const token = talk.token();
  assert.equal((await talk.say(`/approve ${token}`)).end, "answered");
  for (const wrong of [token, "AAAAAAAAAAAAAAAAAAAAAA"]) {
    const said = await talk.say(`/always ${wrong} keep`);
    assert.match(said.text, /belongs to no open question/);
  }
  assert.equal(existsSync(rulesFile(world)), false);
});

test("a person who nearly always says yes is told so in the next question", async (t) => {
  const world = await makeWorld(t);
  const names = Array.from({ length: 21 }, (_, index) => `x${index}/f.txt`);
  for (const name of names) world.provider.add(writes(world, name), { text: "Done." });
  await using daemon = await world.open();
  const talk = await talkTo(daemon);
  for (const [index, name] of names.slice(0, 20).entries()) {
    const asked = await talk.say(`write ${name}`);
    assert.equal(named(asked.events, "approval-required")[0]?.habit, undefined);
    await talk.say(`/${index === 3 ? "deny" : "approve"} ${talk.token()}`);
  }
  const asked = await talk.say("write the last one");
  assert.equal(
    named(asked.events, "approval-required")[0]?.habit,
    "You said yes to 19 of the last 20 questions of this kind.",
  );
});

test("a rule with an open word runs in shadow over a restart, is listed, and is offered once it agreed three times", async (t) => {
  const world = await makeWorld(t);
  const names = ["a", "b", "c", "d", "e", "f"].map((name) => `site/${name}.html`);
  for (const name of names) world.provider.add(writes(world, name), { text: "Done." });
  const offered: (string | undefined)[] = [];
  const answer = async (some: readonly string[]): Promise<void> => {
    await using daemon = await world.open();
    const talk = await talkTo(daemon, "site");
    for (const name of some) {
      const asked = await talk.say(`write ${name}`);
      offered.push(named(asked.events, "approval-required")[0]?.rule);
      if (name === names.at(-1))
        assert.match((await talk.say(`/always ${talk.token()}`)).text, /would have spared 5: 5 yes, 0 no/);
      else await talk.say(`/approve ${talk.token()}`);
    }
  };
  assert.equal((await world.command(["rules", "list"])).code, 0, "without a state there is nothing to list");
  await answer(names.slice(0, 3));
  const listed = await world.command(["rules", "list", "--json"]);
  assert.match(listed.out, /"agreed":1/);
  await answer(names.slice(3));
  const isOpen = offered.map((rule) => rule?.includes("⟨any⟩"));
  assert.deepEqual(isOpen, [false, false, false, false, false, true]);
});
