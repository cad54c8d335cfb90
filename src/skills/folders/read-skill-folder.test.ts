import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import {
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  symlinkSync,
  truncateSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type TestContext, test } from "node:test";
import { folderLimits } from "../../signal/folder-limits.ts";
import type { FolderSkill } from "../../signal/skill.ts";
import { listSkillFolders } from "./list-skill-folders.ts";
import { readSkillFolder, readSkillText } from "./read-skill-folder.ts";

/** A folder with a good skill in it. */
function makeFolder(t: TestContext): { readonly root: string; readonly folder: string } {
  const root = mkdtempSync(join(tmpdir(), "skill-folders-"));
  t.after(() => rmSync(root, { recursive: true, force: true }));
  const folder = join(root, "forms");
  mkdirSync(join(folder, "references"), { recursive: true });
  writeFileSync(join(folder, "SKILL.md"), "---\nname: forms\ndescription: Fill forms.\n---\nDo it.");
  writeFileSync(join(folder, "references", "a.md"), "A");
  return { root, folder };
}

async function read(folder: string, known = new Map()): Promise<FolderSkill> {
  const given = await readSkillFolder(folder, "forms", known);
  assert.ok(given.ok, JSON.stringify(given));
  return given.skill;
}

test("a folder is read whole: each change of any of its files is another digest, and what version control keeps is none of them", async (t) => {
  const { root, folder } = makeFolder(t);
  const known = new Map();
  const first = await read(folder, known);
  assert.deepEqual(
    first.files.map(({ path }) => path),
    ["SKILL.md", "references/a.md"],
  );
  assert.equal((await read(folder, known)).digest, first.digest);
  mkdirSync(join(folder, ".git"));
  writeFileSync(join(folder, ".git", "HEAD"), "x");
  const clone = await read(folder, known);
  assert.deepEqual([clone.digest, clone.files], [first.digest, first.files]);
  assert.deepEqual([first.isClone, clone.isClone], [false, true]);
  assert.match(JSON.stringify(await readSkillText(clone, ".git/HEAD")), /it has no file/);
  writeFileSync(join(folder, "references", "a.md"), "B");
  const second = await read(folder, known);
  assert.notEqual(second.digest, first.digest);
  writeFileSync(join(folder, "references", "b.md"), "B");
  assert.notEqual((await read(folder, known)).digest, second.digest);
  mkdirSync(join(root, "no-skill"));
  writeFileSync(join(root, "README.md"), "");
  assert.deepEqual(await listSkillFolders(root), { names: ["forms"], problem: null });
  assert.deepEqual(await listSkillFolders(join(root, "nowhere")), { names: [], problem: null });
});

test("of more folders than are read the first by name are, and how many are not is said; files count for nothing", async (t) => {
  const root = mkdtempSync(join(tmpdir(), "skill-folders-"));
  t.after(() => rmSync(root, { recursive: true, force: true }));
  const put = (name: string) => {
    mkdirSync(join(root, name));
    writeFileSync(join(root, name, "SKILL.md"), "");
  };
  for (let index = 0; index < folderLimits.folders; index++) {
    put(`skill-${String(index).padStart(3, "0")}`);
    writeFileSync(join(root, `a-file-${index}`), "");
  }
  const full = await listSkillFolders(root);
  assert.deepEqual([full.names.length, full.problem], [folderLimits.folders, null]);
  put("zebra");
  const over = await listSkillFolders(root);
  assert.deepEqual(over.names, full.names);
  assert.match(over.problem ?? "", /^1 folder in it is not read, from "zebra" on: the first 200 by name are/);
  put("zulu");
  assert.match((await listSkillFolders(root)).problem ?? "", /^2 folders in it are not read/);
});

test("docs/skills.md quotes the limits of folders as they are", () => {
  const page = readFileSync(new URL("../../../docs/skills.md", import.meta.url), "utf8");
  const { folders, files, bytes, text, path, levels } = folderLimits;
  const english = text.toLocaleString("en-US");
  for (const words of [
    `${folders} folders`,
    `${files} files`,
    `${bytes / 1024 / 1024} MB`,
    `${english} characters`,
    `${path} bytes`,
    `${levels} levels`,
  ])
    assert.ok(page.includes(words), words);
});

