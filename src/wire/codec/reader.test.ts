import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import type { Form } from "../../text/form.ts";
import { readForm, readPlist } from "./reader.ts";

const read = (text: string): Form => {
  const reading = readForm(text);
  assert.ok(reading.ok, reading.ok ? "" : reading.message);
  return reading.form;
};
const refusal = (text: string): { message: string; offset: number } => {
  const reading = readForm(text);
  assert.ok(!reading.ok, `${text} was read`);
  return reading;
};
const keyword = (name: string): Form => ({ kind: "keyword", name });
const symbol = (name: string, packageName: string | null = null): Form => ({
  kind: "symbol",
  name,
  package: packageName,
});
const list = (...items: Form[]): Form => ({ kind: "list", items });
const integer = (value: number | bigint): Form => ({ kind: "integer", value });

test("the frame of the specification is read as a property list", () => {
  const form = read("(:TYPE :EVENT :PAYLOAD (:ACTION :HANDSHAKE))");
  assert.deepEqual(
    form,
    list(
      keyword("TYPE"),
      keyword("EVENT"),
      keyword("PAYLOAD"),
      list(keyword("ACTION"), keyword("HANDSHAKE")),
    ),
  );
});

test("unescaped letters are read as upper case; bars and backslashes keep the case", () => {
  assert.deepEqual(read(":type"), keyword("TYPE"));
  assert.deepEqual(read(":|maxResults|"), keyword("maxResults"));
  assert.deepEqual(read("f\\oo|Bar|baz"), symbol("FoOBarBAZ"));
  assert.deepEqual(read("|a b(c|"), symbol("a b(c"));
  assert.deepEqual(read(":||"), keyword(""));
});

test("a character that resembles an ASCII letter never becomes that letter", () => {
  assert.deepEqual(read(":lıve"), keyword("LıVE"));
  assert.deepEqual(read(":ſtatus"), keyword("ſTATUS"));
  assert.deepEqual(read(":straße"), keyword("STRAßE"));
  assert.deepEqual(read(":é"), keyword("É"));
  assert.deepEqual(
    read(":გამარჯობა"),
    keyword("გამარჯობა"),
    "Georgian has had another case since Unicode 11 only",
  );
});

test("package prefixes are kept", () => {
  assert.deepEqual(read("cl:car"), symbol("CAR", "CL"));
  assert.deepEqual(read("cl-user::x"), symbol("X", "CL-USER"));
  for (const text of [":", "::a", ":a:b", "a:", "a:b:c", "a:::b"])
    assert.match(refusal(text).message, /colon/);
});

test("NIL and () are the empty list", () => {
  for (const text of ["nil", "NIL", "|NIL|", "()", "( )"]) assert.deepEqual(read(text), list());
  assert.deepEqual(read("|nil|"), symbol("nil"));
});

test("integers are exact at every allowed size", () => {
  assert.deepEqual(read("-42"), integer(-42));
  assert.deepEqual(read("+7."), integer(7));
  assert.deepEqual(read("-0"), integer(0));
  assert.deepEqual(read("9007199254740993"), integer(9007199254740993n));
  assert.match(refusal("9".repeat(5000)).message, /more than 1024/);
});

test("ratios and floats with any exponent marker are read", () => {
  assert.deepEqual(read("-1/2"), { kind: "ratio", numerator: -1n, denominator: 2n });
  assert.deepEqual(read("1.5"), { kind: "float", value: 1.5 });
  assert.deepEqual(read("-.5d0"), { kind: "float", value: -0.5 });
  assert.deepEqual(read("15S-1"), { kind: "float", value: 1.5 });
  assert.match(refusal("1/0").message, /denominator/);
  assert.match(refusal("1d999").message, /range/);
});

test("a token that only resembles a number is a symbol", () => {
  for (const text of ["+", "-", "1+", "1-", "-.", "1/2/3", "1.2.3"])
    assert.deepEqual(read(text), symbol(text));
});

test("strings keep every character but the escaping backslash", () => {
  assert.deepEqual(read('"a\\"b\\\\c\\nd\ne;#|"'), { kind: "string", value: 'a"b\\cnd\ne;#|' });
  assert.deepEqual(refusal('(:a "b'), { ok: false, message: "the string is not closed", offset: 4 });
});

test("characters are read literally and by name", () => {
  assert.deepEqual(read("#\\a"), { kind: "character", value: "a" });
  assert.deepEqual(read("#\\("), { kind: "character", value: "(" });
  assert.deepEqual(read("#\\newline"), { kind: "character", value: "\n" });
  assert.deepEqual(read("#\\u1F600"), { kind: "character", value: "😀" });
  assert.match(refusal("#\\bogus").message, /no character/);
  assert.match(refusal("#\\ud800").message, /no character/);
});

