import assert from "node:assert/strict";
import { test } from "node:test";
import type { Effect } from "../../signal/effect.ts";
import { bottomLabel } from "../../signal/label.ts";
import type { LoopEvent } from "../../signal/loop-event.ts";
import { clientCodec, daemonCodec } from "./codec.ts";
import { eventOf, messageOf } from "./loop-events.ts";

const where = { session: "s1", turn: "t1" };
const effects: readonly Effect[] = [
  {
    kind: "read-path",
    target: "/w/ä 🙂.org",
    access: "contents",
    tree: false,
    label: bottomLabel,
    reversal: "undoable",
  },
  {
    kind: "run-program",
    target: "ls",
    argv: ["ls", "-l"],
    binary: null,
    proof: "ls only reads",
    doubt: "",
    confined: true,
    label: bottomLabel,
    reversal: "undoable",
  },
];
const trace = [{ gate: "paths", result: "passed", reason: "inside the workspace", effects: [0, 1] }] as const;
const action = {
  target: "tool",
  payload: { tool: "read-file", args: { path: "a.org" } },
  explanation: "to read it",
};
const changes = [
  { path: "/w/ä.txt", change: "replace", added: 1, removed: 1, diff: "@@ -1 +1 @@\n-a\n+b", left: 0 },
  { path: "/w/b.bin", change: "create", added: 0, removed: 0, diff: "", left: 0 },
] as const;
const events: readonly LoopEvent[] = [
  { type: "accepted", ...where, id: "c1" },
  { type: "thinking", ...where, depth: 2, text: "still waiting" },
  { type: "thought", ...where, text: "the agenda first" },
  { type: "text", ...where, text: "Hello\n", reset: false },
  { type: "text", ...where, text: "the stream broke", reset: true },
  { type: "proposed", ...where, call: "1", action },
  { type: "verdict", ...where, call: "1", verdict: "pass", reason: "", effects, trace },
  {
    ...where,
    type: "verdict",
    call: "1",
    verdict: "block",
    reason: "no",
    effects,
    trace,
    gates: 16,
    microseconds: 312,
  },
  {
    type: "approval-required",
    workspace: "/home/u/work",
    ...where,
    token: "abc",
    action,
    effects,
    trace,
    reason: "it asks",
    changes,
    expiresAt: 1_790_000_000_000,
  },
  {
    type: "outcome",
    ...where,
    call: "1",
    tool: "shell",
    status: "success",
    code: "",
    content: { stdout: "x", exitCode: 0 },
  },
  {
    type: "outcome",
    ...where,
    call: "1",
    tool: "shell",
    status: "error",
    code: "timed-out",
    content: "too long",
  },
  { type: "answered", ...where, text: "Done." },
  { type: "blocked", ...where, code: "denied", reason: "You said no." },
  { type: "failed", ...where, code: "exhausted", reason: "No provider could answer." },
  { type: "stopped", ...where, code: "stopped", reason: "Stopped." },
];

test("every event of the loop survives the wire unchanged", () => {
  for (const event of events) {
    const text = daemonCodec.encode(
      messageOf(event, { source: "tui", rules: 3, pending: 1, focus: "n1", trace }),
    );
    const decoded = clientCodec.decode(text);
    assert.ok(decoded.ok, decoded.ok ? "" : decoded.text);
    assert.deepEqual(eventOf(decoded.message), event);
  }
});

test("an answer states the rules in force, the open approvals and the focus", () => {
  const message = messageOf(
    { type: "answered", ...where, text: "Hi." },
    { source: "tui", rules: 3, pending: 1, focus: "n1", trace },
  );
  assert.match(daemonCodec.encode(message), /:RULE-COUNT 3 :PENDING-COUNT 1 :FOVEAL-ID "n1"/);
});

test("a message that was not made from an event gives none", () => {
  assert.equal(eventOf({ type: "health-response", status: "healthy", "checked-p": true }), null);
  assert.equal(eventOf({ type: "response", payload: { action: "message", text: "said" } }), null);
});
