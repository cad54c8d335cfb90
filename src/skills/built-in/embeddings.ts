import { type BuiltInSkill, everyTurn } from "./built-in-skill.ts";

export const embeddings: BuiltInSkill = {
  ...everyTurn,
  name: "embeddings",
  does: "finds notes by meaning, where an embedding provider is set up",
  jobs: ["embed-texts"],
  effects: ["call-model"],
  cost: "requests for new and changed texts, and one for each search",
  test: "src/daemon/agent/models/open-own-semantic-index.test.ts › a note with another word for the query is found once its vector was made in the background",
};
