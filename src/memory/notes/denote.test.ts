import assert from "node:assert/strict";
import { test } from "node:test";
import { readDenoteName } from "../../notes/denote-name.ts";
import { findBacklinks } from "./backlinks.ts";
import { labelOfFile } from "./labels/label-of-file.ts";
import { makeWorld, open } from "./open-notes.fixture.ts";

test("the names of Denote's files are read, whatever the order of their parts", () => {
  const name = { id: "20240101T000000", title: "Roof and gutter", tags: ["home", "diary"] };
  for (const path of [
    "20240101T000000--roof-and-gutter__home_diary.org",
    "a/b/20240101T000000==1=2--roof-and-gutter__home_diary.org",
    "--roof-and-gutter__home_diary@@20240101T000000.org",
    "__home_diary--roof-and-gutter@@20240101T000000==sig.org_archive",
    "#20240101T000000--roof-and-gutter__home_diary.org#",
    ".#20240101T000000--roof-and-gutter__home_diary.org",
  ])
    assert.deepEqual(readDenoteName(path), name, path);
  assert.deepEqual(readDenoteName("20240101T000000__ärzte_@personal.org")?.tags, ["ärzte", "@personal"]);
  assert.deepEqual(readDenoteName("20240101T000000.org"), { id: "20240101T000000", title: null, tags: [] });
  for (const path of [
    "20240101--a__b.org",
    "x20240101T000000--a.org",
    "20240101T0000001--a.org",
    "notes.org",
  ])
    assert.equal(readDenoteName(path), null, path);
});

test("identifier, title and keywords of a file's name are those of its node where the file says nothing else", async () => {
  const world = makeWorld({
    "20240101T000000--roof-and-gutter__home_diary.org": "words\n* Tinsmith :work:\n",
    "20240102T000000--slug__home.org": "#+title: Real title\n#+filetags: :home:own:\n:PROPERTIES:\n",
    "20240103T000000--mine.org": ":PROPERTIES:\n:ID: mine\n:END:\n#+title: Mine\n",
    "other.org":
      "* One [[denote:20240101T000000][roof]]\n* Two\n[[denote:20240103T000000::*Heading][x]]\n* Three [[id:mine]] [[denote:20240101T000000::#c]]\n* Four =[[denote:20240101T000000]]=\n",
  });
  await using notes = open(world);
  await notes.sync();
  const roof = await notes.index.resolveId("20240101T000000");
  assert.deepEqual([roof?.title, roof?.tags, roof?.level], ["Roof and gutter", ["home", "diary"], 0]);
  assert.deepEqual(
    (await notes.subtree("20240101T000000")).map(({ tags }) => tags.join(" ")),
    ["home diary", "home diary work"],
  );
  const slug = await notes.index.resolveId("20240102T000000");
  assert.deepEqual([slug?.title, slug?.tags], ["Real title", ["home", "own"]]);
  assert.equal((await notes.index.resolveId("mine"))?.title, "Mine");
  assert.equal((await notes.index.resolveId("20240103T000000"))?.id, "mine");
  assert.equal(await notes.index.resolveId("20240109T000000"), null);
  const linking = async (id: string) =>
    (await findBacklinks(notes, id)).map(({ node }) => node.title.slice(0, 3));
  assert.deepEqual(await linking("20240101T000000"), ["One", "Thr"]);
  assert.deepEqual(await linking("mine"), ["Two", "Thr"]);
  assert.deepEqual(await linking("20240103T000000"), ["Two", "Thr"]);
  assert.equal((await notes.index.search("gutter", 5))[0]?.id, "20240101T000000");
});

test("a privacy tag in a file's name makes the whole file private, a copy and a backup of it too", async () => {
  const rules = { privacyTags: ["@personal", "private"], originsOf: async () => new Map() };
  const name = "20240101T000000--diary__private.org";
  const world = makeWorld({ [name]: "* Day\nSCHEDULED: <2024-01-15 Mon>\nsecret of the rose\n" });
  await using notes = open(world, { labels: rules });
  await notes.sync();
  assert.equal((await notes.index.resolveId("20240101T000000"))?.label.secrecy, "private");
  assert.deepEqual(
    (await notes.index.stampsFor("2024-01-15", "2024-01-15")).map(({ label }) => label.secrecy),
    ["private"],
  );
  const labels = { ...rules, notes: notes.place };
  const bytes = Buffer.from("* Day\nsecret of the rose\n");
  for (const path of [name, `${name}~`, `#${name}#`, `${name}.bak`, "20240101T000000--diary__@Personal.md"]) {
    const { label, privateTexts } = await labelOfFile(`/elsewhere/${path}`, bytes, labels);
    assert.equal(label.secrecy, "private", path);
    assert.match(privateTexts.join("\n"), /secret of the rose/);
  }
  assert.equal(
    (await labelOfFile("/elsewhere/20240101T000000--private__diary.org", bytes, labels)).label.secrecy,
    "public",
  );
});
