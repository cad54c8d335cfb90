import assert from "node:assert/strict";
import { test } from "node:test";
import { leastTime } from "../../../../test/processor-time.ts";
import { scanOutline } from "./scan-outline.ts";
import { readTagGroups, tagGroupFinder } from "./tag-groups.ts";

const groupsIn = (...lines: readonly string[]): readonly string[] =>
  readTagGroups(lines).map(({ name, members }) => `${name}: ${members.join(" ")}`);

test("a group has its tag before the colon and its members behind it, in brackets of either kind", () => {
  assert.deepEqual(groupsIn("[ @personal : diary health ]"), ["@personal: diary health"]);
  assert.deepEqual(groupsIn("{ @personal(p) : diary(d) } other [ work : {P@.+} ]"), [
    "@personal: diary",
    "work: {P@.+}",
  ]);
  assert.deepEqual(groupsIn("[ a : b ]", "loose", "[ b : c ]"), ["a: b", "b: c"]);
});

test("tags that only exclude each other are no group, nor is what is not closed", () => {
  assert.deepEqual(groupsIn("{ @work(w) @home(h) } laptop", "[ a b ]", "[a : b]"), []);
  assert.deepEqual(groupsIn("[ a : b"), []);
});

test("the groups of a file are those of all its lines, wherever they stand", () => {
  const { settings } = scanOutline("* A\n#+tags: [ g : a ]\n#+begin_src x\n#+TAGS: [ h : b ]\n#+end_src\n");
  assert.deepEqual(settings.tagGroups, [{ name: "g", members: ["a"] }]);
});

test("a tag is of its own group, of those that hold it and of those that hold these, in a ring as well", () => {
  const of = tagGroupFinder(readTagGroups(["[ a : b c ] [ b : d ] [ d : a ] [ x : y ]", "[ x : {P@.+} ]"]));
  const found = (tag: string): readonly string[] => [...of(tag)].toSorted();
  assert.deepEqual(found("a"), ["a", "b", "d"]);
  assert.deepEqual(found("D"), ["a", "b", "d"]);
  assert.deepEqual(found("c"), ["a", "b", "d"]);
  assert.deepEqual(found("y"), ["x"]);
  assert.deepEqual(found("y#2"), ["x"]);
  assert.deepEqual(found("P@home"), ["x"]);
  assert.deepEqual(found("P@"), []);
  assert.deepEqual(found("cc"), []);
});

test("what cannot be told of a pattern is taken for a match by a careful finder alone", () => {
  const groups = readTagGroups(["[ g : {a\\(} ]"]);
  assert.deepEqual([...tagGroupFinder(groups)("any")], []);
  assert.deepEqual([...tagGroupFinder(groups, "careful")("any")], ["g"]);
});

test("a hostile list of groups and tags takes a moment", async () => {
  const rings = Array.from({ length: 30_000 }, (_, at) => `[ g${at} : g${at + 1} {x${at}.*y*z} ]`).join(" ");
  const of = tagGroupFinder(readTagGroups([rings]), "careful");
  const time = await leastTime(() => {
    for (let at = 0; at < 5000; at += 1) of(`${"x".repeat(90)}${at}`);
  }, 3000);
  assert.ok(time < 3000, `${time} ms`);
});
