import assert from "node:assert/strict";
import { test } from "node:test";
import { tangleOrg } from "./tangle.ts";

const block = (head: string, body: string, above = ""): string =>
  `${above}#+begin_src ${head}\n${body}\n#+end_src\n`;

test("header arguments come from the file, the headings above, the block and the lines over it", () => {
  const text = `#+PROPERTY: header-args :tangle all.txt
${block("x", "one")}* Two
:PROPERTIES:
:header-args:x: :tangle "two parts.txt" :padline no
:END:
${block("x", "two")}${block("y", "three")}${block("x :padline yes", "  four\n    five", "#+header: :tangle all.txt\n")}`;
  assert.deepEqual(
    tangleOrg(text, "note").files.map(({ name, text: made }) => [name, made]),
    [
      ["all.txt", "one\n\nthree\n\nfour\n  five\n"],
      ["two parts.txt", "two\n"],
    ],
  );
});

test("references are filled in with what stands before them on their line, and what nothing has is told", () => {
  const text = `${block("x", "1\n2", "#+name: part\n")}${block("x :tangle a :noweb yes", "# <<part>>;\n<<none>>end")}`;
  const { files, problems } = tangleOrg(text, "note");
  assert.deepEqual(
    files.map(({ text: made }) => made),
    ["# 1\n# 2;\nend\n"],
  );
  assert.deepEqual(problems, [
    {
      at: text.lastIndexOf("#+begin_src"),
      message: "no block has the name or the :noweb-ref of <<none>>",
      file: null,
    },
  ]);
});

test("a file that only Emacs could work out is not made, and why is told", () => {
  const cases: readonly (readonly [string, RegExp])[] = [
    [block("sh :tangle (delete-file name)", "x"), /:tangle is Lisp/],
    [block("sh :tangle a :var x=1", "x"), /:var/],
    [block("sh :tangle a :comments link", "x"), /:comments link/],
    [block("sh :tangle a :noweb yes", "<<run()>>"), /would run a block/],
    [block("sh :tangle a :noweb yes", "<<a>>", "#+name: a\n"), /lead back to it/],
  ];
  for (const [text, expected] of cases) {
    const { files, problems } = tangleOrg(text, "note");
    assert.deepEqual(files, [], text);
    assert.match(problems[0]?.message ?? "", expected, text);
  }
});

test("hostile texts end at once", () => {
  const chain = (count: number, twice: string): string =>
    Array.from({ length: count }, (_, index) =>
      block(
        "x :tangle a :noweb yes",
        `<<n${index + 1}>>${twice && `<<n${index + 1}>>`}`,
        `#+name: n${index}\n`,
      ),
    ).join("");
  const texts = [
    block("x :tangle a :noweb yes", "<<".repeat(100_000)),
    block("x :tangle a :noweb yes", "<<a >> ".repeat(50_000)),
    block(`x :tangle a ${'"'.repeat(100_000)}`, "x"),
    block(`x :tangle a ${"(".repeat(100_000)}`, "x"),
    block("x :tangle a", `${" ".repeat(100_000)}x\n${"\t".repeat(100_000)}y`),
    chain(40, "twice"),
    chain(3000, ""),
    `${block("x", "y".repeat(1000), "#+name: n40\n")}${chain(40, "twice")}`,
  ];
  for (const text of texts) {
    const began = performance.now();
    const { files } = tangleOrg(text, "note");
    assert.ok(files.every(({ text: made }) => made.length < 20_000_000));
    assert.ok(performance.now() - began < 120_000);
  }
});