test("a file is given as it was when the skill was read, and none that is not the skill's", async (t) => {
  const { folder } = makeFolder(t);
  const skill = await read(folder);
  assert.deepEqual(await readSkillText(skill, "references/a.md"), { ok: true, value: "A" });
  for (const path of ["../secret", "references/../../secret", "/etc/passwd", "references"])
    assert.match(JSON.stringify(await readSkillText(skill, path)), /it has no file/);
  writeFileSync(join(folder, "references", "a.md"), "Z");
  assert.match(JSON.stringify(await readSkillText(skill, "references/a.md")), /changes while it is read/);
});

for (const [what, make, words] of [
  ["a link out of it", (folder: string) => symlinkSync("/etc/hostname", join(folder, "x")), /link out of it/],
  ["a link that climbs", (folder: string) => symlinkSync("../../..", join(folder, "x")), /link out of it/],
  ["a link to nowhere", (folder: string) => symlinkSync("nowhere", join(folder, "x")), /cannot be read/],
  ["a link in a circle", (folder: string) => symlinkSync("x", join(folder, "x")), /cannot be read/],
  [
    "a link to a folder",
    (folder: string) => symlinkSync("references", join(folder, "x")),
    /link to a folder/,
  ],
  ["a pipe", (folder: string) => execFileSync("mkfifo", [join(folder, "x")]), /a pipe/],
  [
    "a giant file",
    (folder: string) => {
      writeFileSync(join(folder, "x"), "");
      truncateSync(join(folder, "x"), 5e9);
    },
    /more than 16 MB/,
  ],
  [
    "a SKILL.md that is a pipe",
    (folder: string) => {
      rmSync(join(folder, "SKILL.md"));
      execFileSync("mkfifo", [join(folder, "SKILL.md")]);
    },
    /a pipe/,
  ],
  [
    "a SKILL.md that is a folder",
    (folder: string) => {
      rmSync(join(folder, "SKILL.md"));
      mkdirSync(join(folder, "SKILL.md"));
    },
    /it has no file 'SKILL.md'/,
  ],
  [
    "a SKILL.md that is no text",
    (folder: string) => writeFileSync(join(folder, "SKILL.md"), Buffer.from([0xff, 0xfe, 0x00])),
    /no text/,
  ],
  [
    "too many files",
    (folder: string) => {
      for (let index = 0; index < 520; index++) writeFileSync(join(folder, `f${index}`), "");
    },
    /more than 512 files/,
  ],
] as const)
  test(`${what} in a folder is refused in words`, async (t) => {
    const { folder } = makeFolder(t);
    make(folder);
    const given = await readSkillFolder(folder, "forms", new Map());
    assert.ok(!given.ok && words.test(given.problem), JSON.stringify(given));
  });

test("a file of another name, and skills one folder deeper, are listed and refused with what to do", async (t) => {
  const { root } = makeFolder(t);
  mkdirSync(join(root, "small"));
  writeFileSync(join(root, "small", "skill.md"), "---\nname: small\n---\nDo it.");
  for (const name of ["pdf", "docx"]) {
    mkdirSync(join(root, "group", name), { recursive: true });
    writeFileSync(join(root, "group", name, "SKILL.md"), "---\nname: x\n---\nDo it.");
  }
  mkdirSync(join(root, "none", "below", "deep"), { recursive: true });
  writeFileSync(join(root, "none", "below", "deep", "SKILL.md"), "");
  assert.deepEqual((await listSkillFolders(root)).names, ["forms", "group", "small"]);
  const problemOf = async (name: string) => {
    const given = await readSkillFolder(join(root, name), name, new Map());
    return given.ok ? "read" : given.problem;
  };
  assert.equal(await problemOf("small"), "it has the file 'skill.md': rename it to SKILL.md");
  assert.equal(
    await problemOf("group"),
    "skills lie one folder deeper in it: move 'docx', 'pdf' out of it, beside it",
  );
  assert.equal(await problemOf("none"), "it has no file 'SKILL.md'");
});
