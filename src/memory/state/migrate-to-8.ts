import type { MigrationStep } from "./migrate.ts";

/** Version 7 knew no changes of commands. Its tables have room for them; an older program cannot read them. */
export const migrationTo8: MigrationStep = { from: 7, apply: () => undefined };
