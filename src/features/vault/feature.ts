import type { Feature } from "../../kernel/feature.ts";

/** Keeps keys encrypted, and unlocks them for the running agent. */
export const vaultFeature: Feature = {
  commands: [
    {
      name: "vault",
      group: "Set up",
      spec: async () => (await import("./command-specs.ts")).vaultSpec,
      load: async () => (await import("./vault.ts")).vaultCommand,
    },
  ],
};
