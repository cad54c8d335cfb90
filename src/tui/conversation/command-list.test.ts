import assert from "node:assert/strict";
import { test } from "node:test";
import { ownCommandOf } from "./command-list.ts";

test("what the screen runs itself is run under the names of other agents too, but for a command that the owner wrote", () => {
  for (const [typed, own] of [
    ["/exit", "exit"],
    ["/quit", "exit"],
    [" /Resume ", "sessions"],
    ["/sessions", "sessions"],
    ["/new", "clear"],
    ["/checkpoints", "moments"],
    ["/theme dark", "dark"],
    ["/session fork", null],
    ["/usage", null],
    ["/init", null],
    ["resume", null],
  ] as const)
    assert.equal(ownCommandOf(typed), own, typed);
  assert.equal(ownCommandOf("/new", [{ name: "new", usage: "/new", help: "mine" }]), null);
});
