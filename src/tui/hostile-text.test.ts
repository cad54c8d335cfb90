import assert from "node:assert/strict";
import { test } from "node:test";
import type { JsonObject } from "../text/json.ts";
import { hostileSequences } from "./hostile-text.fixture.ts";
import {
  answerRequest,
  type HeadlessTerminal,
  looked,
  openApp,
  openSession,
  painted,
} from "./screen.fixture.ts";

type World = ReturnType<typeof openApp>;

const words = hostileSequences.map((sequence, index) => `a${index}${sequence}z`);
const all = words.join(" ");
const effect = { kind: "write-path", change: "replace", target: all, reversal: "final" };
const proposal = (tool: string, args: JsonObject): JsonObject => ({
  target: "tool",
  payload: { tool, args },
  explanation: all,
});
const question = (more: JsonObject): JsonObject => ({
  token: "token",
  action: proposal("shell", { cmd: "make" }),
  effects: [],
  text: "",
  "expires-at-ms": Date.UTC(2026, 10, 23),
  ...more,
});

/** Every place in which a string from outside can stand. */
const places: Readonly<Record<string, (world: World) => void | Promise<void>>> = {
  "a streamed answer": ({ turn }) => turn("t").chunk(all),
  "a streamed answer, character by character": ({ turn }) => {
    for (const unit of all.split("")) turn("t").chunk(unit);
  },
  "a whole answer": ({ turn }) => turn("t").answered(all),
  "a heading": ({ turn }) => turn("t").answered(`# ${all}`),
  "a list": ({ turn }) => turn("t").answered(words.map((word) => `- ${word}`).join("\n")),
  "a table": ({ turn }) =>
    turn("t").answered(`| a |\n|---|\n${words.map((word) => `| ${word} |`).join("\n")}`),
  "a link": ({ turn }) =>
    turn("t").answered(words.map((word) => `[${word}](https://a.example/${word})`).join(" ")),
  "code of a line": ({ turn }) => turn("t").answered(words.map((word) => `\`${word}\``).join(" ")),
  "a block of code": ({ turn }) => turn("t").answered(`\`\`\`\n${words.join("\n")}\n\`\`\``),
  "a notice while thinking": ({ turn }) => turn("t").thinking(all),
  "a withdrawn stream": ({ turn }) => turn("t").send({ type: "stream-reset", payload: { text: all } }),
  "the name of a tool": ({ turn }) => turn("t").proposed("k", proposal(all, {})),
  "a path": ({ turn }) => turn("t").proposed("k", proposal("read-file", { path: all })),
  "a command": ({ turn }) => turn("t").proposed("k", proposal("shell", { cmd: all })),
  "a change": ({ turn }) =>
    turn("t").proposed("k", proposal("edit-file", { path: "a", old: all, new: `${all}.` })),
  "what a tool gave": ({ turn, terminal }) => {
    turn("t").proposed("k", proposal("read-file", { path: "a" }));
    turn("t").output("k", "read-file", all);
    terminal.type("\u000f");
  },
  "what a tool gave, as an object": ({ turn, terminal }) => {
    turn("t").proposed("k", proposal("search-files", { path: "a" }));
    turn("t").output("k", "search-files", { [all]: [all] });
    terminal.type("\u000f");
  },
  "what a command printed": ({ turn }) => {
    turn("t").proposed("k", proposal("shell", { cmd: "make" }));
    turn("t").output("k", "shell", { stdout: all, stderr: all, exitCode: 1 });
  },
  "an error of a tool": ({ turn }) => {
    turn("t").proposed("k", proposal("read-file", { path: "a" }));
    turn("t").failed("k", "read-file", all);
  },
  "the answer of a gate": ({ turn, terminal }) => {
    turn("t").proposed("k", proposal("edit-file", { path: "a" }));
    turn("t").judged("k", { effects: [effect] }, [
      { gate: all, result: "blocked", reason: all, effects: [0] },
    ]);
    terminal.type("\u0007");
  },
  "the reason of a block": ({ turn }) => {
    turn("t").proposed("k", proposal("edit-file", { path: "a" }));
    turn("t").judged("k", { verdict: "block", reason: all });
  },
  "the end of a turn": ({ turn }) =>
    turn("t").send({
      type: "response",
      payload: { action: "message", outcome: "blocked", code: all, text: all },
    }),
  "the answer to a command": ({ client }) =>
    client.message({ type: "response", payload: { action: "message", outcome: "said", text: all } }),
  "the reason of a question": ({ turn }) => turn("t").asks(question({ text: all })),
  "a question's command": ({ turn }) =>
    turn("t").asks(question({ action: proposal("shell", { cmd: words.join("\n") }) })),
  "a question's change": ({ turn }) =>
    turn("t").asks(
      question({
        action: proposal("edit-file", { path: all, old: "", new: words.join("\n") }),
        effects: [effect],
      }),
    ),
  "a question's arguments": ({ turn }) =>
    turn("t").asks(question({ action: proposal("other", { [all]: all }), effects: [effect] })),
  "a question's workspace, rule and habit": ({ turn }) =>
    turn("t").asks(question({ workspace: all, rule: all, habit: all })),
  "a question's hosts": ({ turn }) => {
    const run = { kind: "run-program", argv: [all], confined: true, reversal: "final", network: [all] };
    turn("t").asks(question({ effects: [run] }));
  },
  "a question's plan": ({ turn }) => {
    const step = { words: all, command: all, effects: [effect], times: 2 };
    const plan = {
      kind: "change-memory",
      operation: all,
      reversal: "final",
      plan: { steps: [step], minutes: 3 },
    };
    turn("t").asks(question({ effects: [plan] }));
  },
  "a question's details": async ({ turn, terminal, time }) => {
    turn("t").asks(question({ effects: [effect] }));
    await painted(terminal);
    time.now += 1_000;
    terminal.type("d");
  },
  "the version of the daemon": ({ client }) =>
    client.tell({ kind: "ready", daemon: { version: all, capabilities: [] } }),
  "the loss of the daemon": ({ client }) =>
    client.tell({ kind: "waiting", code: "not-our-daemon", error: all, reason: all, milliseconds: 50 }),
  "a refusal": ({ client }) => client.tell({ kind: "refused", id: "x", reason: all, message: {} }),
  "the folder of the session": ({ client }) => openSession(client, { workspace: all }),
  "the words of an earlier session": ({ client }) => {
    openSession(client, { "last-turn-id": "t0", "last-state": "answered", "last-words": all });
    const past = { id: "t0", state: "answered", words: all, answer: all, "answer-left": 0 };
    answerRequest(client, "history", { data: [past] });
  },
  "the model, and the note in focus": async ({ client, turn, terminal }) => {
    turn("t").answered("Done.");
    const data = { provider: all, model: all, "focus-title": all, "turn-input-tokens": 9 };
    answerRequest(client, "overview", { data });
    await painted(terminal);
  },
  "the help of commands": async ({ client, terminal }) => {
    answerRequest(client, "help", { data: [{ name: "a", usage: "/a", help: words[0] ?? "" }] });
    terminal.type("/", "a");
    await painted(terminal);
  },
  "the list of commands": ({ client }) =>
    client.message({
      type: "response",
      payload: {
        action: "message",
        outcome: "said",
        code: "help",
        data: words.map((word) => ({ name: "a", usage: word, help: word })),
      },
    }),
  "the values that a yes may endorse": ({ turn }) => turn("t").asks(question({ endorsable: [all] })),
  "a file that a command changed": ({ turn }) => {
    turn("t").proposed("k", proposal("shell", { cmd: "make" }));
    const changes = words.map((path) => ({
      path: `a0${path}`,
      change: "replace",
      added: 1,
      removed: 1,
      diff: path,
      left: 0,
    }));
    turn("t").send({
      type: "event",
      payload: { sensor: "tool-output", "call-id": "k", tool: "shell", result: {}, changes },
    });
  },
  "a file that a trial would change": ({ turn }) => {
    const changes = [{ path: all, change: "replace", added: 1, removed: 1, diff: all, left: 0 }];
    turn("t").asks(question({ action: proposal("shell", { cmd: "make" }), changes }));
  },
  "what the vault says": ({ client }) => {
    answerRequest(client, "vault-status", { code: "vault-locked" });
    answerRequest(client, "help", { data: [] });
    client.message({ type: "response", id: "x", payload: { outcome: "refused", code: all, text: all } });
  },
  "what is browsed": async ({ turn, terminal }) => {
    turn("t").proposed("k", proposal("shell", { cmd: all }));
    turn("t").output("k", "shell", { stdout: all, exitCode: 0 });
    turn("t").answered("a0");
    await painted(terminal);
    terminal.type("\u0014", "\u001b[A", "\r");
    terminal.type("/", "a", "0");
    terminal.type(`\u001b[200~${words[1] ?? ""}\u001b[201~`);
  },
  "the moments to go back to": async ({ client, terminal }) => {
    terminal.type("\u001b", "\u001b");
    answerRequest(client, "moments", { data: words.map((word) => ({ id: "t", words: word })) });
    await painted(terminal);
  },
  "what going back would take back": async ({ client, terminal }) => {
    terminal.type("\u001b", "\u001b");
    answerRequest(client, "moments", { data: [{ id: "t", words: "x" }] });
    terminal.type("\r");
    terminal.time.now += 60;
    answerRequest(client, "rewind", { text: words.join("\n") });
  },
  "the list of sessions": async ({ client, terminal }) => {
    terminal.type("\u001bOQ");
    const data = words.map((word) => ({ id: "s", title: word, workspace: word }));
    answerRequest(client, "sessions", { data });
    await painted(terminal);
  },
  "several questions in a list": async ({ turn, terminal, time }) => {
    for (const name of ["t1", "t2"])
      turn(name).asks(question({ token: name, text: all, action: proposal("shell", { cmd: all }) }));
    await painted(terminal);
    time.now += 1_000;
    terminal.type("l");
  },
  "a paste": ({ terminal }) => terminal.type(`\u001b[200~${all}\u001b[201~`),
  "a short paste": ({ terminal }) => {
    for (const word of words) terminal.type(`\u001b[200~${word}\u001b[201~`);
  },
  "what the owner sent": ({ app, terminal }) => {
    app.conversation.addWords("x", all);
    terminal.type("x");
  },
};

