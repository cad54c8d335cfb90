import assert from "node:assert/strict";
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { type TestContext, test } from "node:test";
import { calls, makeWorld, talkTo } from "../agent-world.ts";
import type { Step } from "../loopback-provider.ts";
import { commonLength, promptOf, stepLength } from "../prompt-prefix.ts";

const done: Step = { text: "An answer of a few sentences, as models give them. ".repeat(6) };
const turns = 30;
const steps = 3;
const words = [
  "what stands in here?",
  "which llm answers me, and at what price of tokens?",
  "thank you",
  "write code for it",
  "and the roof?",
  "what is on my agenda this week?",
];

/** The providers whose formats differ, with a model of each. */
const formats = {
  anthropic: { model: "" },
  openai: { model: "" },
  google: { model: "" },
  openrouter: { model: "anthropic/claude-sonnet-5" },
  loop: { model: "m" },
} as const;

const names = ["anthropic", "openai", "google", "openrouter", "loop"] as const;

/**
 * Real turns of one session: each reads files, some notes change, the agent starts anew in the middle, and
 * the owner switches to another model and back. Gives the requests with the number of their turn.
 */
async function playTurns(t: TestContext, name: keyof typeof formats) {
  const world = await makeWorld(t, [], { PROVIDER_CASCADE: name });
  mkdirSync(join(world.home, "memex"));
  const note = join(world.home, "memex", "house.org");
  for (let file = 0; file < 8; file += 1)
    writeFileSync(join(world.workspace, `part-${file}.txt`), `line ${file} of the file\n`.repeat(120));
  const own = name.toUpperCase();
  const settings = {
    [`${own}_BASE_URL`]: `${world.provider.url}/v1`,
    [`${own}_API_KEY`]: "some-other-key-1234",
    [`${own}_MODEL`]: formats[name].model,
    LOOP_CONTEXT_WINDOW: "200000",
  };
  const sent: { readonly turn: number; readonly prompt: string }[] = [];
  const play = async (from: number, to: number): Promise<void> => {
    await using agent = await world.open(settings);
    const talk = await talkTo(agent, "work");
    for (let turn = from; turn < to; turn += 1) {
      writeFileSync(note, `* Boiler :project:\nServiced ${turn} times.\n* Roof :project:\nLeaks.\n`);
      if (turn === 20) await talk.say(`/model ${name}/another`);
      if (turn === 22) await talk.say("/model default");
      const reads = Array.from({ length: steps - 1 }, (_, at) =>
        calls(["read-file", { path: `part-${(turn + at) % 8}.txt` }]),
      );
      world.provider.add(...reads, done);
      const before = world.provider.requests.length;
      const said = await talk.say(words[turn % words.length] ?? "");
      assert.equal(said.end, "answered", said.text);
      for (const { body } of world.provider.requests.slice(before))
        sent.push({ turn, prompt: promptOf(body) });
    }
  };
  await play(0, 15);
  await play(15, turns);
  return sent;
}

for (const name of process.env["CACHED_SHARE"] === "all" ? names : (["loop"] as const)) {
  test(`of the input of ${turns - 1} turns at least 90 % stands in the request before it (${name})`, async (t) => {
    const sent = await playTurns(t, name);
    let [whole, cached] = [0, 0];
    for (const [index, { turn, prompt }] of sent.entries()) {
      const before = sent[index - 1];
      if (turn === 0 || before === undefined) continue;
      const same = commonLength(prompt, before.prompt);
      whole += prompt.length;
      cached += same;
      if (same < stepLength(before.prompt))
        t.diagnostic(
          `turn ${turn} leaves at ${same} of ${before.prompt.length}: ${prompt.slice(same - 40, same + 80)}`,
        );
    }
    const share = (100 * cached) / whole;
    t.diagnostic(
      `${name}: ${sent.length} requests, ${share.toFixed(1)} % of ${whole} characters inside the request before`,
    );
    assert.ok(share >= 90, `${share.toFixed(1)} %`);
  });
}
