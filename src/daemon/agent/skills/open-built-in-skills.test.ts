import assert from "node:assert/strict";
import { test } from "node:test";
import type { AcceptedSkill } from "../../../signal/skill.ts";
import { everyTurn } from "../../../skills/built-in/built-in-skill.ts";
import { type OwnBuiltInSkills, openBuiltInSkills } from "./open-built-in-skills.ts";

const about = { does: "", effects: [], cost: "", test: "" };
const files = { ...everyTurn, ...about, name: "files", tools: ["read-file"] };
const music = {
  ...everyTurn,
  ...about,
  name: "music",
  tools: ["play"],
  trigger: { words: ["song", "songs"] },
  prompt: "Name the album.",
};
const skills = [files, music];

type Asked = { readonly session?: string; readonly called?: readonly string[] };

const signalOf = (text: string) => ({ sensor: "user-input", text });

function declared(built: OwnBuiltInSkills, words: string, { session = "one", called = [] }: Asked = {}) {
  const declares = built.declaresIn({ ...signalOf(""), session, words, named: new Set(called) });
  return ["read-file", "play", "taught"].filter(declares);
}

test("a tool of a built-in skill with a trigger is declared where its words stand, where it was called, and from then on in its session", () => {
  const built = openBuiltInSkills({ all: () => [] }, skills);
  assert.deepEqual(declared(built, "hi"), ["read-file", "taught"]);
  assert.deepEqual(declared(built, "hi", { called: ["play"] }), ["read-file", "play", "taught"]);
  assert.deepEqual(declared(built, "Play that Song!", { session: "two" }), ["read-file", "play", "taught"]);
  assert.deepEqual(declared(built, "yes, do it", { session: "two" }), ["read-file", "play", "taught"]);
  assert.deepEqual(declared(built, "songster", { session: "three" }), ["read-file", "taught"]);
});

test("a built-in skill says its words only in turns that it takes part in, and a disabled one says and brings nothing", () => {
  const off = { head: { name: "music" }, enabled: false } as unknown as AcceptedSkill;
  const built = openBuiltInSkills({ all: () => [] }, skills);
  assert.equal(built.textFor(signalOf("which songs?"))?.text, "Name the album.");
  assert.equal(built.textFor(signalOf("hi")), null);
  assert.equal(built.isDisabled("play"), false);
  const without = openBuiltInSkills({ all: () => [off] }, skills);
  assert.equal(without.textFor(signalOf("which songs?")), null);
  assert.deepEqual(["play", "read-file", "taught"].filter(without.isDisabled), ["play"]);
});
