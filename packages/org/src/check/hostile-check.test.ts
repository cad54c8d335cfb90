import assert from "node:assert/strict";
import { Buffer } from "node:buffer";
import { test } from "node:test";
import { leastTime } from "../../../../test/processor-time.ts";
import { decodeOrgText } from "../text/org-text.ts";
import { checkOrg } from "./check.ts";

const small = 50_000;
const factor = 4;
/** Four times the text in less than ten times the time: what grows with the square of it takes sixteen. */
const bound = 10;
/** Below this, a time says nothing. Milliseconds of the processor. */
const noise = 60;

const again = (text: string) => (size: number) => text.repeat(size / text.length);
const numbered = (size: number, line: (index: number) => string): string => {
  const lines: string[] = [];
  for (let length = 0; length < size; length += lines.at(-1)?.length ?? 1) lines.push(line(lines.length));
  return lines.join("");
};

const texts: Readonly<Record<string, (size: number) => string>> = {
  "timestamps that nothing closes": again("<2024-01-01 "),
  "diary stamps that nothing closes": again("<%%("),
  "diary stamps without a parenthesis": (size) => `${"<%%(".repeat(size / 4)}>`,
  "planning that nothing closes": (size) => `* h\n${"SCHEDULED: <2024-01-01 ".repeat(size / 23)}`,
  "problems on one line": again("[fn:1] "),
  "unknown TODO words in a file with many": (size) =>
    numbered(size / 2, (index) => `#+TODO: W${index} | D${index}\n`) + "* DONE h\n".repeat(size / 18),
  "many radio targets": (size) => numbered(size, (index) => `<<<t${index}>>>\n`),
  "links to lines of code": (size) =>
    `#+begin_src x\n${numbered(size / 2, (index) => `a (ref:r${index})\n`)}#+end_src\n` +
    numbered(size / 2, (index) => `[[(z${index})]]\n`),
  "citations of styles": again("[cite/a/b:@c] "),
  "links to nothing": (size) => numbered(size, (index) => `[[dead${index}]]\n`),
};

/** Milliseconds of the processor; less than `enough` is enough. */
function timeOf(text: string, enough: number): Promise<number> {
  const file = { path: "a.org", source: decodeOrgText(Buffer.from(text)) };
  return leastTime(() => void checkOrg([file], { hasFile: () => false, hasId: () => false }), enough);
}

for (const [name, make] of Object.entries(texts)) {
  test(`the time of a check grows with the length of the text: ${name}`, async () => {
    await timeOf(make(1000), 0);
    const once = Math.max(noise, await timeOf(make(small), noise));
    const more = await timeOf(make(small * factor), bound * once);
    assert.ok(more < bound * once, `${more} ms of the processor for ${factor} times what took ${once}`);
  });
}

test("the column of a problem counts characters, also behind other problems of its line", () => {
  const source = decodeOrgText(Buffer.from("\n😀 [fn:1] é [fn:2] x [fn:3]\n[fn:4]"));
  const problems = checkOrg([{ path: "a.org", source }], { hasFile: () => false, hasId: () => false });
  assert.deepEqual(
    problems.map(({ line, column }) => [line, column]),
    [
      [2, 3],
      [2, 12],
      [2, 21],
      [3, 1],
    ],
  );
});
