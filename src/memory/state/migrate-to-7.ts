import { text } from "../storage/rows.ts";
import type { MigrationStep } from "./migrate.ts";
import { ledgerDetails } from "./schema.ts";

/** Version 6 kept of a call neither its tokens of cache and thinking nor the origin of its price. A database of version 1 got the newest ledger in an earlier step. */
export const migrationTo7: MigrationStep = {
  from: 6,
  apply(database) {
    const known = new Set(
      database.all("SELECT name FROM pragma_table_info('ledger')").map((row) => text(row, "name")),
    );
    for (const [name, definition] of ledgerDetails)
      if (!known.has(name)) database.script(`ALTER TABLE ledger ADD COLUMN ${name} ${definition}`);
  },
};
