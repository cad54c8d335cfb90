import assert from "node:assert/strict";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, describe, test } from "node:test";
import * as fc from "fast-check";
import { sha256 } from "../../storage/digest.ts";
import type { NoteNode, ParsedFile } from "../nodes/note-node.ts";
import { parseNoteFile } from "../nodes/parse-note-file.ts";
import { MemoryNoteIndex } from "./memory-note-index.ts";
import type { NoteIndex } from "./note-index.ts";
import { openIndexFile } from "./open-index-file.ts";
import { SqliteNoteIndex } from "./sqlite-note-index.ts";

const root = mkdtempSync(join(tmpdir(), "note-index-"));
after(() => rmSync(root, { recursive: true, force: true }));

const implementations: readonly [name: string, make: () => NoteIndex][] = [
  ["in memory", () => new MemoryNoteIndex()],
  [
    "SQLite",
    () => new SqliteNoteIndex(openIndexFile(join(mkdtempSync(join(root, "a-")), "index.db")).database),
  ],
];

/** A file of the notes folder with this text. */
function file(path: string, text: string): ParsedFile {
  const bytes = Buffer.from(text);
  const found = { path, size: bytes.length, modified: "1", changed: "1", inode: "1" };
  return parseNoteFile(found, bytes, sha256(bytes));
}

async function collect(index: NoteIndex): Promise<readonly NoteNode[]> {
  const nodes: NoteNode[] = [];
  for await (const node of index.all()) nodes.push(node);
  return nodes;
}

const plans = `#+TITLE: Plans
#+FILETAGS: :home:
Preamble about the harbour.
* TODO [#A] Roof                                                   :project:
:PROPERTIES:
:ID:       roof
:ROAM_ALIASES: "The tin roof" gutter
:END:
The roofer said zinc.
** DONE Ask the roofer
** NEXT Order zinc :shop:
* COMMENT Ideas
** Sauna
`;

