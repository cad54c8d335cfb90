/**
 * Restores a backup in a process that sees a mount, killed at each boundary in turn and finished, and prints
 * what the settings were after each. Called with the home and the backup.
 */
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { loadPolicy } from "../../settings/policy.ts";
import { finishMoves } from "./folder-moves.ts";
import { isRestorePending } from "./pending-restore.ts";
import { planRestore } from "./plan-restore.ts";
import { restoreBackup, undoRestore } from "./restore-backup.ts";

const [, , home = "", file = ""] = process.argv;
const policy = loadPolicy({ HOME: home });
const { state, configuration } = policy.config.places;

const textOf = (path: string): string | null => (existsSync(path) ? readFileSync(path, "utf8") : null);

/** The settings that count, and what the folder has beside them and what restores put aside. */
function look() {
  const names = readdirSync(configuration).filter((name) => !name.startsWith("before-restore-"));
  return { env: textOf(join(configuration, ".env")), names: names.toSorted() };
}

const seen: unknown[] = [];
for (let at = 0, ended = false; !ended; at += 1) {
  let count = 0;
  const killed = new Error("killed");
  const step = (): void => {
    if (count++ === at) throw killed;
  };
  const now = (seconds: number): Date => new Date(Date.UTC(2026, 0, 1, 0, at, seconds));
  const plan = await planRestore(policy, file, { notes: false, environment: {} });
  try {
    await restoreBackup({ policy, file, plan, passphrase: null, now: now(0), step });
    ended = true;
  } catch (error) {
    if (error !== killed) throw error;
  }
  if (isRestorePending(state)) finishMoves(state);
  const restored = look();
  if (restored.env?.includes("Then") === true) undoRestore(policy, now(1));
  seen.push([restored, look()]);
}
process.stdout.write(JSON.stringify(seen));
