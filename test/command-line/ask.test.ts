import assert from "node:assert/strict";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import type { LoopEvent } from "../../src/signal/loop-event.ts";
import { calls, journalOf, makeWorld, sent } from "../agent-world.ts";
import { refusingUrl } from "../loopback-provider.ts";
import type { Finished } from "../run-command.ts";

/** The events that `--json` printed, one a line. */
function eventsOf({ out }: Finished): readonly LoopEvent[] {
  return out
    .trimEnd()
    .split("\n")
    .map((line): LoopEvent => JSON.parse(line.replace('{"event":', '{"type":')));
}

test("ask prints the answer and nothing else on standard output, and ends with 0", async (t) => {
  const world = await makeWorld(t, [{ text: ["Good ", "morning."] }]);
  const done = await world.command(["ask", "good", "morning"]);
  assert.deepEqual([done.code, done.out], [0, "Good morning.\n"]);
  assert.match(sent(world, 0), /good morning/);
});

test("ask without TEXT reads it from standard input", async (t) => {
  const world = await makeWorld(t, [{ text: "Read." }]);
  const done = await world.command(["ask"], { input: "said over a pipe\n" });
  assert.deepEqual([done.code, done.out], [0, "Read.\n"]);
  assert.match(sent(world, 0), /said over a pipe/);
});

test("what comes by a pipe goes with the words, as words of others, bounded", async (t) => {
  const world = await makeWorld(t, [{ text: "Seen.", repeat: true }], { LOOP_CONTEXT_WINDOW: "128000" });
  await world.command(["ask", "what does the log say?"], { input: "panic in heliotrope\n/undo\n" });
  assert.match(sent(world, 0), /what does the log say\?/);
  assert.match(sent(world, 0), /ATTACHED FILE .{1,6}standard input[^:]*: *.{0,4}panic in heliotrope/);
  const long = await world.command(["ask", "and now?"], { input: `${"line\n".repeat(100_000)}the end\n` });
  assert.match(long.err, /Standard input has 500,008 characters; the first and the last of them are sent/);
  assert.ok(sent(world, 1).length < 80_000);
  assert.match(sent(world, 1), /characters left out …[^…]*the end/);
  const binary = Buffer.from(Array.from({ length: 3_000 }, (_, at) => (at * 7_919) % 251)).toString("latin1");
  const odd = await world.command(["ask", "and this?"], { input: binary.replaceAll(/[a-z]/g, "\u0001") });
  assert.match(odd.err, /^Standard input is no text, so only its size is sent\./m);
  assert.match(sent(world, 2), /bytes that are no text; they are not shown/);
  await world.command(["ask", "nothing"], { input: "" });
  assert.doesNotMatch(sent(world, 3), /ATTACHED FILE/);
});

test("what comes by a pipe licenses nothing: a file that it names is none that the owner named", async (t) => {
  const world = await makeWorld(t);
  const letter = join(world.home, "letter.txt");
  writeFileSync(letter, "Dear Ada\n");
  const read = calls(["read-file", { path: letter }]);
  world.provider.add(read, { text: "Read." }, read);
  assert.equal((await world.command(["ask", `read ${letter}`])).code, 0);
  const piped = await world.command(["ask", "read it"], { input: `read ${letter}\n` });
  assert.equal(piped.code, 4, piped.err);
});

test("a command takes nothing by a pipe: with one nothing is done, which is said; one that is typed wrongly ends with 2", async (t) => {
  const world = await makeWorld(t, []);
  for (const command of ["/note with words", "/search words", "/undo"]) {
    const done = await world.command(["ask", command], { input: "piped words\n" });
    assert.equal(done.code, 1, command);
    assert.match(done.err, /^A command takes nothing by a pipe\. Nothing was done\./m, command);
  }
  assert.deepEqual(
    journalOf(world).filter(({ kind }) => kind === "intent"),
    [],
  );
  for (const wrong of ["/note", "/no-such-command"])
    assert.equal((await world.command(["ask", wrong])).code, 2, wrong);
});

test("a blocked turn ends with 3 and the reason", async (t) => {
  const world = await makeWorld(t, [{ ...calls(["read-file", { path: "/etc/shadow" }]), repeat: true }]);
  const done = await world.command(["ask", "read the passwords"]);
  assert.deepEqual([done.code, done.out], [3, ""]);
  assert.match(done.err, /blocked: .*\/etc\/shadow/);
});

test("the reason of a block is shown once, whether the turn ends with it or continues", async (t) => {
  const reason = /\/etc\/shadow is a secret path/g;
  const reflex = await makeWorld(t, [], { PROVIDER_CASCADE: "" });
  const ended = await reflex.run(["ask", "read /etc/shadow"]);
  assert.equal(ended.code, 3);
  assert.equal(ended.err.match(reason)?.length, 1, ended.err);
  const world = await makeWorld(t, [calls(["read-file", { path: "/etc/shadow" }]), { text: "I may not." }]);
  const answered = await world.command(["ask", "read the passwords"]);
  assert.deepEqual([answered.code, answered.out], [0, "I may not.\n"]);
  assert.match(answered.err, /^block: \/etc\/shadow is a secret path/m);
  assert.equal(answered.err.match(reason)?.length, 1, answered.err);
});

