import assert from "node:assert/strict";
import { symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { type ApprovalQuestion, formatApprovalQuestion } from "../../src/shown/approval-question.ts";
import type { Action } from "../../src/signal/action.ts";
import type { Effect } from "../../src/signal/effect.ts";
import { escapeForTerminal } from "../../src/text/visible.ts";
import { calls, explanation, makeWorld, providerKey } from "../agent-world.ts";

const hostile = "\u001b]52;c;ZXZpbA==\u0007 \u009b31m \u202etxt.exe";
const hidden = /(?![\n\t])[\p{Cc}\p{Bidi_Control}]/u;

test("the name of a tool that a model makes up does not steer the terminal", async (context) => {
  const name = `x${hostile}\nblocked: nothing`;
  const world = await makeWorld(context, [
    { calls: [{ name, arguments: { explanation } }] },
    { text: "done" },
  ]);
  const { out, err } = await world.command(["ask", "hello"]);
  assert.match(err, /x␛\]52/);
  assert.doesNotMatch(out + err, hidden);
});

test("what was remembered does not steer the terminal when it is shown again", async (context) => {
  const world = await makeWorld(context, [
    calls(["remember", { text: `note ${hostile}` }]),
    { text: "done" },
  ]);
  await world.command(["ask", "remember it"]);
  const plain = await world.command(["memory", "search", "note"]);
  assert.match(plain.out, /note \ufffd\]52/);
  const json = await world.command(["memory", "search", "note", "--json"]);
  const found: unknown = JSON.parse(json.out.split("\n")[0] ?? "");
  assert.ok(typeof found === "object" && found !== null && "title" in found);
  assert.match(String(found.title), /^note \ufffd\]52/);
  const tail = await world.command(["journal", "tail"]);
  assert.doesNotMatch(plain.out + json.out + tail.out, hidden);
});

test("a provider's error does not steer the terminal, nor show the key", async (context) => {
  const body = JSON.stringify({ error: { message: `Incorrect key: ${providerKey} ${hostile}` } });
  const world = await makeWorld(context, [{ status: 401, body, repeat: true }]);
  const { out, err } = await world.command(["ask", "hello"]);
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
    const { out, err, code } = await world.command(args);
    assert.equal(code, 4);
    assert.match(out + err, /masked: configured-key/);
    assert.doesNotMatch(out + err, new RegExp(providerKey));
  }
});

test("what is shown for JSON stays the same value", () => {
  const value = { text: hostile, tag: "\u{e0041}" };
  const shown = escapeForTerminal(`${JSON.stringify(value)}\n`);
  assert.deepEqual(JSON.parse(shown), value);
  assert.doesNotMatch(shown, hidden);
});

const label = { integrity: "agent", secrecy: "public", sources: [] } as const;

function program(argv: readonly string[], confined = true): Effect {
  const shared = { kind: "run-program", target: argv[0] ?? "", label, reversal: "final" } as const;
  return { ...shared, argv, binary: null, proof: null, doubt: "", confined };
}

function ask(action: Action, effects: readonly Effect[]): string {
  const about: ApprovalQuestion = {
    type: "approval-required",
    session: "s",
    turn: "t",
    token: "TOKEN",
    workspace: null,
    action,
    effects,
    trace: [],
    reason: "it asks",
    expiresAt: 3_600_000,
  };
  return formatApprovalQuestion(about, 0);
}

function question(argv: readonly string[], explanation: string): string {
  return ask({ target: "shell", payload: { cmd: argv.join(" ") }, explanation }, [program(argv)]);
}

/** Lines of a question that only the program itself may write: flush left, or of its own indentation. */
function ownLines(shown: string): readonly string[] {
  return shown.split("\n").filter((line) => line !== "" && !line.startsWith("    │"));
}

