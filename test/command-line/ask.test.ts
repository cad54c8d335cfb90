import assert from "node:assert/strict";
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import type { LoopEvent } from "../../src/signal/loop-event.ts";
import { calls, type Finished, makeWorld, sent } from "../agent-world.ts";
import { refusingUrl } from "../loopback-provider.ts";

/** The events that `--json` printed, one a line. */
function eventsOf({ out }: Finished): readonly LoopEvent[] {
  return out
    .trimEnd()
    .split("\n")
    .map((line): LoopEvent => JSON.parse(line.replace('{"event":', '{"type":')));
}

test("ask prints the answer and nothing else on standard output, and ends with 0", async (t) => {
  const world = await makeWorld(t, [{ text: ["Good ", "morning."] }]);
  const done = await world.run(["ask", "good", "morning"]);
  assert.deepEqual([done.code, done.out], [0, "Good morning.\n"]);
  assert.match(sent(world, 0), /good morning/);
});

test("ask takes its text from standard input where it is given none", async (t) => {
  const world = await makeWorld(t, [{ text: "Read." }]);
  const done = await world.run(["ask"], { input: "said over a pipe\n" });
  assert.deepEqual([done.code, done.out], [0, "Read.\n"]);
  assert.match(sent(world, 0), /said over a pipe/);
});

test("wrong use ends with 2 and says how it is used", async (t) => {
  const world = await makeWorld(t);
  const wrong = [
    ["ask", "--no-such-option", "hi"],
    ["ask", "--session", "a", "--continue", "hi"],
    ["ask"],
    ["approve"],
    ["judge", "--workspace"],
    ["journal", "shred"],
    ["memory"],
    ["doctor", "--fix"],
    ["doctor", "please"],
    ["--no-such-option"],
  ];
  for (const { code, err, out } of await Promise.all(wrong.map((args) => world.run(args)))) {
    assert.deepEqual([code, out], [2, ""], err);
    assert.match(err, /Usage: passepartout/);
  }
  assert.equal(existsSync(world.state), false);
});

test("--help after a command prints how it is used on standard output, and ends with 0", async (t) => {
  const world = await makeWorld(t);
  const names = [
    "ask",
    "approve",
    "deny",
    "judge",
    "journal",
    "memory",
    "daemon",
    "doctor",
    "diagnostics",
    "tui",
  ];
  const done = await Promise.all(names.map((name) => world.run([name, "--help"])));
  for (const { code, out, err } of done) {
    assert.deepEqual([code, err], [0, ""]);
    assert.match(out, /^Usage: passepartout /);
  }
  assert.equal(existsSync(world.state), false);
  assert.match((await world.run(["ask", "--frob"])).err, /^passepartout: Unknown option --frob\./);
});

test("a command that does not exist ends with 2 and names it", async (t) => {
  const world = await makeWorld(t);
  const done = await world.run(["frobnicate"]);
  assert.equal(done.code, 2);
  assert.match(done.err, /There is no command 'frobnicate'\./);
});

test("a blocked turn ends with 3 and the reason", async (t) => {
  const world = await makeWorld(t, [{ ...calls(["read-file", { path: "/etc/shadow" }]), repeat: true }]);
  const done = await world.run(["ask", "read the passwords"]);
  assert.deepEqual([done.code, done.out], [3, ""]);
  assert.match(done.err, /blocked: .*\/etc\/shadow/);
});

test("the reason of a block is told once where the turn ends with it, and where the turn goes on after it", async (t) => {
  const reason = /\/etc\/shadow is a secret path/g;
  const reflex = await makeWorld(t, [], { PROVIDER_CASCADE: "" });
  const ended = await reflex.run(["ask", "read /etc/shadow"]);
  assert.equal(ended.code, 3);
  assert.equal(ended.err.match(reason)?.length, 1, ended.err);
  const world = await makeWorld(t, [calls(["read-file", { path: "/etc/shadow" }]), { text: "I may not." }]);
  const answered = await world.run(["ask", "read the passwords"]);
  assert.deepEqual([answered.code, answered.out], [0, "I may not.\n"]);
  assert.match(answered.err, /^block: \/etc\/shadow is a secret path/m);
  assert.equal(answered.err.match(reason)?.length, 1, answered.err);
});

