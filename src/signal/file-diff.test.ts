import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { diffFile } from "./file-diff.ts";

const bytes = (text: string): Uint8Array => new TextEncoder().encode(text);

/** Applies a unified diff, as `patch` does. */
function apply(old: readonly string[], diff: string): readonly string[] {
  const out: string[] = [];
  let at = 0;
  for (const row of diff.split("\n")) {
    const range = /^@@ -(\d+)(?:,(\d+))? /.exec(row);
    if (range !== null) {
      const start = Number(range[1]) - (range[2] === "0" ? 0 : 1);
      out.push(...old.slice(at, start));
      at = start;
    } else if (row.startsWith("+")) out.push(row.slice(1));
    else if (row.startsWith("-")) at += 1;
    else if (row.startsWith(" ")) {
      out.push(old[at] ?? "");
      at += 1;
    }
  }
  return [...out, ...old.slice(at)];
}

test("a diff names its lines, with three lines around each change", () => {
  const before = "a\nb\nc\nd\ne\nf\ng\nh\n";
  const found = diffFile("/f", bytes(before), bytes(before.replace("e\n", "E\nE2\n")));
  assert.deepEqual(
    [found.change, found.added, found.removed, found.left, found.diff],
    ["replace", 2, 1, 0, "@@ -2,7 +2,8 @@\n b\n c\n d\n-e\n+E\n+E2\n f\n g\n h"],
  );
});

test("a new file, a deleted file and a missing line end are said", () => {
  assert.equal(diffFile("/f", null, bytes("x")).diff, "@@ -0,0 +1 @@\n+x\n\\ No newline at end of file");
  const gone = diffFile("/f", bytes("x\ny\n"), null);
  assert.deepEqual([gone.change, gone.removed, gone.diff], ["delete", 2, "@@ -1,2 +0,0 @@\n-x\n-y"]);
});

test("a carriage return at the end of a line is left out, and a sign where only some lines have one", () => {
  const bytes = (text: string) => Buffer.from(text);
  assert.equal(
    diffFile("/a", bytes("one\r\ntwo\r\n"), bytes("one\r\nzwei\r\n")).diff,
    "@@ -1,2 +1,2 @@\n one\n-two\n+zwei",
  );
  assert.equal(diffFile("/a", bytes("one\n"), bytes("one\r\n")).diff, "@@ -1 +1 @@\n-one\n+one␍");
});

test("a long diff says how much is left out", () => {
  const long = diffFile("/f", null, bytes("row\n".repeat(1000)));
  assert.deepEqual([long.added, long.diff.split("\n").length + long.left], [1000, 1001]);
});

test("half a million lines that come or go are counted", () => {
  const lines = "line\n".repeat(500_000);
  assert.equal(diffFile("/f", null, bytes(lines)).added, 500_000);
  assert.equal(diffFile("/f", bytes(lines), bytes("x\n")).removed, 500_000);
});

test("a diff applied to the old text gives the new one", () => {
  const text = fc.array(fc.constantFrom("a", "b", "c", "", "d e"), { maxLength: 30 });
  fc.assert(
    fc.property(text, text, (old, now) => {
      const fileOf = (lines: readonly string[]) => bytes(lines.map((line) => `${line}\n`).join(""));
      assert.deepEqual(apply(old, diffFile("/f", fileOf(old), fileOf(now)).diff), now);
    }),
  );
});

test("a change in a long line shows the part that differs, without half a character", () => {
  const line = `${"x".repeat(50_000)}${"😀".repeat(300)}END${"y".repeat(50_000)}`;
  const { diff, added, removed, left } = diffFile("/f", bytes(line), bytes(line.replace("END", "NEW")));
  assert.deepEqual([added, removed, left], [1, 1, 0]);
  assert.match(diff, /^-….*END.*…$/mu);
  assert.match(diff, /^\+….*NEW.*…$/mu);
  assert.ok(diff.length < 1_200 && diff.isWellFormed(), diff);
});

