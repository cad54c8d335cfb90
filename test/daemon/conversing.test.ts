import assert from "node:assert/strict";
import { existsSync } from "node:fs";
import { test } from "node:test";
import { calls, isMissing, makeWorld, onDatabase } from "../agent-world.ts";
import { openTerminal } from "../open-terminal.ts";
import { startCommand } from "./live-command.ts";
import { serveDaemon } from "./serve-daemon.ts";

const writesOutside = calls(["write-file", { path: "../outside.txt", content: "made\n" }]);

test("a piped conversation stays until the turn of its last line has ended", async (t) => {
  const world = await makeWorld(t, [{ text: "Good morning." }, { text: "Made it.", pauseMs: 300 }]);
  await serveDaemon(world);
  const talk = startCommand(t, world, ["cli"]);
  talk.type("hello\n");
  await talk.printed(/Good morning/);
  talk.type("make it\n");
  talk.hangUp();
  const { code, out } = await talk.end;
  assert.equal(code, 0);
  assert.match(out, /Made it\./);
});

test("a conversation shows what another session asks and in which folder, and a bare yes is not for that", async (t) => {
  if (isMissing(t, "tmux", "tmux")) return;
  const world = await makeWorld(t, [writesOutside, { text: "Made it.", repeat: true }]);
  await serveDaemon(world);
  await using terminal = await openTerminal(world, ["cli"]);
  await terminal.shows(/with the daemon/);
  const { code } = await world.command(["ask", "make it"]);
  assert.equal(code, 4);
  const shown = await terminal.shows(/Session \S+ asks:\s+May I\?[\s\S]*\/deny /);
  assert.match(shown, new RegExp(`This is a question of another session, in ${world.workspace}\\.`));
  const [, session = ""] = /Session (\S+) asks/.exec(shown) ?? [];
  const ids = onDatabase(world, `SELECT id FROM sessions WHERE id LIKE '${session}%'`).map(({ id }) => id);
  assert.deepEqual([session.length, ids.length], [8, 1]);
  terminal.type("/approve");
  terminal.press("Enter");
  await terminal.shows(/One question waits\.\n {2}1 {2}a question of another session, in /);
  assert.equal(existsSync(`${world.home}/outside.txt`), false);
  terminal.type("/approve 2");
  terminal.press("Enter");
  await terminal.shows(/No question has the number 2/);
  assert.equal(existsSync(`${world.home}/outside.txt`), false);
  terminal.type("/approve 1");
  terminal.press("Enter");
  while (!existsSync(`${world.home}/outside.txt`)) await new Promise((resolve) => setTimeout(resolve, 20));
});

test("a conversation through the daemon is a tui's", async (t) => {
  const world = await makeWorld(t, [{ text: "Hello." }]);
  await serveDaemon(world);
  await world.command(["cli"], { input: "hello\n" });
  const signals = onDatabase(
    world,
    "SELECT json_extract(messages.body, '$.source') AS source FROM turns JOIN messages ON place = turns.number * 1048576",
  );
  assert.deepEqual(
    signals.map(({ source }) => source),
    ["tui"],
  );
});

test("a snapshot is taken beside the daemon as without one, and can be gone back to", async (t) => {
  const world = await makeWorld(t, [{ text: "Hello." }]);
  await world.command(["ask", "hello"]);
  const alone = await world.command(["memory", "snapshot", "--json", "by", "itself"]);
  await serveDaemon(world);
  const beside = await world.command(["memory", "snapshot", "--json", "with", "the daemon"]);
  assert.deepEqual([alone.code, beside.code], [0, 0], beside.err);
  const read = ({ out }: { readonly out: string }): { readonly id: number; readonly note: string } =>
    JSON.parse(out);
  const [first, second] = [read(alone), read(beside)];
  assert.deepEqual(Object.keys(first), Object.keys(second));
  assert.deepEqual([first.note, second.note], ["by itself", "with the daemon"]);
  assert.equal((await world.command(["memory", "rollback", String(second.id)])).code, 0);
  assert.equal((await world.command(["memory", "rollback", "4711"])).code, 1);
});

test("Ctrl-C stops what runs in the session through the daemon, and leaves its open question, as without one", async (t) => {
  const world = await makeWorld(t, [writesOutside, { fault: "hang" }, { text: "Made it." }]);
  await serveDaemon(world);
  const { err } = await world.command(["ask", "--session", "s", "make it"]);
  const [, token = ""] = /approve (\S+)/.exec(err) ?? [];
  const asking = startCommand(t, world, ["ask", "--session", "s", "think for ever"]);
  await world.provider.reached(2);
  asking.signal("SIGINT");
  assert.equal((await asking.end).code, 1);
  assert.equal((await world.command(["approve", token])).out, "Made it.\n");
});
