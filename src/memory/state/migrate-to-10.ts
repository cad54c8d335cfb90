import { jobTables } from "./jobs.ts";
import type { MigrationStep } from "./migrate.ts";

/** Version 9 knew no jobs; an older program would leave what is due undone. */
export const migrationTo10: MigrationStep = {
  from: 9,
  apply: (database) => database.script(jobTables),
};
