import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { once } from "node:events";
import { appendFileSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { setTimeout as sleep } from "node:timers/promises";
import fc from "fast-check";
import type { ReplacedVersions } from "../../src/act/files/replace.ts";
import { undoFile } from "../../src/act/files/undo-file.ts";
import { makeRememberTool } from "../../src/act/tools/notes/remember.ts";
import { callerAt, callTool, openWorkbench, type Workbench } from "../../src/act/tools/workbench.fixture.ts";

/** What happens after so many milliseconds: an agent keeps a note, a program adds a line, a person saves a changed line, or the agent's last note is undone. */
type Deed = {
  readonly who: "first-agent" | "second-agent" | "program" | "person" | "undo";
  readonly after: number;
};

const deed: fc.Arbitrary<Deed> = fc.record({
  who: fc.constantFrom("first-agent", "second-agent", "program", "person", "undo"),
  after: fc.nat({ max: 12 }),
});

/** An agent of its own on the notes folder: it keeps notes, and undoes its last one as it recorded it. */
function makeAgent(bench: Workbench, name: string) {
  const recorded: { readonly word: string; readonly versions: ReplacedVersions }[] = [];
  let last: ReplacedVersions | null = null;
  const keepPreImage = async (versions: ReplacedVersions) => {
    last = versions;
    return "1";
  };
  const keepObject = async () => undefined;
  const tool = makeRememberTool({ ...bench.ports, keepPreImage, clock: () => 0, keepObject });
  return {
    async note(word: string): Promise<void> {
      const outcome = await callTool(tool, { text: word }, { ...callerAt(null), turn: word });
      assert.equal(outcome.status, "success", `${name}: ${JSON.stringify(outcome)}`);
      if (last !== null) recorded.push({ word, versions: last });
    },
    /** The word whose note is gone; null if nothing was undone. */
    async undo(): Promise<string | null> {
      const done = recorded.pop();
      if (done === undefined) return null;
      const { path, before, after } = done.versions;
      const preImage = before === null ? null : { bytes: before, mode: 0o600 };
      const { status } = await undoFile({ path, from: after, preImage, keepPreImage: async () => "1" });
      return ["restored", "deleted", "merged"].includes(status) ? done.word : null;
    },
  };
}

async function play(deeds: readonly Deed[]): Promise<void> {
  await using bench = await openWorkbench();
  const inbox = join(bench.notes, "inbox.org");
  writeFileSync(inbox, "* Log\nperson-0\n* Old\n");
  const agents = { "first-agent": makeAgent(bench, "first"), "second-agent": makeAgent(bench, "second") };
  const notes = new Set<string>();
  const lines: string[] = [];
  let saved = 0;
  const does = async ({ who, after }: Deed, at: number): Promise<void> => {
    await sleep(after);
    const word = `word-${at}-end`;
    if (who === "program") {
      appendFileSync(inbox, `${word}\n`);
      lines.push(word);
    } else if (who === "person") {
      const text = readFileSync(inbox, "utf8");
      writeFileSync(inbox, text.replace(`person-${saved}\n`, `person-${saved + 1}\n`));
      saved += 1;
    } else if (who === "undo") {
      const gone = await agents["first-agent"].undo();
      if (gone !== null) notes.delete(gone);
    } else {
      await agents[who].note(word);
      notes.add(word);
    }
  };
  // An agent does one thing after the other; all else happens at the same time.
  const own = (who: Deed["who"]) => who === "first-agent" || who === "undo";
  const first = async () => {
    for (const [at, one] of deeds.entries()) if (own(one.who)) await does(one, at);
  };
  await Promise.all([first(), ...deeds.map((one, at) => (own(one.who) ? undefined : does(one, at)))]);
  const held = readFileSync(inbox, "utf8").split("\n");
  const times = (line: string) => held.filter((one) => one === line).length;
  for (const word of lines) assert.equal(times(word), 1, `line ${word}: ${held.join("|")}`);
  assert.equal(times(`person-${saved}`), 1, held.join("|"));
  for (const [at, { who }] of deeds.entries()) {
    const word = `word-${at}-end`;
    if (who.endsWith("agent"))
      assert.equal(times(`* ${word}`), notes.has(word) ? 1 : 0, `note ${word}: ${held.join("|")}`);
  }
  assert.deepEqual(readdirSync(bench.notes), ["inbox.org"]);
}

test("whatever two agents, a program, a person and an undo do to the inbox at once, no note and no line is lost or made twice", async () => {
  const runs = Number(process.env["WRITER_RUNS"] ?? (process.env["LONG"] === "all" ? 10 : 4));
  const deeds = fc.array(fc.array(deed, { minLength: 4, maxLength: 12 }), { minLength: 4, maxLength: 4 });
  await fc.assert(
    fc.asyncProperty(deeds, async (schedules) => {
      await Promise.all(schedules.map(play));
    }),
    { numRuns: runs, seed: 7 },
  );
});

test("no line of a shell that adds lines all the time is lost while notes are kept and undone", async () => {
  await using bench = await openWorkbench();
  const inbox = join(bench.notes, "inbox.org");
  writeFileSync(inbox, "* Log\n");
  const agent = makeAgent(bench, "agent");
  const count = 500;
  const script = `i=0; while [ $i -lt ${count} ]; do echo "line-$i-end" >> "$0"; i=$((i+1)); sleep 0.001; done`;
  const shell = spawn("sh", ["-c", script, inbox]);
  const ended = once(shell, "exit");
  const kept: string[] = [];
  for (let at = 0; shell.exitCode === null && at < 200; at += 1) {
    await agent.note(`note-${at}-end`);
    if (at % 3 === 2) assert.equal(await agent.undo(), `note-${at}-end`);
    else kept.push(`* note-${at}-end`);
  }
  await ended;
  const lines = readFileSync(inbox, "utf8").split("\n");
  const found = Map.groupBy(lines, (line) => line);
  const all = [...kept, ...Array.from({ length: count }, (_, at) => `line-${at}-end`)];
  assert.deepEqual(
    all.flatMap((line) => (found.get(line)?.length === 1 ? [] : [`${line} ${found.get(line)?.length ?? 0}`])),
    [],
  );
});