/** Places that show how a session is opened. */
const opening: ReadonlySet<string> = new Set([
  "the words of an earlier session",
  "the folder of the session",
]);

/** What this program itself writes: colours, places, movements inside of what changes on the main screen, and the modes of the alternate screen. */
const own = new RegExp(
  [
    "\u001b\\[\\d{1,3}(?:;\\d{1,3}){0,4}m",
    "\u001b\\[\\d+;\\d+H",
    "\u001b\\[(?:2K|2J|H|J|\\d{1,3}[ABC])",
    "\u001b\\[\\?(?:2026|25|7|1049|1000|1002|1003|1004|1006)[hl]",
    "\u001b\\]8;;\u0007",
    "\u001b\\]11;\\?\u0007",
    // On the main screen: at the beginning of a frame, between its rows, and before the cursor is placed.
    "(?<=\u001b\\[\\?7l)\r",
    "\r\n",
    "\r(?=\u001b\\[(?:\\d+[AC]|\\?7h))",
  ].join("|"),
  "g",
);
const hidden = /[\p{Cc}\p{Cs}\p{Bidi_Control}\u2028\u2029\ufff9-\ufffb\u{e0000}-\u{e007f}]/u;

function checkBytes(terminal: HeadlessTerminal, place: string): void {
  const written = terminal.written.join("");
  for (const sequence of hostileSequences) {
    if (hidden.test(sequence) && sequence.length > 2)
      assert.ok(!written.includes(sequence), `${JSON.stringify(sequence)} of ${place}`);
  }
  const rest = written.replaceAll(own, "");
  const [, found = "", around = ""] =
    /([\s\S]{0,20})([\p{Cc}\p{Cs}\p{Bidi_Control}\u2028\u2029\ufff9-\ufffb\u{e0000}-\u{e007f}][\s\S]{0,20})/u.exec(
      rest,
    ) ?? [];
  assert.equal(found + around, "", `a control character of ${place} reached the terminal`);
  const clears = written.split("\u001b[2J").length - 1;
  // A screen of its own is cleared by this program alone: as it opens. The main screen is never cleared.
  assert.ok(clears === 2 || (clears === 0 && place.endsWith("main screen")), `${place}: ${clears} clears`);
}

for (const [name, put] of Object.entries(places)) {
  for (const where of ["whole", "main"] as const) {
    const place = where === "whole" ? name : `${name}, on the main screen`;
    test(`${place} cannot steer the terminal`, async (t) => {
      const open = !opening.has(name);
      const screen = { place: where, mouse: "scroll" } as const;
      const world = openApp(t, { columns: 1000, rows: 240, bells: "off", open, screen });
      const titles: string[] = [];
      world.terminal.xterm.onTitleChange((title) => titles.push(title));
      const replies: string[] = [];
      await looked(world.app);
      await painted(world.terminal);
      world.terminal.xterm.onData((data) => replies.push(data));
      await put(world);
      await painted(world.terminal);
      const shown = world.terminal.everything().join("\n");
      assert.match(shown, /a0|\[paste #1/i, `${place} is shown`);
      checkBytes(world.terminal, place);
      assert.deepEqual({ titles, replies }, { titles: [], replies: [] }, place);
      const isWhole = where === "whole" || world.terminal.written.join("").includes("\u001b[?1049h");
      assert.equal(world.terminal.xterm.buffer.active.type, isWhole ? "alternate" : "normal");
      assert.equal(world.terminal.xterm.modes.originMode, false);
    });
  }
}
