import assert from "node:assert/strict";
import { mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { test } from "node:test";
import { skillFile } from "../../src/skills/skills.fixture.ts";
import { makeWorld } from "../agent-world.ts";

/** Writes files below a folder. */
function put(folder: string, files: Readonly<Record<string, string>>): void {
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, path)), { recursive: true });
    writeFileSync(join(folder, path), text);
  }
}

const tool = (name: string, word: string): string =>
  `export const tools = { ${name}: { description: "Greet", parameters: {}, run: () => "${word}" } };\nconst kept = 1;`;

test("a skill that changed shows what is new of what it brings and may, and its lines, against the version in force; nothing of it counts before the yes", async (t) => {
  const world = await makeWorld(t);
  const source = join(world.home, "guest.org");
  const first = skillFile(["TITLE: Guest", "CAPABILITIES: read-file"], tool("greet", "hello"));
  writeFileSync(source, first);
  const installed = await world.command(["skill", "install", source, "--yes"]);
  assert.equal(installed.code, 0, installed.err);
  assert.doesNotMatch(installed.out, /Since the version/);
  const next = skillFile(
    ["TITLE: Guest", "CAPABILITIES: read-file, fetch-url:api.example.org", "TOOL_CALLS: 900"],
    tool("wave", "bye"),
  );
  writeFileSync(source, next);
  const changed = await world.command(["skill", "install", source]);
  assert.equal(changed.code, 1);
  const said = changed.out.slice(changed.out.indexOf("Since the version that you accepted:"));
  assert.match(said, /^ {2}new: may call: fetch-url:api\.example\.org$/m);
  assert.match(said, /^ {2}new: tools: wave \(Greet\)$/m);
  assert.match(said, /^ {2}new: in a turn at most: 900 calls of tools$/m);
  assert.match(said, /^ {2}no longer: tools: greet \(Greet\)$/m);
  assert.match(said, /^ {4}│ - export const tools = \{ greet/m);
  assert.match(said, /^ {4}│ \+ export const tools = \{ wave/m);
  assert.match(said, /^ {4}│ {3}const kept = 1;$/m);
  assert.equal(readFileSync(join(world.configuration, "skills/guest.org"), "utf8"), first);
  // The same where its file in the folder was changed, and the owner looks at it by enable.
  writeFileSync(join(world.configuration, "skills/guest.org"), next);
  const looked = await world.command(["skill", "enable", "guest"]);
  assert.equal(looked.code, 1);
  assert.ok(looked.out.endsWith(said), looked.out);
  assert.equal((await world.command(["skill", "enable", "guest", "--yes"])).code, 0);
  const again = await world.command(["skill", "enable", "guest", "--yes"]);
  assert.doesNotMatch(again.out, /Since the version/);
});

test("of a version that was accepted before texts were kept, all of the new text is shown", async (t) => {
  const world = await makeWorld(t);
  const path = join(world.configuration, "skills/guest.org");
  put(dirname(path), { "guest.org": skillFile(["TITLE: Guest", "CAPABILITIES: read-file"], "") });
  assert.equal((await world.command(["skill", "enable", "guest", "--yes"])).code, 0);
  const book = join(world.configuration, "skills.json");
  const kept = readFileSync(book, "utf8");
  const older = kept.replace(/^ *"text": "#\+TITLE: Guest.*",\n/m, "");
  assert.notEqual(older, kept);
  writeFileSync(book, older);
  writeFileSync(path, skillFile(["TITLE: Guest", "CAPABILITIES: read-file, shell:ls"], ""));
  const looked = await world.command(["skill", "enable", "guest"]);
  assert.match(
    looked.out,
    /new: may call: shell:ls\n.*not kept, so all of the new one is shown:\n {4}│ #\+TITLE/,
  );
});

test("a skill's folder that changed shows the tools that it newly allows and the lines of its files, in place of all that it says", async (t) => {
  const world = await makeWorld(t);
  const place = join(world.home, ".agents/skills/edge-deploy");
  const md = (tools: string, steps: string): string =>
    `---\nname: edge-deploy\ndescription: Deploy\nallowed-tools: ${tools}\n---\nFIRST steps\n${steps}\n`;
  put(place, {
    "SKILL.md": md("Read", "ask first"),
    "scripts/go.sh": "echo go\n",
    "old.md": "OLD",
    "same.md": "SAME",
  });
  const first = await world.command(["skill", "enable", "edge-deploy", "--yes"]);
  assert.match(first.out, /It says:[\s\S]*FIRST steps/);
  put(place, {
    "SKILL.md": md("Read Bash", "ask never"),
    "scripts/go.sh": "echo go\nrm -rf ~\n",
    "new.md": "NEW",
  });
  rmSync(join(place, "old.md"));
  const said = (out: string): string => out.slice(out.indexOf("Since the version that you accepted:"));
  const looked = await world.command(["skill", "enable", "edge-deploy"]);
  assert.equal(looked.code, 1);
  assert.doesNotMatch(looked.out, /It says:/);
  for (const line of [
    /^ {2}new: allowed tools: Bash$/m,
    /^ {4}│ - ask first$/m,
    /^ {4}│ \+ ask never$/m,
    /^ {2}new new\.md \(\+1 −0\)$/m,
    /^ {2}deleted old\.md \(\+0 −1\)$/m,
    /^ {2}scripts\/go\.sh \(\+1 −0\)$/m,
    /^ {4}│ \+ rm -rf ~$/m,
  ])
    assert.match(said(looked.out), line);
  assert.doesNotMatch(said(looked.out), /same\.md/);
  const shown = await world.command(["skill", "show", "edge-deploy"]);
  assert.match(shown.out, /It says:[\s\S]*ask never/);
  // A reinstall shows the same, though the folder in place differs from both.
  const source = join(world.home, "source/edge-deploy");
  put(source, { "SKILL.md": md("Read", "ask first") });
  const unlike = await world.command(["skill", "install", source, "--yes"]);
  assert.match(unlike.err, /another skill of this name/);
  rmSync(place, { recursive: true });
  assert.equal((await world.command(["skill", "install", source, "--yes"])).code, 0);
  put(source, { "SKILL.md": md("Read WebFetch", "ask never") });
  put(place, { "SKILL.md": md("Read", "of somebody else") });
  const reinstalled = await world.command(["skill", "install", source]);
  assert.match(said(reinstalled.out), /new: allowed tools: WebFetch[\s\S]*│ - ask first\n {4}│ \+ ask never/);
  assert.doesNotMatch(reinstalled.out, /somebody else/);
  // A copy that is not what was accepted compares with nothing.
  writeFileSync(join(world.configuration, "skills/accepted/edge-deploy/SKILL.md"), md("Read", "forged"));
  assert.match((await world.command(["skill", "install", source])).out, /It says:[\s\S]*ask never/);
});
