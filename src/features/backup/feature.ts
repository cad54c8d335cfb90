import type { Feature } from "../../kernel/feature.ts";
import { findPendingRestore } from "./pending-restore.ts";

/** Writes all that the program keeps into a file, puts it back, and removes it. */
export const backupFeature: Feature = {
  commands: [
    {
      name: "backup",
      group: "Keep it running",
      spec: async () => (await import("./command-specs.ts")).backupSpec,
      load: async () => (await import("./cli/backup.ts")).backupCommand,
    },
    {
      name: "restore",
      group: "Keep it running",
      spec: async () => (await import("./command-specs.ts")).restoreSpec,
      load: async () => (await import("./cli/restore.ts")).restoreCommand,
    },
    {
      name: "purge",
      group: "Keep it running",
      spec: async () => (await import("./command-specs.ts")).purgeSpec,
      load: async () => (await import("./cli/purge.ts")).purgeCommand,
    },
  ],
  async finishInterrupted(environment) {
    const state = findPendingRestore(environment);
    if (state !== null) (await import("./folder-moves.ts")).finishMoves(state);
  },
};
