import type { MigrationStep } from "./migrate.ts";
import { subTaskTables } from "./sub-tasks.ts";

/** Version 13 knew no sub-tasks; an older program would undo, stop and pay for a turn without those that it began. */
export const migrationTo14: MigrationStep = {
  from: 13,
  apply: (database) => database.script(subTaskTables),
};
