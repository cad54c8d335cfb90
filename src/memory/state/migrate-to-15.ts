import { text } from "../storage/rows.ts";
import type { MigrationStep } from "./migrate.ts";
import { ledgerPurposes } from "./schema.ts";

/** Version 14 kept of a call neither its job and skill nor what chose its model. A database of version 1 got the newest ledger in an earlier step. */
export const migrationTo15: MigrationStep = {
  from: 14,
  apply(database) {
    const known = new Set(
      database.all("SELECT name FROM pragma_table_info('ledger')").map((row) => text(row, "name")),
    );
    for (const [name, definition] of ledgerPurposes)
      if (!known.has(name)) database.script(`ALTER TABLE ledger ADD COLUMN ${name} ${definition}`);
  },
};
