import assert from "node:assert/strict";
import { lstatSync, mkdtempSync, readFileSync, rmSync, statSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";
import { parseEnv } from "node:util";
import fc from "fast-check";
import { changeEnvFile } from "./edit-env-file.ts";
import { editEnvText } from "./edit-env-text.ts";

const edit = (text: string, changes: Readonly<Record<string, string | null>>): string =>
  editEnvText(text, new Map(Object.entries(changes)), ".env");

test("a setting keeps its place, and every other line its bytes", () => {
  const text = "# mine\n\nexport A = 1\r\nB=2 # why\n  C='x y'\n";
  assert.equal(edit(text, { B: "3" }), "# mine\n\nexport A = 1\r\nB=3\n  C='x y'\n");
  assert.equal(edit(text, { C: null }), "# mine\n\nexport A = 1\r\nB=2 # why\n");
  assert.equal(edit("A=1\nB=2\nA=3\n", { A: "4" }), "B=2\nA=4\n");
});

test("a file that ends its lines as Windows does, or begins with a byte order mark, stays so", (t) => {
  assert.equal(edit("A=1\r\n#B=2\r\n", { A: "3", B: "4", C: "5" }), "A=3\r\n#B=2\r\nB=4\r\nC=5\r\n");
  const folder = mkdtempSync(join(tmpdir(), "edit-env-"));
  t.after(() => rmSync(folder, { recursive: true }));
  writeFileSync(join(folder, ".env"), "\ufeffA=1\r\n");
  return changeEnvFile(join(folder, ".env"), new Map([["A", "2"]])).then(() =>
    assert.equal(readFileSync(join(folder, ".env"), "utf8"), "\ufeffA=2\r\n"),
  );
});

test("a new setting follows its commented example, else it stands at the end on a line of its own", () => {
  assert.equal(edit("#A=1\n#B=2\n", { A: "5" }), "#A=1\nA=5\n#B=2\n");
  assert.equal(edit("", { A: "5" }), "A=5\n");
  assert.equal(edit("B=2", { A: "5", C: "6" }), "B=2\nA=5\nC=6\n");
});

test("every value that a line can hold is read back as it was given, or refused", () => {
  const value = fc.string({ unit: "grapheme", maxLength: 30 });
  fc.assert(
    fc.property(value, fc.constantFrom("", "A=1\n", "OTHER='x'\n#A=\n"), (given, text) => {
      try {
        const edited = edit(text, { A: given });
        assert.deepEqual({ ...parseEnv(edited) }, { ...parseEnv(text), A: given });
      } catch (error) {
        assert.match(error instanceof Error ? error.message : "", /Nothing was written/);
        assert.match(given, /[\r\n'"`\\]/, "only a value with quotes, newlines or backslashes is refused");
      }
    }),
  );
});

test("a value over several lines is not cut into pieces", () => {
  const text = 'KEY="first\nA=2\nlast"\n';
  assert.throws(() => edit(text, { A: "3" }), /Nothing was written/);
  assert.throws(() => edit(text, { KEY: "3" }), /Nothing was written/);
  assert.equal(edit(text, { B: "3" }), `${text}B=3\n`);
});

test("a settings file is made for its owner alone, and a link to one stays a link", async (t) => {
  const folder = mkdtempSync(join(tmpdir(), "edit-env-"));
  t.after(() => rmSync(folder, { recursive: true }));
  const path = join(folder, "made", ".env");
  await changeEnvFile(path, new Map([["A", "1"]]));
  assert.equal(readFileSync(path, "utf8"), "A=1\n");
  assert.equal(statSync(path).mode & 0o777, 0o600);
  const real = join(folder, "dotfiles.env");
  writeFileSync(real, "B=1\n");
  const link = join(folder, ".env");
  symlinkSync(real, link);
  await changeEnvFile(link, new Map([["B", "2"]]));
  assert.ok(lstatSync(link).isSymbolicLink());
  assert.equal(readFileSync(real, "utf8"), "B=2\n");
});
