import assert from "node:assert/strict";
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { type TestContext, test } from "node:test";
import { type AgentWorld, calls, explanation, makeWorld, sent, talkTo } from "../agent-world.ts";

const text = `* TODO Roof :home:
** WAITING [#A] Tinsmith
SCHEDULED: <2024-01-15 Mon>
* KILLED Shed
SCHEDULED: <2024-01-16 Tue>
`;
const todo = { ORG_TODO_KEYWORDS: "TODO WAITING(w@/!) | DONE KILLED" };

async function withNotes(
  t: TestContext,
  steps: Parameters<typeof makeWorld>[1] = [],
): Promise<AgentWorld & { readonly notes: string }> {
  const world = await makeWorld(t, steps);
  const notes = join(world.home, "memex");
  mkdirSync(join(notes, "work"), { recursive: true });
  writeFileSync(join(notes, "plans.org"), text);
  return { ...world, notes };
}

test("TODO words of the settings count in queries, agendas, trees, checks and the index, and a change of them reads the notes again", async (t) => {
  const { run, notes } = await withNotes(t);
  const agenda = ["agenda", "--from", "2024-01-15", "--days", "2", "--today", "2024-01-15", "--json"];
  const wordsOf = async (settings: Readonly<Record<string, string>>): Promise<readonly unknown[]> =>
    (await run(agenda, { settings })).out
      .split("\n")
      .flatMap((line) => (line === "" ? [] : [JSON.parse(line).todo]));
  assert.deepEqual(await wordsOf({}), [null, null]);
  assert.deepEqual(await wordsOf(todo), ["WAITING", "KILLED"]);
  assert.deepEqual(await wordsOf({ ORG_TODO_KEYWORDS: "TODO WAITING | DONE" }), ["WAITING", null]);
  assert.deepEqual(await wordsOf({}), [null, null]);
  assert.equal((await run(["query", 'TODO="WAITING"'])).code, 1);
  const hit = await run(["query", 'TODO="WAITING"/!'], { settings: todo });
  assert.equal(hit.out, "plans.org:2: WAITING [#A] Tinsmith  :home:\n");
  assert.equal((await run(["query", 'TODO="KILLED"/!'], { settings: todo })).code, 1);
  const found = await run(["memory", "search", "Shed"], { settings: todo });
  assert.match(found.out, /^plans\.org::Shed {2}Shed /);
  assert.deepEqual((await run(["memory", "verify"], { settings: todo })).code, 0);
  const parsed = await run(["org", "parse", join(notes, "plans.org")], { settings: todo });
  assert.match(parsed.out, /"todoKeywords":\["TODO","WAITING","DONE","KILLED"\]/);
});

test("the settings of .env count too, and one that cannot be read is reported", async (t) => {
  const { run, configuration } = await withNotes(t);
  mkdirSync(configuration, { recursive: true });
  writeFileSync(
    join(configuration, ".env"),
    `ORG_TODO_KEYWORDS=((sequence "TODO" "WAITING(w@)" "|" "KILLED"))\nORG_LOG_DONE=sometimes\nORG_AGENDA_FILES=~/elsewhere.org\n`,
    { mode: 0o600 },
  );
  assert.equal((await run(["query", 'TODO="KILLED"'])).code, 0);
  const doctor = await run(["doctor"]);
  assert.match(doctor.out, /note +settings: ORG_LOG_DONE is not time, note or nil/);
  assert.match(
    doctor.out,
    /note +settings: ORG_AGENDA_FILES names ~\/elsewhere\.org, which is in no notes folder/,
  );
});

test("edits change and log states as the settings say", async (t) => {
  const edits = {
    file: "plans.org",
    operations: [{ op: "todo", at: "Roof", state: "KILLED" }],
    explanation,
  };
  const { open, notes } = await withNotes(t, [calls(["edit-notes", edits]), { text: "Done." }]);
  {
    await using agent = await open({ ...todo, ORG_LOG_DONE: "time", ORG_LOG_INTO_DRAWER: "t" });
    await (await talkTo(agent)).say("kill the roof");
  }
  const changed = readFileSync(join(notes, "plans.org"), "utf8");
  assert.match(changed, /^\* KILLED Roof +:home:\nCLOSED: \[/);
});

test("edits know the TODO words and the logging of setup files", async (t) => {
  const operations = [{ op: "todo", at: "Gutter", state: "PARKED" }];
  const edits = { file: "gutter.org", operations, explanation };
  const { open, run, notes } = await withNotes(t, [calls(["edit-notes", edits]), { text: "Done." }]);
  writeFileSync(join(notes, "words.inc"), "#+TODO: TODO | PARKED(p!)\n#+STARTUP: logdrawer\n");
  const gutter = join(notes, "gutter.org");
  writeFileSync(gutter, "#+SETUPFILE: words.inc\n* TODO Gutter\n");
  const parked = /^\* PARKED Gutter\n:LOGBOOK:\n- State "PARKED" +from "TODO"/m;
  const edited = await run(["org", "edit", gutter, "--dry-run"], { input: JSON.stringify(operations) });
  assert.match(edited.out, parked);
  await using agent = await open();
  await (await talkTo(agent)).say("park the gutter");
  assert.match(readFileSync(gutter, "utf8"), parked);
});

test("org edit takes its logging from the settings, and from its options before them", async (t) => {
  const { run, notes } = await withNotes(t);
  const input = JSON.stringify([{ op: "todo", at: "Tinsmith", state: "TODO" }]);
  const edit = async (options: readonly string[]): Promise<string> => {
    const settings = { ...todo, ORG_LOG_INTO_DRAWER: "t" };
    const args = [
      "org",
      "edit",
      join(notes, "plans.org"),
      "--now",
      "2024-01-15 10:00",
      "--dry-run",
      ...options,
    ];
    return (await run(args, { input, settings })).out;
  };
  assert.match(await edit([]), /:LOGBOOK:\n- State "TODO" +from "WAITING" +\[2024-01-15 Mon 10:00\]\n:END:/);
});

test("the agenda shows the files and folders of ORG_AGENDA_FILES only, for the owner and for the model", async (t) => {
  const world = await withNotes(t, [
    calls(["agenda", { from: "2024-01-15", explanation }]),
    { text: "That is it." },
  ]);
  const { run, open, notes } = world;
  for (const file of ["work/job.org", "work/deep.org", "other.org"]) {
    writeFileSync(join(notes, file), `* Entry of ${file}\nSCHEDULED: <2024-01-15 Mon>\n`);
  }
  mkdirSync(join(notes, "work", "below"));
  writeFileSync(join(notes, "work", "below", "far.org"), "* Far\nSCHEDULED: <2024-01-15 Mon>\n");
  const settings = { ORG_AGENDA_FILES: "~/memex/work/:other.org" };
  for (const more of [[], ["--inactive"]]) {
    const page = await run(["agenda", "--from", "2024-01-15", "--today", "2024-01-15", ...more], {
      settings,
    });
    for (const shown of ["work/job.org", "work/deep.org", "other.org"])
      assert.ok(page.out.includes(shown), page.out);
    assert.doesNotMatch(page.out, /Far|Tinsmith/);
  }
  const named = await run(["agenda", join(notes, "plans.org"), "--from", "2024-01-15"], { settings });
  assert.match(named.out, /Tinsmith/);
  await using agent = await open(settings);
  await (await talkTo(agent)).say("what is due?");
  const asked = sent(world, 1);
  assert.match(asked, /work\/deep\.org/);
  assert.doesNotMatch(asked.slice(asked.indexOf("Entry of")), /Far|Tinsmith/);
});
