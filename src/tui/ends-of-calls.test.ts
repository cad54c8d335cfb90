import assert from "node:assert/strict";
import { test } from "node:test";
import { cutMiddle } from "../text/cut-middle.ts";
import type { Json, JsonObject } from "../text/json.ts";
import { answerRequest, openApp, openSession, painted } from "./screen.fixture.ts";

type Turn = ReturnType<ReturnType<typeof openApp>["turn"]>;

const action = { target: "tool", payload: { tool: "shell", args: { cmd: "make" } }, explanation: "to build" };
const asked = { token: "one", action, effects: [], text: "it asks", "expires-at-ms": 0 };
const blocking = [{ gate: "paths", result: "blocked", reason: "It is outside.", effects: [] }];

const given = (turn: Turn, code: string, message: string): void =>
  turn.send({
    type: "event",
    payload: { sensor: "tool-error", "call-id": "k1", tool: "shell", message, code },
  });
const ask = (turn: Turn): void => {
  turn.judged("k1", { verdict: "ask" });
  turn.asks(asked);
};
const refused = { status: "error", gates: [] as string[] };

/** What a commit changes in files: its branch alone. */
const commit: JsonObject[] = [
  {
    path: "/home/ada/garden/.git/refs/heads/main",
    change: "replace",
    added: 1,
    removed: 1,
    diff: `@@ -1 +1 @@\n-${"1".repeat(40)}\n+2a3b4c5${"0".repeat(33)}`,
    left: 0,
  },
];

/**
 * How a call ends: what a client hears, what the history of the session tells of it, and what a person reads.
 */
const ends: readonly {
  readonly live: (turn: Turn) => void;
  readonly past: { readonly status: string; readonly code?: string; readonly result?: Json } & JsonObject;
  readonly row: string;
}[] = [
  {
    live: (turn) => turn.output("k1", "shell", { stdout: "a\nb\n", stderr: "", exitCode: 0 }),
    past: { status: "success", result: { stdout: "a\nb\n", stderr: "", exitCode: 0 } },
    row: "● Run make 2 lines",
  },
  {
    live: (turn) => {
      const told = { "call-id": "k1", tool: "shell", changes: commit, result: { exitCode: 0, stdout: "" } };
      turn.send({ type: "event", payload: { sensor: "tool-output", ...told } });
    },
    past: { status: "success", result: { exitCode: 0, stdout: "" }, changes: commit },
    row: "● Run make +1 −1 | │ .git: main is at commit 2a3b4c5",
  },
  {
    live: (turn) =>
      turn.output("k1", "shell", { stdout: "a\n", stderr: "", exitCode: 0, note: "A commit is not signed." }),
    past: {
      status: "success",
      result: { stdout: "a\n", stderr: "", exitCode: 0, note: "A commit is not signed." },
    },
    row: "● Run make 2 lines | │ A commit is not signed.",
  },
  {
    live: (turn) =>
      turn.output("k1", "shell", { stdout: cutMiddle("line\n".repeat(9_000), 200), stderr: "", exitCode: 0 }),
    past: {
      status: "success",
      result: { stdout: cutMiddle("line\n".repeat(9_000), 200), stderr: "", exitCode: 0 },
    },
    row: "● Run make at least 40 lines",
  },
  {
    live: (turn) => turn.output("k1", "shell", { stdout: "", stderr: "no rule", exitCode: 2 }),
    past: { status: "success", result: { stdout: "", stderr: "no rule", exitCode: 2 } },
    row: "✗ Run make exit code 2 · 1 line | │ no rule",
  },
  {
    live: (turn) => given(turn, "tool-failed", "It broke."),
    past: { status: "error", code: "tool-failed", result: "It broke." },
    row: "✗ Run make failed | │ It broke.",
  },
  {
    live: (turn) => turn.judged("k1", { verdict: "block", reason: "It is outside." }, blocking),
    past: { status: "error", code: "blocked", gates: ["paths"], result: "Not allowed: It is outside." },
    row: "✗ Run make blocked by paths | │ It is outside.",
  },
  {
    live: (turn) => {
      ask(turn);
      turn.thinking("Denied.", 1);
    },
    past: { ...refused, code: "denied-by-owner", result: "The owner said no, so this was not run." },
    row: "✗ Run make denied",
  },
  {
    live: (turn) => given(turn, "denied-by-owner", "The owner said no to this in this turn."),
    past: { ...refused, code: "denied-by-owner", result: "The owner said no to this in this turn." },
    row: "✗ Run make denied",
  },
  {
    live: (turn) => turn.thinking("", 1),
    past: { ...refused, code: "not-run", result: "Not run, because another call was refused." },
    row: "✗ Run make not done",
  },
  {
    live: ask,
    past: { status: "not-done" },
    row: "✗ Run make not done",
  },
  {
    live: (turn) => given(turn, "stopped", "make was stopped."),
    past: { status: "error", code: "stopped", result: "make was stopped." },
    row: "✗ Run make stopped | │ make was stopped.",
  },
  {
    live: (turn) => given(turn, "changed", "Its effects changed, so it was not run."),
    past: { status: "error", code: "changed", result: "Its effects changed, so it was not run." },
    row: "✗ Run make not done | │ Its effects changed, so it was not run.",
  },
  {
    live: (turn) => turn.output("k1", "shell", { path: "a.txt", waiting: true, text: "Not written yet." }),
    past: { status: "success", result: { path: "a.txt", waiting: true, text: "Not written yet." } },
    row: "● Run make put off",
  },
  {
    live: (turn) => given(turn, "unknown", "It may have been done."),
    past: { status: "error", code: "unknown", result: "It may have been done." },
    row: "? Run make not known | │ It may have been done.",
  },
  {
    live: (turn) => given(turn, "taken-back", "Nothing of it is left."),
    past: { status: "error", code: "taken-back", result: "Nothing of it is left." },
    row: "✗ Run make not done | │ Nothing of it is left.",
  },
];