test("a pending approval ends with 4 at once, and the token is printed with how to answer", async (t) => {
  const world = await makeWorld(t, [calls(["shell", { cmd: "touch made.txt" }])]);
  const done = await world.run(["ask", "make it"]);
  assert.equal(done.code, 4);
  assert.match(done.out, /May I\? [\s\S]*run touch made\.txt[\s\S]*Yes: \/approve [\w-]{22}\n/);
  assert.equal(existsSync(world.path("made.txt")), false);
});

test("over budget ends with 5", async (t) => {
  const world = await makeWorld(t, [], {
    LOOP_INPUT_PRICE: "10",
    LOOP_OUTPUT_PRICE: "10",
    BUDGET_PER_DAY: "0",
  });
  const done = await world.run(["ask", "hi"]);
  assert.equal(done.code, 5);
  assert.match(done.err, /Budget exhausted/);
});

test("no provider that could answer ends with 6", async (t) => {
  const world = await makeWorld(t, [], { LOOP_BASE_URL: await refusingUrl() });
  const done = await world.run(["ask", "hi"]);
  assert.equal(done.code, 6);
  assert.match(done.err, /No provider could answer/);
});

test("approve resumes the turn, follows it to its end, and has ask's output and exit codes", async (t) => {
  const world = await makeWorld(t);
  world.provider.add(
    calls(["write-file", { path: join(world.home, "out.txt"), content: "x" }]),
    { text: "Written." },
    calls(["write-file", { path: join(world.home, "two.txt"), content: "x" }]),
    calls(["write-file", { path: join(world.home, "three.txt"), content: "x" }]),
  );
  const token = (done: Finished): string => /\/approve (\S+)/.exec(done.out)?.[1] ?? "";
  const asked = await world.run(["ask", "write it"]);
  const done = await world.run(["approve", token(asked)]);
  assert.deepEqual([done.code, done.out], [0, "Written.\n"], done.err);
  const more = await world.run(["approve", token(await world.run(["ask", "write two more"]))]);
  assert.equal(more.code, 4);
  assert.match(more.out, /three\.txt/);
});

test("a token that is unknown, used or expired ends with 1", async (t) => {
  const world = await makeWorld(t);
  world.provider.add(
    calls(["write-file", { path: join(world.home, "out.txt"), content: "x" }]),
    { text: "Written." },
    calls(["write-file", { path: join(world.home, "two.txt"), content: "x" }]),
  );
  const asked = await world.run(["ask", "--json", "write it"]);
  const [question] = eventsOf(asked).filter((event) => event.type === "approval-required");
  const token = question?.token ?? "";
  await world.run(["approve", token]);
  const used = await world.run(["approve", token]);
  const late = await world.run(["ask", "--json", "again"], { settings: { APPROVAL_EXPIRY: "0.001" } });
  const [expired] = eventsOf(late).filter((event) => event.type === "approval-required");
  const tooLate = await world.run(["approve", expired?.token ?? ""]);
  const unknown = await world.run(["approve", "AAAAAAAAAAAAAAAAAAAAAA"]);
  assert.deepEqual([used.code, tooLate.code, unknown.code], [1, 1, 1]);
  assert.match(used.err, /was used/);
  assert.match(tooLate.err, /has expired/);
  assert.match(unknown.err, /is not known/);
});

test("a token that begins with a hyphen is a token, and no option", async (t) => {
  const world = await makeWorld(t);
  const done = await world.run(["approve", "--quiet", "-AAAAAAAAAAAAAAAAAAAAA"]);
  assert.equal(done.code, 1);
  assert.match(done.err, /This token is not known/);
});

