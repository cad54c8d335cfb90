import type { MigrationStep } from "./migrate.ts";
import { proposalsTable } from "./proposals.ts";

/** Version 11 knew no review inbox. */
export const migrationTo12: MigrationStep = {
  from: 11,
  apply: (database) => database.script(proposalsTable),
};
