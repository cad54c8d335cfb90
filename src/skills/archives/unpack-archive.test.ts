import assert from "node:assert/strict";
import { test } from "node:test";
import { type MadeEntry, makeTarball, makeZip } from "./archives.fixture.ts";
import { unpackArchive } from "./unpack-archive.ts";

const skill: MadeEntry = { name: "SKILL.md", text: "---\nname: a\n---\nDo it." };
const makers = { tar: makeTarball, zip: makeZip } as const;

for (const [kind, make] of Object.entries(makers)) {
  test(`a ${kind} gives its files with their paths and bytes`, () => {
    const given = unpackArchive(make([skill, { name: "references/a b.md", text: "x".repeat(1500) }]));
    assert.ok(given.ok, JSON.stringify(given));
    assert.deepEqual(
      given.files.map(({ path, bytes }) => [path, bytes.length]),
      [
        ["SKILL.md", 22],
        ["references/a b.md", 1500],
      ],
    );
  });

  for (const [what, name, words] of [
    ["climbs out", "../../.bashrc", /leaves the folder/],
    ["climbs out from within", "a/../../b", /leaves the folder/],
    ["is absolute", "/etc/passwd", /empty name/],
    ["is absolute elsewhere", "C:/windows/a", /absolute/],
    ["has a backslash", "a\\..\\..\\b", /backslash/],
    ["hides characters", "a\u202egnp.sh", /hidden characters/],
    ["ends a line", "a\nb", /hidden characters/],
    ["is deep", `${"a/".repeat(20)}b`, /too long or too deep/],
    ["sets up version control", ".git/config", /version control/],
    ["sets it up further in", "a/.GIT/hooks/post-checkout", /version control/],
    ["is there twice", "SKILL.md", /twice/],
    ["is there twice in another case", "skill.MD", /twice/],
    ["is there twice with a long s", "\u017fKILL.md", /twice/],
    ["is there twice with the sign of Kelvin", "S\u212aILL.md", /twice/],
    ["needs a folder where a file is", "SKILL.md/x", /parent folder is a file/],
  ] as const)
    test(`a ${kind} with a name that ${what} is refused whole`, () => {
      const given = unpackArchive(make([skill, { name, text: "x" }]));
      assert.ok(!given.ok && words.test(given.problem), JSON.stringify(given));
    });

  test(`a ${kind} with a name twice, composed and decomposed, is refused whole`, () => {
    const given = unpackArchive(
      make([skill, { name: "caf\u00e9.md", text: "one" }, { name: "cafe\u0301.md", text: "other" }]),
    );
    assert.ok(!given.ok && /twice/.test(given.problem), JSON.stringify(given));
  });

  test(`a ${kind} that unpacks to too much, or to too many files, is refused before it takes room`, () => {
    const before = process.memoryUsage().arrayBuffers;
    for (const entries of [
      [skill, { name: "zeros", text: Buffer.alloc(17 * 1024 * 1024) }],
      [skill, ...Array.from({ length: 600 }, (_, index) => ({ name: `f${index}`, text: "" }))],
    ]) {
      const given = unpackArchive(make(entries));
      assert.ok(!given.ok && /more than 512 files/.test(given.problem), JSON.stringify(given).slice(0, 200));
    }
    assert.ok(process.memoryUsage().arrayBuffers - before < 200 * 1024 * 1024);
  });

  test(`a ${kind} that was cut or damaged anywhere is refused or gives the same files, and never throws`, () => {
    const whole = make([skill, { name: "a/b.txt", text: "some text that is here" }]);
    const good = JSON.stringify(unpackArchive(whole));
    for (let at = 0; at < whole.length; at++) {
      const cut = unpackArchive(whole.subarray(0, at));
      assert.ok(!cut.ok || JSON.stringify(cut) === good, `cut at ${at}`);
      const flipped = Buffer.from(whole);
      flipped.writeUInt8((whole[at] ?? 0) ^ 0xff, at);
      unpackArchive(flipped);
    }
  });
}

for (const [what, type] of [
  ["symbolic link", "2"],
  ["hard link", "1"],
  ["device", "3"],
  ["pipe", "6"],
] as const)
  test(`a tar with a ${what} is refused`, () => {
    const given = unpackArchive(makeTarball([skill, { name: "x", type, link: "/etc/passwd" }]));
    assert.ok(
      !given.ok && /is a link|neither a file nor a folder/.test(given.problem),
      JSON.stringify(given),
    );
  });

test("a tar whose extended header gives a name is read by it, and by no name that leaves the folder", () => {
  const pax = (path: string): MadeEntry => {
    const record = ` path=${path}\n`;
    const length = record.length + String(record.length + 2).length;
    return { name: "pax", type: "x", text: `${length}${record}` };
  };
  const good = unpackArchive(makeTarball([skill, pax("references/long.md"), { name: "short", text: "x" }]));
  assert.ok(good.ok && good.files[1]?.path === "references/long.md", JSON.stringify(good));
  const long = unpackArchive(
    makeTarball([skill, { name: "l", type: "L", text: "../up\0" }, { name: "short" }]),
  );
  assert.ok(!long.ok && /leaves the folder/.test(long.problem));
  const bad = unpackArchive(makeTarball([skill, pax("../up"), { name: "short", text: "x" }]));
  assert.ok(!bad.ok && /leaves the folder/.test(bad.problem));
  const sized = unpackArchive(
    makeTarball([skill, { name: "p", type: "x", text: "12 size=99\n" }, { name: "a" }]),
  );
  assert.ok(!sized.ok && /changes what follows/.test(sized.problem));
});

test("a zip that lies is refused: a link, an encrypted file, another size, another name where it lies, and a list that claims gigabytes", () => {
  for (const [entry, words] of [
    [{ mode: 0o120777 }, /is a link/],
    [{ mode: 0o010644 }, /neither a file nor a folder/],
    [{ flags: 1 }, /encrypted/],
    [{ claims: 1 }, /larger than it says|not what its list says/],
    [{ claims: 100 }, /not what its list says/],
    [{ claims: 0xffffffff }, /more than 512 files/],
    [{ localName: "y" }, /two names/],
  ] as const) {
    const given = unpackArchive(makeZip([skill, { name: "x", text: "some words", ...entry }]));
    assert.ok(!given.ok && words.test(given.problem), JSON.stringify([entry, given]));
  }
  const other = unpackArchive(Buffer.from("Rar!"));
  assert.ok(!other.ok && /neither a zip nor a tar.gz/.test(other.problem));
});
