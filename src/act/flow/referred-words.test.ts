import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { bottomLabel } from "../../signal/label.ts";
import type { Json } from "../../text/json.ts";
import { standsInAny } from "./references.ts";
import { resolveWords } from "./referred-words.ts";

const line = (cmd: string, content: Json, known: readonly Json[] = []) =>
  resolveWords(cmd, {
    results: [{ id: "r", number: 3, tool: "list-files", args: {}, content, label: bottomLabel }],
    isKnownText: (text) => standsInAny(text, known),
  });
const lineOf = (cmd: string, content: Json, known: readonly Json[] = []): string => {
  const resolved = line(cmd, content, known);
  return resolved.ok ? resolved.line : resolved.message;
};

test("a reference among the words of a command line becomes one word in quotes", () => {
  const content = { path: "my notes/a; rm -rf b.txt", list: [{ id: 7 }] };
  assert.equal(lineOf("cat @3.path", content), "cat 'my notes/a; rm -rf b.txt'");
  assert.equal(
    lineOf('grep "a b" @3.path | wc -l', content),
    `grep "a b" 'my notes/a; rm -rf b.txt' | wc -l`,
  );
  assert.equal(lineOf("head -n @3.list[0].id @3.path", content), "head -n '7' 'my notes/a; rm -rf b.txt'");
  const resolved = line("cat @3.path", content);
  assert.deepEqual(resolved.ok && resolved.references, [
    { argument: "/cmd", name: "@3.path", tool: "list-files" },
  ]);
});

test("a value is never read again: where a shell, an option or another program could, it is refused with what to do", () => {
  const bad = { path: "x; touch y", option: "-rf", quote: "a'b", lines: "a\nb", deep: { a: 1 } };
  for (const [cmd, why] of [
    ["sh -c @3.path", /would read its value as a command/],
    ["timeout 5 bash -c @3.path", /would read its value as a command/],
    ["eval @3.path", /would read its value as a command/],
    ["ssh host @3.path", /would read its value as a command/],
    ["ls | xargs -I{} sh -c @3.path", /would read its value as a command/],
    ["awk @3.path a.txt", /would read its value as a command/],
    ["rm @3.option", /begins with a dash/],
    ["cat @3.quote", /quotes, line ends/],
    ["cat @3.lines", /quotes, line ends/],
    ["cat @3.deep", /no text and no number/],
    ["cat '@3.path'", /outside of quotes/],
    ['sh -c "cat @3.path"', /outside of quotes/],
    ["cat --file=@3.path", /a word of its own/],
    ["cat a@3.path", /a word of its own/],
    ["cat @3.path;ls", /a word of its own/],
    ["cat $X @3.path", /without variables/],
    ["cat \\' @3.path \\'", /without variables/],
    ["cat <<E\n @3.path\nE", /without variables/],
    ["ls # ' \n@3.path", /without variables/],
  ] as const)
    assert.match(lineOf(cmd, bad), why, cmd);
});

test("what names no value of a result, or stands in a known text, is left as it is", () => {
  for (const cmd of [
    "curl -d @1.json x",
    "npm i @3.other",
    "git show HEAD@{1}",
    "npm i a@3.1.2",
    "mail a@3.example",
  ])
    assert.equal(lineOf(cmd, { path: "a" }), cmd);
  assert.equal(lineOf("cat @3.path", { path: "a" }, ["read @3.path"]), "cat @3.path");
  assert.equal(lineOf("cat @@3.path", { path: "a" }), "cat @3.path");
});

test("whatever a value holds, it stays between two quotes or is refused", () => {
  fc.assert(
    fc.property(fc.string({ unit: "binary" }), (path) => {
      const resolved = line("cat @3.path", { path });
      if (resolved.ok) assert.equal(resolved.line, `cat '${path}'`);
      else assert.match(path, /^-|\p{Cc}|'/u);
    }),
  );
});