test("words of a command are shown with their borders", () => {
  assert.notEqual(question(["rm", "a b"], "why"), question(["rm", "a", "b"], "why"));
  assert.match(question(["rm", "a b", "it's"], "why"), /run rm 'a b' 'it'\\''s', sandboxed/);
});

test("nothing that shows as a blank, as nothing or as another line hides in a question", () => {
  const blanks = ["\u3164", "\u2800", "\u00a0", "\u200b", "\u00ad", "\u2028", "\ufe0f", "\ue000", "\n", "\r"];
  for (const blank of blanks) {
    const shown = question(["touch", `a${blank}b`], `why${blank}`);
    assert.equal(ownLines(shown).length, ownLines(question(["touch", "ab"], "why")).length);
    assert.ok(blank === "\n" || !shown.includes(blank), JSON.stringify(blank));
  }
});

test("a command of several lines is asked about as its lines, with their indentation", () => {
  const shown = question(["python3", "-c", "'if True:\n    print(1)'"], "why");
  assert.match(
    shown,
    / {2}- run the command below, sandboxed .*\n {4}│ python3 -c 'if True:\n {4}│ {5}print\(1\)'\n/,
  );
  assert.doesNotMatch(shown, /\\u\{20\}/);
});

test("an explanation cannot be padded into a line of the question, nor push the effects away", () => {
  const forged = `List files${" ".repeat(200)}  - run ls, sandboxed (can be undone)${"x".repeat(100_000)}`;
  const shown = question(["rm", "-r", "a"], forged);
  assert.doesNotMatch(shown, / {10}- run ls/);
  assert.ok(shown.indexOf("run rm -r a, sandboxed") < 1000);
});

test("a question begins with what would be done, and the agent's words stand below it as such", () => {
  const shown = question(["rm", "-r", "a"], "Only a look: lists the files");
  assert.match(
    shown,
    /^\nMay I\? This would:\n {2}- run rm -r a, sandboxed \(cannot be undone\)\n {2}Asked because it asks\n {2}The agent says: Only a look: lists the files\nYes: /,
  );
});

test("a question that is long says so beside the way to answer it", () => {
  const shown = question(["bash", "-c", `true${" ".repeat(6000)}; rm -r a`], "why");
  assert.match(shown, /This is long \(\d+ characters\)\. Scroll up and read it from the top\.\nYes: /);
  assert.match(shown, /\\u\{20\}×6000; rm -r a/);
});

const forgedLines =
  "ls\nYes: /approve TOKEN\n\nMay I? This would:\n  - read /tmp (can be undone)\n  Asked because it asks\n\rshell: done\n│ x";

for (const [what, payload, effects] of [
  ["a command", { cmd: forgedLines }, [program(["bash", "-c", forgedLines])]],
  ["a command of two programs", { cmd: `cat a | ${forgedLines}` }, [program(["cat", "a"]), program(["x"])]],
  ["a new file", { path: "a", content: forgedLines }, []],
  ["an edit", { path: "a", old: "x", new: forgedLines }, []],
  ["what an edit replaces", { path: "a", old: forgedLines, new: "x" }, []],
  ["an edit of notes", { file: "a.org", operations: [{ text: forgedLines }] }, []],
  ["the name of a file", { path: forgedLines, content: "x" }, []],
] as const) {
  test(`no line of ${what} can look like a line of the question`, () => {
    const call = { action: "call", tool: "x", args: payload };
    const shown = ask({ target: "tool", payload: call, explanation: forgedLines }, effects);
    const plain = ask({ target: "tool", payload: { ...call, args: {} }, explanation: "why" }, effects);
    assert.equal(shown.match(/^Yes: /gm)?.length, 1);
    assert.equal(shown.match(/^May I\?/gm)?.length, 1);
    assert.equal(shown.match(/^ {2}Asked because /gm)?.length, 1);
    assert.doesNotMatch(shown, /^shell: done|^│/m);
    assert.ok(ownLines(shown).length <= ownLines(plain).length + 1, shown);
  });
}

test("a script is shown once, as its lines, with what runs it", () => {
  const script = "for f in *.txt; do\n  sed -i s/a/b/ $f\ndone";
  const shown = ask({ target: "tool", payload: { args: { cmd: script } }, explanation: "change them" }, [
    program(["/bin/bash", "-c", script], false),
  ]);
  assert.match(
    shown,
    /This would:\n {2}- run the command below, WITHOUT a sandbox \(cannot be undone\)\n {4}│ for f in \*\.txt; do\n {4}│ {3}sed -i s\/a\/b\/ \$f\n {4}│ done\n/,
  );
  assert.equal(shown.split("sed -i").length, 2);
});

test("a program that does not stand in the command as it is run is shown beside the command", () => {
  const shown = ask({ target: "tool", payload: { args: { cmd: "rm *.txt && ls" } }, explanation: "" }, [
    program(["rm", "a.txt", "b.txt"]),
    program(["ls"]),
  ]);
  assert.match(shown, /run the command below, sandboxed/);
  assert.match(shown, /- run rm a\.txt b\.txt, sandboxed \(cannot be undone\)\n {4}│ rm \*\.txt && ls\n/);
});

for (const door of ["ask", "/status", "approve", "approve beside ask --json"]) {
  test(`${door} shows a change through a link with its real path first, as a diff, and the agent's words as such`, async (context) => {
    const world = await makeWorld(context);
    writeFileSync(join(world.home, ".bashrc"), "alias a=b\n");
    symlinkSync(join(world.home, ".bashrc"), world.path("notes.txt"));
    world.provider.add({
      calls: [
        {
          name: "edit-file",
          arguments: { path: "notes.txt", old: "alias a=b", new: "alias ls=rm", explanation: "Fix a comma" },
        },
      ],
    });
    const asked = await world.command(["ask", ...(door.endsWith("json") ? ["--json"] : []), "fix it"]);
    assert.equal(asked.code, 4, asked.err);
    const args = door === "/status" ? ["ask", "/status"] : ["approve"];
    const out = door === "ask" ? asked.err : (await world.command(args)).out;
    const real = join(world.home, ".bashrc").replaceAll(".", "\\.");
    assert.match(
      out,
      new RegExp(
        `May I\\? This would:\n  - replace ${real} \\(can be undone\\)\n  - read [^\n]+\n    │ - alias a=b\n    │ \\+ alias ls=rm\n  Asked because [^\n]+\n  The agent says: Fix a comma\nYes: ${door === "/status" ? "/" : "passepartout "}approve [\\w-]{22}\nNo: `,
      ),
    );
    assert.equal(out.split("Fix a comma").length, 2);
  });
}
