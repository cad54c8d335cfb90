import assert from "node:assert/strict";
import { test } from "node:test";
import { formatResult } from "../shown/format-result.ts";
import type { Action } from "../signal/action.ts";
import { bottomLabel } from "../signal/label.ts";
import type { Message } from "../signal/message.ts";
import type { ToolResult } from "../signal/tool.ts";
import type { Json } from "../text/json.ts";
import { reflex } from "./reflex.ts";

const tools = [
  "read-file",
  "list-files",
  "search-files",
  "shell",
  "write-file",
  "remember",
  "recall",
  "agenda",
  "fetch-url",
  "eval",
];
const says = (text: string): Message => ({ role: "user", text, label: bottomLabel });
const think = (...messages: Message[]) => reflex({ messages, tools, callId: "c1" });
const action = (text: string): Action => {
  const thought = think(says(text));
  assert.ok(thought.kind === "calls", `${text} was not understood`);
  assert.deepEqual(
    [thought.note, thought.native, thought.calls.length, thought.calls[0]?.id],
    ["", false, 1, "c1"],
  );
  return thought.calls[0]?.action as Action;
};
const success = (content: Json, tool = "read-file"): ToolResult => ({
  id: "r",
  tool,
  outcome: { status: "success", content },
  label: bottomLabel,
});

test("each line of the small language is one action", () => {
  const expected: readonly (readonly [string, string, Json])[] = [
    ["read notes.org", "read-file", { path: "notes.org", limit: 200 }],
    ["  READ 'my notes.org' ", "read-file", { path: "my notes.org", limit: 200 }],
    ["show me the file a.org from line 201", "read-file", { path: "a.org", offset: 201, limit: 200 }],
    ["cat big.log offset: 401", "read-file", { path: "big.log", offset: 401, limit: 200 }],
    ...[
      "list",
      "ls",
      "ls -la",
      "dir",
      "list files",
      "List the files.",
      "show files",
      "what files are here?",
    ].map((text) => [text, "list-files", { path: "." }] as const),
    ["ls -l files", "list-files", { path: "files" }],
    ["list the files in src", "list-files", { path: "src" }],
    ["find TODO", "search-files", { pattern: "TODO" }],
    ["grep -rn TODO .", "search-files", { pattern: "TODO" }],
    ["agenda today", "agenda", {}],
    ["what is due tomorrow?", "agenda", { from: "+1d" }],
    ["what is due this week?", "agenda", {}],
    ["ls src/act", "list-files", { path: "src/act" }],
    ["search TODO", "search-files", { pattern: "TODO" }],
    ["write a.org: * Hello", "write-file", { path: "a.org", content: "* Hello\n" }],
    ["note buy milk\nand bread", "remember", { text: "buy milk\nand bread" }],
    ["remember that cat", "remember", { text: "that cat" }],
    ["recall milk", "recall", { query: "milk", private: true }],
    ["agenda", "agenda", {}],
    ["Agenda +1w", "agenda", { from: "+1w" }],
    ["fetch https://example.org/a?b", "fetch-url", { url: "https://example.org/a?b" }],
    ["eval 1 + 2", "eval", { code: "1 + 2" }],
  ];
  for (const [text, tool, args] of expected) {
    const { target, payload } = action(text);
    assert.deepEqual({ target, payload }, { target: "tool", payload: { tool, args } }, text);
  }
});

test("run, $ and ! are a command of the shell", () => {
  for (const text of ["run git status", "$ git status", "! git status", "$git status", "git status"]) {
    assert.deepEqual(action(text).payload, { cmd: "git status" });
    assert.equal(action(text).target, "shell");
  }
});

test("the explanation says who asked for what, in more than ten characters", () => {
  assert.equal(action("read a.org").explanation, "The owner asked to read the file a.org.");
  assert.ok(action("$ x").explanation.length > 10);
  const label = { ...bottomLabel, integrity: "untrusted" } as const;
  const thought = think({ role: "user", text: "read a.org", label });
  assert.ok(thought.kind === "calls");
  assert.match(thought.calls[0]?.action.explanation ?? "", /^Somebody asked/);
});

