import { type BuiltInSkill, everyTurn } from "./built-in-skill.ts";

export const web: BuiltInSkill = {
  ...everyTurn,
  name: "web",
  does: "fetches pages",
  tools: ["fetch-url"],
  gates: ["hosts"],
  effects: ["reach-host"],
  cost: "the declaration of its tool",
  test: "src/act/tools/fetch-url.test.ts › the effect names host, scheme, port and the addresses that stand in the URL, and is final",
};
