import { countedCallsTable } from "./counted-calls.ts";
import type { MigrationStep } from "./migrate.ts";

/** Version 15 counted no calls of tools. */
export const migrationTo16: MigrationStep = {
  from: 15,
  apply: (database) => database.script(countedCallsTable),
};