test("dotted pairs are read, and a list in the tail belongs to the list", () => {
  assert.deepEqual(read("(a . b)"), { kind: "dotted", items: [symbol("A")], tail: symbol("B") });
  assert.deepEqual(read("(a . (b c))"), list(symbol("A"), symbol("B"), symbol("C")));
  assert.deepEqual(read("(a . nil)"), list(symbol("A")));
  for (const text of ["(. a)", "(a .)", "(a . b c)", ".", "..", "(a ... b)"]) refusal(text);
});

test("quote is kept as quote", () => {
  assert.deepEqual(read("'(a)"), { kind: "quote", form: list(symbol("A")) });
});

test("every other reader macro is refused at its place", () => {
  const hostile = [
    "#.(quit)",
    "#'car",
    "#(1)",
    "#x1F",
    "#|c|#",
    "#+sbcl a",
    "`a",
    ",a",
    "; c",
    "#",
    "#:g",
    '#p"/"',
  ];
  for (const text of hostile) {
    assert.equal(refusal(text).offset, 0, text);
    assert.equal(refusal(`(:a ${text})`).offset, 4, text);
  }
});

test("control characters and unknown blanks are refused outside strings", () => {
  for (const text of ["\0", "a\u0007", "(a\u00a0b)", "\u2028a", "\u001b[31m"]) refusal(text);
});

test("exactly one form is read, with blanks around it", () => {
  assert.deepEqual(read(" \n\t(a)\r\n"), list(symbol("A")));
  assert.match(refusal("(a) (b)").message, /more text/);
  assert.match(refusal("").message, /ends/);
  assert.match(refusal("(a))").message, /more text/);
  assert.match(refusal("(a").message, /not closed/);
  assert.match(refusal("|a").message, /bar/);
  assert.match(refusal("a\\").message, /backslash/);
});

test("nesting is read to a depth of 64 and refused beyond it", () => {
  read("(".repeat(64) + ")".repeat(64));
  assert.match(refusal("(".repeat(65) + ")".repeat(65)).message, /nested/);
  assert.match(refusal("'".repeat(65)).message, /nested/);
  assert.match(refusal("(a . ".repeat(65)).message, /nested/);
});

test("more than a million forms in one are refused", () => {
  assert.match(refusal(`(${"1 ".repeat(1_000_000)})`).message, /more than 1000000 forms/);
});

test("the place where each form begins is noted on request", () => {
  const places = new Map<Form, number>();
  const reading = readForm('(:A  ("b" . C))', places);
  assert.ok(reading.ok);
  assert.deepEqual(
    [...places.values()].sort((a, b) => a - b),
    [0, 1, 5, 6, 12],
  );
  assert.equal(places.get(reading.form), 0);
});

test("no text makes the reader throw, and an offset is inside the text", () => {
  const pieces = fc.constantFrom(
    "(",
    ")",
    "'",
    '"',
    "|",
    "\\",
    "#",
    ".",
    ":",
    ";",
    " ",
    "a",
    "1",
    "/",
    "e",
    "nil",
    "é",
  );
  const hostile = fc.array(pieces, { maxLength: 60 }).map((parts) => parts.join(""));
  fc.assert(
    fc.property(fc.oneof(hostile, fc.string({ unit: "binary" })), (text) => {
      const reading = readForm(text);
      if (!reading.ok) assert.ok(reading.offset >= 0 && reading.offset <= text.length);
    }),
    { numRuns: 500 },
  );
});

test("hostile text of a megabyte is read or refused without running out of stack", () => {
  const megabyte = 1_000_000;
  const texts = ["(", "'", "a:", "|", "\\", '"', "1", "(a . ", "#\\a", ". ", "||", "a|", "1/"];
  for (const text of texts) readForm(text.repeat(megabyte / text.length));
  assert.ok(readForm(`(${"a ".repeat(megabyte / 2)})`).ok);
});

test("a property list gives its values by name, whatever the case of its keys", () => {
  const reading = readPlist(read('(:type :event TARGET "cli")'));
  assert.ok(reading.ok);
  assert.deepEqual([...reading.entries.keys()], ["TYPE", "TARGET"]);
});

test("a property list with a duplicate, odd or dotted key is refused, and the key is named", () => {
  const problem = (text: string): string => {
    const reading = readPlist(read(text));
    return reading.ok ? "" : reading.message;
  };
  assert.match(problem("(:a 1 :A 2)"), /A occurs twice/);
  assert.match(problem("(:a 1 a 2)"), /twice/);
  assert.match(problem("(:a 1 :b)"), /B has no value/);
  assert.match(problem('("a" 1)'), /not a keyword/);
  assert.match(problem("(cl:a 1)"), /not a keyword/);
  assert.match(problem("(:a . 1)"), /dotted/);
  assert.match(problem("5"), /integer/);
  assert.equal(problem("()"), "");
});
