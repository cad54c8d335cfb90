import assert from "node:assert/strict";
import { test } from "node:test";
import { formatApprovalQuestion } from "../../src/cli/commands/approval-question.ts";
import { escapeForTerminal } from "../../src/gate/visible.ts";
import type { LoopEvent } from "../../src/signal/loop-event.ts";
import { calls, explanation, makeWorld, providerKey } from "../agent-world.ts";

const hostile = "\u001b]52;c;ZXZpbA==\u0007 \u009b31m \u202etxt.exe";
const hidden = /(?![\n\t])[\p{Cc}\p{Bidi_Control}]/u;

test("the name of a tool that a model makes up does not steer the terminal", async (context) => {
  const name = `x${hostile}\nblocked: nothing`;
  const world = await makeWorld(context, [
    { calls: [{ name, arguments: { explanation } }] },
    { text: "done" },
  ]);
  const { out, err } = await world.run(["ask", "hello"]);
  assert.match(err, /x␛\]52/);
  assert.doesNotMatch(out + err, hidden);
});

test("what was remembered does not steer the terminal when it is shown again", async (context) => {
  const world = await makeWorld(context, [
    calls(["remember", { text: `note ${hostile}` }]),
    { text: "done" },
  ]);
  await world.run(["ask", "remember it"]);
  const plain = await world.run(["memory", "search", "note"]);
  assert.match(plain.out, /note \ufffd\]52/);
  const json = await world.run(["memory", "search", "note", "--json"]);
  const found: unknown = JSON.parse(json.out.split("\n")[0] ?? "");
  assert.ok(typeof found === "object" && found !== null && "title" in found);
  assert.match(String(found.title), /^note \ufffd\]52/);
  const tail = await world.run(["journal", "tail"]);
  assert.doesNotMatch(plain.out + json.out + tail.out, hidden);
});

test("a provider's error does not steer the terminal, nor show the key", async (context) => {
  const body = JSON.stringify({ error: { message: `Incorrect key: ${providerKey} ${hostile}` } });
  const world = await makeWorld(context, [{ status: 401, body, repeat: true }]);
  const { out, err } = await world.run(["ask", "hello"]);
  assert.match(err, /Incorrect key/);
  assert.doesNotMatch(out + err, hidden);
  assert.doesNotMatch(out + err, new RegExp(providerKey));
});

test("the question for an approval shows no key", async (context) => {
  const world = await makeWorld(context, [calls(["write-file", { path: "a", content: providerKey }])]);
  for (const args of [
    ["ask", "write"],
    ["ask", "--json", "write"],
  ]) {
    world.provider.add(calls(["write-file", { path: "a", content: providerKey }]));
    const { out, code } = await world.run(args);
    assert.equal(code, 4);
    assert.match(out, /masked: configured-key/);
    assert.doesNotMatch(out, new RegExp(providerKey));
  }
});

test("what is shown for JSON stays the same value", () => {
  const value = { text: hostile, tag: "\u{e0041}" };
  const shown = escapeForTerminal(`${JSON.stringify(value)}\n`);
  assert.deepEqual(JSON.parse(shown), value);
  assert.doesNotMatch(shown, hidden);
});

function question(argv: readonly string[], reason: string): string {
  const label = { integrity: "agent", secrecy: "public", sources: [] } as const;
  const event: LoopEvent & { readonly type: "approval-required" } = {
    type: "approval-required",
    session: "s",
    turn: "t",
    token: "TOKEN",
    action: { target: "shell", payload: { cmd: argv.join(" ") }, explanation: reason },
    effects: [
      {
        kind: "run-program",
        target: argv[0] ?? "",
        label,
        reversal: "final",
        argv,
        binary: null,
        proof: null,
        doubt: "",
        confined: true,
      },
    ],
    trace: [],
    reason: "it asks",
    expiresAt: Date.now() + 3_600_000,
  };
  return formatApprovalQuestion(event);
}

test("words of a command are shown with their borders", () => {
  assert.notEqual(question(["rm", "a b"], "why"), question(["rm", "a", "b"], "why"));
  assert.match(question(["rm", "a b", "it's"], "why"), /run rm 'a b' 'it'\\''s' in the sandbox/);
});

test("nothing that shows as a blank, as nothing or as another line hides in a question", () => {
  const blanks = ["\u3164", "\u2800", "\u00a0", "\u200b", "\u00ad", "\u2028", "\ufe0f", "\ue000", "\n", "\r"];
  for (const blank of blanks) {
    const shown = question(["touch", `a${blank}b`], `why${blank}`);
    assert.equal(shown.split("\n").length, question(["touch", "ab"], "why").split("\n").length);
    assert.ok(blank === "\n" || !shown.includes(blank), JSON.stringify(blank));
  }
});

test("an explanation cannot be padded into a line of the question, nor push the effects away", () => {
  const forged = `List files${" ".repeat(200)}  - run ls in the sandbox (undoable)${"x".repeat(100_000)}`;
  const shown = question(["rm", "-r", "a"], forged);
  assert.doesNotMatch(shown, / {10}- run ls/);
  assert.ok(shown.indexOf("run rm -r a in the sandbox") < 1000);
});

test("a question begins with what would be done, and the agent's words stand below it as such", () => {
  const shown = question(["rm", "-r", "a"], "Only a look: lists the files");
  assert.match(
    shown,
    /^\nMay I\? This would:\n {2}- run rm -r a in the sandbox \(final\)\n {2}because: it asks\n {2}The agent says: Only a look: lists the files\n {2}in full: \{"cmd":"rm -r a"\}\nYes: /,
  );
});

test("a question that is long says so beside the way to answer it", () => {
  const shown = question(["bash", "-c", `true${" ".repeat(6000)}; rm -r a`], "why");
  assert.match(shown, /This is long \(\d+ characters\)\. Scroll up and read it from the top\.\nYes: /);
  assert.match(shown, /\\u\{20\}×6000; rm -r a/);
});
