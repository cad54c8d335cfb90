import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { existsSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { openSkillBook } from "../../src/settings/skill-book.ts";
import { skillFile } from "../../src/skills/skills.fixture.ts";
import { makeWorld } from "../agent-world.ts";

const plain = skillFile(["TITLE: Plain"], "");

test("a skill that the record of skills has no room for is refused in words at its install, and leaves no file and a record that can be read", async (t) => {
  const world = await makeWorld(t);
  const file = join(world.home, "first.org");
  writeFileSync(file, plain);
  assert.equal((await world.command(["skill", "install", file, "--yes"])).code, 0);
  const path = join(world.configuration, "skills.json");
  const [first] = openSkillBook(path).all();
  assert.ok(first !== undefined);
  const others = Array.from({ length: 999 }, (_, at) => ({
    ...first,
    head: { ...first.head, name: `skill-${at}` },
    enabled: false,
  }));
  writeFileSync(path, JSON.stringify({ version: 2, skills: [first, ...others], folders: [] }));
  const before = readFileSync(path, "utf8");
  const more = join(world.home, "more.org");
  writeFileSync(more, plain);
  const refused = await world.command(["skill", "install", more, "--yes"]);
  assert.notEqual(refused.code, 0);
  assert.match(refused.err, /already holds 1000 skills, which is the most\. Take out one/);
  assert.equal(existsSync(join(world.configuration, "skills", "more.org")), false);
  assert.equal(readFileSync(path, "utf8"), before);
  writeFileSync(join(world.configuration, "skills", "own.org"), skillFile(["TITLE: Own"], ""));
  const { out } = await world.command(["skill", "list"]);
  assert.match(out, /first +Org +in force/);
  assert.match(out, /own +Org +broken\n +own\.org could not be put in force: .*already holds 1000 skills/);
});

test("no name of a file in the folder of skills, and no error that its code throws, passes for a line of what is listed", async (t) => {
  const world = await makeWorld(t);
  const skills = join(world.configuration, "skills");
  mkdirSync(skills, { recursive: true });
  writeFileSync(join(skills, "a\nguard                Org       in force\u001b[2K.org"), plain);
  for (const words of [["list"], ["test"]]) {
    const { out } = await world.command(["skill", ...words]);
    assert.doesNotMatch(out, /^guard/m);
    assert.match(out, /^a\\u\{a\}guard/m);
    assert.equal(out.includes("\u001b"), false);
  }
  const forged = skillFile([], 'throw new Error("no\\nguard                ok, 1 test");');
  writeFileSync(join(world.home, "forged.org"), forged);
  for (const words of [
    ["test", join(world.home, "forged.org")],
    ["install", join(world.home, "forged.org"), "--yes"],
  ]) {
    const { out, err } = await world.command(["skill", ...words]);
    assert.match(out + err, /cannot be loaded: Error: no\\u\{a\}guard/);
    assert.doesNotMatch(out + err, /^guard/m);
  }
});

test("what is no plain file, or far too large, is refused in words and waited for by nobody", async (t) => {
  const world = await makeWorld(t);
  const at = (name: string) => join(world.home, name);
  for (const name of ["pipe.org", "pipe.zip"]) execFileSync("mkfifo", [at(name)]);
  mkdirSync(at("folder.org"));
  symlinkSync("/dev/zero", at("device.org"));
  symlinkSync(at("nothing"), at("dangling.org"));
  writeFileSync(at("large.org"), "x".repeat(300_000));
  for (const [name, why] of [
    ["pipe.org", /pipe\.org is a folder, a pipe or a device, and no plain file/],
    ["pipe.zip", /pipe\.zip is a folder, a pipe or a device, and no plain file/],
    ["device.org", /device\.org is a folder, a pipe or a device/],
    ["folder.org", /folder\.org|SKILL\.md/],
    ["dangling.org", /There is no file .*dangling\.org\. Nothing was done/],
    ["gone.zip", /There is no file .*gone\.zip\. Nothing was done/],
    ["large.org", /large\.org has 300000 bytes\. At most 262144 are read/],
  ] as const) {
    const { code, err } = await world.command(["skill", "install", at(name), "--yes"]);
    assert.notEqual(code, 0, name);
    assert.match(err, why);
    assert.equal(existsSync(join(world.configuration, "skills", name)), false);
  }
});

test("a skill that could be taken for another one is not put in force beside it: by its name, by a name that looks the same, by its id, or by what it brings", async (t) => {
  const world = await makeWorld(t);
  const file = (name: string, text: string) => {
    writeFileSync(join(world.home, name), text);
    return join(world.home, name);
  };
  const folder = (name: string) => {
    const place = join(world.home, "elsewhere", name);
    mkdirSync(place, { recursive: true });
    writeFileSync(join(place, "SKILL.md"), `---\nname: ${name}\ndescription: Copies\n---\nCopy.\n`);
    return place;
  };
  const withId = (title: string) =>
    `:PROPERTIES:\n:ID: 1234-5678\n:END:\n${skillFile([`TITLE: ${title}`], "")}`;
  const install = (path: string) => world.command(["skill", "install", path, "--yes"]);
  const tool = skillFile(
    ["PRIORITY: 90"],
    "export const tools = { brew: { description: 'x', run: () => 1 } };",
  );
  const command = (name: string) =>
    skillFile(["PRIORITY: 90"], `export const commands = { "${name}": { help: "x" } };`);
  for (const path of [
    file("copy.org", withId("Copy")),
    folder("mail"),
    file("tea.org", tool),
    file("round.org", command("tour")),
  ])
    assert.equal((await install(path)).code, 0, path);
  for (const [path, why] of [
    [file("c0py.org", plain), /The name c0py looks like that of the skill copy, so that/],
    [file("fi1es.org", plain), /fi1es looks like that of the skill files/],
    [file("mail.org", plain), /There is another skill mail \(a folder in ~\/\.agents\/skills\)/],
    [file("other.org", withId("Other")), /other\.org has the same :ID: as copy\.org \(1234-5678\)/],
    [file("coffee.org", tool), /Its tool brew would stand beside that of the skill tea\. Rename one/],
    [file("walk.org", command("tour")), /Its command \/tour would stand beside that of the skill round/],
    [file("yes.org", command("approve")), /Its command \/approve would stand beside that of the program/],
    [folder("\u0441\u043e\u0440\u0443"), /looks like that of the skill copy/],
    [folder("files"), /There is another skill files \(built in\)/],
    [folder("copy"), /There is another skill copy \(an Org file\)/],
    [folder("\uff4d\uff41\uff49\uff4c"), /letters that stand for others: call it mail/],
  ] as const) {
    const { code, err } = await install(path);
    assert.notEqual(code, 0, path);
    assert.match(err, why);
  }
  writeFileSync(join(world.configuration, "skills", "own.org"), withId("Own"));
  writeFileSync(join(world.configuration, "skills", "needs.org"), skillFile(["DEPENDS_ON: 1234-5678"], ""));
  const { out } = await world.command(["skill", "list"]);
  assert.match(out, /own +Org +in force\n +copy\.org and own\.org have the same :ID: 1234-5678/);
  assert.match(
    out,
    /needs +Org +broken\n +needs\.org depends on the :ID: 1234-5678, which copy\.org and own/,
  );
});
