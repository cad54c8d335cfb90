import assert from "node:assert/strict";
import { test } from "node:test";
import type { Label } from "../../signal/label.ts";
import type { TextOrigin } from "../state/origins.ts";
import { found, makeWorld, open, put } from "./open-notes.fixture.ts";

const web: Label = { integrity: "untrusted", secrecy: "public", sources: [{ id: "r1", path: "" }] };

test("the label of a node comes from its tags, its origin property and the recorded origin of its words", async () => {
  const origins = new Map<string, TextOrigin>();
  const world = makeWorld({
    "a.org":
      "* Diary :@Personal:\n** Below\n* Web\n:PROPERTIES:\n:ORIGIN: untrusted r1\n:END:\n** Part\n* Mine\n:PROPERTIES:\n:ORIGIN: Munich\n:END:\n* Copied\nfrom a page\n",
  });
  const originsOf = async (hashes: readonly string[]) =>
    new Map([...origins].filter(([hash]) => hashes.includes(hash)));
  await using notes = open(world, { labels: { privacyTags: ["@personal"], originsOf } });
  await notes.sync();
  const labelOf = async (id: string) => (await notes.index.node(id))?.label;
  assert.equal((await labelOf("a.org::Diary/Below"))?.secrecy, "private");
  assert.equal((await labelOf("a.org::Web/Part"))?.integrity, "untrusted");
  assert.equal((await labelOf("a.org::Mine"))?.integrity, "user");
  assert.equal((await labelOf("a.org::Copied"))?.integrity, "user");
  origins.set((await notes.index.node("a.org::Copied"))?.words ?? "", { label: web, trusted: false });
  assert.deepEqual(await labelOf("a.org::Copied"), web);
  put(world, "b.org", "* Else\n*** Copied\n   from a\n   page\n");
  await notes.rebuild();
  assert.equal((await labelOf("b.org::Else/Copied"))?.integrity, "untrusted", "a copy, filled otherwise");
  origins.set((await notes.index.node("a.org::Copied"))?.words ?? "", { label: web, trusted: true });
  assert.equal((await labelOf("a.org::Copied"))?.integrity, "user");
});

test("the index holds nothing of an encrypted subtree, decrypted or not, nor of armour and private keys", async () => {
  const world = makeWorld({
    "a.org": [
      "* Passwords :crypt:",
      ":PROPERTIES:\n:CRYPTKEY: wombat\n:END:",
      "the word is platypus",
      "** Bank of marsupials",
      "pin echidna <2026-01-01>",
      "* Letter",
      "-----BEGIN PGP MESSAGE-----\nquollquollquoll\n-----END PGP MESSAGE-----",
      "** Reply\nplain numbat",
      "* Key",
      "  -----BEGIN OPENSSH PRIVATE KEY-----\n  bandicoot\n",
    ].join("\n"),
  });
  {
    await using notes = open(world);
    await notes.sync();
    for (const word of ["wombat", "platypus", "marsupials", "echidna", "quollquollquoll", "bandicoot"]) {
      assert.deepEqual(await found(notes, word), [], word);
    }
    assert.deepEqual(await found(notes, "passwords"), ["a.org::Passwords"]);
    assert.equal((await found(notes, "numbat")).length, 1);
    const secret = await notes.index.node("a.org::Passwords");
    assert.equal(secret?.label.secrecy, "secret");
    assert.deepEqual(await notes.index.children("a.org::Passwords"), []);
    assert.equal((await notes.texts(secret === null ? [] : [secret])).size, 0);
    assert.deepEqual(await notes.index.stampsFor("2025-01-01", "2027-01-01"), []);
  }
  const { readFileSync } = await import("node:fs");
  const bytes = readFileSync(world.file).toString("latin1");
  for (const word of ["wombat", "platypus", "marsupials", "echidna", "quollquoll", "bandicoot"]) {
    assert.equal(bytes.includes(word), false, word);
  }
});
