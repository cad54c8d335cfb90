import { existsSync } from "node:fs";
import { describeDamage } from "../memory/journal/journal-files.ts";
import { openState, refuseLostDatabase } from "../memory/state/open-state.ts";
import type { State } from "../memory/state/state.ts";
import { lockHolder } from "../memory/storage/lock-holder.ts";
import { StateProblem } from "../memory/storage/state-problem.ts";
import { currentRests } from "../reason/providers/current-rests.ts";
import type { Policy } from "../settings/policy.ts";
import { describeRest, type ProviderRest } from "../signal/provider-rest.ts";
import { checkClock, nothingRecorded } from "./check-clock.ts";
import { checkStateFiles } from "./check-state-files.ts";
import { findFolderProblem, freeBytesOf } from "./find-folder-problem.ts";
import type { HealthCheck } from "./health-check.ts";

const bad = (name: string, text: string): HealthCheck => ({ name, result: "bad", text });
const ok = (name: string, text: string): HealthCheck => ({ name, result: "ok", text });

/** Checks the state folder: that it can be written, each of its files, the pair of database and journal, and the room on its disk. */
export async function checkState({ config, gatesHash }: Policy): Promise<readonly HealthCheck[]> {
  const folder = config.places.state;
  const problem = findFolderProblem(folder);
  const isUsed = existsSync(`${folder}/state.db`);
  if (problem !== null && (!isUsed || problem.code !== "full")) {
    return [bad("state", `nothing can be saved: ${problem.text} Or set XDG_STATE_HOME to another folder.`)];
  }
  const files = checkStateFiles(folder);
  if (files.some(({ result }) => result === "bad")) return files;
  try {
    if (existsSync(folder)) refuseLostDatabase(folder);
    if (!isUsed)
      return [
        ...files,
        checkClock(Date.now(), nothingRecorded),
        ok("state", `${folder} is created at the first use`),
      ];
    await using state = await openState({ folder, clock: Date.now, gates: gatesHash, access: "read" });
    const rests = currentRests(await state.providerRests.all(), config, Date.now());
    return [...rests.map(restFinding), ...files, ...(await checkOpened(state, folder))];
  } catch (error) {
    if (!(error instanceof StateProblem)) throw error;
    const holder = error.code === "older-version" ? lockHolder(folder) : null;
    return [...files, bad("state", holder === null ? error.message : servedByOlder(folder, holder))];
  }
}

/** Of a state that an agent of an older version serves: it is migrated once that agent has left it. */
function servedByOlder(folder: string, holder: number): string {
  return `${folder} is of an older version, and process ${holder}, an older program, works with it. Stop that one: Ctrl-C where it runs, systemctl --user restart passepartout for a service, or kill ${holder}. The next start of this program then migrates the state, after it made a copy.`;
}

function restFinding(rest: ProviderRest): HealthCheck {
  const text = `${rest.provider} ${describeRest(rest, Date.now())}. Another model, key or address ends the rest.`;
  return { name: "providers", result: "finding", text };
}

/** Bytes below which a disk is soon full. */
const littleRoom = 200 * 1024 * 1024;

/** Tells that a disk is nearly full, before nothing can be saved. */
function checkRoom(folder: string): readonly HealthCheck[] {
  const free = freeBytesOf(folder);
  if (free >= littleRoom) return [];
  const text = `${Math.floor(free / 1024 / 1024)} MB are left on the disk of ${folder}; at 1 MB nothing is saved any more. Free some space.`;
  return [{ name: "state", result: "finding", text }];
}

async function checkOpened(state: State, folder: string): Promise<readonly HealthCheck[]> {
  const lack = await state.diskReserve.findLack();
  const problems = await state.verify();
  const journal = await state.journal.verify();
  const last = journal.ok ? (await state.journal.tail(1)).at(-1) : undefined;
  return [
    checkClock(Date.now(), { last: last?.at ?? null, latest: journal.ok ? journal.latest : null }),
    ...checkRoom(folder),
    ...(lack === null ? [] : [bad("state", lack)]),
    ...state.reports.map((text): HealthCheck => ({ name: "state", result: "finding", text })),
    problems.length === 0
      ? ok("state", `${folder}: database and memory are intact`)
      : bad("state", `${folder}: ${problems.join("; ")}. Restore a backup.`),
    journal.ok
      ? ok("journal", `${journal.entries} entries, chain intact`)
      : bad(
          "journal",
          `damaged at ${describeDamage(journal.problem)}. Restore it and state.db from the same backup, or begin a new chain with: passepartout journal repair`,
        ),
  ];
}