test("deny ends with 0 and says that nothing was done", async (t) => {
  const world = await makeWorld(t, [calls(["shell", { cmd: "touch made.txt" }])]);
  const asked = await world.run(["ask", "make it"]);
  const done = await world.run(["deny", /\/deny (\S+)/.exec(asked.out)?.[1] ?? ""]);
  assert.equal(done.code, 0, done.err);
  assert.match(done.out, /Denied\. Nothing of it was done\./);
});

test("ask --json prints one event a line in order, each with its session and turn", async (t) => {
  const world = await makeWorld(t, [calls(["list-files", { path: "." }]), { text: "It is empty." }]);
  const done = await world.run(["ask", "--json", "list"]);
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
  const done = await world.run(["ask", "--json", "make it"]);
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
    const done = await world.run(["ask", "--json", "go"]);
    const last = eventsOf(done).at(-1);
    assert.ok(last?.type === event);
    assert.ok(last.reason.length > 10);
    assert.equal(done.code, code);
  });
}

test("ask --quiet says nothing on standard error", async (t) => {
  const world = await makeWorld(t, [calls(["list-files", { path: "." }]), { text: "Listed." }]);
  const done = await world.run(["ask", "--quiet", "list"], { settings: { DEPTH_LIMIT: "many" } });
  assert.deepEqual(done, { code: 0, out: "Listed.\n", err: "" });
});

test("ask begins a new session, and --continue or --session goes on with one", async (t) => {
  const world = await makeWorld(t, [
    { text: "Heliotrope is noted." },
    { text: "I know." },
    { text: "New." },
    { text: "Named." },
  ]);
  await world.run(["ask", "--session", "flowers", "the word is heliotrope"]);
  await world.run(["ask", "--continue", "what is the word?"]);
  await world.run(["ask", "what is the word?"]);
  await world.run(["ask", "--session", "flowers", "what is the word?"]);
  const knows = [1, 2, 3].map((request) => sent(world, request).includes("Heliotrope is noted"));
  assert.deepEqual(knows, [true, false, true]);
});

test("--version and --help need no state, and make none", async (t) => {
  const world = await makeWorld(t);
  const [version, help] = await Promise.all([world.run(["--version"]), world.run(["--help"])]);
  assert.match(version.out, /^\d+\.\d+\.\d+\n$/);
  assert.match(help.out, /Exit codes: 0 answered or done, 1 failed, 2 wrong usage, 3 blocked/);
  assert.deepEqual([version.code, help.code, existsSync(world.state)], [0, 0, false]);
});

test("ask in a folder works on the files of that folder", async (t) => {
  const world = await makeWorld(t, [
    calls(["write-file", { path: "a.txt", content: "x" }]),
    { text: "Written." },
  ]);
  const done = await world.run(["ask", "write it"]);
  assert.equal(done.code, 0);
  assert.equal(readFileSync(world.path("a.txt"), "utf8"), "x");
});

test("a note beside tool calls goes to standard error, and the answer alone to standard output", async (t) => {
  const world = await makeWorld(t, [
    { text: "I will look around.", ...calls(["list-files", { path: "." }]) },
    { text: "It is empty." },
  ]);
  const done = await world.run(["ask", "look"]);
  assert.equal(done.out, "It is empty.\n");
  assert.match(done.err, /^I will look around\.\nlist-files: done\n/);
});

test("ask /approve follows the turn to its end", async (t) => {
  const world = await makeWorld(t, [
    calls(["write-file", { path: "../out.txt", content: "x" }]),
    { text: "Written." },
  ]);
  const asked = await world.run(["ask", "write it"]);
  const token = /\/approve (\S+)/.exec(asked.out)?.[1] ?? "";
  const done = await world.run(["ask", `/approve ${token}`]);
  assert.deepEqual([done.code, done.out], [0, "Written.\n"]);
});

test("a reader that goes away in the middle does no harm", async (t) => {
  const world = await makeWorld(t, [{ text: "A long tale.\n".repeat(50_000) }]);
  const done = await world.run(["ask", "tell me"], { reads: 100 });
  assert.equal(done.err, "");
  assert.equal(done.code, 0);
});