for (const [name, make] of implementations) {
  describe(`the index ${name}`, () => {
    test("gives a file's nodes in the order of the text, with what they inherit", async () => {
      const index = make();
      await index.replace([file("plans.org", plans)]);
      const nodes = await collect(index);
      assert.deepEqual(
        nodes.map(({ id, parent, level }) => [id, parent, level]),
        [
          ["plans.org", null, 0],
          ["roof", "plans.org", 1],
          ["plans.org::Roof/Ask the roofer", "roof", 2],
          ["plans.org::Roof/NEXT Order zinc", "roof", 2],
          ["plans.org::Ideas", "plans.org", 1],
          ["plans.org::Ideas/Sauna", "plans.org::Ideas", 2],
        ],
      );
      const roof = await index.node("roof");
      assert.deepEqual(
        [roof?.title, roof?.todo, roof?.priority, roof?.tags, roof?.aliases],
        ["Roof", "TODO", "A", ["home", "project"], ["The tin roof", "gutter"]],
      );
      assert.equal(plans.slice(roof?.lineEnd, roof?.sectionEnd).includes("zinc"), true);
      const sauna = await index.node("plans.org::Ideas/Sauna");
      assert.deepEqual([sauna?.commented, sauna?.path], [true, ["Ideas"]]);
      assert.deepEqual(await index.nodesInFile("plans.org"), nodes);
      assert.deepEqual(await index.children(null), [nodes[0]]);
      assert.deepEqual(await index.children("roof"), nodes.slice(2, 4));
      assert.equal(await index.count(), 6);
      assert.equal(await index.countInFiles(["plans.org", "nobody.org"]), 6);
      assert.equal(await index.node("nobody"), null);
      await index.close();
    });

    test("finds words of titles, aliases, text, tags and properties, and nothing for a query without words", async () => {
      const index = make();
      await index.replace([file("plans.org", plans), file("b.org", "* Boat\nmoored in the harbour\n")]);
      const ids = async (query: string) => (await index.search(query, 10)).map(({ id }) => id);
      assert.equal((await ids("roofer"))[0], "plans.org::Roof/Ask the roofer");
      assert.deepEqual((await ids("harbour")).toSorted(), ["b.org::Boat", "plans.org"]);
      assert.equal((await ids("gutter"))[0], "roof");
      assert.deepEqual(await ids(" ?! "), []);
      assert.deepEqual(await ids('"unbalanced AND ( NEAR'), []);
      assert.deepEqual(await ids("xylophone"), []);
      assert.equal((await index.search("harbour", 1)).length, 1);
      await index.close();
    });

    test("says what a change did, by id, and leaves alone what only moved", async () => {
      const index = make();
      await index.replace([file("a.org", "* One\n* Two\n** Deep\n* Three\n")]);
      const changes = await index.replace([
        file("a.org", "A new line.\n* One\n* Two\nmore\n** Deep\n* Four\n"),
      ]);
      assert.deepEqual([...changes.added], ["a.org::Four"]);
      assert.deepEqual([...changes.removed], ["a.org::Three"]);
      assert.deepEqual([...changes.changed].toSorted(), ["a.org", "a.org::Two"]);
      assert.equal((await index.node("a.org::One"))?.begin, 12);
      const gone = await index.remove(["a.org", "never.org"]);
      assert.equal(gone.removed.length, 5);
      assert.equal(await index.count(), 0);
      assert.deepEqual(await index.search("deep", 5), []);
      await index.close();
    });

    test("lets the first file keep an id that two have, whichever came first", async () => {
      const one = file("a.org", "* A\n:PROPERTIES:\n:ID: same\n:END:\n** Below\n");
      const two = file("b.org", "* B\n:PROPERTIES:\n:ID: same\n:END:\n** Below\n");
      for (const order of [
        [one, two],
        [two, one],
      ]) {
        const index = make();
        for (const read of order) await index.replace([read]);
        assert.equal((await index.node("same"))?.file, "a.org");
        assert.equal((await index.node("b.org::B"))?.file, "b.org");
        assert.equal((await index.children("b.org::B"))[0]?.parent, "b.org::B");
        await index.remove(["a.org"]);
        assert.equal((await index.node("same"))?.file, "b.org");
        assert.equal(await index.node("b.org::B"), null);
        await index.close();
      }
    });

    test("gives an id that two have to the one of the owner, wherever the other stands and whatever goes or changes", async () => {
      const page = (path: string, origin: string): ParsedFile =>
        file(path, `* Page\n:PROPERTIES:\n:ID: same\n:ORIGIN: ${origin}\n:END:\n`);
      const mine = file("m.org", "* Mine\n:PROPERTIES:\n:ID: same\n:END:\n");
      const told = page("a.org", "untrusted https://example.org");
      const made = page("z.org", "agent");
      for (const order of [
        [told, mine, made],
        [mine, told, made],
        [made, told, mine],
      ]) {
        const index = make();
        const holder = async () => (await index.node("same"))?.file;
        for (const read of order) await index.replace([read]);
        assert.equal(await holder(), "m.org");
        assert.deepEqual((await index.claimants("same")).map(({ id }) => id).toSorted(), [
          "a.org::Page",
          "same",
          "z.org::Page",
        ]);
        await index.replace([file("m.org", "* Mine\n")]);
        assert.equal(await holder(), "z.org", "the agent's is before one from elsewhere");
        await index.replace([mine]);
        assert.equal(await holder(), "m.org");
        await index.replace([page("m.org", "untrusted")]);
        assert.equal(await holder(), "z.org", "a mark was added to what had it");
        await index.remove(["z.org"]);
        assert.equal(await holder(), "a.org");
        const changes = await index.replace([page("m.org", "mine")]);
        assert.equal(await holder(), "m.org", "the mark went again");
        assert.equal((await index.node("a.org::Page"))?.file, "a.org");
        assert.ok(changes.changed.includes("same"));
        assert.deepEqual([changes.added, changes.removed], [["a.org::Page"], ["m.org::Page"]]);
        await index.close();
      }
    });

    test("gives an id that stands twice in a file to what is the owner's", async () => {
      const index = make();
      const drawer = (more: string): string => `:PROPERTIES:\n:ID: same\n${more}:END:\n`;
      const top = "* Page\n:PROPERTIES:\n:ORIGIN: untrusted\n:END:\n";
      const text = `${top}** Below\n${drawer("")}* Mine\n${drawer("")}* Late\n${drawer("")}`;
      await index.replace([file("a.org", text)]);
      assert.equal((await index.node("same"))?.title, "Mine");
      assert.equal((await index.node("a.org::Page/Below"))?.title, "Below");
      assert.equal((await index.node("a.org::Late"))?.title, "Late");
      await index.close();
    });

    test("knows the groups of tags that nodes and their times are of", async () => {
      const index = make();
      const grouped =
        "#+TAGS: [ private : diary ]\n* A :diary:\n<2024-01-15 Mon>\n** B\n* C\n<2024-01-15 Mon>\n";
      await index.replace([file("g.org", grouped)]);
      assert.deepEqual((await index.node("g.org::A/B"))?.groups, ["private"]);
      assert.equal((await index.node("g.org::C"))?.groups, undefined);
      const stamps = await index.stampsFor("2024-01-15", "2024-01-15");
      assert.deepEqual(
        stamps.map(({ groups }) => groups),
        [["private"], undefined],
      );
      await index.close();
    });

    test("finds links by their target, and open nodes by their tag", async () => {
      const index = make();
      const linking = file(
        "l.org",
        "* From\nSee [[id:roof][the roof]] and [[https://example.org/x]].\n* DONE Old :project:\n",
      );
      await index.replace([file("plans.org", plans), linking]);
      assert.deepEqual(
        (await index.linksTo("id", "roof")).map(({ node }) => node),
        ["l.org::From"],
      );
      assert.deepEqual(await index.linksTo("id", "none"), []);
      assert.deepEqual(
        (await index.openNodesWithTag("project")).map(({ id }) => id),
        ["roof"],
      );
      await index.close();
    });

    test("has a root that depends on the files alone", async () => {
      const [one, other] = [make(), make()];
      const empty = await one.root();
      const read = file("a.org", "* A\n");
      await one.replace([file("b.org", "* B\n"), file("a.org", "* Else\n"), file("c.org", "")]);
      await one.replace([read]);
      await one.remove(["c.org"]);
      await other.replace([read, file("b.org", "* B\n")]);
      assert.equal(await one.root(), await other.root());
      assert.match(await one.root(), /^[0-9a-f]{64}$/);
      const before = await one.root();
      await one.touch([{ ...read.file, modified: "5" }]);
      assert.equal(await one.root(), before);
      assert.equal((await one.file("a.org"))?.modified, "5");
      await one.replace([file("a.org", "* A \n")]);
      assert.notEqual(await one.root(), before);
      await one.clear();
      assert.deepEqual([await one.root(), await one.count(), await one.files()], [empty, 0, []]);
      await Promise.all([one.close(), other.close()]);
    });

    test("takes any text, with raw bytes, zero bytes and lone surrogates", async () => {
      const index = make();
      const bytes = Buffer.concat([
        Buffer.from("* Stra"),
        Buffer.of(0xdf),
        Buffer.from("e :t:\nwords \u0001\n"),
      ]);
      const found = { path: "raw.org", size: bytes.length, modified: "1", changed: "1", inode: "1" };
      await index.replace([parseNoteFile(found, bytes, sha256(bytes))]);
      assert.equal((await index.search("words", 5)).length, 1);
      assert.match((await index.file("raw.org"))?.problem ?? "", /not UTF-8/);
      const zero = Buffer.from("* A\0\n");
      await index.replace([parseNoteFile({ ...found, path: "zero.org" }, zero, sha256(zero))]);
      assert.match((await index.file("zero.org"))?.problem ?? "", /not text/);
      assert.deepEqual(await index.nodesInFile("zero.org"), []);
      await index.close();
    });
  });
}

