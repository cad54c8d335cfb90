import assert from "node:assert/strict";
import { join } from "node:path";
import { test } from "node:test";
import { makeWorld, open, put } from "../../../memory/notes/open-notes.fixture.ts";
import { sampleSignal } from "../../../memory/state/samples.fixture.ts";
import { matchesTrigger } from "../../../signal/match-trigger.ts";
import { type TurnSubject, tagsOfTurn } from "./tags-of-turn.ts";

const house = [
  "#+FILETAGS: :home:",
  "#+TAGS: [ building : roof wall ]",
  "* Repairs :repair:",
  "** Roof :roof:",
  ":PROPERTIES:",
  ":ID: roof",
  ":CUSTOM_ID: the-roof",
  ":END:",
  "* Diary :@personal:secretly:",
  ":PROPERTIES:",
  ":ID: diary",
  ":END:",
  "",
].join("\n");

test("a turn is about the notes that its words link to, the one in focus, those whose change began it and the entry of its job, with the tags that Org gives them", async () => {
  const world = makeWorld({ "house.org": house, "other.org": "#+FILETAGS: :other:\n* Plain\n" });
  put(world, "20240102T030405--shed__garden.org", "* Shed :shed:\n");
  await using notes = open(world);
  await notes.sync();
  const tagsOf = async (text: string, more: Partial<TurnSubject> = {}) => {
    const subject = { signal: sampleSignal({ text }), workspace: null, focus: null, ...more };
    const parts = { notes, home: join(world.folder, ".."), report: assert.fail };
    return [...(await tagsOfTurn(parts, subject))].sort();
  };
  const roof = ["building", "home", "repair", "roof"];
  assert.deepEqual(await tagsOf("hello roof :roof:"), []);
  for (const words of [
    "See [[id:roof]].",
    "mend [[id:roof][it]] today",
    "id:roof leaks",
    "[[file:house.org::*Roof]]",
    "[[file:~/notes/house.org::#the-roof]]",
    `[[file:${world.folder}/house.org::*Roof][that]]`,
  ])
    assert.deepEqual(await tagsOf(words), roof, words);
  assert.deepEqual(await tagsOf("[[./house.org]]"), ["home"]);
  assert.deepEqual(await tagsOf("=[[id:roof]]= [[id:nobody]] [[file:/etc/passwd]] [[https://roof.org]]"), []);
  assert.deepEqual(await tagsOf("see [[id:diary]]"), []);
  assert.deepEqual(await tagsOf("what now?", { focus: "roof" }), roof);
  assert.deepEqual(await tagsOf("[[./other.org]]", { workspace: world.folder, focus: "roof" }), [
    ...roof.slice(0, 2),
    "other",
    ...roof.slice(2),
  ]);
  const payload = { tags: ["weekly"], events: { listed: ["note-changed house.org", "day-began"], more: 0 } };
  const ofJob = sampleSignal({ sensor: "cron", person: "nobody", payload });
  assert.deepEqual(await tagsOf("", { signal: ofJob }), ["home", "weekly"]);
  assert.deepEqual(await tagsOf("", { signal: sampleSignal({ payload }) }), []);
});

test("a trigger of several tags matches where one of them is there, as it is written, and what else it names holds", () => {
  const about = { sensor: "user-input", text: "mend it", tags: new Set(["roof", "Home"]) };
  assert.equal(matchesTrigger({ tags: ["wall", "roof"] }, about), true);
  assert.equal(matchesTrigger({ tags: ["home"] }, about), false);
  assert.equal(matchesTrigger({ tags: ["roof"], words: ["paint"] }, about), false);
  assert.equal(matchesTrigger({ tags: ["roof"], words: ["mend"], sensor: "user-input" }, about), true);
  assert.equal(matchesTrigger({ tags: ["roof"] }, { sensor: "user-input", text: "roof" }), false);
});
