import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { bottomLabel } from "../signal/label.ts";
import type { Signal } from "../signal/signal.ts";
import { familiarCommand, familiarNames } from "../text/familiar-commands.ts";
import { commandUsages } from "./command-usages.ts";
import { type OwnerCommand, recogniseCommand } from "./commands.ts";

const signal: Signal = {
  id: "s1",
  clientId: null,
  sensor: "user-input",
  session: "main",
  source: "cli",
  person: "owner",
  text: "",
  payload: {},
  depth: 0,
  label: bottomLabel,
  at: 0,
};
const of = (text: string): OwnerCommand | null => recogniseCommand({ ...signal, text });

test("each command is recognised as the whole message, in any case, with blanks around it", () => {
  const expected: readonly (readonly [string, OwnerCommand])[] = [
    ["/help", { kind: "help" }],
    [" /EXIT\n", { kind: "exit" }],
    ["\n\t/Status ", { kind: "status" }],
    ["/stop", { kind: "stop" }],
    ["/undo", { kind: "undo" }],
    ["/approve Ab-9_x", { kind: "approve", token: "Ab-9_x" }],
    ["/DENY   Ab9", { kind: "deny", token: "Ab9", reason: null }],
    [
      "/deny Ab9 because it is\nthe wrong file",
      { kind: "deny", token: "Ab9", reason: "it is\nthe wrong file" },
    ],
    ["/Deny Ab9  BECAUSE no", { kind: "deny", token: "Ab9", reason: "no" }],
    ["/rollback", { kind: "rollback", id: null }],
    ["/rollback 17", { kind: "rollback", id: "17" }],
    ["/focus", { kind: "focus", id: null }],
    ["/focus abc", { kind: "focus", id: "abc" }],
    ["/search two words", { kind: "search", query: "two words" }],
    ["/note first\n  second", { kind: "note", text: "first\n  second" }],
    ["/config", { kind: "config", change: "list" }],
    ["/config GET TRIALS", { kind: "config", change: "get", name: "TRIALS" }],
    [
      "/config set MEMEX_ASSISTANT  Ada of Wight",
      {
        kind: "config",
        change: "set",
        name: "MEMEX_ASSISTANT",
        value: "Ada of Wight",
      },
    ],
    ["/config unset TRIALS", { kind: "config", change: "unset", name: "TRIALS" }],
    ["/config keep", { kind: "config", change: "keep" }],
    ["Continue", { kind: "continue" }],
    ["/skill", { kind: "skill" }],
    ["/skill list", { kind: "skill" }],
    ["/skill reload", { kind: "skill" }],
    ["/skill show dice", { kind: "inspect-skill", verb: "show", name: "dice" }],
    ["/skill test dice", { kind: "inspect-skill", verb: "test", name: "dice" }],
    ["/skill test", { kind: "inspect-skill", verb: "test", name: "" }],
    ['/skill new dice "throw dice"', { kind: "draft-skill", name: "dice", sentence: "throw dice" }],
    ["/jobs", { kind: "jobs", request: { verb: "list" } }],
    ["/jobs log", { kind: "jobs", request: { verb: "log", name: null } }],
    ["/jobs pause embed-texts", { kind: "jobs", request: { verb: "pause", name: "embed-texts" } }],
  ];
  for (const [text, command] of expected) assert.deepEqual(of(text), command, text);
});

test("every command that help lists is recognised", () => {
  for (const { name, usage } of commandUsages) {
    const same = { session: "sessions", cost: "budget", provider: "model" }[name];
    if (same !== undefined) assert.equal(of(`/${name}`)?.kind, same);
    else
      assert.equal(
        of(usage.replaceAll(/\[--[a-z-]+\] | \|[^\]]*|[[\]]|\|[a-z]+/g, "").replace("DOLLARS", "2"))?.kind,
        name === "skill" ? "draft-skill" : name,
      );
  }
});

test("a command inside a message, quoted or forwarded, is ordinary text", () => {
  for (const text of [
    "please /stop",
    "> /approve abc",
    '"/approve abc"',
    "`/undo`",
    "FW: /deny x",
    "continue please",
    "(/stop)",
    "//stop",
  ]) {
    assert.equal(of(text), null, text);
  }
});

