import assert from "node:assert/strict";
import {
  copyFileSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { homedir, tmpdir } from "node:os";
import { join, relative } from "node:path";
import { after, test } from "node:test";
import fc from "fast-check";
import type { Finding } from "../../src/memory/notes/garden/finding.ts";
import { applyRepair, type Garden, tendGarden } from "../../src/memory/notes/garden/tend-garden.ts";
import { merkleRoot } from "../../src/notes/note-hashes.ts";
import type { NoteFile } from "../../src/notes/note-node.ts";
import { talkTo } from "../agent-world.ts";
import { makeReviewWorld } from "./review-world.ts";

const root = mkdtempSync(join(tmpdir(), "garden-test-"));
after(() => rmSync(root, { recursive: true, force: true }));

const now = Date.UTC(2026, 10, 23, 12);
/** An index that has seen nothing: differences from it are not what these tests are about. */
const index = { files: async () => [], root: async () => merkleRoot([]) };

async function gardenOf(
  files: Readonly<Record<string, string | Uint8Array>>,
): Promise<Garden & { readonly folder: string }> {
  const folder = mkdtempSync(join(root, "notes-"));
  for (const [name, text] of Object.entries(files)) {
    mkdirSync(join(folder, name, ".."), { recursive: true });
    writeFileSync(join(folder, name), text);
  }
  return { ...(await tend(folder)), folder };
}

async function tend(folder: string): Promise<Garden> {
  const { findings, ...garden } = await tendGarden({
    place: { folder, variables: [] },
    index,
    now,
    staleAfter: 180,
  });
  return { ...garden, findings: findings.filter(({ code }) => code !== "index-differs") };
}

const said = (findings: readonly Finding[]): readonly string[] =>
  findings.map(({ code, file, line, repairable }) => `${file}:${line} ${code}${repairable ? " +" : ""}`);

/** Makes every repair of a file, and gives the file's new bytes. */
function repaired({ repairs, folder }: Garden & { readonly folder: string }, file: string): string {
  const splices = repairs.filter((one) => one.file === file).flatMap((one) => one.splices);
  const done = applyRepair(
    { folder, variables: [] },
    { file, splices: splices.toSorted((a, b) => a.begin - b.begin) },
  );
  return Buffer.from(done?.after ?? []).toString();
}

test("links to notes that are gone are found, and lead to the note that can be meant where there is exactly one", async () => {
  const garden = await gardenOf({
    "a.org":
      "* A\n[[id:gone][Roses]] and [[id:gone][Lilies]] and [[file:old/b.org::*B][b]], [[file:none.org]], [[https://x.example]], [[file:/ssh:x:/y]]\n#+begin_src org\n[[id:in-a-block]]\n#+end_src\n",
    "new/b.org": "* B\n* Roses\n:PROPERTIES:\n:ID: roses\n:END:\n",
    "c.org": "* Lilies\n:PROPERTIES:\n:ID: l1\n:END:\n* Lilies\n:PROPERTIES:\n:ID: l2\n:END:\n[[id:roses]]\n",
  });
  assert.deepEqual(said(garden.findings), [
    "a.org:2 broken-link +",
    "a.org:2 broken-link",
    "a.org:2 broken-link +",
    "a.org:2 broken-link",
  ]);
  assert.match(
    repaired(garden, "a.org"),
    /^\[\[id:roses\]\[Roses\]\] and \[\[id:gone\]\[Lilies\]\] and \[\[file:\.\/new\/b\.org::\*B\]\[b\]\]/m,
  );
});

test("a link to an ID in other case is repaired, except in the file of the ID, where Emacs follows it; notes of Denote may be Markdown", async () => {
  const garden = await gardenOf({
    "a.org":
      "* A\n:PROPERTIES:\n:ID: AbC\n:END:\n[[id:abc]] [[denote:20240101T101010]] [[denote:20240101T101011]]\n",
    "b.org": "[[id:aBC::*A][x]]\n",
    "sub/20240101T101010--note__tag.md": "# Note\n",
  });
  assert.deepEqual(said(garden.findings), ["a.org:5 broken-link", "b.org:1 broken-link +"]);
  assert.equal(repaired(garden, "b.org"), "[[id:AbC::*A][x]]\n");
});

test("of an ID in a note and in an archive the note keeps it, and no open TODO is stale that is archived or commented out", async () => {
  const tree = "* TODO X\n[2020-01-01 Wed]\n:PROPERTIES:\n:ID: same\n:END:\n";
  const entry = "* X\n:PROPERTIES:\n:ID: same\n:END:\n";
  const garden = await gardenOf({
    "a.org": `#    -*- mode: org -*-\n\n\nArchived entries from file ~/z.org\n\n\n${entry}${tree.replace(":ID: same", ":ID: one")}`,
    "b.org_archive": entry + tree.replace(":ID: same", ":ID: two"),
    "z.org": `${entry}* COMMENT Plans\n** TODO Old\n[2020-01-01 Wed]\n* Old :ARCHIVE:\n** TODO Old\n[2020-01-01 Wed]\n* TODO Last\n[2020-01-01 Wed]\n`,
  });
  assert.deepEqual(said(garden.findings.filter(({ code }) => code !== "misplaced-drawer")), [
    "a.org:9 duplicate-id +",
    "b.org_archive:3 duplicate-id +",
    "z.org:11 stale-todo",
  ]);
});

test("an index that holds other contents than an unchanged file is damaged; of a file that somebody wrote since it is only behind", async () => {
  const { folder } = await gardenOf({ "a.org": "* A\n", "b.org": "* B\n" });
  const files = ["a.org", "b.org"].map((path): NoteFile => {
    const { size, mtimeNs, ctimeNs, ino } = statSync(join(folder, path), { bigint: true });
    const stat = { size: Number(size), modified: `${mtimeNs}`, changed: `${ctimeNs}`, inode: `${ino}` };
    return { path, ...stat, digest: "of others", hash: "", setup: "", problem: null };
  });
  const root = merkleRoot(files);
  writeFileSync(join(folder, "b.org"), "* B, written since\n");
  const { findings } = await tendGarden({
    place: { folder, variables: [] },
    index: { files: async () => files, root: async () => root },
    now,
    staleAfter: 180,
  });
  assert.deepEqual(said(findings), ["a.org:0 index-differs"]);
});

test("an ID that is there twice stays with the first node, the other is proposed one of its own, the same each time", async () => {
  const twice = "* X\n:PROPERTIES:\n:ID:       same\n:END:\n";
  const files = {
    "a.org": twice,
    "b.org": `${twice}* Y\n:PROPERTIES:\n:ID: other\n:END:\n`,
    "c.org": "[[id:same]] [[id:other]]\n",
  };
  const garden = await gardenOf(files);
  assert.deepEqual(said(garden.findings), ["b.org:3 duplicate-id +"]);
  const [again] = (await gardenOf(files)).repairs;
  assert.deepEqual(garden.repairs[0]?.splices, again?.splices);
  assert.match(repaired(garden, "b.org"), /^\* X\n:PROPERTIES:\n:ID: {7}[0-9a-f-]{36}\n:END:\n\* Y\n/);
});

test("a property drawer that stands too low is moved below its heading and planning; one in a block, a second one and a broken one stay", async () => {
  const garden = await gardenOf({
    "a.org":
      "* A\nSCHEDULED: <2026-11-30 Mon>\nwords\n:PROPERTIES:\n:ID: a\n:END:\nmore\n* B\n:PROPERTIES:\n:X: 1\n:END:\n:PROPERTIES:\n:Y: 2\n:END:\n* C\n#+begin_example\n:PROPERTIES:\n:Z: 1\n:END:\n#+end_example\n",
  });
  assert.deepEqual(said(garden.findings), ["a.org:4 misplaced-drawer +", "a.org:12 misplaced-drawer"]);
  assert.match(
    repaired(garden, "a.org"),
    /^\* A\nSCHEDULED: <2026-11-30 Mon>\n:PROPERTIES:\n:ID: a\n:END:\nwords\nmore\n\* B\n/,
  );
});

test("a TODO without a day is stale half a year after the last day in it; a file with an ID that no link reaches, and none leaves, is an orphan", async () => {
  const garden = await gardenOf({
    "a.org":
      "* TODO Old\n[2026-01-01 Thu]\n* TODO Planned\nDEADLINE: <2026-01-01 Thu>\n* TODO New\n[2026-11-01 Sun]\n* DONE Over\n[2020-01-01 Wed]\n* TODO No day\n",
    "alone.org": ":PROPERTIES:\n:ID: alone\n:END:\n#+title: Alone\n",
    "linked.org": ":PROPERTIES:\n:ID: linked\n:END:\n",
    "linking.org": ":PROPERTIES:\n:ID: linking\n:END:\n[[id:linked]]\n",
  });
  assert.deepEqual(said(garden.findings), ["a.org:1 stale-todo", "alone.org:0 orphan"]);
  const { folder } = await gardenOf({ "a.org": ":PROPERTIES:\n:ID: a\n:END:\n" });
  writeFileSync(join(folder, "b.org"), `[[file:~/${relative(homedir(), folder)}/a.org]]\n`);
  assert.deepEqual((await tend(folder)).findings, []);
});

const line = fc.constantFrom(
  "* A\n",
  "** TODO B\n",
  ":PROPERTIES:\n",
  ":ID: same\n",
  ":END:\n",
  "words\n",
  "[[id:gone][A]]\n",
  "[[file:moved.org]]\n",
  "SCHEDULED: <2026-01-01 Thu>\n",
  "#+begin_src\n",
  "#+end_src\n",
  "\t[[id:same]]\r\n",
  "\u00e4\u{1f600}\n",
  "#+title: A\n",
);

test("no repair changes a byte outside of its lines, whatever the file holds, and after a few rounds none is left", async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(line, { maxLength: 14 }),
      fc.array(line, { maxLength: 8 }),
      async (one, other) => {
        const { folder, ...first } = await gardenOf({
          "a.org": one.join(""),
          "sub/moved.org": other.join(""),
        });
        // A drawer that is moved may bring the ID that a link was missing.
        let garden: Garden = first;
        for (let round = 0; garden.repairs.length > 0; round += 1) {
          assert.ok(round < 4);
          for (const file of new Set(garden.repairs.map((repair) => repair.file))) {
            const before = readFileSync(join(folder, file), "utf8");
            const made = repaired({ ...garden, folder }, file);
            const changed = (text: string): readonly string[] =>
              text.split("\n").filter((row) => !/^[ \t]*(?:\[\[|:)/.test(row));
            assert.deepEqual(changed(made), changed(before));
            assert.equal(made.split("\n").length, before.split("\n").length);
            writeFileSync(join(folder, file), made);
          }
          garden = await tend(folder);
        }
      },
    ),
    { numRuns: 100 },
  );
});

