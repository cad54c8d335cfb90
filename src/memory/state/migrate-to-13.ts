import { jobEventTables } from "./job-events.ts";
import type { MigrationStep } from "./migrate.ts";

/** Version 12 knew no events: an older program would lose those that wait. */
export const migrationTo13: MigrationStep = {
  from: 12,
  apply: (database) => database.script(jobEventTables),
};