/** The row of the call, and what stands below it of what it gave. */
async function rowOf({ terminal }: Pick<ReturnType<typeof openApp>, "terminal">): Promise<string> {
  await painted(terminal);
  const rows = terminal.screen();
  const at = rows.findIndex((row) => row.includes(" Run make"));
  const below = rows.slice(at + 1, at + 3).filter((row) => /^ {3}│/.test(row));
  return [rows[at] ?? "", ...below].map((row) => row.trim().replaceAll(/ {2,}/g, " ")).join(" | ");
}

test("every end of a call reads the same while it happens and after a resume of the session", async (t) => {
  for (const { live, past, row } of ends) {
    const world = openApp(t);
    const turn = world.turn("t1");
    turn.thinking();
    turn.proposed("k1", action);
    live(turn);
    turn.send({
      type: "response",
      payload: { action: "message", text: "End.", outcome: "stopped", code: "" },
    });
    assert.equal(await rowOf(world), row);
    const later = openApp(t, { open: false });
    openSession(later.client, { "last-turn-id": "t1", "last-state": "stopped", "last-words": "make it" });
    const step = { call: "k1", tool: "shell", action, ...past };
    const told = { id: "t1", words: "make it", answer: "End.", "answer-left": 0, state: "stopped" };
    answerRequest(later.client, "history", { data: [{ ...told, steps: [step] }] });
    assert.equal(await rowOf(later), row);
  }
});

test("a call whose end was not heard shows it once the connection is back", async (t) => {
  const world = openApp(t);
  const turn = world.turn("t1");
  turn.thinking();
  turn.proposed("k1", action);
  world.client.tell({ kind: "waiting", code: "lost", error: "", reason: "gone", milliseconds: 50 });
  openSession(world.client, { "last-turn-id": "t1", "last-state": "thinking", "last-words": "build" });
  const step = { call: "k1", tool: "shell", action, status: "error", code: "taken-back" };
  const told = { id: "t1", words: "build", answer: "", "answer-left": 0, state: "thinking" };
  answerRequest(world.client, "history", { data: [{ ...told, steps: [{ ...step, result: "Not done." }] }] });
  assert.equal(await rowOf(world), "✗ Run make not done | │ Not done.");
});

test("a write of what is there already shows no change, while it happens and after a resume", async (t) => {
  const write = {
    target: "tool",
    payload: { tool: "write-file", args: { path: "a.txt", content: "one\ntwo\n" } },
    explanation: "to write",
  };
  const read = async ({ terminal }: Pick<ReturnType<typeof openApp>, "terminal">): Promise<string> => {
    await painted(terminal);
    const rows = terminal.screen().map((row) => row.trim().replaceAll(/ {2,}/g, " "));
    assert.ok(!rows.some((row) => row.includes("│")), rows.join("\n"));
    return rows.find((row) => row.includes(" Write a.txt")) ?? "";
  };
  const world = openApp(t);
  const turn = world.turn("t1");
  turn.thinking();
  turn.proposed("k1", write);
  const result = { path: "a.txt" };
  const told = { "call-id": "k1", tool: "write-file", changes: [], result };
  turn.send({ type: "event", payload: { sensor: "tool-output", ...told } });
  assert.equal(await read(world), "● Write a.txt no change");
  const later = openApp(t, { open: false });
  openSession(later.client, { "last-turn-id": "t1", "last-state": "answered", "last-words": "make it" });
  const changed = { files: 0, deleted: 0, added: 0, removed: 0 };
  const step = { call: "k1", tool: "write-file", action: write, status: "success", result, changed };
  const past = { id: "t1", words: "make it", answer: "End.", "answer-left": 0, state: "answered" };
  answerRequest(later.client, "history", { data: [{ ...past, steps: [step] }] });
  assert.equal(await read(later), "● Write a.txt no change");
});

test("why a command failed stands last below its call, and is never folded away", async (t) => {
  const world = openApp(t, { rows: 60 });
  const turn = world.turn("t1");
  turn.thinking();
  turn.proposed("k1", action);
  const conflicts = Array.from({ length: 12 }, (_, at) => `/w/${at} was changed by somebody else.`);
  const reason = ["Nothing of what the command changed was made here.", ...conflicts];
  given(turn, "not-made", ["one", "two", ...reason].join("\n"));
  await painted(world.terminal);
  const shown = world.terminal.screen().filter((row) => /^ {3}│/.test(row));
  assert.deepEqual(
    shown.map((row) => row.slice(5)),
    ["2 lines before", ...reason].map((line, at) => (at === 0 ? `… ${line}` : line)),
  );
});
