import assert from "node:assert/strict";
import { test } from "node:test";
import { readNamedThings } from "./named-things.ts";

/** Things of a set, with a count of how often one of them was looked at. */
function counted(items: readonly string[]) {
  const looks = { count: 0 };
  const watched = new Proxy(items, {
    get(target, name, receiver) {
      if (typeof name === "string" && /^\d+$/.test(name)) looks.count += 1;
      return Reflect.get(target, name, receiver);
    },
  });
  return { looks, watched };
}

test("which of many things the words name is worked out with a few looks at each", () => {
  const place = { cmd: "rm -r old", cwd: "/home/olga/work" };
  const names = Array.from({ length: 500 }, (_, at) => `old/part-${at % 9}/file${at}.txt`);
  for (const [words, unnamed] of [
    ["please delete old/part-7/file7.txt", 499],
    ["please delete file7.txt", 499],
    ["please delete everything in the folder old", 500],
    ["is it late?", 500],
  ] as const) {
    const { looks, watched } = counted(names);
    const left = readNamedThings([words], place).unnamed({ kind: "files", items: watched, isRemoved: true });
    assert.equal(left.length, unnamed, words);
    assert.ok(looks.count < 30 * names.length, `${words}: ${looks.count}`);
  }
});
