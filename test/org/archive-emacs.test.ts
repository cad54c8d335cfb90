import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  realpathSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type TestContext, test } from "node:test";
import { fileURLToPath } from "node:url";
import { editOrg } from "#org";
import { type ArchiveCase, makeArchiveCase } from "./archive-trees.ts";

const emacsIsHere = spawnSync("emacs", ["--version"]).status === 0;
const skip = emacsIsHere ? false : "there is no emacs on this machine";

// More trees by ARCHIVE_TREES, from another seed on by ARCHIVE_SEED; another Org by EMACS_LOAD_PATH.
const count = Number(process.env["ARCHIVE_TREES"] ?? 40);
const loadPath = process.env["EMACS_LOAD_PATH"];
const firstSeed = Number(process.env["ARCHIVE_SEED"] ?? 1);

const entry = (stars: string, title: string, id: string, more = ""): string =>
  `${stars} ${title}\n:PROPERTIES:\n:ID:       ${id}\n${more}:END:\nwords of ${id}\n`;
const mine = entry("**", "DONE Beech", "me");
const around = (keyword: string, own = mine): string =>
  `${keyword}* Garden :green:\n${own}** TODO Water it\n* Other\nlinks to [[id:me]]\n`;

const cases: readonly ArchiveCase[] = [
  { name: "the default place", text: around("") },
  {
    name: "the default place, which is there already",
    text: around(""),
    archives: { "notes.org_archive": "\nArchived entries from file /elsewhere\n\n\n* DONE Oak\nno end" },
  },
  { name: "a heading of another file", text: around("#+ARCHIVE: old.org::* Finished\n") },
  {
    name: "a heading that the other file has, with entries below and after it",
    text: around("#+ARCHIVE: old.org::* Finished\n"),
    archives: { "old.org": "* First\n* Finished\n** One\nx\n\n\n* Last\n" },
  },
  { name: "a heading of the same file", text: around("#+ARCHIVE: ::* Archived\n") },
  { name: "a name made from that of the file", text: around("#+ARCHIVE: %s_done::\n") },
  { name: "a heading made from that of the file", text: around("#+ARCHIVE: all.org::** From %s\n") },
  {
    name: "the property of the entry",
    text: around("#+ARCHIVE: no.org::\n", entry("**", "DONE Beech", "me", ":ARCHIVE:  own.org::* Trees\n")),
  },
  {
    name: "the inherited property",
    text: `* Garden\n:PROPERTIES:\n:ARCHIVE:  above.org::\n:END:\n${mine}`,
  },
  {
    name: "tags of the file and from above, a category, and trees below",
    text: `#+FILETAGS: :house:\n#+CATEGORY: cat\n* Top :a:\n** Mid :b:\n${entry("***", "DONE Beech :c:", "me")}**** Below\nx\n* End\n`,
  },
  {
    name: "counts of the entries above",
    text: `* A [1/2] [50%]\n${entry("**", "DONE B", "me")}** TODO C\n`,
  },
  {
    name: "a path with counts and links",
    text: `# x\n* A [[file:a.org][shown]] [50%]\n** [[file:b.org]]\n${entry("***", "DONE B", "me")}*** TODO C\n`,
  },
  {
    name: "two entries one after the other",
    text: around("", `${mine}${entry("**", "DONE Oak :x:", "me2")}`),
  },
  {
    name: "an entry of the first level, at the end, without a last line feed",
    text: `* A\n${entry("*", "DONE B", "me").trimEnd()}`,
  },
];

test("an entry is archived to the file and heading that Emacs archives it to, byte for byte", {
  skip,
}, (t) => {
  const root = realpathSync(mkdtempSync(join(tmpdir(), "archive-emacs-")));
  t.after(() => rmSync(root, { recursive: true, force: true }));
  const all = [...cases, ...Array.from({ length: count }, (_, index) => makeArchiveCase(firstSeed + index))];
  const folders = all.map(({ text, archives = {} }, index) => {
    const folder = join(root, `${index}`);
    mkdirSync(folder);
    for (const [name, held] of Object.entries({ ...archives, "notes.org": text }))
      writeFileSync(join(folder, name), held);
    return folder;
  });
  const ours = folders.map((folder) => archived(folder, root));
  askEmacs(t, folders, root);
  const files = ours.flatMap((texts, index) => texts.map(([path, text]) => ({ index, path, text })));
  const wrong = files.filter(({ path, text }) => text !== readIfThere(path));
  t.diagnostic(`${files.length - wrong.length} of ${files.length} files agree`);
  for (const { index, path, text } of wrong.slice(0, 1))
    assert.equal(
      text,
      readIfThere(path),
      `${all[index]?.name}: ${path.slice(root.length)} of\n${all[index]?.text}`,
    );
});

/** The texts that the files of a folder in the home folder have once its entries are archived. */
function archived(folder: string, home: string): readonly (readonly [path: string, text: string])[] {
  const path = join(folder, "notes.org");
  const text = readFileSync(path, "utf8");
  const ids = Array.from(text.matchAll(/^:ID: +(me\d*)$/gm), ([, id = ""]) => id);
  const operations = ids.toSorted().map((at) => ({ op: "archive", at }) as const);
  const result = editOrg(text, operations, {
    now: { year: 2026, month: 11, day: 24, hour: 9, minute: 30 },
    newId: () => assert.fail("no id is wanted"),
    logIntoDrawer: false,
    logDone: null,
    files: {
      name: path,
      shownAs: `~${path.slice(home.length)}`,
      read: (name) => readIfThere(join(folder, name)),
    },
  });
  // An entry may be gone with the one above it.
  for (const { reason } of result.refused) assert.match(reason, /^no heading has/);
  return [
    [path, result.text],
    ...result.otherFiles.map((other) => [join(folder, other.path), other.text] as const),
  ];
}

function readIfThere(path: string): string {
  return existsSync(path) ? readFileSync(path, "utf8") : "";
}

function askEmacs(t: TestContext, folders: readonly string[], home: string): void {
  const script = fileURLToPath(new URL("archive-in-emacs.el", import.meta.url));
  const load = loadPath === undefined ? [] : ["-L", loadPath];
  const { status, stderr } = spawnSync("emacs", ["-Q", "--batch", ...load, "-l", script, "--", ...folders], {
    encoding: "utf8",
    env: { ...process.env, HOME: home },
  });
  t.diagnostic(stderr.trim().split("\n").at(-1) ?? "");
  assert.equal(status, 0, stderr);
}
