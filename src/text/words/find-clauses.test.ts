import assert from "node:assert/strict";
import { test } from "node:test";
import { findClauses } from "./find-clauses.ts";
import { splitWords } from "./tokens.ts";

/** How often the words of a text are looked at until its clauses are found. */
function looksAt(text: string): number {
  let looks = 0;
  const watched = new Proxy(splitWords(text), {
    get(target, name, receiver) {
      if (typeof name === "string" && /^\d+$/.test(name)) looks += 1;
      return Reflect.get(target, name, receiver);
    },
  });
  findClauses(watched);
  return looks;
}

test("a sentence that is four times as long is looked at four times as often", () => {
  for (const part of [
    "send mail to Bob and delete file ",
    "delete a, ",
    "delete them and ",
    "delete it if ",
    "Anna said to delete ",
    "löschen und ",
    "word ",
    "12 ",
  ]) {
    const [short, long] = [looksAt(part.repeat(250)), looksAt(part.repeat(1_000))];
    assert.ok(long < 5 * short, `${part}: ${short} and ${long}`);
  }
});

test("a verb far behind the start of its sentence asks for nothing and forbids its act", () => {
  const far = `${"word ".repeat(201)}and delete the file`;
  const { clauses, forbidden } = findClauses(splitWords(`Delete the file. ${far}`));
  assert.deepEqual(
    clauses.map(({ verb }) => verb),
    ["delete"],
  );
  assert.deepEqual(forbidden, ["delete"]);
  const near = findClauses(splitWords(`${"word ".repeat(100)}and delete the file`));
  assert.deepEqual([near.clauses.length, near.forbidden], [1, []]);
});
