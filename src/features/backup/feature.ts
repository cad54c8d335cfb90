import type { Feature } from "../../kernel/feature.ts";
import { backupSpec, purgeSpec, restoreSpec } from "./command-specs.ts";
import { findPendingRestore } from "./pending-restore.ts";

/** Writes all that the program keeps into a file, puts it back, and removes it. */
export const backupFeature: Feature = {
  commands: [
    {
      group: "Keep it running",
      spec: backupSpec,
      load: async () => (await import("./cli/backup.ts")).backupCommand,
    },
    {
      group: "Keep it running",
      spec: restoreSpec,
      load: async () => (await import("./cli/restore.ts")).restoreCommand,
    },
    {
      group: "Keep it running",
      spec: purgeSpec,
      load: async () => (await import("./cli/purge.ts")).purgeCommand,
    },
  ],
  async finishInterrupted(environment) {
    const state = findPendingRestore(environment);
    if (state !== null) (await import("./folder-moves.ts")).finishMoves(state);
  },
};
