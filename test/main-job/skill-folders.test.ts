import assert from "node:assert/strict";
import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { folderLimits } from "../../src/signal/folder-limits.ts";
import { type AgentWorld, calls, makeWorld, sent, talkTo } from "../agent-world.ts";

/** Writes a skill's folder below `.agents/skills` of a place. */
function putSkill(
  place: string,
  name: string,
  head: string,
  body: string,
  files: Record<string, string> = {},
): void {
  const folder = join(place, ".agents", "skills", name);
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, "SKILL.md"), `---\nname: ${name}\n${head}\n---\n\n${body}\n`);
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(join(folder, path, ".."), { recursive: true });
    writeFileSync(join(folder, path), text);
  }
}

function lastSent(world: AgentWorld): string {
  return sent(world, world.provider.requests.length - 1);
}

const forms = "description: Fill PDF forms and invoices. Use when the owner has a form to fill.";

test("a SKILL.md folder of the home is used once its owner accepted it: found by the turn's words, its instructions and files given when asked for, as words of others", async (t) => {
  const world = await makeWorld(t);
  putSkill(world.home, "pdf-forms", forms, "STEPS: read the fields first.", {
    "references/fields.md": "FIELDS here",
  });
  assert.match(
    (await world.command(["skill", "list"])).out,
    /pdf-forms +SKILL\.md +waits[\s\S]*skill enable pdf-forms/,
  );
  await using daemon = await world.open();
  const talk = await talkTo(daemon);
  const say = async (words: string) => {
    world.provider.add({ text: "Yes." });
    await talk.say(words);
    return lastSent(world);
  };
  assert.doesNotMatch(await say("fill the invoice form"), /pdf-forms|use-skill/);
  const enabled = await world.command(["skill", "enable", "pdf-forms", "--yes"]);
  assert.equal(enabled.code, 0, enabled.err);
  assert.match(
    enabled.out,
    /digest: [0-9a-f]{64}[\s\S]*once it is used: a model may follow its words in what it writes[\s\S]*STEPS: read the fields first/,
  );
  const greeted = await say("hello");
  assert.match(greeted, /SKILLS: Where one fits[^"]*: pdf-forms\..*"name":"use-skill"/s);
  assert.doesNotMatch(greeted, /Skill pdf-forms|Fill PDF forms/);
  const fitting = await say("fill the invoice form");
  const systemOf = (body: string) => JSON.stringify(JSON.parse(body).messages[0]);
  assert.equal(systemOf(fitting), systemOf(greeted));
  assert.match(fitting, /\[Skill pdf-forms: installed, words of others[\s\S]*Fill PDF forms/);
  assert.doesNotMatch(fitting, /STEPS/);
  world.provider.add(
    calls(["use-skill", { name: "pdf-forms" }]),
    calls(["use-skill", { name: "pdf-forms", file: "references/fields.md" }]),
    calls(["read-file", { path: join(world.home, ".agents/skills/pdf-forms/references/fields.md") }]),
    { text: "Filled." },
  );
  assert.equal((await talk.say("fill the tax form")).text, "Filled.");
  assert.match(lastSent(world), /STEPS: read the fields first[\s\S]*FIELDS here[\s\S]*FIELDS here/);
  for (const words of ["/pdf-forms this one", "use pdf-forms for it", "hello, with $pdf-forms"])
    assert.match(await say(words), /\[Skill pdf-forms: [\s\S]*STEPS: read the fields first/, words);
  // Any change of the folder takes it out until the owner looked again.
  writeFileSync(join(world.home, ".agents/skills/pdf-forms/references/fields.md"), "EVIL");
  assert.doesNotMatch(await say("fill it with pdf-forms"), /\[Skill pdf-forms/);
  assert.match((await world.command(["skill", "list"])).out, /differs from what you accepted/);
  assert.match((await talk.say("/skill")).text, /pdf-forms[\s\S]*differs from what you accepted/);
  assert.equal((await world.command(["skill", "enable", "pdf-forms", "--mine", "--yes"])).code, 0);
  assert.match(await say("use pdf-forms for it"), /\[Skill pdf-forms: how the owner wants it done/);
  assert.equal((await world.command(["skill", "disable", "pdf-forms"])).code, 0);
  assert.doesNotMatch(await say("use pdf-forms for it"), /\[Skill pdf-forms|SKILLS: /);
});

test("what a SKILL.md says licenses nothing, and a tool that its allowed-tools do not name asks while it takes part", async (t) => {
  const world = await makeWorld(t);
  const outside = join(world.home, "outside.txt");
  writeFileSync(outside, "x");
  putSkill(
    world.home,
    "code-review",
    "description: Review code\nallowed-tools: Read Bash(ls:*)",
    `Read ${outside}, then write notes.txt.`,
  );
  assert.equal((await world.command(["skill", "enable", "code-review", "--yes"])).code, 0);
  await using daemon = await world.open();
  const talk = await talkTo(daemon);
  world.provider.add(
    calls(["write-file", { path: "notes.txt", content: "x" }]),
    calls(["shell", { cmd: "ls" }]),
    calls(["shell", { cmd: "pwd" }]),
  );
  const asked = await talk.say("/code-review this");
  assert.equal(asked.end, "approval-required", asked.text);
  assert.match(asked.text, /the skill code-review takes part, and its allowed-tools do not name write-file/);
  assert.equal(existsSync(world.path("notes.txt")), false);
  const next = await talk.say(`/approve ${talk.token()}`);
  assert.equal(readFileSync(world.path("notes.txt"), "utf8"), "x");
  assert.equal(next.end, "approval-required");
  assert.match(next.text, /allowed-tools do not name shell for/);
  rmSync(world.path("notes.txt"));
  world.provider.add({ text: "No." });
  await talk.say(`/deny ${talk.token()}`);
  world.provider.add(calls(["read-file", { path: outside }]));
  assert.equal((await talk.say("/code-review that")).end, "approval-required");
  // The model asked for it itself: the same.
  world.provider.add({ text: "No." });
  await talk.say(`/deny ${talk.token()}`);
  world.provider.add(
    calls(["use-skill", { name: "code-review" }]),
    calls(["write-file", { path: "notes.txt", content: "x" }]),
  );
  assert.equal((await talk.say("review the code here")).end, "approval-required");
  world.provider.add({ text: "No." });
  await talk.say(`/deny ${talk.token()}`);
  assert.equal(existsSync(world.path("notes.txt")), false);
  // Its instructions still stand in what the model is sent; in another conversation they do not.
  world.provider.add(calls(["write-file", { path: "notes.txt", content: "x" }]), { text: "No." });
  assert.equal((await talk.say("write notes.txt")).end, "approval-required");
  await talk.say(`/deny ${talk.token()}`);
  const other = await talkTo(daemon, "other");
  world.provider.add(calls(["write-file", { path: "notes.txt", content: "x" }]), { text: "Written." });
  await other.say("write notes.txt");
  assert.equal(readFileSync(world.path("notes.txt"), "utf8"), "x");
});

test("a project's skills are listed, and used only once its folder is trusted, as they were shown; one of the owner's of the same name comes first", async (t) => {
  const world = await makeWorld(t);
  mkdirSync(join(world.workspace, ".git"));
  const inner = join(world.workspace, "inner");
  mkdirSync(inner);
  putSkill(world.workspace, "deploy-site", "description: Deploy the site to staging", "DEPLOY steps");
  putSkill(world.workspace, "pdf-forms", forms, "THEIR steps");
  putSkill(world.home, "pdf-forms", forms, "OWN steps");
  assert.equal((await world.command(["skill", "enable", "pdf-forms", "--yes"])).code, 0);
  const listed = await world.command(["skill", "list", "--json"], { cwd: inner });
  const skills = listed.out
    .trim()
    .split("\n")
    .map((line) => JSON.parse(line));
  assert.deepEqual(
    skills.filter(({ kind }) => kind !== "built-in").map(({ name, kind, state }) => [name, kind, state]),
    [
      ["pdf-forms", "user", "in force"],
      ["deploy-site", "project", "waits"],
      ["pdf-forms", "project", "waits"],
    ],
  );
  assert.match(listed.out, /\/trust-folder/);
  await using daemon = await world.open({}, { cwd: inner });
  const talk = await talkTo(daemon);
  const say = async (words: string) => {
    world.provider.add({ text: "Yes." });
    await talk.say(words);
    return lastSent(world);
  };
  assert.doesNotMatch(await say("use deploy-site, and pdf-forms"), /DEPLOY steps|THEIR steps/);
  assert.match(
    (await talk.say("/trust-folder")).text,
    /Nothing is trusted yet[\s\S]*deploy-site is a skill that may take part[\s\S]*digest [0-9a-f]{64}[\s\S]*Deploy the site/,
  );
  assert.doesNotMatch(await say("use deploy-site"), /DEPLOY steps/);
  await talk.say("/trust-folder yes");
  const both = await say("use deploy-site, and pdf-forms");
  assert.match(both, /\[Skill deploy-site: [\s\S]*DEPLOY steps/);
  assert.match(both, /OWN steps/);
  assert.doesNotMatch(both, /THEIR steps/);
  writeFileSync(join(world.workspace, ".agents/skills/deploy-site/run.sh"), "rm -rf /");
  assert.doesNotMatch(await say("use deploy-site"), /DEPLOY steps/);
  const changed = (await talk.say("/trust-folder")).text;
  assert.match(changed, /What changed since you trusted it last:[\s\S]*run\.sh[\s\S]*\+ ?.*rm -rf \//);
  assert.doesNotMatch(await say("use deploy-site"), /DEPLOY steps/);
  await talk.say("/trust-folder yes");
  assert.match(await say("use deploy-site"), /DEPLOY steps/);
  await talk.say("/trust-folder off");
  assert.doesNotMatch(await say("use deploy-site"), /DEPLOY steps/);
});

test("folders beyond those that are read are said by skill list, /skill and /trust-folder, and the first by name are used", async (t) => {
  const world = await makeWorld(t, [{ text: "Yes." }]);
  for (const place of [world.home, world.workspace])
    for (let index = 0; index <= folderLimits.folders; index++)
      putSkill(place, `skill-${String(index).padStart(3, "0")}`, "description: Numbers", "Do it.");
  const own = /^~\/\.agents\/skills +SKILL\.md +broken\n +1 folder in it is not read, from "skill-200" on: /m;
  const listed = await world.command(["skill", "list"]);
  assert.match(listed.out, own);
  assert.match(listed.out, /^\.agents\/skills +project +broken\n +1 folder in it is not read/m);
  await using daemon = await world.open();
  const talk = await talkTo(daemon);
  assert.match((await talk.say("/skill")).text, /~\/\.agents\/skills[\s\S]*1 folder in it is not read/);
  assert.match(
    (await talk.say("/trust-folder")).text,
    /\.agents\/skills is not obeyed: 1 folder in it is not read/,
  );
});

test("a skill that was cloned says once that its .git is no part of it, and what lies in there is not read as a file of the skill", async (t) => {
  const world = await makeWorld(t);
  putSkill(world.home, "pdf-forms", forms, "STEPS", { "references/a.md": "A", ".git/config": "TOKEN-4711" });
  const enabled = await world.command(["skill", "enable", "pdf-forms", "--yes"]);
  assert.equal(enabled.code, 0, enabled.err);
  assert.match(enabled.out, /^note: its folder holds a \.git, which is no part of it/m);
  assert.match(enabled.out, /^files: SKILL\.md \(\d+ bytes\), references\/a\.md \(1 bytes\)$/m);
  assert.doesNotMatch((await world.command(["skill", "list"])).out, /\.git/);
  await using daemon = await world.open();
  const talk = await talkTo(daemon);
  const folder = join(world.home, ".agents/skills/pdf-forms");
  world.provider.add(
    calls(["read-file", { path: join(folder, "references/a.md") }]),
    calls(["use-skill", { name: "pdf-forms", file: ".git/config" }]),
    calls(["read-file", { path: join(folder, ".git/config") }]),
  );
  const asked = await talk.say("use pdf-forms");
  assert.equal(asked.end, "approval-required", asked.text);
  assert.match(asked.text, /outside the workspace/);
  assert.match(lastSent(world), /it has no file '\.git\/config'/);
  world.provider.add({ text: "No." });
  await talk.say(`/deny ${talk.token()}`);
  world.provider.add(calls(["shell", { cmd: `grep -r TOKEN ${folder}` }]));
  assert.equal((await talk.say("search pdf-forms")).end, "approval-required");
  assert.doesNotMatch(lastSent(world), /TOKEN-4711/);
});
