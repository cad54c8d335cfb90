import type { Feature } from "../../kernel/feature.ts";
import { rulesSpec } from "./command-specs.ts";

/** The rules that the owner taught. */
export const plansFeature: Feature = {
  commands: [
    {
      group: "See what it may do, did and spent",
      spec: rulesSpec,
      load: async () => (await import("./rules.ts")).rulesCommand,
    },
  ],
};
