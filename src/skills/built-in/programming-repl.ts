import { type BuiltInSkill, everyTurn } from "./built-in-skill.ts";

export const programmingRepl: BuiltInSkill = {
  ...everyTurn,
  name: "programming-repl",
  does: "evaluates JavaScript in a persistent session in the jail; its results have the labels of all that went in",
  trigger: {
    words: "repl javascript evaluate compute calculate calculation variable variables json csv".split(" "),
  },
  tools: ["repl"],
  effects: ["evaluate", "read-path"],
  cost: "the declaration of its tool where computing is spoken of; a jail of at most 64 MB while it is used, ended after ten minutes",
  test: "src/act/tools/code/repl.test.ts › once private text went into a session, every later result is private, whatever the code names, until the session ends",
};
