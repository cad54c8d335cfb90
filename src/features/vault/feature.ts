import type { Feature } from "../../kernel/feature.ts";
import { vaultSpec } from "./command-specs.ts";

/** Keeps keys encrypted, and unlocks them for the running agent. */
export const vaultFeature: Feature = {
  commands: [
    {
      group: "Set up",
      spec: vaultSpec,
      load: async () => (await import("./vault.ts")).vaultCommand,
    },
  ],
};
