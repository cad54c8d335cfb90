import assert from "node:assert/strict";
import { test } from "node:test";
import { chooseRoute, type RouteSigns } from "./choose-route.ts";
import { findDifficulty } from "./find-difficulty.ts";
import { readRoutes } from "./read-routes.ts";

const cascade = ["anthropic", "groq", "ollama"];
const plain: RouteSigns = {
  begunBy: "person",
  isSubTask: false,
  job: null,
  isCognition: false,
  tokens: 10,
  difficulty: [],
  isPrivate: false,
};

function routed(text: string, signs: Partial<RouteSigns> = {}): string | null {
  const read = readRoutes(text);
  assert.ok(read.ok, text);
  const route = chooseRoute(read.rules, cascade, { ...plain, ...signs });
  return route === null
    ? null
    : route.asked.map(({ provider, model }) => provider + (model === null ? "" : `/${model}`)).join(" ");
}

test("where no rule matches, the order of the settings holds", () => {
  assert.equal(routed(""), null);
  assert.equal(routed("private: only ollama; job: groq", {}), null);
});

test("private text goes to the model that the owner named for it, alone or first", () => {
  assert.equal(routed("private: only ollama", { isPrivate: true }), "ollama");
  assert.equal(
    routed("PRIVATE : Ollama/llama3.2:3b", { isPrivate: true }),
    "ollama/llama3.2:3b anthropic groq",
  );
});

test("difficulty, size and who began a turn choose the model, and the first rule that matches decides", () => {
  const rules =
    "hard and over 2000 tokens: anthropic/claude-opus-5-5; hard: anthropic; job standup: only groq; job: ollama; event: only ollama; not hard: groq";
  const hard = { difficulty: ["code"] };
  assert.equal(routed(rules, { ...hard, tokens: 2001 }), "anthropic/claude-opus-5-5 groq ollama");
  assert.equal(routed(rules, { ...hard, tokens: 2000 }), "anthropic groq ollama");
  assert.equal(routed(rules, { begunBy: "job", job: "standup" }), "groq");
  assert.equal(routed(rules, { begunBy: "job", job: "other" }), "ollama anthropic groq");
  assert.equal(routed(rules, { begunBy: "event" }), "ollama");
  assert.equal(routed(rules), "groq anthropic ollama");
});

test("a rule can skip a provider, before another one decides", () => {
  assert.equal(routed("easy: skip anthropic"), "groq ollama");
  assert.equal(routed("always: skip groq; easy: ollama"), "ollama anthropic");
  assert.equal(routed("always: skip anthropic, groq, ollama"), "");
});

test("the route says which rules chose, as they were written", () => {
  const read = readRoutes("always: skip groq;  easy:  only   ollama ");
  assert.ok(read.ok);
  assert.equal(chooseRoute(read.rules, cascade, plain)?.by, "always: skip groq; easy: only ollama");
});

for (const [text, problem] of [
  ["ollama", /"ollama" without a colon/],
  ["secret: ollama", /condition "secret" is none of/],
  ["hard or long: ollama", /none of/],
  ["hard:", /neither PROVIDER nor/],
  ["hard: only", /neither PROVIDER nor/],
  ["hard: skip openai/gpt", /skips a model/],
  ["jobs: ollama", /none of/],
  ["over many tokens: ollama", /none of/],
] as const) {
  test(`a rule that cannot be read is named with what is wrong: ${text}`, () => {
    const read = readRoutes(text);
    assert.match(read.ok ? "" : read.problem, problem);
  });
}

for (const [words, files, signs] of [
  ["hi", 0, []],
  ["What is the capital of France?", 0, []],
  ["What did I buy at 3.50 on 2026-11-22?", 0, []],
  ["Explain the airplane's explanation", 0, []],
  ["Please refactor this.", 0, ["the word refactor"]],
  ["PROVE that it ends", 0, ["the word prove"]],
  ["Compare a.ts, src/b.ts and ~/c.org", 0, ["3 files"]],
  ["What is in these?", 3, ["3 files"]],
  ["Why?\n```ts\nlet a = 1\n```", 0, ["code"]],
  ["Why?\nint main() {\n  return 0;\n}", 0, ["code"]],
  ["word ".repeat(301), 0, ["1505 characters"]],
] as const) {
  test(`a request is hard by its length, code, files and words: ${words.slice(0, 30).replaceAll("\n", " ")}`, () => {
    assert.deepEqual(findDifficulty({ words, files }), signs);
  });
}
