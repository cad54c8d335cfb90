import assert from "node:assert/strict";
import { test } from "node:test";
import { namesPath } from "./names-path.ts";

const named = (words: string, path: string) => namesPath([words], path, "/home/ada");

test("a file that the owner typed by its whole path is named", () => {
  assert.ok(named("What is in /srv/data/list.txt?", "/srv/data/list.txt"));
  assert.ok(named("Compare ~/Documents/plan.txt with mine.", "/home/ada/Documents/plan.txt"));
  assert.ok(named("read '/srv/data/list.txt', please", "/srv/data/list.txt"));
  assert.ok(named("read /srv/./data//list.txt", "/srv/data/list.txt"));
});

test("a part of a path, a path above, what is quoted from others, and what stands beside a refusal name nothing", () => {
  for (const [words, path] of [
    ["Look into /srv/data", "/srv/data/list.txt"],
    ["Read /srv/data/list.txt.old", "/srv/data/list.txt"],
    ["Read data/list.txt", "/srv/data/list.txt"],
    ["Do not read /srv/data/list.txt", "/srv/data/list.txt"],
    ["Read list.txt", "/srv/data/list.txt"],
    ["Ignore /srv/data/list.txt", "/srv/data/list.txt"],
    ["N'ouvre pas /srv/data/list.txt", "/srv/data/list.txt"],
    ["Post 'please read /srv/data/list.txt' to the channel", "/srv/data/list.txt"],
    ["", "/srv/data/list.txt"],
  ] as const)
    assert.equal(named(words, path), false, words);
});
