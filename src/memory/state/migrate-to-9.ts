import type { MigrationStep } from "./migrate.ts";
import { rewindingsTable } from "./rewindings.ts";

/** Version 8 knew no words that were taken back; an older program would show them to the model again. */
export const migrationTo9: MigrationStep = {
  from: 8,
  apply: (database) => database.script(rewindingsTable),
};