const corpus = join(import.meta.dirname, "../../../shared/data/org/corpus");

test("real files come through every repair byte for byte outside of it", {
  skip: existsSync(corpus) ? false : "the test data in ../shared/data is not on this machine",
}, async () => {
  const folder = mkdtempSync(join(root, "corpus-"));
  const names = readdirSync(corpus, { recursive: true, encoding: "utf8" }).filter((name) =>
    name.endsWith(".org"),
  );
  for (const [at, name] of names.entries()) copyFileSync(join(corpus, name), join(folder, `${at}.org`));
  const { repairs, files } = await tendGarden({
    place: { folder, variables: [] },
    index,
    now,
    staleAfter: 180,
  });
  assert.equal(files, names.length);
  for (const repair of repairs) {
    const made = applyRepair({ folder, variables: [] }, repair);
    if (made === null) continue;
    const [first, last] = [repair.splices[0]?.begin ?? 0, repair.splices.at(-1)?.end ?? 0];
    const text = Buffer.from(made.before).toString();
    const head = Buffer.byteLength(text.slice(0, first));
    const tail = Buffer.byteLength(text.slice(last));
    assert.ok(Buffer.from(made.before).subarray(0, head).equals(Buffer.from(made.after).subarray(0, head)));
    assert.ok(
      Buffer.from(made.before)
        .subarray(-tail || undefined)
        .equals(Buffer.from(made.after).subarray(-tail || undefined)) || tail === 0,
    );
  }
});

