import { text } from "../storage/rows.ts";
import { asksModel } from "./job-events.ts";
import type { MigrationStep } from "./migrate.ts";

/** Version 16 did not tell runs that ask a model from others. A database of version 9 or older got the newest table in an earlier step. */
export const migrationTo17: MigrationStep = {
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
};
