import assert from "node:assert/strict";
import { test } from "node:test";
import { carriers } from "./carriers.fixture.ts";
import { FingerprintSet } from "./fingerprint-set.ts";

const key = Uint32Array.from([0x1234567, 0x89abcdef, 0x13579bdf, 0x2468ace1, 0x5bd1e995, 0x27d4eb2f]);
const note = `Dr. Müller said the biopsy from March wasn't clean, so the second operation is on the 14th at St. Anna's;
nobody but Jakub and my sister knows about it, and the insurance (number 4711-0815) must not hear of it before June.`;

function known(...texts: readonly string[]): FingerprintSet {
  const filter = new FingerprintSet(key);
  for (const text of texts) filter.add(filter.fingerprints(text));
  return filter;
}

function passage(from: number, count: number): string {
  return note
    .split(/\s+/)
    .slice(from, from + count)
    .join(" ");
}

test("every passage of eight words of a private text is found, however it is carried", () => {
  const filter = known(note);
  for (const { name, carry } of carriers) {
    for (let from = 0; from + 9 <= note.split(/\s+/).length; from += 1) {
      const carried = carry(passage(from, 9));
      assert.notDeepEqual(filter.find(`Here it is: ${carried}, that is all.`), [], `${name}: ${carried}`);
    }
  }
});

test("a found passage is where it stands in the text", () => {
  const text = `He wrote: ${passage(0, 12)} And no more.`;
  const [found] = known(note).find(text);
  assert.equal(
    found === undefined ? "" : text.slice(found.begin, found.end),
    passage(0, 12).replace(/,$/, ""),
  );
});

test("text with other words is not found", () => {
  const filter = known(note);
  assert.deepEqual(
    filter.find("Dr. Müller said the weather in March was clean, so the second walk is on the 15th."),
    [],
  );
  assert.deepEqual(filter.find(""), []);
  assert.deepEqual(known().find(note), []);
});

test("seven words are too few to be a passage", () => {
  assert.deepEqual(
    known("nobody but Jakub and my sister knows").find("nobody but Jakub and my sister knows"),
    [],
  );
});

test("fingerprints made under another key find nothing", () => {
  const other = new FingerprintSet(Uint32Array.from(key, (part) => part ^ 0x5a5a5a5a));
  other.add(known().fingerprints(note));
  assert.deepEqual(other.find(note), []);
});

test("fingerprints that were kept are learned again", () => {
  const kept = known().fingerprints(note);
  const filter = known();
  filter.add(kept);
  filter.add(kept);
  assert.equal(filter.size, kept.length / 6);
  assert.equal(filter.find(note).length, 1);
});
