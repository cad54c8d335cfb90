import assert from "node:assert/strict";
import { subscribe, unsubscribe } from "node:diagnostics_channel";
import { test } from "node:test";
import { brokenSyntax, syntaxProblem } from "./broken-syntax.ts";
import { ScriptParser } from "./script-syntax.ts";

const bytes = (text: string): Uint8Array => new TextEncoder().encode(text);
const problem = (path: string, before: string | null, after: string): Promise<string | null> =>
  brokenSyntax(path, before === null ? null : bytes(before), bytes(after));
const block = (language: string, body: string): string => `#+begin_src ${language}\n${body}\n#+end_src\n`;

test("a valid file that would not parse any more is told with the place, and none of its contents", async () => {
  const cases: readonly (readonly [string, string, string, RegExp])[] = [
    ["/w/a.json", '{"a": 1}', '{"a": 1,\n "kept secret" 2}', /^it is no JSON at line 2, column 16$/],
    ["/w/settings", '{"a": 1}', '{"a": ', /^it is no JSON/],
    ["/w/a.json", "[1, 2]", "1, 2]", /^it is no JSON/],
    ["/w/a.jsonl", '{"a":1}\n{"a":2}\n', '{"a":1}\n{"a":\n', /^it is no JSON/],
    [
      "/w/a.ts",
      "const a: number = 1;\n",
      "const a: number = 1;\nlet b = (2;\n",
      /^it is no TypeScript at line 2, column 11$/,
    ],
    ["/w/a.mjs", "export const a = 1;", "export const a = ;", /^it is no TypeScript at line 1, column 18$/],
    ["/w/init.el", '(setq a "b")', '(setq a "b"', /^'\(' at line 1, column 1 is not closed$/],
    ["/w/a.tsx", "const a = <b>x</b>;", "const a = <b>x</c>;", /^it is no TypeScript at line 1/],
    ["/w/a.js", "const a = <div>x</div>;", "const a = <div>;", /^it is no TypeScript at line 1/],
    ["/w/a.ts", "class A { b() {} }", "class A { b( {} }", /^it is no TypeScript at line 1, column \d+$/],
    ["/w/a.scm", "(define (f x) x)", "(define (f x) x", /^'\(' at line 1, column 1 is not closed$/],
    ["/w/a.clj", "(defn f [x] {:a x})", "(defn f [x] {:a x)", /^'\)' at line 1, column 18 closes nothing$/],
    ["/w/a.lisp", "(a)", '(a "b)', /^a text begins at line 1, column 4 and does not end$/],
    ["/w/a.lisp", "(a)", "(a))", /^'\)' at line 1, column 4 closes nothing$/],
    [
      "/n/a.org",
      block("emacs-lisp", "(a)"),
      block("emacs-lisp", "(a"),
      /^in the block at line 1, '\(' at line 1, column 1 is not closed$/,
    ],
    [
      "/n/a.org",
      block("json", "[1]"),
      `* One\n${block("json", "[1")}`,
      /^in the block at line 2, it is no JSON/,
    ],
    [
      "/n/a.org",
      block("ts", "let a"),
      "#+begin_src ts\nlet a\n",
      /^the block that begins at line 1 has no end$/,
    ],
  ];
  for (const [path, before, after, expected] of cases)
    assert.match((await problem(path, before, after)) ?? "", expected, `${path}: ${before} -> ${after}`);
});

