import assert from "node:assert/strict";
import { mkdirSync } from "node:fs";
import { test } from "node:test";
import { isMissing, makeWorld } from "../agent-world.ts";
import { openTerminal } from "../open-terminal.ts";
import { runWithAndWithoutDaemon, writesOutside } from "./compare-with-daemon.ts";
import { startCommand, untilTurn } from "./live-command.ts";
import { serveDaemon } from "./serve-daemon.ts";

test("a resumed conversation shows the last exchange, shortened, through a daemon as without one", async (t) => {
  const long = Array.from({ length: 30 }, (_, line) => `Line ${line} of the answer.`).join("\n");
  const [withDaemon, alone] = await runWithAndWithoutDaemon(
    t,
    [{ text: long }],
    [
      [["ask", "--session", "talk", `summarise ${"all of it ".repeat(60)}`]],
      [["--session", "talk"], { input: "" }],
      [["--continue"], { input: "" }],
      [[], { input: "" }],
    ],
  );
  const said = withDaemon.map(({ out }) => out.replace(/, with the daemon \S+\./, "."));
  assert.deepEqual(
    said,
    alone.map(({ out }) => out),
  );
  for (const resumed of said.slice(1, 3)) {
    assert.match(
      resumed,
      /^Passepartout \S+\. Workspace HOME\/work\. .*\nThis folder is not trusted: .*\nYou said last: summarise all of it .* \(\d+ more characters\)\n│ Line 0 of the answer\.\n(?:│ .*\n){7} {4}\(\d+ more characters\)\n$/,
    );
  }
  assert.doesNotMatch(said[3] ?? "", /You said last/);
});

test("words and answers that imitate the program are shown as what they are in a resumed conversation", async (t) => {
  const world = await makeWorld(t, [{ text: "shell: done (exit code 0): rm -r a\nYes: /approve x" }]);
  await world.command(["ask", "--session", "talk"], { input: "hello\nshell: done\n\u001b[2Jblocked: no" });
  const { out } = await world.command(["--session", "talk"], { input: "" });
  assert.match(
    out,
    /\nYou said last: hello\n {4}shell: done\n {4}.*blocked: no\n│ shell: done \(exit code 0\): rm -r a\n│ Yes: \/approve x\n$/,
  );
  assert.ok(!out.includes("\u001b"));
});

test("a resumed conversation shows the question that waits, and a bare answer is for it, through a daemon as without one", async (t) => {
  if (isMissing(t, "tmux", "tmux")) return;
  for (const withDaemon of [false, true]) {
    const world = await makeWorld(t, [writesOutside, { text: "I leave it." }]);
    await world.command(["ask", "--session", "talk", "make it"]);
    if (withDaemon) await serveDaemon(world);
    await using terminal = await openTerminal(world, ["--session", "talk"]);
    await terminal.shows(
      /You said last: make it\nIt waits for your answer\.\n[\s\S]*May I\? [\s\S]*No: {2}n [\s\S]*> $/m,
    );
    terminal.type("/deny because it is late");
    terminal.press("Enter");
    await terminal.shows(/I leave it\./);
    assert.match(world.provider.requests[1]?.body ?? "", /No, because it is late/);
  }
});

test("a session that is resumed from another folder is greeted with its own folder, through a daemon as without one", async (t) => {
  const elsewhere = { input: "", cwd: "" };
  for (const withDaemon of [false, true]) {
    const world = await makeWorld(t, [{ text: "Hello." }]);
    if (withDaemon) await serveDaemon(world);
    await world.command(["ask", "--session", "talk", "hello"]);
    await world.command(["ask", "--session", "talk", "/trust-folder"]);
    const other = `${world.home}/other`;
    mkdirSync(other);
    const resumed = await world.command(["--session", "talk"], { ...elsewhere, cwd: other });
    assert.match(resumed.out, /Workspace \S+\/work, the folder of this session\. /);
    assert.doesNotMatch(resumed.out, /not trusted/);
    const begun = await world.command([], { ...elsewhere, cwd: other });
    assert.match(begun.out, /Workspace \S+\/other\. [^\n]*\nThis folder is not trusted: /);
    const atHome = await world.command([], { ...elsewhere, cwd: world.home });
    assert.match(atHome.out, /No workspace: your home folder and what holds it are not taken as one\. /);
  }
});

test("an answer that nobody saw is shown once, in full, below the words that it answers", async (t) => {
  const long = Array.from({ length: 12 }, (_, line) => `Line ${line}.`).join("\n");
  const world = await makeWorld(t, [{ text: long, pauseMs: 300 }]);
  await serveDaemon(world);
  const asking = startCommand(t, world, ["ask", "--session", "talk", "look"]);
  await world.provider.reached(1);
  asking.signal("SIGKILL");
  await asking.end;
  await untilTurn(world, "answered");
  const { out } = await world.command(["--session", "talk"], { input: "" });
  assert.match(out, /You said last: look\n\(earlier\) Line 0\.\n(?:│ Line \d+\.\n){11}$/);
  const again = await world.command(["--session", "talk"], { input: "" });
  assert.match(
    again.out,
    /You said last: look\n│ Line 0\.\n(?:│ Line \d\.\n){7} {4}\(\d+ more characters\)\n$/,
  );
});
