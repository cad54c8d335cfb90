import { type BuiltInSkill, everyTurn } from "./built-in-skill.ts";

export const programmingCode: BuiltInSkill = {
  ...everyTurn,
  name: "programming-code",
  does: "reads and replaces declarations of TypeScript, JavaScript and Lisp, and refuses what would not parse",
  trigger: {
    words: [
      ..."code function functions class classes method methods module modules bug bugs refactor refactoring rename compile compiler".split(
        " ",
      ),
      ..."parse typescript javascript lisp elisp scheme clojure ts tsx mts js jsx mjs cjs scm clj".split(" "),
    ],
  },
  prompt:
    "Change a whole declaration with edit-code, as read-code has it; that file is parsed before it is written. After changes run the project's own tests, and its formatter where it has one, and say what you did not test.",
  tools: ["read-code", "edit-code"],
  effects: ["read-path", "write-path"],
  cost: "the declarations of its tools where code is spoken of",
  test: "src/act/tools/code/code-tools.test.ts › edit-code replaces or removes one declaration and no other byte, with the effects and the kept copy of a file edit",
};
