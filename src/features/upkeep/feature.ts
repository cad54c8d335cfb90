import type { Feature } from "../../kernel/feature.ts";

/** Looks through the notes for what is worth a proposal. */
export const upkeepFeature: Feature = {
  commands: [
    {
      name: "garden",
      group: "Read your notes",
      spec: async () => (await import("./command-specs.ts")).gardenSpec,
      load: async () => (await import("./garden.ts")).gardenCommand,
    },
  ],
};