test("binary files and files beyond the limit stand as a line each, with size and where they begin to differ", () => {
  const { diff, added, removed } = diffFile("/f", Uint8Array.of(1, 0, 2), Uint8Array.of(1, 0, 3, 4));
  assert.deepEqual([added, removed], [1, 1]);
  assert.equal(diff, "@@ -1 +1 @@\n-binary, 3 bytes\n+binary, 4 bytes, other from byte 3 on");
  assert.match(diffFile("/f", null, Uint8Array.of(0)).diff, /\+binary, 1 bytes/);
  assert.match(diffFile("/f", null, Uint8Array.of(0xff, 0xfe)).diff, /\+binary, 2 bytes/);
  const large = Buffer.from("line of words\n".repeat(200_000));
  const changed = diffFile("/f", large, Buffer.concat([large, Buffer.from("more\n")]));
  assert.deepEqual([changed.added, changed.removed], [1, 0]);
  assert.match(diffFile("/f", null, Buffer.alloc(8_000_001, "x")).diff, /\+large, 8,000,001 bytes/);
});

test("a change of a long text stands under its line numbers, whatever it begins and ends with", () => {
  const lines = Array.from({ length: 50_000 }, (_, at) => `line ${at}\n`);
  const with20 = lines.with(20_000, "other\n");
  const found = diffFile("/f", bytes(lines.join("")), bytes(with20.join("")));
  assert.equal(
    found.diff,
    [
      "@@ -19998,7 +19998,7 @@",
      " line 19997\n line 19998\n line 19999\n-line 20000\n+other\n line 20001\n line 20002\n line 20003",
    ].join("\n"),
  );
  const more = fc.array(fc.constantFrom("a\n", "b\n", "é\n"), { maxLength: 4 });
  const equal = fc.array(fc.constantFrom("a\n", "b\n", "c\n"), { minLength: 1_500, maxLength: 2_500 });
  fc.assert(
    fc.property(equal, more, more, equal, (begin, old, now, end) => {
      const [left, right] = [
        [...begin, ...old, ...end],
        [...begin, ...now, ...end],
      ];
      const { diff } = diffFile("/f", bytes(left.join("")), bytes(right.join("")));
      const plain = (all: readonly string[]) => all.map((line) => line.trimEnd());
      assert.deepEqual(apply(plain(left), diff), plain(right));
    }),
    { numRuns: 20 },
  );
});

test("only what lies between the first change and the last is compared, and not beyond the limit that is asked for", () => {
  const lines = Array.from({ length: 50_000 }, (_, at) => `line ${at}\n`);
  const before = bytes(lines.join(""));
  assert.equal(diffFile("/f", before, bytes(lines.with(9, "x\n").join("")), 100_000).removed, 1);
  const apart = bytes(lines.with(9, "x\n").with(49_000, "y\n").join(""));
  assert.match(diffFile("/f", before, apart, 100_000).diff, /^@@ -1 \+1 @@\n-large, [\d,]+ bytes\n\+large, /);
  assert.equal(diffFile("/f", before, apart).removed, 2);
});

test("a file with a byte for each character is shown as text, also where a change mixes encodings; bytes of no text stay binary", () => {
  const latin1 = (text: string): Uint8Array => Buffer.from(text, "latin1");
  const before = latin1("caf\xe9\none\n");
  assert.match(diffFile("/f", before, latin1("caf\xe9\ntwo\n")).diff, /\n café\n-one\n\+two$/);
  const mixed = Buffer.concat([latin1("caf\xe9\n"), bytes("zwölf\n")]);
  assert.match(diffFile("/f", before, mixed).diff, /\n café\n-one\n\+zwÃ¶lf$/);
  assert.match(diffFile("/f", Buffer.from([0xff, 0x01, 0x02]), before).diff, /-binary, 3 bytes/);
});
