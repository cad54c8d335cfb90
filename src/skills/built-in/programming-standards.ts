import { type BuiltInSkill, everyTurn } from "./built-in-skill.ts";

export const programmingStandards: BuiltInSkill = {
  ...everyTurn,
  name: "programming-standards",
  does: "warns before the first change of a session where the work tree is not clean, and after a change of code where no tests ran, with the project's own command",
  effects: ["run-program"],
  cost: "one `git status` a session",
  test: "test/main-job/code-standards.test.ts › a turn that changed code and ran no tests after it says so with the project's own command; one that did, or changed none, does not",
};
