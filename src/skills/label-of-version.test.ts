import assert from "node:assert/strict";
import { test } from "node:test";
import { sha256 } from "../machine/digest.ts";
import { bottomLabel, type Label } from "../signal/label.ts";
import { isOwnSkill, labelOfSkill } from "../signal/label-of-skill.ts";
import { piecesOfSkill } from "./pieces-of-skill.ts";
import { makeSkillWorld, type SkillWorld, skillFile } from "./skills.fixture.ts";

const page: Label = {
  integrity: "untrusted",
  secrecy: "public",
  sources: [{ id: "https://example.org/", path: "" }],
};
const theirs = skillFile(["TITLE: Theirs"], 'export const prompt = () => "what the page says";');

async function skillIn(world: SkillWorld, name = "theirs") {
  const { inForce, listed } = await world.skills.refresh();
  const problem = listed.find((skill) => skill.name === name)?.problem ?? null;
  return { skill: inForce.find(({ head }) => head.name === name) ?? null, problem };
}

test("a file that was made from words of others waits for a yes, and is words of others from then on", async () => {
  await using world = makeSkillWorld({ "theirs.org": theirs });
  world.origins.set(sha256(theirs), page);
  const waiting = await skillIn(world);
  assert.equal(waiting.skill, null);
  assert.match(waiting.problem ?? "", /theirs\.org holds words of others.*skill enable theirs/);
  await world.accept("theirs");
  const { skill } = await skillIn(world);
  assert.ok(skill !== null);
  assert.equal(isOwnSkill(skill), false);
  assert.deepEqual(labelOfSkill(skill).sources, [{ id: "skill:theirs", path: "" }, ...page.sources]);
  // Changed by hand, it still has all that it had; and so it has where the agent begins anew.
  world.files.set("theirs.org", theirs.replace("What it teaches.", "What it teaches, by me."));
  const changed = await skillIn(world);
  assert.deepEqual([changed.problem, labelOfSkill(changed.skill ?? skill)], [null, labelOfSkill(skill)]);
  await using again = makeSkillWorld(Object.fromEntries(world.files), world.book);
  const reloaded = await skillIn(again);
  assert.deepEqual(labelOfSkill(reloaded.skill ?? assert.fail()), labelOfSkill(skill));
});

test("a copy of it has the same label, whole or a block of it, under whatever name; and so has a copy of an installed skill", async () => {
  await using world = makeSkillWorld({ "theirs.org": theirs });
  const [, block = ""] = piecesOfSkill("theirs.org", theirs).whole;
  world.origins.set(block, page);
  const guest = skillFile(["MANDATE: Do what the guest says."], "");
  world.files.set("guest.org", guest);
  await world.accept("guest", { from: "/elsewhere/guest.org" });
  const copies = {
    whole: theirs,
    block: theirs.replace("#+TITLE: Theirs", "#+TITLE: Mine"),
    second: guest,
    mandate: skillFile(["MANDATE: Do what the guest says.", "PRIORITY: 9"], ""),
  };
  for (const [name, text] of Object.entries(copies)) {
    world.files.set(`${name}.org`, text);
    const { skill, problem } = await skillIn(world, name);
    assert.equal(skill, null, name);
    assert.match(problem ?? "", /holds words of others/);
  }
});

test("words of others in a later version ask, and the version before stays as it was", async () => {
  const own = skillFile(["TITLE: Own"], "");
  await using world = makeSkillWorld({ "own.org": own });
  assert.equal((await skillIn(world, "own")).problem, null);
  world.origins.set(sha256(theirs), page);
  world.files.set("own.org", theirs);
  const { skill, problem } = await skillIn(world, "own");
  assert.match(problem ?? "", /holds words of others\. The version before it stays in force/);
  assert.deepEqual([skill?.digest, skill?.label], [sha256(own), undefined]);
});

test("what the owner says they wrote is theirs, until other words of others come in", async () => {
  await using world = makeSkillWorld({ "theirs.org": theirs });
  world.origins.set(sha256(theirs), page);
  await world.accept("theirs", { mine: true });
  const { skill } = await skillIn(world);
  assert.ok(skill !== null && isOwnSkill(skill));
  const changed = theirs.replace("what the page says", "what another page says");
  world.origins.set(piecesOfSkill("theirs.org", changed).whole[1] ?? "", page);
  world.files.set("theirs.org", changed);
  assert.match((await skillIn(world)).problem ?? "", /holds words of others/);
});

test("private text in a skill keeps it private, and a model's draft from the owner's words is the owner's", async () => {
  await using world = makeSkillWorld({ "theirs.org": theirs });
  world.origins.set(sha256(theirs), { ...bottomLabel, secrecy: "private" });
  assert.match((await skillIn(world)).problem ?? "", /holds private text/);
  await world.accept("theirs");
  assert.equal(labelOfSkill((await skillIn(world)).skill ?? assert.fail()).secrecy, "private");
  world.origins.set(sha256(skillFile([], "")), { ...bottomLabel, integrity: "agent" });
  world.files.set("draft.org", skillFile([], ""));
  assert.ok(isOwnSkill((await skillIn(world, "draft")).skill ?? assert.fail()));
});

test("a yes counts for the text that was shown, and for no other that took its place", async () => {
  await using world = makeSkillWorld({ "theirs.org": theirs });
  await assert.rejects(world.skills.accept("theirs", { text: "another", from: null }), /not what was shown/);
  assert.equal(world.book.size, 0);
});
