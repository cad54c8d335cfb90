import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { isAlnumAt } from "./characters.ts";
import { foldCase } from "./fold-case.ts";
import { makeRadioMatcher, type RadioMatch } from "./radio-matcher.ts";

/** All matches of a region, as Emacs finds them: one pattern of all targets, the longest first. */
function matchesByPattern(
  text: string,
  targets: readonly string[],
  begin: number,
  end: number,
): RadioMatch[] {
  const longestFirst = [...targets].sort((one, other) => other.length - one.length);
  const written = longestFirst.map((target) =>
    target.replace(/[\\^$.*+?()[\]{}|]/g, "\\$&").replace(/ +/g, "[ \\t\\n\\r\\f]+"),
  );
  const pattern = new RegExp(written.join("|"), "giu");
  const breaks = (at: number): boolean => !isAlnumAt(text, at) || /\p{Script=Han}/u.test(text[at] ?? "");
  const part = text.slice(begin, end);
  const found: RadioMatch[] = [];
  for (let match = pattern.exec(part); match !== null; match = pattern.exec(part)) {
    const at = { begin: begin + match.index, end: begin + match.index + match[0].length };
    const stands = (at.begin === begin || breaks(at.begin - 1)) && (at.end === end || breaks(at.end));
    if (stands) found.push(at);
    else pattern.lastIndex = match.index + ((match[0].codePointAt(0) ?? 0) > 0xffff ? 2 : 1);
  }
  return found;
}

function matchesOf(text: string, targets: readonly string[], begin: number, end: number): RadioMatch[] {
  const matcher = makeRadioMatcher(text, targets);
  const found: RadioMatch[] = [];
  let match = matcher?.next({ begin, end }, begin) ?? null;
  while (match !== null) {
    found.push(match);
    match = matcher?.next({ begin, end }, match.end) ?? null;
  }
  return found;
}

const letters = fc.constantFrom("a", "A", "b", "ß", "é", "É", "ς", "Σ", "漢", "😀", ".");
const targets = fc.array(
  fc
    .array(fc.oneof({ weight: 4, arbitrary: letters }, fc.constantFrom(" ", "  ", "\t")), {
      minLength: 1,
      maxLength: 5,
    })
    .map((parts) => parts.join("").trim())
    .filter((target) => target !== ""),
  { minLength: 1, maxLength: 6 },
);
const texts = fc
  .array(fc.oneof({ weight: 4, arbitrary: letters }, fc.constantFrom(" ", "\n", "\t", "*", "  ")), {
    maxLength: 40,
  })
  .map((parts) => parts.join(""));

test("the matches are those of one pattern of all targets, the longest first, in every region", () => {
  fc.assert(
    fc.property(texts, targets, fc.nat(8), fc.nat(8), (text, all, skipped, cut) => {
      const begin = Math.min(skipped, text.length);
      const end = Math.max(begin, text.length - cut);
      // No object begins or ends inside of a character.
      fc.pre(!/[\uD800-\uDBFF]/.test((text[begin - 1] ?? "") + (text[end - 1] ?? "")));
      assert.deepEqual(matchesOf(text, all, begin, end), matchesByPattern(text, all, begin, end));
    }),
    { numRuns: 3000 },
  );
});

test("two characters are folded to the same one only where a pattern that ignores case takes one for the other", () => {
  const characters = Array.from({ length: 0x3000 }, (_, code) => String.fromCodePoint(code));
  for (const character of characters) {
    const folded = foldCase(character);
    if (folded === character) continue;
    assert.match(character, new RegExp(`^\\u{${folded.codePointAt(0)?.toString(16)}}$`, "iu"));
  }
});
