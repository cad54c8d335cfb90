import assert from "node:assert/strict";
import { test } from "node:test";
import { openApp } from "../screen.fixture.ts";

/** Timers that keep this process. */
const timers = (): number => process.getActiveResourcesInfo().filter((name) => name === "Timeout").length;

test("an answer that goes on after the owner has left keeps no process", (t) => {
  const { app, turn } = openApp(t);
  turn("t1").thinking();
  app.leave();
  const before = timers();
  turn("t1").thinking();
  turn("t1").chunk("still here");
  assert.equal(timers(), before);
});
