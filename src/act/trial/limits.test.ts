import assert from "node:assert/strict";
import { once } from "node:events";
import { tmpdir } from "node:os";
import { test } from "node:test";
import { setTimeout as wait } from "node:timers/promises";
import { trialLimits, withinLimits } from "./limits.ts";

const watched = async (pid: number) => {
  const execute = async (cancel: AbortSignal, started: (pid: number) => () => void) => {
    const ended = started(pid);
    await Promise.race([once(cancel, "abort"), wait(5_000, null, { ref: false })]);
    ended();
    return { status: "success", content: "" } as const;
  };
  const outcome = await withinLimits({ upper: tmpdir(), execute }, new AbortController().signal, trialLimits);
  return outcome.status === "error" ? outcome.message : outcome.status;
};

test("a trial whose processes cannot be looked at is ended", {
  skip: process.getuid?.() === 0 ? "root looks at every process" : false,
}, async () => {
  assert.match(await watched(1), /ended, since it could not be watched/);
});

test("a trial whose first process is gone is not ended for that", async () => {
  assert.equal(await watched(2 ** 30), "success");
});
