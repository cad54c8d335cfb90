import { type BuiltInSkill, everyTurn } from "./built-in-skill.ts";

export const shell: BuiltInSkill = {
  ...everyTurn,
  name: "shell",
  does: "runs commands, sandboxed where the machine can do that",
  tools: ["shell"],
  commands: ["output"],
  gates: ["programs"],
  effects: ["run-program", "read-path", "write-path", "delete-path", "reach-host"],
  cost: "the declaration of its tool",
  test: "src/act/tools/shell/shell.test.ts › each program of a line is an effect of its own, with its proof or the doubt",
};