test("pasted text of several lines is ordinary text, unless it contains a token, which must reach no prompt", () => {
  for (const text of ["/stop\nthen go on", "/search a\nb", "/foo\nbar", "/rollback 1\n2"])
    assert.equal(of(text), null, text);
  for (const text of ["/approve abc\nand more", "/deny abc\nx"])
    assert.equal(of(text)?.kind, "misused-command", text);
});

test("a command with missing or superfluous arguments does nothing and shows its usage", () => {
  for (const text of [
    "/approve",
    "/deny a b",
    "/stop now",
    "/search",
    "/note",
    "/rollback a b",
    "/help me",
  ]) {
    const command = of(text);
    assert.ok(command?.kind === "misused-command", text);
    assert.ok(command.usage.startsWith(`/${command.name}`));
  }
});

test("a line behind ! is a command line of the shell where it is typed into the terminal client, else it is text", () => {
  const typed = (text: string) => recogniseCommand({ ...signal, source: "tui", text });
  assert.deepEqual(typed("!ls -la"), { kind: "run", line: "ls -la" });
  assert.deepEqual(typed("! for f in *\ndo wc $f\ndone"), {
    kind: "run",
    line: "for f in *\ndo wc $f\ndone",
  });
  assert.deepEqual(typed("!"), { kind: "misused-command", name: "!", usage: "!COMMAND" });
  assert.equal(typed("so it is!"), null);
  for (const source of ["cli", "emacs", "telegram"] as const)
    assert.equal(recogniseCommand({ ...signal, source, text: "!ls" }), null, source);
  assert.equal(recogniseCommand({ ...signal, source: "tui", text: "!ls", payload: { pasted: true } }), null);
});

test("an unknown command is named, and a path is not a command", () => {
  assert.deepEqual(of("/frobnicate it"), { kind: "unknown-command", name: "frobnicate", given: "it" });
  for (const text of ["/etc/hosts is odd", "/tmp is full", "/home", "/", "/ stop", "/2024 was fine"])
    assert.equal(of(text), null, text);
});

test("only the proved owner's own typing is a command", () => {
  for (const person of ["unproved", "other", "nobody"] as const) {
    assert.equal(recogniseCommand({ ...signal, person, text: "/approve abc" }), null);
  }
  for (const sensor of ["buffer-update", "chat-message", "tool-output", "cron", "file-changed"] as const) {
    assert.equal(recogniseCommand({ ...signal, sensor, text: "/approve abc" }), null);
  }
  for (const source of ["system", "telegram", "signal"] as const) {
    assert.equal(recogniseCommand({ ...signal, source, text: "/approve abc" }), null);
  }
  assert.equal(recogniseCommand({ ...signal, depth: 1, text: "/approve abc" }), null);
});

test("no text makes the recogniser throw, and no approval is recognised without its token", () => {
  const texts = fc.tuple(
    fc.constantFrom("/approve", "/deny", "/stop", "/x", ""),
    fc.string({ unit: "binary" }),
  );
  fc.assert(
    fc.property(texts, ([word, rest]) => {
      const command = of(word + rest);
      if (command?.kind === "approve" || command?.kind === "deny") assert.match(command.token, /^\S+$/);
    }),
  );
});

test("each name of another agent comes to a command that can be typed, or says what to do, and hides none of ours", () => {
  for (const name of familiarNames) {
    const known = commandUsages.some((command) => command.name === name);
    assert.ok(!known, `/${name} is a command of ours`);
    assert.equal(of(`/${name}`)?.kind, "unknown-command");
    const meant = familiarCommand(name, "");
    if (meant !== null && "means" in meant) {
      const kind = of(meant.means)?.kind ?? "";
      assert.ok(kind !== "" && !kind.endsWith("-command"), `/${name} → ${meant.means}`);
    } else
      for (const [named = ""] of meant?.instead.matchAll(/\/[a-z-]+/g) ?? []) {
        assert.ok(
          commandUsages.some((command) => `/${command.name}` === named),
          `/${name} names ${named}`,
        );
      }
  }
});
