import assert from "node:assert/strict";
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { type TestContext, test } from "node:test";
import { skillFile } from "../../src/skills/skills.fixture.ts";
import { type AgentWorld, calls, makeWorld, talkTo } from "../agent-world.ts";
import { entry, jobsOf, openJobs, outcomeOf } from "../daemon/job-world.ts";

const secret = "wombats-4711";

/** An own skill whose words take part where a message names `word`. */
function taught(word: string, before: string, heading = ""): string {
  const prompt = `#+begin_prompt\nThe ${word} has ${secret}-${word}.\n#+end_prompt\n`;
  return `${before}${skillFile([`TRIGGER_WORDS: ${word}`], "")}${heading}${prompt}`;
}

const tool = `export const tools = {
  elbow: {
    description: "Look up ${secret}-elbow",
    parameters: {},
    run: () => "none",
  },
};`;

/** The owner's own skills, each with a privacy tag that a note could have, by the word that triggers it. */
const skills: Readonly<Record<string, string>> = {
  knee: taught("knee", "#+FILETAGS: :@personal:\n"),
  heart: taught("heart", "", "* Health :@personal:\n"),
  liver: taught("liver", "#+TAGS: [ @personal : health ]\n#+FILETAGS: :health:\n"),
  spine: `${skillFile(["TRIGGER_WORDS: spine"], "")}#+begin_prompt\nThe spine has ${secret}-spine #@personal\n#+end_prompt\n`,
  elbow: `#+FILETAGS: :@personal:\n${skillFile(["TRIGGER_WORDS: elbow"], tool)}`,
  nose: `#+FILETAGS: :@personal:\n${skillFile([`MANDATE: Mind that the nose has ${secret}-nose.`, "TRIGGER_WORDS: nose"], "")}`,
};

/** The owner's own commands, by name. */
const commands = `#+TAGS: [ @personal : health ]
* lung :@personal:
Tell me of ${secret}-lung.
* brain :health:
Tell me of ${secret}-brain.
* skin
Tell me of it.
** Facts :@personal:
It is ${secret}-skin.
* tooth
Tell me of ${secret}-tooth #@personal
* weather
Tell me of the weather.
`;

const folderSkill = `---
name: ankles
description: about the ankles and ${secret}-ankles
tags: ['@personal']
---
The ankles have ${secret}-ankles.
`;

async function prepared(t: TestContext, settings = {}): Promise<AgentWorld> {
  const world = await makeWorld(t, [], settings);
  const folder = join(world.home, ".agents/skills/ankles");
  for (const path of [join(world.configuration, "skills"), folder]) mkdirSync(path, { recursive: true });
  for (const [name, text] of Object.entries(skills))
    writeFileSync(join(world.configuration, "skills", `${name}.org`), text);
  writeFileSync(join(world.configuration, "commands.org"), commands);
  writeFileSync(join(folder, "SKILL.md"), folderSkill);
  const { code, err } = await world.command(["skill", "enable", "ankles", "--yes"]);
  assert.equal(code, 0, err);
  return world;
}

const words = ["knee", "heart", "liver", "spine", "elbow", "nose"];
const names = ["lung", "brain", "skin", "tooth"];

/** Says a word of each skill, each command, and asks for the skill that is a folder. */
async function sayAll(t: TestContext, settings = {}) {
  const world = await prepared(t, settings);
  await using agent = await world.open();
  const codes = new Map<string, string>();
  for (const [at, said] of [
    ...words.map((word) => `what of my ${word}?`),
    ...names.map((name) => `/${name}`),
  ].entries()) {
    world.provider.add({ text: "Well." });
    const talk = await talkTo(agent, `say ${at}`);
    const { code, end } = await talk.say(said);
    codes.set(said, code === "" ? end : code);
    world.provider.drop();
  }
  world.provider.add(calls(["use-skill", { name: "ankles" }], ["use-skill", { name: "none" }]), {
    text: "Well.",
  });
  await (await talkTo(agent, "ankles")).say("use the skill ankles");
  world.provider.drop();
  world.provider.add({ text: "Fine." });
  assert.equal((await (await talkTo(agent, "weather")).say("/weather")).text, "Fine.");
  return { codes, sent: world.provider.requests.map(({ body }) => body) };
}

test("what the owner teaches or prepares with a privacy tag goes to no model that is not local: skills, their tools and standing mandates, commands, and skills that are folders", async (t) => {
  const { codes, sent } = await sayAll(t);
  const told = sent.flatMap((body) => body.match(/wombats-4711-\w+/g) ?? []);
  assert.deepEqual([...new Set(told)], []);
  for (const name of names) assert.equal(codes.get(`/${name}`), "private-words", name);
  for (const word of words) assert.equal(codes.get(`what of my ${word}?`), "answered", word);
});

test("a local model is told what the owner teaches or prepares with a privacy tag", async (t) => {
  const { sent } = await sayAll(t, { LOOP_LOCAL: "true" });
  const told = new Set(sent.flatMap((body) => body.match(/wombats-4711-\w+/g) ?? []));
  assert.deepEqual(
    [...told].toSorted(),
    [...words, ...names, "ankles"].map((word) => `${secret}-${word}`).toSorted(),
  );
});

test("a job is as private as its entry in jobs.org is now, by tags of its file, groups of tags and setup files", async (t) => {
  const { world, agent } = await openJobs(t, [{ text: "Told.", repeat: true }], ({ workspace }) => [
    "#+TAGS: [ @personal : health ]\n",
    entry("group :health:", `say ${secret}`, [`:FOLDER: ${workspace}`]),
    entry("later", `say ${secret}`, [`:FOLDER: ${workspace}`]),
  ]);
  const path = join(world.configuration, "jobs.org");
  for (const name of ["group", "later"]) await jobsOf(agent, { verb: "add", name });
  assert.match((await outcomeOf(agent, "group")).reason, /tagged as private, and loop is not local/);
  const later = entry("later", `say ${secret}`, [`:FOLDER: ${world.workspace}`]);
  writeFileSync(join(world.configuration, "setup.org"), "#+FILETAGS: :@personal:\n");
  for (const head of ["#+FILETAGS: :@personal:\n", "#+SETUPFILE: setup.org\n"]) {
    writeFileSync(path, `${head}${later}`);
    assert.match((await outcomeOf(agent, "later")).reason, /tagged as private, and loop is not local/, head);
  }
  assert.equal(world.provider.requests.length, 0);
});
