import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { calls, makeWorld, talkTo } from "../test/agent-world.ts";
import { commonLength, promptOf, stableLength } from "../test/prompt-prefix.ts";
import { removeFolder } from "../test/remove-folder.ts";

// What of the input of a session's requests stands at their beginning as it was sent before, which providers bill as read from their caches.

const sessions = {
  "ten turns of words, a note that changes, and tools that join": { LOOP_CONTEXT_WINDOW: "200000" },
  "the same in a window of 8,192 tokens": { LOOP_CONTEXT_WINDOW: "8192" },
};
const answer = { text: "An answer of a few sentences, as models give them. ".repeat(12) };
const listing = calls(["list-files", { path: "." }]);
const turns = [
  { words: "hi", steps: [answer] },
  { words: "what is in this folder?", steps: [listing, answer] },
  { words: "what of the boiler?", steps: [answer] },
  { words: "read through all of it", steps: [listing, listing, listing, answer] },
  { words: "which llm answers me, and at what price of tokens?", steps: [answer] },
  { words: "thank you", steps: [answer] },
  { words: "and the roof?", steps: [answer], note: "* Roof :project:\nLeaks.\n" },
  { words: "list it again", steps: [listing, answer] },
  { words: "what else is there to do?", steps: [answer] },
  { words: "good, that is all", steps: [answer] },
];

for (const [name, settings] of Object.entries(sessions)) {
  const world = await makeWorld({ after: () => undefined }, [], settings);
  const notes = join(world.home, "memex");
  mkdirSync(notes);
  writeFileSync(join(notes, "house.org"), "* Boiler :project:\nServiced in March.\n");
  const agent = await world.open();
  const talk = await talkTo(agent);
  for (const { words, steps, note } of turns) {
    if (note !== undefined) writeFileSync(join(notes, "roof.org"), note);
    world.provider.add(...steps);
    await talk.say(words);
  }
  const prompts = world.provider.requests.map(({ body }) => promptOf(body));
  const whole = prompts.reduce((sum, prompt) => sum + prompt.length, 0);
  let cached = 0;
  let stable = 0;
  for (const [index, prompt] of prompts.entries()) {
    const before = prompts.slice(0, index).map((one) => commonLength(prompt, one));
    cached += Math.max(0, ...before);
    stable += index === 0 ? 0 : stableLength(prompt);
  }
  const share = (part: number): string => `${((100 * part) / whole).toFixed(1)} %`;
  console.log(
    `${name}: ${prompts.length} requests of ${Math.round(whole / prompts.length)} characters on average`,
  );
  console.log(
    `  sent before by the bytes: ${share(cached)}; tools, system text and earlier turns: ${share(stable)}`,
  );
  await agent[Symbol.asyncDispose]();
  await world.provider.close();
  removeFolder(world.home);
}
