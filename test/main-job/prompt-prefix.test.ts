import assert from "node:assert/strict";
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { type TestContext, test } from "node:test";
import { skillFile } from "../../src/skills/skills.fixture.ts";
import { type AgentWorld, calls, makeWorld, type Talk, talkTo } from "../agent-world.ts";
import type { Step } from "../loopback-provider.ts";
import { liarEntry, revisions, setUpServers, withoutSandbox } from "../mcp/mcp-world.ts";
import { commonLength, promptOf, stableLength, stepLength } from "../prompt-prefix.ts";

const done: Step = { text: "Done." };
const listing = calls(["list-files", { path: "." }]);

/** The formats that prompts are sent in, with the settings of a provider that takes each. */
const formats = {
  "Anthropic's": { name: "anthropic", model: "" },
  "OpenAI's": { name: "openai", model: "" },
  "OpenAI's older": { name: "openai", model: "gpt-4.1" },
  "Google's": { name: "google", model: "" },
  "OpenRouter's": { name: "openrouter", model: "anthropic/claude-sonnet-5" },
  "the compatible": { name: "loop", model: "" },
} as const;

async function openWorld(
  t: TestContext,
  { name, model }: { readonly name: string; readonly model: string },
  settings: Readonly<Record<string, string>> = {},
) {
  const world = await makeWorld(t, [], { PROVIDER_CASCADE: name });
  mkdirSync(join(world.home, "memex"));
  writeFileSync(note(world), "* Boiler :project:\nServiced in March.\n");
  mkdirSync(join(world.configuration, "skills"), { recursive: true });
  const head = ["TITLE: Dice", "TRIGGER_WORDS: dice"];
  const text = "#+begin_prompt\nThrow them twice.\n#+end_prompt\n";
  writeFileSync(join(world.configuration, "skills", "dice.org"), `${skillFile(head, "")}${text}`);
  const own = name.toUpperCase();
  const agent = await world.open({
    [`${own}_BASE_URL`]: `${world.provider.url}/v1`,
    [`${own}_API_KEY`]: "some-other-key-1234",
    [`${own}_MODEL`]: model,
    LOOP_CONTEXT_WINDOW: "64000",
    ...settings,
  });
  t.after(() => agent[Symbol.asyncDispose]());
  return { world, talk: await talkTo(agent) };
}

const note = (world: AgentWorld): string => join(world.home, "memex", "house.org");

/** Says something, and gives the prompts that its turn sent. */
async function say(world: AgentWorld, talk: Talk, words: string, ...steps: readonly Step[]) {
  world.provider.add(...steps);
  const from = world.provider.requests.length;
  const said = await talk.say(words);
  assert.equal(said.end, "answered", said.text);
  const prompts = world.provider.requests.slice(from).map(({ body }) => promptOf(body));
  assert.equal(prompts.length, steps.length);
  for (const [index, prompt] of prompts.entries()) {
    const before = prompts[index - 1];
    if (before !== undefined) assertBegins(prompt, before, stepLength(before), `step ${index} of "${words}"`);
  }
  return prompts;
}

function assertBegins(prompt: string, before: string, length: number, what: string): void {
  const same = commonLength(prompt, before);
  const [was, is] = [before, prompt].map((text) => text.slice(Math.max(0, same - 120), same + 60));
  assert.ok(length > 0 && same >= length, `${what} leaves at ${same} of ${length}: …${was}… became …${is}…`);
}

for (const [format, provider] of Object.entries(formats)) {
  test(`in ${format} format each turn begins with the bytes of the one before it, whatever happens between them`, async (t) => {
    const { now } = Date;
    const later = { ms: 0 };
    t.mock.method(Date, "now", () => now() + later.ms);
    const { world, talk } = await openWorld(t, provider);
    const turns = [await say(world, talk, "hi", done)];
    const next = async (words: string, ...steps: readonly Step[]): Promise<void> => {
      const prompts = await say(world, talk, words, ...steps);
      const before = turns.at(-1)?.at(-1) ?? "";
      assertBegins(prompts[0] ?? "", before, stepLength(before), `"${words}"`);
      turns.push(prompts);
    };
    await next("list what is here", listing, done);
    later.ms += 3 * 60_000;
    await next("thank you", done);
    writeFileSync(note(world), "* Boiler :project:\nServiced in May.\n* Roof :project:\nLeaks.\n");
    await next("what of the boiler and the roof?", done);
    await next("throw the dice", listing, listing, done);
    assert.match(turns.at(-1)?.[0] ?? "", /Throw them twice/);
    await talk.say("/jobs run compact-sessions");
    await next("what became of it?", done);
    await talk.say("/rules");
    later.ms += 60 * 60_000;
    await next("and now?", done);
  });
}

