import assert from "node:assert/strict";
import { mkdirSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { makeWorld } from "../agent-world.ts";

const work = `* TODO [#A] Write report :work:
SCHEDULED: <2024-01-15 Mon 10:00>
The budget is small. 🎉
** TODO Call \u202eAda :phone:
DEADLINE: <2024-01-20 Sat>
* Party\n<2024-01-19 Fri>--<2024-01-20 Sat>
[2024-01-16 Tue]
`;

/** Code points before a heading. */
function pointOf(heading: string): number {
  return Array.from(work.slice(0, work.indexOf(heading))).length;
}

test("the agenda shows the week of today from its Monday, over all files of the notes folder", async (t) => {
  const world = await makeWorld(t);
  const notes = join(world.home, "memex");
  mkdirSync(join(notes, "deep"), { recursive: true });
  writeFileSync(join(notes, "work.org"), work);
  writeFileSync(join(notes, "deep", "home.org"), "* TODO Paint\nSCHEDULED: <2024-01-14 Sun +1w>\n");
  const { code, out, err } = await world.command(["agenda", "--today", "2024-01-17"]);
  assert.deepEqual([code, err], [0, ""]);
  const lines = out.trimEnd().split("\n");
  assert.equal(lines[0], "Monday     15 January 2024 W03");
  assert.equal(lines.at(-2), "Sunday     21 January 2024");
  assert.match(out, /^ {2}home: {7}Sched\. 3x: {2}TODO Paint$/m);
  assert.match(out, /^ {2}work: {7}10:00\.{6} Scheduled: {2}TODO \[#A\] Write report +:work:$/m);
  assert.match(out, /^ {2}work: {7}In {3}3 d\.: {2}TODO Call ⟨U\+202E⟩Ada/m);
  assert.match(out, /^ {2}work: {7}\(2\/2\): {2}Party$/m);
  assert.doesNotMatch(out, /January 2024\n {2}work: {7}\[/);
  const json = await world.command([
    "agenda",
    "--from",
    "2024-01-19",
    "--days",
    "1",
    "--today",
    "2024-01-17",
    "--json",
  ]);
  assert.deepEqual(
    json.out
      .trimEnd()
      .split("\n")
      .map((line): unknown => JSON.parse(line)),
    [
      {
        date: "2024-01-19",
        file: "work.org",
        begin: pointOf("* Party"),
        type: "block",
        txt: "Party",
        todo: null,
        tags: [],
        time: "",
        extra: "(1/2): ",
      },
    ],
  );
  const inactive = await world.command(["agenda", "--from", "2024-01-16", "--days", "1", "--inactive"]);
  assert.match(inactive.out, /^ {2}work: {7}\[ Party/m);
});

test("named files are read from the folder that the command was started in", async (t) => {
  const world = await makeWorld(t);
  writeFileSync(world.path("a.org"), work);
  const agenda = await world.command(["agenda", "a.org", "no.org", "--from", "2024-01-20", "--days", "1"]);
  assert.equal(agenda.code, 0);
  assert.match(agenda.out, /^ {2}a: {10}Deadline: {3}TODO Call/m);
  assert.equal(
    agenda.err,
    "passepartout: no.org: There is no readable file with this name. Correct the name, or create the file.\n",
  );
  const query = await world.command(["query", '"budget" OR +phone', "a.org"]);
  assert.deepEqual(
    [query.code, query.out],
    [0, "a.org:1: TODO [#A] Write report  :work:\na.org:4: TODO Call ⟨U+202E⟩Ada  :work:phone:\n"],
  );
  const tree = await world.command(["query", "--tree", "phone", "a.org"]);
  assert.equal(tree.out, "a.org\n* TODO [#A] Write report :work:\n** TODO Call ⟨U+202E⟩Ada :phone:\n");
  const json = await world.command(["query", "--json", "LEVEL=2", "a.org"]);
  const hit: unknown = JSON.parse(json.out);
  assert.deepEqual(hit, {
    file: "a.org",
    begin: pointOf("** TODO"),
    title: "Call \u202eAda",
    todo: "TODO",
    tags: ["work", "phone"],
    line: 4,
    level: 2,
    priority: null,
    id: null,
  });
});

test("nothing that is due, and nothing that matches, ends with 1; wrong use with 2 and the place", async (t) => {
  const world = await makeWorld(t);
  writeFileSync(world.path("a.org"), "* a\n");
  const runs: readonly [args: readonly string[], code: number, said: RegExp][] = [
    [["agenda", "a.org"], 1, /^Nothing is due in these days\.$/m],
    [["query", "work", "a.org"], 1, /^No headline matches\.$/m],
    [["agenda"], 1, /There (?:is no notes folder at|are no notes in) .*MEMEX_DIR/],
    [["agenda", "--from", "2024-02-30"], 2, /'2024-02-30' is not a day of the calendar/],
    [["agenda", "--days", "0"], 2, /a number from 1 to 3660/],
    [
      ["query", "work+(a", "a.org"],
      2,
      /at character 8: expected \) for the \( at 6\.\n {2}work\+\(a\n {9}\^/,
    ],
    [["query"], 2, /needs an expression/],
  ];
  for (const [args, code, said] of runs) {
    const done = await world.command(args);
    assert.deepEqual([done.code, done.out], [code, ""], `${args.join(" ")}: ${done.err}`);
    assert.match(done.err, said);
  }
});

test("a file that cannot be read is said, and the rest goes on", async (t) => {
  const world = await makeWorld(t);
  writeFileSync(world.path("b.org"), work);
  symlinkSync("loop.org", world.path("loop.org"));
  mkdirSync(world.path("folder.org"));
  const { code, out, err } = await world.command([
    "query",
    "work",
    "loop.org",
    "folder.org",
    "none.org",
    "b.org",
  ]);
  assert.equal(code, 0);
  for (const name of ["loop", "folder", "none"]) {
    assert.match(
      err,
      new RegExp(`^passepartout: ${name}\\.org: There is no readable file with this name\\.`, "m"),
    );
  }
  assert.match(out, /^b\.org:1: /);
});

test("agenda is answered without a model", async (t) => {
  const world = await makeWorld(t, [], { PROVIDER_CASCADE: "" });
  const notes = join(world.home, "memex");
  mkdirSync(notes);
  writeFileSync(join(notes, "work.org"), work);
  const { code, out } = await world.command(["ask", "agenda 2024-01-15"]);
  assert.equal(code, 0);
  assert.match(out, /^Monday {5}15 January 2024 W03\n.*Write report/);
});

test("an agenda names the notes that it knows nothing of", async (t) => {
  const world = await makeWorld(t);
  const notes = join(world.home, "memex");
  mkdirSync(notes);
  writeFileSync(join(notes, "work.org"), work);
  writeFileSync(join(notes, "zero.org"), "* TODO Call\0\nSCHEDULED: <2024-01-17 Wed>\n");
  const { code, err } = await world.command(["agenda", "--today", "2024-01-17"]);
  assert.equal(code, 0);
  assert.match(
    err,
    /^passepartout: zero\.org: It is not text .*, so it is not read\. Move it out of the notes folder, .*\n$/,
  );
});