test("new files, other kinds of text, what was broken before and what is still valid break nothing", async () => {
  const cases: readonly (readonly [string, string | null, string])[] = [
    ["/w/a.json", null, "{"],
    ["/w/a.json", "{", "{{"],
    ["/w/a.json", '{"a": 1}', ""],
    ["/w/tsconfig.json", '{"a": 1}', '{\n  // why\n  "a": 1, /* and */ "b": "//", }'],
    ["/w/log", '{"a": 1}', '{"a": 1}\n{"a": 2}\n'],
    ["/w/notes.txt", "[1]", "Notes of today [2]"],
    ["/w/a.ts", "enum A { B }", "enum A { B, C }"],
    ["/w/a.ts", "const a = 1;", "const a = 1;\nconst a = 2;\nexport { b };"],
    [
      "/w/a.ts",
      "let a = <any>b;",
      "@c class D { constructor(@e private f = <T,>(g: T) => g) {} accessor h = 1 }",
    ],
    ["/w/a.el", "(a)", "(a { ?} })"],
    ["/w/a.el", '(a ?\\( "(" ; (\n)', "(b ?\\) ?; (rx (| (| 1))))"],
    ["/w/a.lisp", "(a)", "(b #\\( #|(|# |(|)"],
    ["/w/a.js", "with (a) { b }", "with (a) { c }"],
    ["/n/a.org", "* One\n", `* One\n${block("ts", "const a = ...;")}`],
    ["/n/a.org", block("ts", "let a"), `${block("ts", "let a")}${block("ts", "a ...")}`],
    ["/n/a.org", block("python", "f()"), block("python", "f(")],
    [
      "/n/a.org",
      "#+begin_example\n#+begin_src ts\n#+end_example\n",
      "#+begin_example\n#+begin_src\n#+end_example\n",
    ],
  ];
  for (const [path, before, after] of cases)
    assert.equal(await problem(path, before, after), null, `${path}: ${before} -> ${after}`);
});

test("a hostile text ends, and leaves the parser whole for the next one", async () => {
  const deep = "(".repeat(100_000);
  assert.equal(await problem("/w/a.ts", "let a = 1;", deep), null);
  assert.match((await problem("/w/a.ts", "let a = 1;", "let = (")) ?? "", /^it is no TypeScript/);
  assert.match((await problem("/w/a.el", "(a)", deep)) ?? "", /is not closed$/);
  assert.match((await problem("/w/a.json", "[1]", "[".repeat(400_000))) ?? "", /^it is no JSON/);
  for (const begin of ["/*", '"', "//", "#|", ",", "* *", "|"]) {
    await problem("/w/a.json", "[1]", `[${begin.repeat(200_000)}`);
    await problem("/w/a.el", "(a)", `(${begin.repeat(200_000)}`);
  }
});

test("the scripts of many files are parsed in one process, hostile ones among them", async () => {
  await using parser = new ScriptParser();
  let processes = 0;
  const count = (): void => {
    processes += 1;
  };
  subscribe("child_process", count);
  const changes = ["let a = (", "let b = 1;", "(".repeat(100_000), "let c = ("];
  const told = await Promise.all(
    changes.map((after) => brokenSyntax("/w/a.ts", bytes("let a = 1;"), bytes(after), parser)),
  );
  assert.deepEqual(
    told.map((problem) => problem?.replace(/ at .*/, "") ?? null),
    ["it is no TypeScript", null, null, "it is no TypeScript"],
  );
  unsubscribe("child_process", count);
  assert.equal(processes, 1);
});

test("what is written is checked by its parser wherever there was nothing to break", async () => {
  const cases: readonly (readonly [string, string, RegExp | null])[] = [
    ["/w/a.json", '{"a": ', /^it is no JSON/],
    ["/w/a.ts", "let a = ;", /line 1, column 9$/],
    ["/w/a.el", "(a", /line 1, column 1 is not closed$/],
    ["/n/a.org", block("json", "[1"), /^in the block at line 1, it is no JSON/],
    ["/n/a.org", "#+begin_src ts\n", /has no end$/],
    ["/n/a.org", `${block("python", "f(")}[1`, null],
    ["/w/a.txt", "[1", null],
    ["/w/a.ts", "let a = 1;", null],
    ["/w/a.ts", "(".repeat(100_000), null],
    ["/w/a.json", "", null],
  ];
  for (const [path, text, expected] of cases) {
    const found = await syntaxProblem(path, bytes(text));
    if (expected === null) assert.equal(found, null, path);
    else assert.match(found ?? "", expected, text);
  }
});
