/** The first file of a skill, which works as it is: a trigger, a text for the prompt, a tool and a test. */
export function firstFile(name: string): string {
  return `#+TITLE: ${name}
#+PRIORITY: 50
#+TRIGGER_WORDS: ${name}

Say here what this skill is for. Only the lines that begin with #+ and the blocks below count.

#+begin_prompt
Use the tool ${name} where the owner asks for it.
#+end_prompt

#+begin_src typescript
export const tools = {
  "${name}": {
    description: "Count the words of a text",
    parameters: { text: { type: "string" } },
    run({ text }: { text: string }): number {
      return text.split(/\\s+/).filter((word) => word !== "").length;
    },
  },
};
#+end_src

#+begin_src typescript :test words are counted
equal(skill.tools["${name}"].run({ text: "one  two" }), 2);
#+end_src
`;
}
