import type { Feature } from "../../kernel/feature.ts";
import { gardenSpec } from "./command-specs.ts";

/** Looks through the notes for what is worth a proposal. */
export const upkeepFeature: Feature = {
  commands: [
    {
      group: "Read your notes",
      spec: gardenSpec,
      load: async () => (await import("./garden.ts")).gardenCommand,
    },
  ],
};
