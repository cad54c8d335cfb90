import type { ChosenModel } from "../../signal/chosen-model.ts";
import type { Database } from "../storage/database.ts";
import { json } from "../storage/rows.ts";

/** The models that the owner chose, each for one session. */
export type ChosenModels = {
  /** Null where nothing was chosen. */
  readonly of: (session: string) => Promise<ChosenModel | null>;
  /** Forced to disk. Null takes a choice back. */
  readonly choose: (session: string, chosen: ChosenModel | null) => Promise<void>;
};

/** The version of what is kept. What another version kept counts as nothing chosen. */
const version = 1;
type Kept = { readonly version: number; readonly chosen: Readonly<Record<string, ChosenModel>> };

/** The choices, kept as one value beside the tables; those of sessions that were deleted go with the next one. */
export function openChosenModels(database: Database): ChosenModels {
  const read = (): Kept["chosen"] => {
    const row = database.get("SELECT value FROM meta WHERE key = 'chosen-models'");
    const kept = row === undefined ? null : json<Kept>(row, "value");
    return kept?.version === version ? kept.chosen : {};
  };
  const isSession = (id: string): boolean =>
    database.get("SELECT 1 FROM sessions WHERE id = ?", id) !== undefined;
  return {
    of: async (session) => read()[session] ?? null,
    choose: async (session, chosen) =>
      database.forced(() => {
        const others = Object.entries(read()).filter(([id]) => id !== session && isSession(id));
        const all = [...others, ...(chosen === null ? [] : [[session, chosen] as const])];
        const kept: Kept = { version, chosen: Object.fromEntries(all) };
        database.run("INSERT OR REPLACE INTO meta VALUES ('chosen-models', ?)", JSON.stringify(kept));
      }),
  };
}
