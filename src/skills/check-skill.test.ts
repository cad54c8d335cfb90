import assert from "node:assert/strict";
import { test } from "node:test";
import { locateJailWorker } from "../act/sandbox/jail.ts";
import { openJailThreads, usualMemory } from "../act/sandbox/jail-threads.ts";
import { checkSkill } from "./check-skill.ts";
import { skillFile } from "./skills.fixture.ts";

test("the tests of a file have 20 seconds together: the first that is left does not pass, and says why", async () => {
  await using threads = openJailThreads(locateJailWorker());
  const openJail = () => threads.take(usualMemory, new AbortController().signal);
  const names = ["first", "second", "third", "fourth"];
  const tests = Object.fromEntries(names.map((name) => [name, "assert(true);"]));
  const text = skillFile([], "export const prompt = () => 'x';", tests);
  const clock = { now: 0 };
  const nineSecondsLater = () => {
    clock.now += 9000;
    return clock.now;
  };
  const slow = await checkSkill({ file: "slow.org", text }, openJail, nineSecondsLater);
  assert.equal(slow.ok, false);
  assert.deepEqual(
    slow.tests.map(({ name, problem }) => [name, problem === null]),
    [
      ["first", true],
      ["second", true],
      ["third", false],
    ],
  );
  assert.match(slow.ok ? "" : slow.problem, /slow\.org: the test 'third' failed: all tests .* have 20 s/);
  assert.equal((await checkSkill({ file: "slow.org", text }, openJail)).ok, true);
});
