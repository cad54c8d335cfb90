import assert from "node:assert/strict";
import { test } from "node:test";
import { outlineOf } from "./outline.ts";

async function outline(path: string, text: string): Promise<readonly string[]> {
  const found = await outlineOf(path, text);
  assert.ok(found?.ok, JSON.stringify(found));
  return found.declarations.map(({ name, kind, from, to, begin, end }) => {
    assert.equal(text.slice(0, begin).split("\n").length, from, name);
    assert.equal(text.slice(0, end).split("\n").length, to, name);
    return `${kind} ${name} ${from}-${to}`;
  });
}

test("TypeScript is outlined by its declarations, each with its lines and the comment right above", async () => {
  const text = `import { a } from "./a.ts";
/** About b. */
export const b = 1, c = () => 2;

// Not about the function.

export async function d(): Promise<void> {}
function e(x: string): void;
function e(x: number): void;
function e(x: unknown): void {}
/** F. */
@f() export abstract class F<T> extends G {
  static #count = 0;
  /** Of g. */
  g(): void {
    const hidden = 1;
  }
  get h() { return 1 }
  set h(x) {}
  i = () => {};
  constructor() { super() }
}
export default class { j() {} }
interface K { l: string }
export type M = "{" | \`}\${1}\`;
enum N { O = /[}]/.source.length }
test("p does q", () => {});
declare module "r" {}
export { a as s };
`;
  assert.deepEqual(await outline("/w/a.ts", text), [
    "const b, c 2-3",
    "function d 7-7",
    "function e 8-10",
    "class F 11-22",
    "field F.#count 13-13",
    "method F.g 14-17",
    "get F.h 18-18",
    "set F.h#2 19-19",
    "field F.i 20-20",
    "constructor F.constructor 21-21",
    "class default 23-23",
    "method default.j 23-23",
    "interface K 24-24",
    "type M 25-25",
    "enum N 26-26",
    "test p does q 27-27",
  ]);
  assert.deepEqual(await outline("/w/a.jsx", "export default () => <p>{'}'}</p>;\nvar B = 1;"), [
    "value default 1-1",
    "var B 2-2",
  ]);
});

test("a byte order mark and a comment behind another declaration belong to no declaration", async () => {
  const text =
    "\ufeff// About a.\nlet a = 1; // one\nlet b = 2;\nclass C {\n  d = 1; /* two */\n  e = 2;\n  [f]() {}\n}\n";
  const found = await outlineOf("/w/a.ts", text);
  assert.ok(found?.ok);
  assert.deepEqual(
    found.declarations
      .filter(({ kind }) => kind !== "class")
      .map(({ name, begin, end }) => [name, text.slice(begin, end)]),
    [
      ["a", "// About a.\nlet a = 1;"],
      ["b", "let b = 2;"],
      ["C.d", "  d = 1;"],
      ["C.e", "  e = 2;"],
    ],
  );
  const lisp = "\ufeff;; About a.\n(defun a () 1)\n";
  const forms = await outlineOf("/w/a.el", lisp);
  assert.ok(forms?.ok);
  assert.equal(forms.declarations[0]?.begin, 1);
});

test("no two declarations have the same name in an outline", async () => {
  const text = "test('x', a); test('x#2', b); test('x', c); test('x', d); test('x#2', e);";
  const found = await outlineOf("/w/a.ts", text);
  assert.ok(found?.ok);
  assert.deepEqual(
    found.declarations.map(({ name }) => name),
    ["x", "x#2", "x#3", "x#4", "x#2#2"],
  );
});

test("decorators on either side of export, deferred imports and scripts that are not strict are read", async () => {
  for (const text of [
    "@a export class B { constructor(@c private d: string) {} }",
    "export @a() class B { @c d = 1 }",
    "import defer * as a from './a.js';",
  ])
    assert.ok((await outlineOf("/w/a.ts", text))?.ok, text);
  for (const text of ["with (a) { b }", "var a = 010; delete a;"])
    assert.ok((await outlineOf("/w/a.js", text))?.ok, text);
  assert.equal((await outlineOf("/w/a.js", "export {}; with (a) { b }"))?.ok, false);
});

test("each Lisp is read by its own rules for characters, bars and comments", async () => {
  assert.deepEqual(
    await outline(
      "/w/a.el",
      '(rx (| "a" (| "b" "c")))\n(defun f (c) (memq c \'(?; ?" ?\\( ?\\C-\\) ?\\M-( ?| ?\\s)))\n(defun g? (x) (h?(x)))',
    ),
    ["rx | 1-1", "defun f 2-2", "defun g? 3-3"],
  );
  const nested = "#| a #| b |# ( |#\n(defun |c d(| () '(#\\( #\\;))\n#;(define (e)\n  1)\n";
  assert.deepEqual(await outline("/w/a.scm", nested), ["defun |c 2-2", "define e 3-4"]);
  assert.deepEqual(await outline("/w/a.clj", "(def ^{:a (b)} ^:private c \\| \\; #_(d))"), ["def c 1-1"]);
  assert.deepEqual(await outlineOf("/w/a.lisp", "(a)\n#| b #| c |#"), {
    ok: false,
    problem: "a comment begins at line 2, column 1 and does not end",
  });
});

test("Lisp is outlined by its top-level forms, whatever strings, characters and comments hold", async () => {
  const text = `;;; a.el
(require 'cl-lib)

;; About b.
;;;###autoload
(defun b (x) "(" ; (
  (list ?\\( x))
(defvar c nil)
(cl-defmethod d ((e f)) nil) (setq g 1)
(b 1)
`;
  assert.deepEqual(await outline("/w/a.el", text), [
    "require 'cl-lib 1-2",
    "defun b 4-7",
    "defvar c 8-8",
    "cl-defmethod d 9-9",
    "setq g 9-9",
    "b 1 10-10",
  ]);
  assert.deepEqual(await outline("/w/a.scm", "(define (f x) x)\n(define g 1)"), [
    "define f 1-1",
    "define g 2-2",
  ]);
  assert.deepEqual(await outline("/w/a.clj", '(defn f [{:keys [a]}] \\( #"[(]")'), ["defn f 1-1"]);
});

test("a file that does not parse says where, one of another language nothing, and a hostile one ends", async () => {
  assert.deepEqual(await outlineOf("/w/a.ts", "const a = ;"), {
    ok: false,
    problem: "it is no TypeScript at line 1, column 11",
  });
  assert.deepEqual(await outlineOf("/w/a.el", "(a\n  [b)"), {
    ok: false,
    problem: "')' at line 2, column 5 closes nothing",
  });
  assert.equal(await outlineOf("/w/a.py", "def f(): pass"), null);
  for (const text of [
    "(".repeat(100_000),
    "a?(".repeat(3000),
    "`${".repeat(20_000),
    "<a>(".repeat(2000),
    "a:".repeat(50_000),
  ])
    assert.equal((await outlineOf("/w/a.ts", text))?.ok, false);
  assert.ok((await outlineOf("/w/a.ts", `let a${"=b".repeat(5000)}`))?.ok);
  assert.equal((await outlineOf("/w/a.el", "(".repeat(200_000)))?.ok, false);
  assert.ok((await outlineOf("/w/a.el", "(a b)\n".repeat(2000)))?.ok);
});
