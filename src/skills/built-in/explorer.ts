import { type BuiltInSkill, everyTurn } from "./built-in-skill.ts";

export const explorer: BuiltInSkill = {
  ...everyTurn,
  name: "explorer",
  does: "lists the models with their prices and abilities",
  trigger: {
    words: [
      "model",
      "models",
      "llm",
      "llms",
      "context window",
      "price of tokens",
      "token price",
      "token prices",
      "you cost",
      "your cost",
      "your costs",
      "your price",
    ],
  },
  tools: ["list-models"],
  effects: ["change-memory"],
  cost: "the declaration of its tool, where the words are about models or their cost",
  test: "test/main-job/list-models.test.ts › a question about models is answered by the table of the program, and no provider is asked for its list",
};
