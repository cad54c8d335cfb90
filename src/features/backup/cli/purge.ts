import { join } from "node:path";
import type { Io } from "../../../kernel/io.ts";
import { confirm } from "../../../program/confirm.ts";
import { exitCodes } from "../../../program/io.ts";
import { parseCommand } from "../../../program/options.ts";
import { findKeyring } from "../../../settings/keyring.ts";
import { loadPolicy } from "../../../settings/policy.ts";
import { countOf } from "../../../text/count-of.ts";
import { describeBytes } from "../../../text/describe-bytes.ts";
import { namesIn, usersOf } from "../../../update/build-users.ts";
import { ownBuildsFolder } from "../../../update/builds-folder.ts";
import { findInstalledService } from "../../user-service/feature.ts";
import { BackupProblem } from "../backup-problem.ts";
import { purgeSpec } from "../command-specs.ts";
import { type PurgePlan, planPurge, purge } from "../purge.ts";

/** Removes all that was ever written outside of the notes folders, after it showed it. */
export async function purgeCommand(io: Io): Promise<number> {
  const { values } = parseCommand(io, purgeSpec);
  const policy = loadPolicy(io.environment);
  const service = await findInstalledService(io.environment);
  const builds = ownBuildsFolder(io.environment);
  const plan = planPurge(policy, { service: service?.file ?? null, builds });
  const tell = (removed: boolean): number => {
    if (values.json) io.out(`${JSON.stringify({ removed, ...plan })}\n`);
    else if (removed) io.out(`All of it is removed.\n${programWords}`);
    return exitCodes.done;
  };
  if (!values.json || !values["dry-run"]) (values["dry-run"] ? io.out : io.err)(describePlan(plan));
  if (values["dry-run"] || (plan.written.length === 0 && plan.keyringEntry === null)) return tell(false);
  if (!values.yes) {
    const answer = await confirm(io, "Remove all of it? It cannot be undone.");
    if (answer !== true) {
      io.err(answer === null ? "Nothing was removed. To remove it, add --yes.\n" : "Nothing was removed.\n");
      return exitCodes.failed;
    }
  }
  tellFailure(io, (await service?.stop()) ?? null);
  refuseWhileUsed(builds);
  purge(policy, plan);
  tellFailure(io, (await service?.forget()) ?? null);
  if (plan.keyringEntry !== null) await findKeyring(io.environment)?.forget(plan.keyringEntry);
  return tell(true);
}

/** A process whose build goes cannot load the rest of it. */
function refuseWhileUsed(builds: string | null): void {
  if (builds === null) return;
  const users = namesIn(builds).flatMap((name) => usersOf(join(builds, name)));
  if (users.length === 0) return;
  throw new BackupProblem(
    `This program still runs (process ${users.join(", ")}), on a build in ${builds}, so nothing was removed. Leave all conversations and stop the daemon, then try again.`,
  );
}

function tellFailure(io: Io, failure: string | null): void {
  if (failure !== null) io.err(`${failure}\n`);
}

const programWords =
  "The program itself is still there: remove its clone, or run npm uninstall --global passepartout.\n";

function describePlan({ written, keyringEntry, left }: PurgePlan): string {
  if (written.length === 0 && keyringEntry === null)
    return "Nothing was written outside of your notes folders, so nothing is there to remove.\n";
  return `${[
    "This would be removed:",
    ...written.map(({ path, target, what, files, bytes }) => {
      const place = target === null ? path : `${path}, which leads to ${target}`;
      return `  ${place}: ${what} (${countOf(files, "file")}, ${describeBytes(bytes)})`;
    }),
    ...(keyringEntry === null ? [] : ["  the passphrase of the vault in the system's keyring"]),
    ...(left.length === 0 ? [] : ["This stays:"]),
    ...left.map(({ path, why }) => `  ${path}: ${why}`),
  ].join("\n")}\n`;
}
