import type { Feature } from "../../kernel/feature.ts";
import type { Io } from "../../kernel/io.ts";
import type { InstalledService } from "./installed-service.ts";

/** Keeps the agent running as a service of the user. */
export const serviceFeature: Feature = {
  commands: [
    {
      name: "service",
      group: "Keep it running",
      spec: async () => (await import("./command-specs.ts")).serviceSpec,
      load: async () => (await import("./service-command.ts")).serviceCommand,
    },
  ],
};

/** Finds the installed service; null where there is none. */
export async function findInstalledService(environment: Io["environment"]): Promise<InstalledService | null> {
  return (await import("./installed-service.ts")).lookForService(environment);
}
