import assert from "node:assert/strict";
import { test } from "node:test";
import { Block, type Look } from "../screen/block.ts";
import { themeFor } from "../screen/theme.ts";
import { Transcript } from "./transcript.ts";

const look: Look = { theme: themeFor("dark", "none"), markdown: null };

class Numbered extends Block {
  static laidOut = 0;
  readonly #name: string;
  #height: number;

  constructor(name: string, height: number) {
    super();
    this.#name = name;
    this.#height = height;
  }

  override get text(): string {
    return this.#name;
  }

  set height(height: number) {
    this.#height = height;
    this.changed();
  }

  protected override layOut(): readonly string[] {
    Numbered.laidOut += 1;
    return Array.from({ length: this.#height }, (_, row) => `${this.#name}.${row}`);
  }
}

function fill(count: number, height = 3): Transcript {
  const transcript = new Transcript();
  for (let index = 0; index < count; index += 1) transcript.add(new Numbered(String(index), height));
  return transcript;
}

test("the window follows the end until it is scrolled, and then nothing that comes moves it", () => {
  const transcript = fill(10);
  assert.deepEqual(transcript.window(80, 4, look), ["8.2", "9.0", "9.1", "9.2"]);
  transcript.scroll(-3, 80, look);
  const before = transcript.window(80, 4, look);
  assert.deepEqual(before, ["7.2", "8.0", "8.1", "8.2"]);
  transcript.add(new Numbered("10", 50));
  transcript.add(new Numbered("11", 1));
  assert.deepEqual(transcript.window(80, 4, look), before);
  assert.deepEqual([transcript.follows, transcript.unseen], [false, 2]);
  transcript.toEnd();
  assert.deepEqual(transcript.window(80, 2, look), ["10.49", "11.0"]);
  assert.equal(transcript.unseen, 0);
});

test("scrolled down to the end, the window follows it again", () => {
  const transcript = fill(10);
  transcript.window(80, 6, look);
  transcript.scroll(-6, 80, look);
  transcript.window(80, 6, look);
  transcript.scroll(6, 80, look);
  transcript.window(80, 6, look);
  assert.equal(transcript.follows, true);
});

test("only what stands in the window is laid out, of a hundred thousand blocks", () => {
  const transcript = fill(100_000);
  Numbered.laidOut = 0;
  transcript.window(80, 30, look);
  assert.ok(Numbered.laidOut <= 11, String(Numbered.laidOut));
  for (let page = 0; page < 50; page += 1) {
    transcript.scroll(-30, 80, look);
    transcript.window(80, 30, look);
  }
  assert.ok(Numbered.laidOut < 600, String(Numbered.laidOut));
  transcript.toStart();
  assert.deepEqual(transcript.window(80, 2, look), ["0.0", "0.1"]);
});

test("a block that changes its height, and one that is withdrawn, leave a whole window", () => {
  const transcript = new Transcript();
  const [first, second] = [new Numbered("a", 10), new Numbered("b", 10)];
  transcript.add(first);
  transcript.add(second);
  transcript.window(80, 5, look);
  transcript.scroll(-7, 80, look);
  transcript.window(80, 5, look);
  first.height = 1;
  assert.equal(transcript.window(80, 5, look).length, 5);
  transcript.remove(second);
  assert.deepEqual(transcript.window(80, 5, look), ["a.0"]);
});
