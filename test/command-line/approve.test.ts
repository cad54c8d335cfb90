import assert from "node:assert/strict";
import { existsSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import type { LoopEvent } from "../../src/signal/loop-event.ts";
import { calls, makeWorld } from "../agent-world.ts";
import type { Finished } from "../run-command.ts";

/** The events that `--json` printed, one a line. */
function eventsOf({ out }: Finished): readonly LoopEvent[] {
  return out
    .trimEnd()
    .split("\n")
    .map((line): LoopEvent => JSON.parse(line.replace('{"event":', '{"type":')));
}

test("a pending approval ends with 4 at once, and the token is printed with how to answer", async (t) => {
  const world = await makeWorld(t, [calls(["shell", { cmd: "touch made.txt" }])]);
  const done = await world.command(["ask", "make it"]);
  assert.equal(done.code, 4);
  assert.equal(done.out, "");
  assert.match(done.err, /May I\? [\s\S]*run touch made\.txt[\s\S]*Yes: passepartout approve [\w-]{22}\n/);
  assert.equal(existsSync(world.path("made.txt")), false);
});

test("approve resumes the turn, follows it to its end, and has ask's output and exit codes", async (t) => {
  const world = await makeWorld(t);
  world.provider.add(
    calls(["write-file", { path: join(world.home, "out.txt"), content: "x" }]),
    { text: "Written." },
    calls(["write-file", { path: join(world.home, "two.txt"), content: "x" }]),
    calls(["write-file", { path: join(world.home, "three.txt"), content: "x" }]),
  );
  const token = (done: Finished): string => /approve (\S+)/.exec(done.err)?.[1] ?? "";
  const asked = await world.command(["ask", "write it"]);
  const done = await world.command(["approve", token(asked)]);
  assert.deepEqual([done.code, done.out], [0, "Written.\n"], done.err);
  const more = await world.command(["approve", token(await world.command(["ask", "write two more"]))]);
  assert.equal(more.code, 4);
  assert.match(more.err, /three\.txt/);
});

test("a token that is unknown, used or expired ends with 1", async (t) => {
  const world = await makeWorld(t);
  world.provider.add(
    calls(["write-file", { path: join(world.home, "out.txt"), content: "x" }]),
    { text: "Written." },
    calls(["write-file", { path: join(world.home, "two.txt"), content: "x" }]),
  );
  const asked = await world.command(["ask", "--json", "write it"]);
  const [question] = eventsOf(asked).filter((event) => event.type === "approval-required");
  const token = question?.token ?? "";
  await world.command(["approve", token]);
  const used = await world.command(["approve", token]);
  const late = await world.command(["ask", "--json", "again"], { settings: { APPROVAL_EXPIRY: "0.001" } });
  const [expired] = eventsOf(late).filter((event) => event.type === "approval-required");
  const tooLate = await world.command(["approve", expired?.token ?? ""]);
  const unknown = await world.command(["approve", "AAAAAAAAAAAAAAAAAAAAAA"]);
  assert.deepEqual([used.code, tooLate.code, unknown.code], [1, 1, 1]);
  assert.match(used.err, /was answered before, with yes/);
  assert.match(tooLate.err, /has expired/);
  assert.match(unknown.err, /is not known/);
});

test("a token that begins with a hyphen is not an option", async (t) => {
  const world = await makeWorld(t);
  const done = await world.command(["approve", "--quiet", "-AAAAAAAAAAAAAAAAAAAAA"]);
  assert.equal(done.code, 1);
  assert.match(done.err, /This token is not known/);
});

test("deny follows the turn to its end, and tells the model the reason", async (t) => {
  const world = await makeWorld(t, [calls(["shell", { cmd: "touch made.txt" }]), { text: "I leave it." }]);
  const asked = await world.command(["ask", "make it"]);
  const token = /passepartout deny (\S+)/.exec(asked.err)?.[1] ?? "";
  const wrong = await world.command(["deny", token, "it", "is", "late"]);
  assert.equal(wrong.code, 2);
  const done = await world.command(["deny", token, "because", "it", "is late"]);
  assert.deepEqual([done.code, done.out], [0, "I leave it.\n"], done.err);
  assert.match(done.err, /^Denied\. Nothing was done\. The agent is told why, and goes on\.$/m);
  assert.match(world.provider.requests[1]?.body ?? "", /No, because it is late/);
});

test("approve and deny without a token show what waits, with exit code 4, or 0 where nothing does", async (t) => {
  const world = await makeWorld(t, [
    calls(["shell", { cmd: "touch one.txt" }]),
    calls(["shell", { cmd: "touch two.txt" }]),
    { text: "Made." },
  ]);
  assert.deepEqual(await world.command(["approve"]), { code: 0, out: "No question waits.\n", err: "" });
  await world.command(["ask", "make one"]);
  await world.command(["ask", "make two"]);
  for (const command of ["deny", "approve"]) {
    const { code, out, err } = await world.command([command]);
    assert.deepEqual([code, err], [4, ""]);
    assert.match(
      out,
      /^2 questions wait for your answer\.\n\nQuestion 1 of 2:\n[\s\S]*touch one\.txt[\s\S]*\nQuestion 2 of 2:\n/,
    );
    assert.match(
      out,
      /\nAnswer one by its token: passepartout approve TOKEN, or passepartout deny TOKEN because REASON\n$/,
    );
  }
  const { out } = await world.command(["approve"]);
  const second = out.slice(out.indexOf("Question 2 of 2"));
  const numbered = await world.command(["approve", "2"]);
  assert.equal(numbered.code, 2);
  assert.match(numbered.err, /A question is named by its token/);
  assert.equal((await world.command(["approve", /approve (\S+)/.exec(second)?.[1] ?? ""])).code, 0);
  assert.deepEqual([existsSync(world.path("one.txt")), existsSync(world.path("two.txt"))], [false, true]);
});

test("ask /approve follows the turn to its end", async (t) => {
  const world = await makeWorld(t, [
    calls(["write-file", { path: "../out.txt", content: "x" }]),
    { text: "Written." },
  ]);
  const asked = await world.command(["ask", "write it"]);
  const token = /approve (\S+)/.exec(asked.err)?.[1] ?? "";
  const done = await world.command(["ask", `/approve ${token}`]);
  assert.deepEqual([done.code, done.out], [0, "Written.\n"]);
});
