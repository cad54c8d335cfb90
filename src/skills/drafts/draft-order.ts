import { beginOf } from "../../text/cut-text.ts";

/** How a skill is written, for a model: docs/skills.md in short. */
const guide = `You write a skill of a personal agent: one Org file. Only keywords and blocks count; all else is prose for people. Example, dice.org:

\`\`\`org
${exampleFile()}\`\`\`

Rules:
- #+TRIGGER_WORDS: (with commas between them) names the few words of the matter at which it takes part. No #+MANDATE:, no #+TRIGGER_SENSOR: alone, no :ID:, #+PRIORITY: at most 50.
- #+begin_prompt tells the model how to use it, in at most three sentences. A skill may be a prompt alone, without code.
- All blocks of TypeScript are one module in a jail without imports, files, network, processes, timers; no enum. It exports some of: tools, gates, commands, trigger(signal), prompt(signal).
- tools: name → { description, parameters, run, calls }. Parameters: { type: string|number|integer|boolean|array, description, enum, items, optional }. run(args) gives a JSON value.
- A tool that needs the world has calls(args) → [{ tool, args }] and run(args, results). Tools to call: fetch-url { url }, read-file { path }, write-file { path, content }, list-files { path }, shell { cmd }. Each one that is called, and no other, stands in #+CAPABILITIES:, as narrow as can be: fetch-url:HOST, shell:PROGRAM, read-file:~/FOLDER.
- Where it has to see a result before it knows the next call, a tool has a generator *steps(args) in the place of both: each yield of such a list gives the list of results.
- gates: name → { effects: ["run-program"|"write-path"|"reach-host"|…], answer(effect, about) } gives null, { ask: "why" } or { block: "why" }. Only where the owner wants something to be asked or blocked; then #+GUARDS: names the same effects.
- commands: name → { help }. A command is said as /name WORDS.
- #+CRON: (five fields) or #+HOOK:, with a block #+begin_job of words: only where the owner wants it done by itself.
- Each tool and each gate has a block with :test NAME. There, skill is what the module exports, assert(value, message) and equal(actual, expected) throw. Tests reach nothing outside.
- It does what the owner's sentence says and nothing more.`;

/** The example that a model is shown. */
function exampleFile(): string {
  return `#+TITLE: Dice
#+TRIGGER_WORDS: dice, roll

Throws dice, because a model cannot.

#+begin_prompt
Where the owner wants a random number, call roll and tell what was thrown.
#+end_prompt

#+begin_src typescript
export const tools = {
  roll: {
    description: "Roll a die",
    parameters: { sides: { type: "integer" } },
    run({ sides }: { sides: number }) {
      return 1 + Math.floor(Math.random() * sides);
    },
  },
};
#+end_src

#+begin_src typescript :test one side
equal(skill.tools.roll.run({ sides: 1 }), 1);
#+end_src
`;
}

/** What a model is told to draft a skill, and after a draft that was refused, why. */
export function draftOrder(
  { name, sentence }: { readonly name: string; readonly sentence: string },
  refused: { readonly answer: string; readonly problem: string } | null,
): string {
  const again =
    refused === null
      ? []
      : [
          `Your draft was refused: ${refused.problem}`,
          `It was:\n${beginOf(refused.answer, mostShown)}`,
          "Mend it.",
        ];
  return [
    guide,
    `The file is ${name}.org. The owner's sentence: ${sentence}`,
    ...again,
    "Call no tool. Answer with the whole file in one block ```org and nothing else.",
  ].join("\n\n");
}

/** Characters of a refused draft that a model is shown again. */
const mostShown = 20_000;