test("a pasted text of several lines is no line of the language", () => {
  for (const text of [
    "read a.org\nread b.org",
    "recall x\ny",
    "hello",
    "please read a.org",
    "fetch ftp://x",
    "run",
    "$",
  ]) {
    assert.equal(think(says(text)).kind, "reply", text);
  }
});

test("the results of the turn are the reply", () => {
  const result = (content: Json): Message => ({
    role: "result",
    callId: "c1",
    native: false,
    result: success(content),
  });
  assert.deepEqual(think(says("read a"), result("one"), result({ text: "two\n" })), {
    kind: "reply",
    text: "one\n\ntwo",
  });
});

test("what was rejected is told and not proposed again", () => {
  const rejection: Message = {
    role: "rejection",
    text: "PREVIOUS PROPOSAL REJECTED: a secret path",
    label: bottomLabel,
  };
  assert.deepEqual(think(says("read ~/.ssh/id_rsa"), rejection), {
    kind: "reply",
    text: "This was not done. a secret path",
  });
});

test("a tool that is not available is named", () => {
  const thought = reflex({ messages: [says("eval 1")], tools: [], callId: "c" });
  assert.ok(thought.kind === "reply");
  assert.match(thought.text, /tool eval is not available/);
});

test("a verb that is known with a line that does not fit is told how that verb is used, and no more", () => {
  for (const [text, form] of [
    ["write a.txt hello", "write PATH: TEXT   (write a file)"],
    ["Write", "write PATH: TEXT   (write a file)"],
    ["read", "read PATH [from LINE]   (show a file)"],
    ["read a.org\nread b.org", "read PATH [from LINE]   (show a file)"],
    ["fetch example.org", "fetch URL   (fetch a page; asks first)"],
    ["search", "search PATTERN   (search the files here)"],
    ["note", "note TEXT   (keep a note)"],
    ["list a\nlist b", "list [PATH]   (list a folder)"],
    ["run", "run CMD, $ CMD   (run a command; what is not proved harmless asks first)"],
    ["$", "run CMD, $ CMD   (run a command; what is not proved harmless asks first)"],
    ["recall", "recall QUERY   (search what was kept)"],
    ["eval", "eval CODE   (evaluate JavaScript in the jail)"],
  ] as const) {
    assert.deepEqual(think(says(text)), { kind: "reply", text: `This does not fit. Use: ${form}` }, text);
  }
});

test("a yes or a no without a slash is told how a question is answered", () => {
  const text =
    "No question waits here. A question is answered by y or n where it is shown, and by /approve TOKEN or /deny TOKEN everywhere.";
  for (const words of [
    "yes",
    "Y",
    "no",
    "n",
    "No.",
    "approve",
    "approve luV62ux-QCR4uAF8TS6vvw",
    "deny -x",
  ]) {
    assert.deepEqual(think(says(words)), { kind: "reply", text }, words);
  }
  const other = think(says("no idea what this is"));
  assert.ok(other.kind === "reply" && other.text.startsWith("I do not understand this."));
});

test("anything else is told in two sentences where the help is, and the nearest command; a greeting is greeted", () => {
  for (const [text, words] of [
    ["What is the meaning of life?", /^I do not understand this\. No model is set up, [^.]*help[^.]*\.$/],
    ["serach heliotrope", /^I do not understand this\. Did you mean: search PATTERN\? No model/],
    ["Hello there!", /^Hello\. No model is set up, /],
  ] as const) {
    const thought = think(says(text));
    assert.ok(thought.kind === "reply");
    assert.match(thought.text, words);
  }
});

test("the help tells what works offline and how to set up a provider, on one short screen", () => {
  for (const text of ["?", "Help!", "what can you do?"])
    assert.deepEqual(think(says(text)), think(says("help")));
  const thought = think(says("help"));
  assert.ok(thought.kind === "reply");
  const lines = thought.text.split("\n");
  assert.ok(lines.length <= 20 && lines.every((line) => line.length <= 100));
  for (const words of ["passepartout setup", "read PATH", "doctor"]) assert.ok(thought.text.includes(words));
});

