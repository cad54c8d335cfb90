import type { MigrationStep } from "./migrate.ts";
import { SessionMemoryStore } from "./session-memory.ts";

/** Version 5 found what was said by its words alone, without the days and the ends of long words. */
export const migrationTo6: MigrationStep = {
  from: 5,
  apply: (database) => new SessionMemoryStore(database).readAgain(),
};
