import type { MigrationStep } from "./migrate.ts";
import { deltaTables } from "./schema.ts";

/** Version 2 kept each pre-image whole. Its pre-images stay as they are; later ones of the same files are stored as differences from them. */
export const migrationTo3: MigrationStep = {
  from: 2,
  apply: (database) => database.script(deltaTables),
};
