import { type BuiltInSkill, everyTurn } from "./built-in-skill.ts";

export const modelProviders: BuiltInSkill = {
  ...everyTurn,
  name: "model-providers",
  does: "calls models, and the next one where one fails",
  commands: ["model", "models", "provider", "setup"],
  gates: ["model-calls"],
  effects: ["call-model"],
  cost: "what the model costs",
  test: "test/main-job/providers.test.ts › a provider that refuses connections is passed over, and the next one answers",
};
