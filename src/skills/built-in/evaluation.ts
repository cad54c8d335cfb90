import { type BuiltInSkill, everyTurn } from "./built-in-skill.ts";

export const evaluation: BuiltInSkill = {
  ...everyTurn,
  name: "evaluation",
  does: "computes in the jail, without files and network",
  tools: ["eval"],
  gates: ["evaluation"],
  effects: ["evaluate"],
  cost: "the declaration of its tool",
  test: "src/act/tools/code/eval.test.ts › the last value is returned as JSON, with the output",
};
