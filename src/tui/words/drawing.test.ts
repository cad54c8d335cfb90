import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { AnswerStream } from "../conversation/answer-stream.ts";
import { Transcript } from "../conversation/transcript.ts";
import { Block, type Look } from "../screen/block.ts";
import { type Theme, themeFor, unstyled } from "../screen/theme.ts";
import { loadMarkdown, type RenderMarkdown, widthOf } from "../screen/toolkit.ts";
import { openApp, painted } from "../screen.fixture.ts";

const markdown = await loadMarkdown();
/** Characters that may be styled for each of a text, with those that the escape sequences bring. */
const most = 200;
const free = 60_000;

/** A theme that counts what is styled: the work of laying out, whatever the clock says. */
function countingLook(): { readonly look: Look; readonly count: { styled: number } } {
  const count = { styled: 0 };
  const dark = themeFor("dark", "16");
  const counting = (style: Theme["bold"]) => (text: string) => {
    count.styled += text.length;
    return style(text);
  };
  const { accent, bold, code, dim, italic } = dark;
  const styles = { accent: counting(accent), bold: counting(bold), code: counting(code) };
  const theme = { ...dark, ...styles, dim: counting(dim), italic: counting(italic) };
  return { look: { theme, markdown }, count };
}

/** The rows of an answer. */
function draw(text: string, columns: number, look: Look): readonly string[] {
  const transcript = new Transcript();
  const stream = new AnswerStream(transcript);
  stream.feed(text);
  stream.end();
  return transcript.blocks.flatMap((block) => block.rows(columns, look));
}

/** Draws an answer, and checks that it took no more than its length allows. */
function drawBounded(text: string, columns: number): readonly string[] {
  const { look, count } = countingLook();
  const rows = draw(text, columns, look);
  assert.ok(
    count.styled <= most * text.length + free,
    `${count.styled} for ${JSON.stringify(text.slice(0, 80))}`,
  );
  assert.ok(rows.length <= 4 * text.length + 100, `${rows.length} rows`);
  return rows;
}

const again = (text: string, times: number): string => text.repeat(times);
const hostile: Readonly<Record<string, string>> = {
  "quotes in quotes": `${again("> ", 64)}x`,
  "quotes without blanks": `${again(">", 200)}x`,
  "lists in quotes": `${again("> - ", 64)}x`,
  "quotes in lists": `${again("1. > ", 64)}x`,
  "quotes that grow": Array.from({ length: 60 }, (_, depth) => `${again("> ", depth)}x`).join("\n"),
  "lists in lists": `${again("- ", 500)}x`,
  "lists that grow": Array.from({ length: 80 }, (_, depth) => `${again("  ", depth)}- x`).join("\n"),
  "tabs that indent": Array.from({ length: 40 }, (_, depth) => `${again("\t", depth)}- x`).join("\n"),
  "emphasis in emphasis": `${again("*a _b ", 400)}${again("b_ a* ", 400)}`,
  "emphasis that is never closed": again("**a ", 900),
  "links in links": `${again("[", 600)}a${again("](b)", 600)}`,
  "links that are never closed": again("[a](", 900),
  "code fences in quotes": `> \`\`\`\n${again("> x\n", 900)}> \`\`\``,
  "fences that never close, in quotes": again("> > ```\n", 200),
  "a table of a thousand columns": `${again("|a", 1000)}|\n${again("|-", 1000)}|\n${again("|b", 1000)}|`,
  "a table in quotes": again("> > > |a|b|\n> > > |-|-|\n", 100),
  "one word of 100,000 letters": again("x", 100_000),
  "one line of 100,000 words": again("word ", 20_000),
  "marks on one letter": `a${again("\u0301", 3_900)}`,
  "people joined": again("👨‍👩‍👧‍👦", 400),
  "half of a pair": again("\ud83d \udc00", 300),
  "letters of both directions": again("\u202eabc\u2066", 500),
  backticks: again("`a", 2_000),
  escapes: again("\\*", 2_000),
  HTML: again("<a ", 1_000),
  formulas: again("$x_{", 800),
};

for (const [name, text] of Object.entries(hostile))
  test(`an answer of ${name} is drawn, with work that its length bounds`, () => {
    for (const columns of [78, 40, 10, 4]) {
      const rows = drawBounded(text, columns);
      assert.ok(
        rows.some((row) => row.trim() !== ""),
        `${columns} columns`,
      );
    }
  });

test("quotes and lists of a usual depth are laid out, deeper ones stand as they were written", () => {
  const look: Look = { theme: unstyled, markdown };
  assert.deepEqual(draw("> one\n> > two\n> > > three", 60, look).slice(1, 4), [" │ one", " │", " │ │ two"]);
  const deep = draw(`${again("> ", 64)}x`, 60, look);
  assert.equal(deep.join("").replaceAll(" ", ""), `${again(">", 64)}x`);
});

