import { diagnose } from "../offline/diagnose.ts";
import { exitCodes, type Io, usageError } from "./io.ts";
import { parseOptions } from "./options.ts";

const usage = `passepartout doctor [--json]
Checks the settings, providers, sandbox, folders, notes, files of the state, database, journal, room on the disk, and whether a daemon answers. It asks that daemon for its health, sends nothing else and changes nothing.
Each line begins with ok, look (something to know or to fix) or BAD (the agent cannot work properly). Also: passepartout diagnostics.
  --json     prints a JSON object
Exit codes: 0 healthy or degraded, 1 unhealthy, 2 wrong usage.`;

const marks = { ok: "ok  ", finding: "look", bad: "BAD " } as const;

/** Checks all that the agent depends on. Exit code 0 if it is healthy or degraded, 1 if it is unhealthy. */
export async function doctorCommand(io: Io): Promise<number> {
  const { values, positionals } = parseOptions(io, usage, { json: { type: "boolean", default: false } });
  if (positionals.length > 0) throw usageError(`Unexpected argument '${positionals[0]}'.`, usage);
  const report = await diagnose({ environment: io.environment, cwd: io.cwd, version: io.version });
  if (values.json) io.out(`${JSON.stringify(report)}\n`);
  else {
    io.out(`Passepartout ${io.version} is ${report.health}.\n`);
    for (const check of report.checks) {
      io.out(`  ${marks[check.result]}  ${check.name}: ${check.text}\n`);
    }
  }
  return report.health === "unhealthy" ? exitCodes.failed : exitCodes.done;
}