test("the gardener proposes its repairs once a day where notes changed, and an accepted one changes only its lines", async (t) => {
  const plan = "* Plan\nSee [[id:gone][Roses]].\n* Roses\nwords\n:PROPERTIES:\n:ID: roses\n:END:\n";
  const world = await makeReviewWorld(t, {
    "plan.org": plan,
    "b.org": "* Roses\n:PROPERTIES:\n:ID: r2\n:END:\n",
  });
  const found = await world.command(["garden", "--json"]);
  assert.equal(found.code, 1, found.err);
  assert.deepEqual(
    found.out
      .trim()
      .split("\n")
      .map((row) => JSON.parse(row).code),
    ["broken-link", "misplaced-drawer"],
  );
  await using agent = await world.serve();
  const talk = await talkTo(agent);
  const ran = await talk.say("/jobs run garden");
  assert.match(ran.text, /1 broken-link, 1 misplaced-drawer; 1 new repair proposed/);
  assert.equal(world.read("plan.org"), plan);
  const inbox = world.read("review.org");
  assert.match((await talk.say("/jobs run garden")).text, /Nothing was due/);
  assert.equal(world.read("review.org"), inbox);
  const [, id = ""] = /^:ID: +(review-\S+)$/m.exec(inbox) ?? [];
  await talk.say(`/review accept ${id}`);
  assert.equal(
    world.read("plan.org"),
    "* Plan\nSee [[id:r2][Roses]].\n* Roses\n:PROPERTIES:\n:ID: roses\n:END:\nwords\n",
  );
  assert.equal(world.provider.requests.length, 0);
});

test("of many repairs fifty are proposed at once, and those that are refused leave their place to others", async (t) => {
  const names = Array.from({ length: 53 }, (_, index) => `n${String(index).padStart(3, "0")}.org`);
  const note = (index: number): string => `* Note ${index}\n:PROPERTIES:\n:ID: same\n:END:\nwords\n`;
  const world = await makeReviewWorld(t, Object.fromEntries(names.map((name, index) => [name, note(index)])));
  await using agent = await world.serve();
  const talk = await talkTo(agent);
  const proposed = () =>
    Array.from(world.read("review.org").matchAll(/^--- (n\d+\.org)/gm), ([, name]) => name);
  assert.match(
    (await talk.say("/jobs run garden")).text,
    /50 new repairs proposed; 2 files more wait for room in review\.org/,
  );
  assert.deepEqual(proposed(), names.slice(1, 51));
  // All that stood in it is refused at once.
  world.write("review.org", "#+TITLE: Review\n\n");
  assert.match((await talk.say("/jobs run garden")).text, /2 new repairs proposed/);
  assert.deepEqual(proposed(), names.slice(51));
  for (const [index, name] of names.entries()) assert.equal(world.read(name), note(index));
});