/** The tools of a prompt, as they stand at its beginning. */
const toolsOf = (prompt: string | undefined): string =>
  /^\[.*?\](?=\[\{"role":"system")/s.exec(prompt ?? "")?.[0] ?? "";

test("a tool that joins comes behind the others, once, and stays, whether a skill or a server brings it", {
  skip: withoutSandbox,
}, async (t) => {
  const world = await makeWorld(t);
  setUpServers(world, { liar: liarEntry(revisions[0], "plain", { own: { tools: { echo: "read" } } }) });
  assert.equal((await world.command(["mcp", "accept", "liar", "--yes"])).code, 0);
  await using agent = await world.open();
  const talk = await talkTo(agent);
  const seen: string[] = [];
  for (const words of [
    "hi",
    "which llm answers me, and at what price of tokens?",
    "thank you",
    "echo a message with liar",
    "thank you",
    "tangle the notes",
    "which skills are there for the agenda?",
  ]) {
    const [prompt] = await say(world, talk, words, done);
    seen.push(toolsOf(prompt));
  }
  for (const [index, tools] of seen.entries()) {
    const before = seen[index - 1] ?? "[]";
    assert.ok(tools.startsWith(before.slice(0, -1)), `tools of turn ${index + 1} begin otherwise`);
  }
  const names = seen.map((tools) => [...tools.matchAll(/"name":"([^"]+)"/g)].map(([, name]) => name));
  const [bare = [], models = []] = names;
  assert.deepEqual(models, [...bare, "list-models", "find-tools"]);
  assert.deepEqual(names[2], models);
  assert.deepEqual(names[4], [...models, "liar__echo"]);
  assert.deepEqual(names[6], [...models, "liar__echo", "tangle"]);
});

test("what a rule keeps away changes no byte of what the others are sent", async (t) => {
  const world = await makeWorld(t, [], {
    PROVIDER_CASCADE: "loop,other",
    MODEL_ROUTES: "over 100 tokens: skip other",
    OTHER_BASE_URL: "http://127.0.0.1:9/v1",
    OTHER_MODEL: "small",
    OTHER_CONTEXT_WINDOW: "16000",
    LOOP_CONTEXT_WINDOW: "64000",
  });
  await using agent = await world.open();
  const talk = await talkTo(agent);
  const [first = ""] = await say(world, talk, "hi", done);
  const [second = ""] = await say(world, talk, `look: ${"word ".repeat(200)}`, done);
  assertBegins(second, first, stableLength(first), "a long turn");
});

test("where the window is small the oldest turns go by halves, and the prompts between begin alike", async (t) => {
  const world = await makeWorld(t, [], { LOOP_CONTEXT_WINDOW: "8192" });
  mkdirSync(join(world.home, "memex"));
  const notes = ["alpha", "beta", "gamma"].map(
    (word, at) => `* ${word}\n${`${word} `.repeat(150 * (at + 1))}\n`,
  );
  writeFileSync(note(world), notes.join(""));
  writeFileSync(join(world.home, "memex", "identity.org"), "You speak like a valet.\n");
  await using agent = await world.open();
  const talk = await talkTo(agent);
  const answer = { text: "A longer answer that fills the window. ".repeat(20) };
  const firsts: string[] = [];
  for (let turn = 1; turn <= 24; turn += 1) {
    const steps = turn % 3 === 0 ? [listing, answer] : [answer];
    const [first = ""] = await say(
      world,
      talk,
      `turn ${turn}: ${["alpha", "beta", "gamma", ""][turn % 4]}`,
      ...steps,
    );
    firsts.push(first);
  }
  const breaks = firsts.filter((prompt, index) => {
    const before = firsts[index - 1];
    return before !== undefined && commonLength(prompt, before) < stableLength(before);
  });
  t.diagnostic(`${breaks.length} of ${firsts.length} turns begin otherwise than the one before`);
  assert.ok(firsts.at(-1)?.includes("earlier messages of this session are left out"));
  assert.ok(
    firsts.every((prompt) => prompt.includes("like a valet")),
    "what stands in the identity is never left out",
  );
  assert.ok(breaks.length <= 6, `${breaks.length} of ${firsts.length} turns begin otherwise`);
});
