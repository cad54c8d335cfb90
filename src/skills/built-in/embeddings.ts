import { type BuiltInSkill, everyTurn } from "./built-in-skill.ts";

export const embeddings: BuiltInSkill = {
  ...everyTurn,
  name: "embeddings",
  does: "finds notes by meaning, where an embedding provider is set up",
  jobs: ["embed-texts"],
  effects: ["call-model"],
  cost: "a request for each new or changed text",
  test: "src/daemon/agent/models/open-own-semantic-index.test.ts › without an embedding provider nothing is sent, and no vectors are kept",
};
