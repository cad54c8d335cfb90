import type { ShadowSettings } from "../signal/jobs/job-shadow.ts";
import type { ReadSetting } from "./read-setting.ts";
import { settingTable } from "./setting-table.ts";

/** How much the agent does by itself before it stops, and when. Each has bounds in the table. */
export type HabitSettings = {
  /** The local hour from which the scribe writes of the day, and how many statements it proposes at most. */
  readonly scribe: { readonly hour: number; readonly most: number };
  /** Days after which what is done is proposed for its archive; 0 for never. */
  readonly archiveAfter: number;
  readonly reflex: ShadowSettings;
  /** Open proposals of one job or skill in the review inbox. */
  readonly reviewLimit: number;
  /** Days after which a TODO without a day of its own is stale; 0 for never. */
  readonly staleTodoAfter: number;
  /** Sub-tasks of one call that run at the same time. */
  readonly subTasksAtOnce: number;
  /** How often a turn may do the same and get the same. */
  readonly repeatLimit: number;
  /** How many questions of a turn are denied before it ends. */
  readonly denialLimit: number;
};

export function readHabitSettings(read: ReadSetting): HabitSettings {
  return {
    scribe: {
      hour: read("SCRIBE_HOUR", settingTable.SCRIBE_HOUR),
      most: read("SCRIBE_PROPOSALS", settingTable.SCRIBE_PROPOSALS),
    },
    archiveAfter: read("ARCHIVE_AFTER", settingTable.ARCHIVE_AFTER),
    reflex: {
      after: read("REFLEX_AFTER", settingTable.REFLEX_AFTER),
      trials: read("REFLEX_TRIALS", settingTable.REFLEX_TRIALS),
    },
    reviewLimit: read("REVIEW_LIMIT", settingTable.REVIEW_LIMIT),
    staleTodoAfter: read("STALE_TODO_AFTER", settingTable.STALE_TODO_AFTER),
    subTasksAtOnce: read("SUB_TASKS_AT_ONCE", settingTable.SUB_TASKS_AT_ONCE),
    repeatLimit: read("REPEAT_LIMIT", settingTable.REPEAT_LIMIT),
    denialLimit: read("DENIAL_LIMIT", settingTable.DENIAL_LIMIT),
  };
}
