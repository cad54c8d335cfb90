import type { Feature } from "../../kernel/feature.ts";

/** The rules that the owner taught. */
export const plansFeature: Feature = {
  commands: [
    {
      name: "rules",
      group: "See what it may do, did and spent",
      spec: async () => (await import("./command-specs.ts")).rulesSpec,
      load: async () => (await import("./rules.ts")).rulesCommand,
    },
  ],
};
