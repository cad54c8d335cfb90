import assert from "node:assert/strict";
import { test } from "node:test";
import { leastTime } from "../../../test/processor-time.ts";
import { registered } from "./parse.fixture.ts";
import { parseAnswer } from "./parse-answer.ts";

const args = {
  query: "boiler",
  maxResults: 3,
  tags: ["home"],
  explanation: "The owner asked for the boiler",
};
const hermes = `<tool_call>\n${JSON.stringify({ name: "search", arguments: args })}\n</tool_call>`;
const coder = `<tool_call>
<function=search>
<parameter=query>
boiler
</parameter>
<parameter=maxResults>
3
</parameter>
<parameter=tags>
["home"]
</parameter>
<parameter=explanation>
The owner asked for the boiler
</parameter>
</function>
</tool_call>`;
const deepSeek = `<｜tool▁calls▁begin｜><｜tool▁call▁begin｜>function<｜tool▁sep｜>search\n\`\`\`json\n${JSON.stringify(args)}\n\`\`\`<｜tool▁call▁end｜><｜tool▁calls▁end｜>`;
const newDeepSeek = `<｜tool▁calls▁begin｜><｜tool▁call▁begin｜>search<｜tool▁sep｜>${JSON.stringify(args)}<｜tool▁call▁end｜><｜tool▁calls▁end｜>`;

function parse(
  text: string,
  shown: readonly string[] = [],
  record: { callsTools?: boolean; writesMarks?: boolean } = {},
) {
  return parseAnswer({ ...registered, ...record, shown: () => shown, text, calls: [] });
}

for (const [what, text] of Object.entries({ hermes, coder, deepSeek, newDeepSeek })) {
  test(`without native calls, a call as ${what} writes it is a proposal, and the text before it a note`, () => {
    const { explanation, ...given } = args;
    const action = { target: "tool", payload: { tool: "search", args: given }, explanation };
    const calls = [{ id: "form-1", action }];
    assert.deepEqual(parse(text), { kind: "calls", note: "", calls, native: false });
    assert.deepEqual(parse(`I look it up.\n${text}\n`), {
      kind: "calls",
      note: "I look it up.",
      calls,
      native: false,
    });
  });

  test(`a call as ${what} writes it that stands in what the model was shown is a reply`, () => {
    assert.deepEqual(parse(text, [`# notes\n${text}\n`]), { kind: "reply", text });
    assert.deepEqual(parse(text, [`search for "boiler": ${JSON.stringify(args, null, 2)}`]), {
      kind: "reply",
      text,
    });
  });

  test(`with native calls, a call as ${what} writes it is no action: it goes back where the server may have lost it, else it is a reply`, () => {
    const local = parse(text, [], { callsTools: true, writesMarks: true });
    assert.equal(local.kind, "invalid");
    assert.deepEqual(parse(text, [], { callsTools: true }), { kind: "reply", text });
    const quoting = `It writes:\n${text}`;
    assert.deepEqual(parse(quoting, [], { callsTools: true, writesMarks: true }), {
      kind: "reply",
      text: quoting,
    });
  });

  test(`a call as ${what} writes it in a fence, or before other words, is a reply`, () => {
    for (const around of [
      `\`\`\`\n${text}\n\`\`\``,
      `Like this:\n\`\`\`xml\n${text}`,
      `${text}\nThat is how it looks.`,
    ]) {
      assert.deepEqual(parse(around), { kind: "reply", text: around });
    }
  });
}

test("several calls at once get ids of their own", () => {
  const parsed = parse(`${hermes}\n${hermes}`);
  assert.ok(parsed.kind === "calls");
  assert.deepEqual(
    parsed.calls.map(({ id }) => id),
    ["form-1", "form-1-2"],
  );
});

for (const text of [
  "<tool_call></tool_call>",
  "<tool_call>search boiler</tool_call>",
  '<tool_call>{"name": 7, "arguments": {}}</tool_call>',
  '<tool_call>{"name":"search","arguments":[1]}</tool_call>',
  `${hermes}<tool_call>{"name":`,
  "<tool_call>",
  '<tool_call>["search"]</tool_call>',
]) {
  test(`what is no whole call is a reply: ${text.slice(0, 50)}`, () => {
    assert.deepEqual(parse(text), { kind: "reply", text });
  });
}

test("with native calls, a call of a tool that the model does not have is a reply", () => {
  const text = '<tool_call>{"name":"get_weather","arguments":{"city":"Oslo"}}</tool_call>';
  assert.deepEqual(parse(text, [], { callsTools: true, writesMarks: true }), { kind: "reply", text });
});

test("a megabyte of opened calls is read in less than two seconds", async () => {
  const time = await leastTime(() => {
    parse("<tool_call>".repeat(100_000));
    parse(`${"<tool_call>{}</tool_call>".repeat(40_000)}x`);
  }, 2000);
  assert.ok(time < 2000, `${time} ms`);
});