test("entities of Markdown are shown as the signs that they stand for, and give a text no other form", () => {
  const look: Look = { theme: unstyled, markdown };
  const rows = draw(
    "T&amp;T &lt;b&gt;, &quot;x&quot; and `&amp;`\n\n&gt; no quote &amp;#42;\n\n- [a&amp;b](c)",
    60,
    look,
  );
  const shown = rows.join("\n");
  assert.match(shown, /T&T <b>, "x" and &amp;/);
  assert.match(shown, /^ > no quote &#42;$/m);
  assert.match(shown, /• a&b \(c\)/);
});

test("whatever an answer is made of, drawing it throws nothing and takes work that its length bounds", () => {
  const line = String.raw`> |- |1. |  |* |**|_|~~|\`|[|](|)|![|<a |&amp;|$$|\(|\|word |x|# |온수기 |👨‍👩‍👧`;
  const others = ["|", "|-|-|\n", "---\n", "\t", "\n", "\n\n", "```\n", "\u0301", "\u202e"];
  const piece = fc.constantFrom(...line.split("|"), ...others);
  const part = fc.tuple(piece, fc.integer({ min: 1, max: 40 })).map(([one, times]) => again(one, times));
  fc.assert(
    fc.property(fc.array(part, { maxLength: 14 }), fc.constantFrom(78, 38, 12, 3), (parts, columns) => {
      for (const row of drawBounded(parts.join(""), columns)) assert.equal(typeof row, "string");
    }),
    { numRuns: 150 },
  );
});

test("no word of an answer is left out, whatever Markdown makes of it", () => {
  const forms = [
    "[W]: W",
    "[W]: <W>",
    "[^W]: W W",
    "[W]:\n  W",
    "> [W]: W",
    "- [W]: W\n  W",
    "![W](W)",
    "[W](W)",
    "[W][W]",
    "W <W>W</W> <!-- W -->",
    "| W | W |\n|---|---|\n| W | W | W |\n| W |",
    "> | W | W |\n> |---|---|\n> | W | W | W",
    "```js W\nW\n```",
    "~~~ W.ts\nW\n~~~",
    "# W\n\nW\n===",
    "1. W\n\n   W\n   1) W",
    "\tW *W* __W__ ~~W~~ `W` $W$ \\(W\\) \\W &W; [ ] W [x] W",
    "W  \nW\\\nW :W: ==W== W: W",
  ];
  fc.assert(
    fc.property(
      fc.array(fc.tuple(fc.constantFrom(...forms), fc.constantFrom("\n", "\n\n")), { maxLength: 8 }),
      (parts) => {
        let count = 0;
        const text = parts
          .flat()
          .join("")
          .replaceAll("W", () => `w${count++}z`);
        const drawn = draw(text, 400, { theme: unstyled, markdown }).join("\n");
        for (let word = 0; word < count; word++)
          assert.ok(drawn.includes(`w${word}z`), `${text}\n--\n${drawn}`);
      },
    ),
    { numRuns: 200 },
  );
});

test("what drawing an entry throws becomes the text of the entry, with the reason; the others are as they were", () => {
  const breaks: RenderMarkdown = () => {
    throw new RangeError("Maximum call stack size exceeded");
  };
  const rows = draw("The *roses*.\n\n```ts\nconst a = 1;\n```\n", 70, { theme: unstyled, markdown: breaks });
  assert.deepEqual(rows, [
    "",
    " The *roses*.",
    " (shown as it was written: Maximum call stack size exceeded)",
    "",
    " │ const a = 1;",
  ]);
  class Broken extends Block {
    override readonly text = "what it says";
    protected override layOut(): readonly string[] {
      throw new Error("broken");
    }
  }
  const narrow = new Broken().rows(16, { theme: unstyled, markdown });
  assert.equal(narrow[1], " what it says");
  assert.ok(
    narrow.every((row) => widthOf(row) <= 16),
    narrow.join("\n"),
  );
});

test("an answer of nested quotes leaves the client alive, live and when the session is continued", async (t) => {
  const { terminal, turn, app, time } = openApp(t, { columns: 80, rows: 24 });
  while (app.look.markdown === null) await painted(terminal);
  for (const [index, mark] of ["> ", "> - "].entries()) {
    turn(`t${index}`).chunk(again(mark, 30));
    await painted(terminal);
    turn(`t${index}`).answered(`${again(mark, 64)}deep`);
    await painted(terminal);
    assert.match(terminal.screen().join("\n"), /> .*deep/);
  }
  terminal.type(..."still here");
  time.now += 100;
  await painted(terminal);
  assert.match(terminal.screen().join("\n"), / › still here/);
});
