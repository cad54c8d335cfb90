import { execFile } from "node:child_process";
import { setPriority } from "node:os";
import { fileURLToPath } from "node:url";
import type { StartContext } from "../settings/start-context.ts";
import type { HealthReport } from "./check-health.ts";

/** The program's entry file, in the sources or in the build. */
const program = fileURLToPath(
  new URL(import.meta.url.endsWith(".ts") ? "../main.ts" : "./main.js", import.meta.url),
);
/** Bytes that a report has at most. */
const mostOutput = 16 * 1024 * 1024;
/** Code that ends the check when its parent ends or is killed: its standard input ends then. */
const endWithParent = "process.stdin.on('end', () => process.exit(1)).resume().unref();";
/** Niceness that keeps the check from slowing answers. */
const priority = 10;

/**
 * Checks health in a child process, so that a long check of a large state delays nobody.
 * Never rejects: if the check cannot run, the health is unknown and the report says why; after a cancellation the report is empty.
 */
export function checkHealthInChildProcess(start: StartContext, cancel: AbortSignal): Promise<HealthReport> {
  const { promise, resolve } = Promise.withResolvers<HealthReport>();
  const child = execFile(
    process.execPath,
    [
      "--disable-warning=ExperimentalWarning",
      "--import",
      `data:text/javascript,${encodeURIComponent(endWithParent)}`,
      program,
      "doctor",
      "--quick",
      "--json",
    ],
    { env: { ...start.environment }, cwd: start.cwd, signal: cancel, maxBuffer: mostOutput },
    (error, output) => {
      if (cancel.aborted) resolve({ health: "unknown", checks: [] });
      else resolve(readReport(output) ?? failedReport(error?.message ?? "it printed nothing"));
    },
  );
  if (child.pid !== undefined) setPriority(child.pid, priority);
  return promise;
}

function readReport(output: string): HealthReport | null {
  return output.trim().startsWith("{") ? (JSON.parse(output) as HealthReport) : null;
}

function failedReport(why: string): HealthReport {
  const text = `the health check could not run (${why}). Run it again with: passepartout doctor`;
  return { health: "unknown", checks: [{ name: "doctor", result: "bad", text }] };
}