const heading = fc.record({
  stars: fc.integer({ min: 1, max: 3 }),
  todo: fc.constantFrom("", "TODO ", "DONE "),
  title: fc.constantFrom("One", "Two", "One~2", "a/b", "Three :project:", "Secret :crypt:"),
  id: fc.constantFrom("", "", "x", "y", "a.org::One"),
  origin: fc.constantFrom("", "", "untrusted", "agent"),
  body: fc.constantFrom("", "some words\n", "[[id:x]] and more\n"),
});
const text = fc.array(heading, { maxLength: 6 }).map((headings) =>
  headings
    .map(({ stars, todo, title, id, origin, body }) => {
      const mark = origin === "" ? "" : `:ORIGIN: ${origin}\n`;
      const drawer = id === "" ? "" : `:PROPERTIES:\n:ID: ${id}\n${mark}:END:\n`;
      return `${"*".repeat(stars)} ${todo}${title}\n${drawer}${body}`;
    })
    .join(""),
);
const path = fc.constantFrom("a.org", "b.org", "c/d.org");
const step = fc.oneof(
  {
    weight: 4,
    arbitrary: fc.record({ replace: fc.array(fc.tuple(path, text), { minLength: 1, maxLength: 3 }) }),
  },
  { weight: 1, arbitrary: fc.record({ remove: path }) },
);

test("whatever its history, an index is the same as one made anew, in both implementations", async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(step, { maxLength: 8 }), async (steps) => {
      const indexes = implementations.map(([, make]) => make());
      const files = new Map<string, string>();
      for (const one of steps) {
        if ("remove" in one) files.delete(one.remove);
        else for (const [name, words] of one.replace) files.set(name, words);
        for (const index of indexes) {
          if ("remove" in one) await index.remove([one.remove]);
          else await index.replace(one.replace.map(([name, words]) => file(name, words)));
        }
      }
      const fresh = make(implementations[0]);
      await fresh.replace([...files].map(([name, words]) => file(name, words)));
      const wanted = await collect(fresh);
      for (const index of indexes) {
        assert.deepEqual(await collect(index), wanted);
        assert.equal(await index.root(), await fresh.root());
        assert.deepEqual(await index.linksTo("id", "x"), await fresh.linksTo("id", "x"));
        await index.close();
      }
    }),
    { numRuns: 60 },
  );
});

function make(implementation: (typeof implementations)[number] | undefined): NoteIndex {
  if (implementation === undefined) throw new Error("there is an implementation");
  return implementation[1]();
}
