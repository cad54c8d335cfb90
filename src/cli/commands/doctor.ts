import { diagnose } from "../offline/read-state.ts";
import { exitCodes, type Io, UsageError } from "./io.ts";
import { parseOptions } from "./options.ts";

const usage = "passepartout doctor [--json]";

/** Checks what the agent stands on. Exit code 0 where it is healthy or degraded, 1 where it is unhealthy. */
export async function doctorCommand(io: Io): Promise<number> {
  const { values, positionals } = parseOptions(io, usage, { json: { type: "boolean", default: false } });
  if (positionals.length > 0) throw new UsageError(`'${positionals[0]}' was not expected.\nUsage: ${usage}`);
  const report = await diagnose({ environment: io.environment, cwd: io.cwd, version: io.version });
  if (values.json) io.out(`${JSON.stringify(report)}\n`);
  else {
    io.out(`Passepartout ${io.version} is ${report.health}.\n`);
    for (const check of report.checks) {
      io.out(
        `  ${check.result === "ok" ? "ok  " : check.result === "finding" ? "look" : "BAD "}  ${check.name}: ${check.text}\n`,
      );
    }
  }
  return report.health === "unhealthy" ? exitCodes.failed : exitCodes.done;
}
