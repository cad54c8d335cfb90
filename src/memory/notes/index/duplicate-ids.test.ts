import assert from "node:assert/strict";
import type { ParsedFile } from "../../../notes/note-node.ts";
import { file, testEachIndex } from "./note-index.fixture.ts";

testEachIndex(
  "gives an id that two files have to the first file by path, in any order of indexing",
  async (make) => {
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
  },
);

testEachIndex(
  "gives an id that several nodes have to the owner's node, whatever is added, removed or changed",
  async (make) => {
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
  },
);

testEachIndex("gives an id to the note and not to a copy with a longer name", async (make) => {
  const text = "* House\n:PROPERTIES:\n:ID: same\n:END:\n";
  for (const copy of [
    "notes/house (Ada's conflicted copy 2026-01-02).org",
    "notes/house 2.org",
    "notes/house-laptop.org",
    "notes/house(1).org",
    "notes/house_conf(Jan-02-2026).org",
    "notes/house.org_archive",
  ]) {
    for (const order of [
      [copy, "notes/house.org"],
      ["notes/house.org", copy],
    ]) {
      const index = make();
      for (const path of order) await index.replace([file(path, text)]);
      assert.equal((await index.node("same"))?.file, "notes/house.org", copy);
      await index.close();
    }
  }
});

testEachIndex("gives an id that stands twice in a file to the owner's node", async (make) => {
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
