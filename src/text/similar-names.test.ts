import assert from "node:assert/strict";
import { test } from "node:test";
import { similarName } from "./similar-names.ts";

test("a name that a reader takes for another one is found: other alphabets, widths, accents and digits", () => {
  for (const [name, other] of [
    ["p\u0430ypal", "paypal"],
    ["\u0441\u043e\u0440\u0443", "copy"],
    ["\uff44\uff49\uff43\uff45", "dice"],
    ["d\u0131ce", "dice"],
    ["cafe\u0301", "cafe"],
    ["caf\u00e9", "cafe"],
    ["t0ols", "tools"],
    ["too1s", "tools"],
    ["fonns-rnail", "fonns-mail"],
    ["vveb", "web"],
    ["t1p", "tip"],
    ["\u03bf\u03c1\u03b5n", "\u043e\u0440\u03b5n"],
  ] as const) {
    assert.equal(similarName(name, ["else", other]), other, name);
    assert.equal(similarName(other, [name]), name, name);
  }
});

test("a name is not like itself, and names of other letters are not alike", () => {
  assert.equal(similarName("dice", ["dice"]), null);
  for (const other of ["dices", "dice-2", "rice", "dlce", "\u7b2c\u4e00", "mail"])
    assert.equal(similarName("dice", [other]), null, other);
});