test("the reflex engine thinks the same every time", () => {
  assert.deepEqual(think(says("search x")), think(says("search x")));
});

test("a result reads as its content, as an error, or as the raw result", () => {
  assert.equal(formatResult(success("text")), "text");
  const failed = {
    ...success(""),
    outcome: { status: "error", code: "not-found", message: "There is no a" },
  } as const;
  assert.equal(formatResult(failed), "ERROR [read-file]: There is no a");
  assert.equal(formatResult(success(null)), "TOOL [read-file] RESULT: null");
  const note = "This is a binary file of 3 bytes; its contents are not shown.";
  assert.equal(formatResult(success({ path: "/a.png", size: 3, binary: true, note })), note);
  assert.equal(formatResult(success({ size: 3 })), 'TOOL [read-file] RESULT: {"size":3}');
});

test("a call that something else came before is made again a few times, then told to the person, not advised to a model", () => {
  const conflict = {
    status: "error",
    code: "conflict",
    message: "the file changed after this was judged. Read it again and propose a new change.",
  } as const;
  const after = (text: string, ...lost: readonly boolean[]) =>
    reflex({
      messages: [
        { role: "user", text, label: bottomLabel },
        ...lost.map((isLost): Message => {
          const result = isLost ? { ...success(""), outcome: conflict } : success("Done.");
          return { role: "result", callId: "c", native: false, result };
        }),
      ],
      tools: ["remember"],
      callId: "c",
    });
  const two = 'call remember {"text": "one"}\ncall remember {"text": "two"}';
  const text = (thought: ReturnType<typeof reflex>) => JSON.stringify(thought);
  for (const lost of [[true], [true, true], [true, true, true]]) {
    assert.match(text(after("note call Anna", ...lost)), /^{"kind":"calls".*"text":"call Anna"/);
    assert.match(text(after(two, ...lost, false)), /^{"kind":"calls".*"text":"two"/);
    assert.match(text(after(two, false, ...lost)), /^{"kind":"calls".*"text":"two"/);
    assert.deepEqual(after(two, ...lost, false, ...lost, false), {
      kind: "reply",
      text: [success("Done."), success("Done.")].map((result) => formatResult(result)).join("\n\n"),
    });
  }
  const thought = after("note call Anna", true, true, true, true);
  assert.ok(thought.kind === "reply");
  assert.match(thought.text, /Something else changed the file each time.*, 4 times, .*Say it again\.$/);
  assert.doesNotMatch(thought.text, /propose/);
});

test("lists, matches and command output read as lines", () => {
  assert.equal(
    formatResult(success({ path: "/a", entries: ["b", "c/"], leftOut: ["2 × links"] })),
    "b\nc/\n(left out: 2 × links)",
  );
  assert.equal(
    formatResult(success({ matches: [{ path: "/a", line: 3, text: "x" }], leftOut: [] })),
    "/a:3: x",
  );
  assert.equal(formatResult(success({ matches: [] })), "(nothing found)");
  assert.equal(formatResult(success({ path: "a", text: "t\n", note: "Read on" })), "t\n(Read on)");
  const advised = { stdout: "", stderr: "x\n", exitCode: 3, note: "It is cut.", advice: "Propose it again." };
  assert.equal(
    formatResult(success(advised)),
    "x\n(exit code 3)\n(note: It is cut.)",
    "advice is for a model",
  );
  assert.equal(
    formatResult(success({ stdout: "o\n", stderr: "e\n", exitCode: 2 }, "shell")),
    "o\ne\n(exit code 2)",
  );
  assert.equal(formatResult(success({ stdout: "", stderr: "", exitCode: 0 }, "shell")), "(no output)");
});

test("the file of a note stands below the home folder as in every other line", () => {
  const result = success({ path: "/home/ada/memex/inbox.org", created: false, bytes: 3 }, "remember");
  const told = reflex({
    messages: [says("note x"), { role: "result", callId: "c", native: true, result }],
    tools,
    callId: "c",
    home: "/home/ada",
  });
  assert.deepEqual(told, {
    kind: "reply",
    text: "Changed ~/memex/inbox.org (3 bytes). /undo takes it back.",
  });
});
