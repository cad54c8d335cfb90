import { text } from "../storage/rows.ts";
import { attachmentsTable } from "./attachments.ts";
import { countedCallsTable } from "./counted-calls.ts";
import { asksModel, jobEventTables } from "./job-events.ts";
import { jobTables } from "./jobs.ts";
import type { MigrationStep } from "./migrate.ts";
import { migrationTo2 } from "./migrate-to-2.ts";
import { proposalsTable } from "./proposals.ts";
import { rewindingsTable } from "./rewindings.ts";
import { deltaTables, ledgerDetails, ledgerPurposes } from "./schema.ts";
import { SessionMemoryStore } from "./session-memory.ts";
import { unprovedSessionsTable } from "./sessions.ts";
import { subTaskTables } from "./sub-tasks.ts";
import { trustedFoldersTable } from "./trusted-folders.ts";

/** The steps that lead from each older version of the database to the next. */
export const migrationSteps: readonly MigrationStep[] = [
  migrationTo2,
  // Version 2 kept each pre-image whole. Its pre-images stay as they are; later ones of the same files
  // are stored as differences from them.
  {
    from: 2,
    apply: (database) => database.script(deltaTables),
  },
  // Version 3 took the files of every workspace for the owner's. No folder is trusted until the owner
  // says so.
  {
    from: 3,
    apply: (database) => database.script(trustedFoldersTable),
  },
  // Version 4 found the sessions of unproved clients by the first messages of their turns. The first
  // message of a turn is its signal.
  {
    from: 4,
    apply(database) {
      database.script(unprovedSessionsTable);
      database.run(
        `INSERT INTO unproved_sessions (id) SELECT DISTINCT turns.session FROM turns JOIN messages ON messages.place = turns.number * 1048576
         WHERE json_extract(messages.body, '$.person') = 'unproved'`,
      );
    },
  },
  // Version 5 found what was said by its words alone, without the days and the ends of long words.
  {
    from: 5,
    apply: (database) => new SessionMemoryStore(database).readAgain(),
  },
  // Version 6 kept of a call neither its tokens of cache and thinking nor the origin of its price. A
  // database of version 1 got the newest ledger in an earlier step.
  {
    from: 6,
    apply(database) {
      const known = new Set(
        database.all("SELECT name FROM pragma_table_info('ledger')").map((row) => text(row, "name")),
      );
      for (const [name, definition] of ledgerDetails)
        if (!known.has(name)) database.script(`ALTER TABLE ledger ADD COLUMN ${name} ${definition}`);
    },
  },
  // Version 7 knew no changes of commands. Its tables have room for them; an older program cannot read
  // them.
  { from: 7, apply: () => undefined },
  // Version 8 knew no words that were taken back; an older program would show them to the model again.
  {
    from: 8,
    apply: (database) => database.script(rewindingsTable),
  },
  // Version 9 knew no jobs; an older program would leave what is due undone.
  {
    from: 9,
    apply: (database) => database.script(jobTables),
  },
  // Version 10 knew no files that came with the owner's words; an older program would take their bytes
  // for what nothing needs.
  {
    from: 10,
    apply: (database) => database.script(attachmentsTable),
  },
  // Version 11 knew no review inbox.
  {
    from: 11,
    apply: (database) => database.script(proposalsTable),
  },
  // Version 12 knew no events: an older program would lose those that wait.
  {
    from: 12,
    apply: (database) => database.script(jobEventTables),
  },
  // Version 13 knew no sub-tasks; an older program would undo, stop and pay for a turn without those
  // that it began.
  {
    from: 13,
    apply: (database) => database.script(subTaskTables),
  },
  // Version 14 kept of a call neither its job and skill nor what chose its model. A database of version
  // 1 got the newest ledger in an earlier step.
  {
    from: 14,
    apply(database) {
      const known = new Set(
        database.all("SELECT name FROM pragma_table_info('ledger')").map((row) => text(row, "name")),
      );
      for (const [name, definition] of ledgerPurposes)
        if (!known.has(name)) database.script(`ALTER TABLE ledger ADD COLUMN ${name} ${definition}`);
    },
  },
  // Version 15 counted no calls of tools.
  {
    from: 15,
    apply: (database) => database.script(countedCallsTable),
  },
  // Version 16 did not tell runs that ask a model from others. A database of version 9 or older got the
  // newest table in an earlier step.
  {
    from: 16,
    apply(database) {
      const columns = database.all("SELECT name FROM pragma_table_info('job_runs')");
      if (columns.some((row) => text(row, "name") === "asks_model")) return;
      database.script(`
ALTER TABLE job_runs ADD COLUMN asks_model INTEGER NOT NULL DEFAULT 0;
UPDATE job_runs SET asks_model = ${asksModel.replace("?1", "job_runs.job")} WHERE state IN ('queued', 'running');
DROP INDEX job_runs_open;
CREATE INDEX job_runs_open ON job_runs (asks_model, scheduled, job) WHERE state IN ('queued', 'running');
`);
    },
  },
];
