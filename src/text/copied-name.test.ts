import assert from "node:assert/strict";
import { test } from "node:test";
import { copiedNames } from "./copied-name.ts";

const copiesOfNetrc = [
  ".#.netrc",
  "#.netrc#",
  ".netrc~",
  ".netrc.~12~",
  ".netrc.swp",
  "..netrc.swo",
  ".netrc.un~",
  ".~lock..netrc#",
  ".netrc.bak",
  ".netrc.orig",
  ".netrc.old",
  ".netrc.save",
  ".netrc.save.1",
  ".netrc.tmp",
  ".netrc.bak2",
  ".netrc-old",
  ".netrc.dpkg-old",
  ".netrc.1",
  ".netrc.sync-conflict-20261128-203000-ABCDEFG".toLowerCase(),
  ".sync-conflict-20261128-203000-abcdefg.netrc",
  ".netrc (ada's conflicted copy 2026-11-28)",
  ".netrc (copy)",
  ".netrc (3rd copy)",
  ".netrc (2)",
  ".netrc copy 2",
  ".netrc - copy",
  "copy of .netrc",
  "copy (2) of .netrc",
  ".netrc (kopie)",
  ".netrc (kopie 2)",
  ".netrc - kopie",
  "kopie von .netrc",
  "copia de .netrc",
  ".netrc.2024-01-01",
  ".netrc-20240101",
  ".netrc_2024-01-01t10-20-30",
  ".netrc.gz",
  ".netrc.tar.zst",
  ".netrc.b64",
  ".netrc.bck",
  ".netrc.back",
  ".netrc.new",
  ".netrc.mine",
  ".netrc,v",
  "._.netrc",
  ".netrc.bak~",
  "#.netrc.old#",
  ".syncthing..netrc.tmp",
  "..netrc.~undo-tree~",
  ".netrc#",
  ".netrcbak",
  ".netrc.lock",
  ".netrc;1",
  ".netrc 2",
  "netrc.bak",
  "netrc_old",
];

test("a name leads to the name of the file that it is a copy of, whatever made the copy", () => {
  for (const copy of copiesOfNetrc)
    assert.ok(copiedNames(copy).includes(".netrc"), `${copy}: ${copiedNames(copy).join(" ")}`);
  assert.ok(copiedNames(".#env#").includes(".env"));
  for (const copy of [
    "token (copy).json",
    "token (ada's conflicted copy 2026-11-28).json",
    "token.sync-conflict-20261128-203000-abcdefg.json",
    "token copy.json",
    "token - copy (2).json",
    "token_conflict-20261128-203000.json",
    "copy of token.json",
    "token 2.json",
    "token.json~",
    ".token.json.swp",
  ])
    assert.ok(copiedNames(copy).includes("token.json"), copy);
});

test("a name that is no copy is itself alone", () => {
  for (const name of [
    "readme.md",
    ".env.example",
    "photocopy.txt",
    "copybook.c",
    "kopien.txt",
    "renew.md",
    "2024-01-01.org",
    "a",
    ".",
    "",
    "node_modules",
  ])
    assert.deepEqual(copiedNames(name), [name], name);
});
