import { attachmentsTable } from "./attachments.ts";
import type { MigrationStep } from "./migrate.ts";

/** Version 10 knew no files that came with the owner's words; an older program would take their bytes for what nothing needs. */
export const migrationTo11: MigrationStep = {
  from: 10,
  apply: (database) => database.script(attachmentsTable),
};
