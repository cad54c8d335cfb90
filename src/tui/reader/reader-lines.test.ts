import assert from "node:assert/strict";
import { test } from "node:test";
import { answerLines } from "./reader-lines.ts";

test("an answer is read out without its marks, and code, names and formulas as they are", () => {
  const read = [
    ["Run `rm *.o` and keep `*.c`, **now**", ["Run rm *.o and keep *.c, now"]],
    [
      "2 * 3 * 4, a*b*c, snake_case_name, *one* _two_ __three__",
      ["2 * 3 * 4, a*b*c, snake_case_name, one two three"],
    ],
    [
      "find . -name *.o -o -name *.a, $HOME/*.txt and **/*.ts, 2**8 and 3**2, `__init__` calls `_setup`",
      ["find . -name *.o -o -name *.a, $HOME/*.txt and **/*.ts, 2**8 and 3**2, __init__ calls _setup"],
    ],
    ["````md\n```\nx\n```\n````", ["Code, md:", "```", "x", "```", "End of code."]],
    ["T&amp;T, a &lt;b&gt; and `x &amp; y`", ["T&T, a <b> and x &amp; y"]],
    ["|a + b| ≤ |a| + |b|", ["|a + b| ≤ |a| + |b|"]],
    ["| not | a table |", ["| not | a table |"]],
    [
      "| day | what |\n|---|---|\n| Tue | `boiler` | at 9 |\nEnd",
      ["day: Tue, what: boiler, column 3: at 9.", "End"],
    ],
    ["day | what\n--|--\nTue | boiler", ["day: Tue, what: boiler."]],
    ["```ts src/a.ts\nconst a = *b;\n```", ["Code, ts src/a.ts:", "const a = *b;", "End of code."]],
    ["See [1].\n[1]: https://a.example/b", ["See [1].", "[1]: https://a.example/b"]],
    [
      "# Plan\n- [roses](https://a.example)\n> so",
      ["Heading: Plan", "Item: roses, link to https://a.example", "Quote: so"],
    ],
  ] as const;
  for (const [answer, lines] of read) assert.deepEqual(answerLines(answer), lines, answer);
});
