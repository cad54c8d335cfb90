import { type BuiltInSkill, everyTurn } from "./built-in-skill.ts";

export const review: BuiltInSkill = {
  ...everyTurn,
  name: "review",
  does: "collects proposals of the background in an inbox, and makes a change once the owner accepts it",
  commands: ["review"],
  jobs: ["file-proposals"],
  effects: ["read-path", "write-path"],
  cost: "nothing",
  test: "test/review/review-inbox.test.ts › a proposal is an entry of review.org, nothing changes before it is accepted, and one command takes it back",
};
