import type { Feature } from "../../kernel/feature.ts";
import { configSpec, setupSpec } from "./command-specs.ts";

/** Sets up a model, the notes and a name, and changes settings. */
export const configureFeature: Feature = {
  commands: [
    {
      group: "Set up",
      spec: setupSpec,
      load: async () => (await import("./setup.ts")).setupCommand,
    },
    {
      group: "Set up",
      spec: configSpec,
      load: async () => (await import("./config.ts")).configCommand,
    },
  ],
};
