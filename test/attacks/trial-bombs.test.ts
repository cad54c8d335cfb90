import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { existsSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { monitorEventLoopDelay } from "node:perf_hooks";
import { test } from "node:test";
import { court } from "./trial-court.ts";

/** Programs that take more than a trial may, with the bounds that they are held to and what is said of it. */
const bombs = [
  {
    name: "memory that many processes take together, each little",
    script: "for (1 .. 20) { unless (fork) { $x = chr(1) x 40_000_000; sleep 60; exit } } sleep 60",
    bounds: { memory: 300_000_000 },
    said: /beyond-limits.*took too much memory/,
  },
  {
    name: "processes, also where root starts them",
    script: "for (1 .. 200) { unless (fork) { sleep 60; exit } } sleep 60",
    bounds: { processes: 100 },
    said: /beyond-limits.*more than 100 processes/,
  },
  {
    name: "files of no size, which take no room but their names",
    script: 'mkdir "many"; for (1 .. 3000) { open F, ">", "many/$_" } print "made\n"',
    bounds: { entries: 2_000 },
    said: /too-large.*more than 2000 files and folders/,
  },
  {
    name: "files with holes, which take no room and long to read",
    script: 'for (1 .. 5) { open F, ">", "hole$_"; truncate F, 1_900_000_000 } print "made\n"',
    bounds: {},
    said: /too-large.*more than 8000000000 bytes/,
  },
  {
    name: "a folder so deep that no path leads into it",
    script: 'for (1 .. 600) { mkdir "deeply"; chdir "deeply" } print "made\n"',
    bounds: {},
    said: /too-large.*a path of more than/,
  },
];

test("a trial ends within its limits, and leaves nothing: memory of many processes, their number, countless files, files with holes, deep folders", async (context) => {
  for (const { name, script, bounds, said } of bombs) {
    const made = await court(context, { bounds });
    if (made === null) return;
    const { workspace, path, attempt, sets } = made;
    writeFileSync(path("bomb.pl"), script);
    const delays = monitorEventLoopDelay({ resolution: 10 });
    delays.enable();
    const { said: told, changed } = await attempt("perl bomb.pl");
    context.diagnostic(`${name}: longest wait of other work ${Math.round(delays.max / 1e6)} ms`);
    assert.match(told, said, name);
    assert.equal(changed, false);
    assert.deepEqual(readdirSync(workspace), ["bomb.pl"]);
    assert.deepEqual(readdirSync(sets), []);
  }
});

test("what a program closes, for its owner too, is looked through, and no trial keeps it open", async (context) => {
  const made = await court(context);
  if (made === null) return;
  const { path, attempt } = made;
  writeFileSync(path("file"), "before");
  const { changed } = await attempt(
    `sh -c 'mkdir -p new/in; echo x > new/in/x; chmod 0 new/in/x new/in new; echo after > file; chmod 0 file'`,
  );
  assert.equal(changed, true);
  assert.equal(readFileSync(path("file"), "utf8"), "before");
  assert.equal(existsSync(path("new")), false);
});

test("a program that outlives its command, apart from its session and its streams, changes nothing once the trial is over", async (context) => {
  const made = await court(context);
  if (made === null) return;
  const { path, attempt } = made;
  const script = `use POSIX; unless (fork) { POSIX::setsid(); close STDIN; close STDOUT; close STDERR;
    unless (fork) { for (;;) { open F, ">", "written"; print F time; close F } } exit } select undef, undef, undef, 0.1; print "over\n"`;
  writeFileSync(path("linger.pl"), script);
  const mark = `linger-${Math.random()}`;
  const { changed } = await attempt(`perl linger.pl ${mark}`);
  const commands = execFileSync("/bin/sh", ["-c", "cat /proc/[0-9]*/cmdline 2>/dev/null; true"], {
    encoding: "latin1",
  });
  assert.equal(changed, true);
  assert.ok(!commands.includes(`linger.pl\0${mark}`));
});