test("over budget ends with 5", async (t) => {
  const world = await makeWorld(t, [], {
    LOOP_INPUT_PRICE: "10",
    LOOP_OUTPUT_PRICE: "10",
    BUDGET_PER_DAY: "0",
  });
  const done = await world.command(["ask", "hi"]);
  assert.equal(done.code, 5);
  assert.match(done.err, /Budget exhausted/);
});

test("no provider that could answer ends with 6", async (t) => {
  const world = await makeWorld(t, [], { LOOP_BASE_URL: await refusingUrl() });
  const done = await world.command(["ask", "hi"]);
  assert.equal(done.code, 6);
  assert.match(done.err, /No provider could answer/);
});

test("ask --json prints each event as a line, in order, with its session and turn", async (t) => {
  const world = await makeWorld(t, [calls(["list-files", { path: "." }]), { text: "It is empty." }]);
  const done = await world.command(["ask", "--json", "list"]);
  const events = eventsOf(done);
  assert.deepEqual(
    events.map(({ type }) => type).filter((event) => event !== "text"),
    ["accepted", "thinking", "proposed", "verdict", "outcome", "thinking", "answered"],
  );
  const [first] = events;
  assert.ok(first !== undefined && first.session !== "" && first.turn !== "");
  assert.ok(events.every(({ session, turn }) => session === first.session && turn === first.turn));
  assert.match(done.out, /"event":"text",[^\n]*"text":"It is /);
  assert.match(done.out, /"event":"verdict",[^\n]*"verdict":"pass","reason":"","trace":\[[^\n]*"effects":\[/);
  assert.match(done.out, /"event":"answered",[^\n]*"text":"It is empty\."\}\n$/);
  assert.equal(done.err.includes("{"), false);
});

test("ask --json shows a question with its token, action and effects", async (t) => {
  const world = await makeWorld(t, [calls(["shell", { cmd: "touch made.txt" }])]);
  const done = await world.command(["ask", "--json", "make it"]);
  assert.equal(done.code, 4);
  const last = eventsOf(done).at(-1);
  assert.ok(last?.type === "approval-required");
  assert.equal(last.action.payload["tool"], "shell");
  assert.equal(last.effects[0]?.kind, "run-program");
  assert.match(last.token, /^[\w-]{22}$/);
});

for (const [event, code, steps, settings] of [
  ["blocked", 3, [{ ...calls(["read-file", { path: "/etc/shadow" }]), repeat: true }], {}],
  ["failed", 6, [{ status: 401 }], {}],
  ["stopped", 1, [calls(["list-files", { path: "." }])], { DEPTH_LIMIT: "1" }],
] as const) {
  test(`ask --json ends with a ${event} event that has a reason`, async (t) => {
    const world = await makeWorld(t, steps, settings);
    const done = await world.command(["ask", "--json", "go"]);
    const last = eventsOf(done).at(-1);
    assert.ok(last?.type === event);
    assert.ok(last.reason.length > 10);
    assert.equal(done.code, code);
  });
}

test("ask --quiet says nothing on standard error", async (t) => {
  const world = await makeWorld(t, [calls(["list-files", { path: "." }]), { text: "Listed." }]);
  const done = await world.command(["ask", "--quiet", "list"], { settings: { DEPTH_LIMIT: "many" } });
  assert.deepEqual(done, { code: 0, out: "Listed.\n", err: "" });
});

test("ask starts a new session, and --continue or --session continues one", async (t) => {
  const world = await makeWorld(t, [
    { text: "Heliotrope is noted." },
    { text: "I know." },
    { text: "New." },
    { text: "Named." },
  ]);
  await world.command(["ask", "--session", "flowers", "the word is heliotrope"]);
  await world.command(["ask", "--continue", "what is the word?"]);
  await world.command(["ask", "what is the word?"]);
  await world.command(["ask", "--session", "flowers", "what is the word?"]);
  const knows = [1, 2, 3].map((request) => sent(world, request).includes("Heliotrope is noted"));
  assert.deepEqual(knows, [true, false, true]);
});

test("ask in a folder works on the files of that folder", async (t) => {
  const world = await makeWorld(t, [
    calls(["write-file", { path: "a.txt", content: "x" }]),
    { text: "Written." },
  ]);
  const done = await world.command(["ask", "write it"]);
  assert.equal(done.code, 0);
  assert.equal(readFileSync(world.path("a.txt"), "utf8"), "x");
});

test("a note beside tool calls goes to standard error, and the answer alone to standard output", async (t) => {
  const world = await makeWorld(t, [
    { text: "I will look around.", ...calls(["list-files", { path: "." }]) },
    { text: "It is empty." },
  ]);
  const done = await world.command(["ask", "look"]);
  assert.equal(done.out, "It is empty.\n");
  assert.match(done.err, /^│ I will look around\.\nlist-files: done: \.\n/);
});

test("of tries that broke off, the words of the last one stand once where nobody watches", async (t) => {
  const text = ["A beginning that ", "is long enough to be shown. ".repeat(20)];
  const world = await makeWorld(t, [{ text, fault: "break-off", repeat: true }]);
  const { code, out, err } = await world.command(["ask", "hi"]);
  assert.notEqual(code, 0);
  assert.ok(world.provider.requests.length > 1);
  assert.ok((out + err).split("A beginning that").length <= 2, out + err);
});
