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

const emacsIsHere = spawnSync("emacs", ["--version"]).status === 0;
const skip = emacsIsHere ? false : "there is no emacs on this machine";

/** A note whose entries with the ids `me`, `me2` … are archived in this order, and what its archive holds before. */
type Case = { readonly name: string; readonly text: string; readonly archive?: readonly [string, string] };

const entry = (stars: string, title: string, id: string, more = ""): string =>
  `${stars} ${title}\n:PROPERTIES:\n:ID:       ${id}\n${more}:END:\nwords of ${id}\n`;
const mine = entry("**", "DONE Beech", "me");
const around = (keyword: string, own = mine): string =>
  `${keyword}* Garden :green:\n${own}** TODO Water it\n* Other\nlinks to [[id:me]]\n`;

const cases: readonly Case[] = [
  { name: "the default place", text: around("") },
  {
    name: "the default place, which is there already",
    text: around(""),
    archive: ["notes.org_archive", "\nArchived entries from file /elsewhere\n\n\n* DONE Oak\nno end"],
  },
  { name: "a heading of another file", text: around("#+ARCHIVE: old.org::* Finished\n") },
  {
    name: "a heading that the other file has, with entries below and after it",
    text: around("#+ARCHIVE: old.org::* Finished\n"),
    archive: ["old.org", "* First\n* Finished\n** One\nx\n\n\n* Last\n"],
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
  const folders = cases.map(({ text, archive }, index) => {
    const folder = join(root, `${index}`);
    mkdirSync(folder);
    writeFileSync(join(folder, "notes.org"), text);
    if (archive !== undefined) writeFileSync(join(folder, archive[0]), archive[1]);
    return folder;
  });
  const ours = folders.map((folder) => archived(folder));
  askEmacs(t, folders);
  for (const [index, files] of ours.entries())
    for (const [path, text] of files)
      assert.equal(text, readIfThere(path), `${cases[index]?.name}: ${path.slice(root.length)}`);
});

/** The texts that the files of a folder have once its entries are archived. */
function archived(folder: string): readonly (readonly [path: string, text: string])[] {
  const path = join(folder, "notes.org");
  const text = readFileSync(path, "utf8");
  const operations = Array.from(
    text.matchAll(/^:ID: +(me\d*)$/gm),
    ([, at = ""]) => ({ op: "archive", at }) as const,
  );
  const result = editOrg(text, operations, {
    now: { year: 2026, month: 11, day: 24, hour: 9, minute: 30 },
    newId: () => assert.fail("no id is wanted"),
    logIntoDrawer: false,
    logDone: null,
    files: { name: path, read: (name) => readIfThere(join(folder, name)) },
  });
  assert.deepEqual(result.refused, []);
  return [
    [path, result.text],
    ...result.otherFiles.map((other) => [join(folder, other.path), other.text] as const),
  ];
}

function readIfThere(path: string): string {
  return existsSync(path) ? readFileSync(path, "utf8") : "";
}

function askEmacs(t: TestContext, folders: readonly string[]): void {
  const script = fileURLToPath(new URL("archive-in-emacs.el", import.meta.url));
  const { status, stderr } = spawnSync("emacs", ["-Q", "--batch", "-l", script, "--", ...folders], {
    encoding: "utf8",
  });
  t.diagnostic(stderr.trim().split("\n").at(-1) ?? "");
  assert.equal(status, 0, stderr);
}
