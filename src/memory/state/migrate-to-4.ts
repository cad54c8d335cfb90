import type { MigrationStep } from "./migrate.ts";
import { trustedFoldersTable } from "./trusted-folders.ts";

/** Version 3 took the files of every workspace for the owner's. No folder is trusted until the owner says so. */
export const migrationTo4: MigrationStep = {
  from: 3,
  apply: (database) => database.script(trustedFoldersTable),
};
