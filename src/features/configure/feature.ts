import type { Feature } from "../../kernel/feature.ts";

/** Sets up a model, the notes and a name, and changes settings. */
export const configureFeature: Feature = {
  commands: [
    {
      name: "setup",
      group: "Set up",
      spec: async () => (await import("./command-specs.ts")).setupSpec,
      load: async () => (await import("./setup.ts")).setupCommand,
    },
    {
      name: "config",
      group: "Set up",
      spec: async () => (await import("./command-specs.ts")).configSpec,
      load: async () => (await import("./config.ts")).configCommand,
    },
  ],
};
