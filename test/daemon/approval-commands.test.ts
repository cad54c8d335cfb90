import assert from "node:assert/strict";
import { existsSync, readFileSync } from "node:fs";
import { test } from "node:test";
import { outside, runWithAndWithoutDaemon, tokenIn, writesOutside } from "./compare-with-daemon.ts";

test("ask leaves a question open with exit code 4, and approve carries it out, through a daemon as without one", async (t) => {
  const [withDaemon, alone, worlds] = await runWithAndWithoutDaemon(
    t,
    [writesOutside, { text: "Made it." }],
    [
      [["ask", "make it"]],
      [(printed) => ["approve", tokenIn(printed)]],
      [(printed) => ["approve", tokenIn(printed)]],
    ],
  );
  assert.deepEqual(withDaemon, alone);
  assert.deepEqual(
    withDaemon.map(({ code }) => code),
    [4, 0, 1],
  );
  assert.equal(withDaemon[1]?.out, "Made it.\n");
  assert.match(withDaemon[2]?.err ?? "", /This question was answered before, with yes/);
  for (const world of worlds) assert.equal(readFileSync(outside(world), "utf8"), "made\n");
});

test("ask --json and approve --json have the same events through a daemon as without one", async (t) => {
  const [withDaemon, alone] = await runWithAndWithoutDaemon(
    t,
    [writesOutside, { text: "Made it." }],
    [[["ask", "--json", "make it"]], [(printed) => ["approve", "--json", tokenIn(printed)]]],
  );
  assert.deepEqual(withDaemon, alone);
  assert.deepEqual(
    withDaemon.map(({ code }) => code),
    [4, 0],
  );
});

test("deny says no, and a token that nobody knows is refused, through a daemon as without one", async (t) => {
  const [withDaemon, alone, worlds] = await runWithAndWithoutDaemon(
    t,
    [writesOutside, { text: "Left alone." }],
    [
      [["ask", "make it"]],
      [["approve"]],
      [(printed) => ["deny", tokenIn(printed), "because", "it is late"]],
      [(printed) => ["approve", tokenIn(printed)]],
      [["approve", "AAAAAAAAAAAAAAAAAAAAAA"]],
      [["deny"]],
    ],
  );
  assert.deepEqual(withDaemon, alone);
  assert.deepEqual(
    withDaemon.map(({ code }) => code),
    [4, 4, 0, 1, 1, 0],
  );
  assert.equal(withDaemon[2]?.out, "Left alone.\n");
  assert.match(withDaemon[2]?.err ?? "", /Denied\. Nothing was done\. The agent is told why/);
  for (const { provider } of worlds) assert.match(provider.requests[1]?.body ?? "", /No, because it is late/);
  for (const world of worlds) assert.equal(existsSync(outside(world)), false);
});
