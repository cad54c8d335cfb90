import type { MigrationStep } from "./migrate.ts";
import { unprovedSessionsTable } from "./sessions.ts";

/** Version 4 found the sessions of unproved clients by the first messages of their turns. The first message of a turn is its signal. */
export const migrationTo5: MigrationStep = {
  from: 4,
  apply(database) {
    database.script(unprovedSessionsTable);
    database.run(
      `INSERT INTO unproved_sessions (id) SELECT DISTINCT turns.session FROM turns JOIN messages ON messages.place = turns.number * 1048576
       WHERE json_extract(messages.body, '$.person') = 'unproved'`,
    );
  },
};
