import assert from "node:assert/strict";
import { sha256 } from "../../../machine/digest.ts";
import { parseNoteFile } from "../../../notes/parse-note-file.ts";
import { collect, file, noSetup, testEachIndex } from "./note-index.fixture.ts";

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

testEachIndex("gives the nodes of a file in the order of the text, with what they inherit", async (make) => {
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

testEachIndex(
  "finds words of titles, aliases, text, tags and properties, and nothing for a query without words",
  async (make) => {
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
  },
);

testEachIndex("reports what a change did by id, and does not report nodes that only moved", async (make) => {
  const index = make();
  await index.replace([file("a.org", "* One\n* Two\n** Deep\n* Three\n")]);
  const changes = await index.replace([file("a.org", "A new line.\n* One\n* Two\nmore\n** Deep\n* Four\n")]);
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

testEachIndex("keeps the tag groups of nodes and of their times", async (make) => {
  const index = make();
  const grouped = "#+TAGS: [ private : diary ]\n* A :diary:\n<2024-01-15 Mon>\n** B\n* C\n<2024-01-15 Mon>\n";
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

testEachIndex("finds links by their target, and open nodes by their tag", async (make) => {
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

testEachIndex("finds nodes by what stands in their titles, those that begin with it first", async (make) => {
  const index = make();
  const text = "* Roses 100%\n* Water the roses\n* Prose_x\n* Rosemary\n* Moss\n";
  await index.replace([file("plans.org", text)]);
  const titles = async (words: string, limit = 9) =>
    (await index.titled(words, limit)).map(({ title }) => title);
  assert.deepEqual(await titles("rose"), ["Rosemary", "Roses 100%", "Prose_x", "Water the roses"]);
  assert.deepEqual(await titles("rose", 1), ["Rosemary"]);
  assert.deepEqual(
    [await titles("0%"), await titles("e_x"), await titles("\\")],
    [["Roses 100%"], ["Prose_x"], []],
  );
  await index.close();
});

testEachIndex("finds the nodes whose whole title stands in a text, the longest first", async (make) => {
  const index = make();
  await index.replace([file("plans.org", "* Roses\n* Water the roses\n* Moss\n* 100%\n*\n")]);
  const titles = async (text: string, limit = 9) =>
    (await index.titledIn(text, limit)).map(({ title }) => title);
  assert.deepEqual(await titles("please WATER the roses in May"), ["Water the roses", "Roses"]);
  assert.deepEqual(await titles("please water the roses in May", 1), ["Water the roses"]);
  assert.deepEqual([await titles("100 rose"), await titles("all 100% of it")], [[], ["100%"]]);
  await index.close();
});

testEachIndex("finds the nodes that have an address in their properties", async (make) => {
  const index = make();
  const people = file(
    "people.org",
    "* Anna\n:PROPERTIES:\n:EMAIL: anna@lind.example\n:END:\n* Bob\n:PROPERTIES:\n:Phone: 030 123\n:END:\n* A mail\nEMAIL: eve@evil.example\n",
  );
  await index.replace([file("plans.org", plans), people]);
  const found = await index.nodesWithAddress();
  assert.deepEqual(found.map(({ title }) => title).toSorted(), ["Anna", "Bob"]);
  await index.remove(["people.org"]);
  assert.deepEqual(await index.nodesWithAddress(), []);
  await index.close();
});

testEachIndex(
  "finds links in angle brackets, plain and abbreviated, and none in verbatim text",
  async (make) => {
    const index = make();
    const linking = [
      "#+LINK: n id:",
      "* Angle\n<id:roof>",
      "* Plain\nsee id:roof.",
      "* Short\n[[n:roof]]",
      "* Search\n[[id:roof::*Tiles]]",
      "* Verbatim\n=[[id:roof]]= ~id:roof~",
      "* Source\n#+begin_src org\n[[id:roof]]\n#+end_src\n# [[id:roof]]",
      "* Drawer\n:PROPERTIES:\n:SEE: [[id:roof]]\n:END:",
    ];
    await index.replace([file("plans.org", plans), file("l.org", linking.join("\n"))]);
    assert.deepEqual(
      (await index.linksTo("id", "roof")).map(({ node, begin }) => [node, begin]),
      [
        ["l.org::Angle", 8],
        ["l.org::Plain", 12],
        ["l.org::Search", 9],
        ["l.org::Short", 8],
      ],
    );
    await index.close();
  },
);

testEachIndex("has a root hash that depends on the files alone", async (make) => {
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

testEachIndex("accepts any text, with raw bytes, zero bytes and lone surrogates", async (make) => {
  const index = make();
  const bytes = Buffer.concat([Buffer.from("* Stra"), Buffer.of(0xdf), Buffer.from("e :t:\nwords \u0001\n")]);
  const found = { path: "raw.org", size: bytes.length, modified: "1", changed: "1", inode: "1" };
  await index.replace([parseNoteFile({ found, bytes, digest: sha256(bytes) }, noSetup)]);
  assert.equal((await index.search("words", 5)).length, 1);
  assert.match((await index.file("raw.org"))?.problem ?? "", /not UTF-8/);
  const zero = Buffer.from("* A\0\n");
  await index.replace([
    parseNoteFile({ found: { ...found, path: "zero.org" }, bytes: zero, digest: sha256(zero) }, noSetup),
  ]);
  assert.match((await index.file("zero.org"))?.problem ?? "", /not text/);
  assert.deepEqual(await index.nodesInFile("zero.org"), []);
  await index.close();
});
