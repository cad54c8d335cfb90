import { execFile } from "node:child_process";
import { setPriority } from "node:os";
import { fileURLToPath } from "node:url";
import type { StartContext } from "../settings/start-context.ts";
import type { HealthReport } from "./check-health.ts";

/** The program's own entry, beside this file, as a source or in the build. */
const program = fileURLToPath(
  new URL(import.meta.url.endsWith(".ts") ? "../main.ts" : "./main.js", import.meta.url),
);
/** As much as all findings together never take. Bytes. */
const mostOutput = 16 * 1024 * 1024;
/** Ends the check with whoever asked for it, also one that was killed: the standard input that it was given ends then. */
const attended = "process.stdin.on('end', () => process.exit(1)).resume().unref();";
/** What stands in the way of nobody who answers (nice). */
const priority = 10;

/**
 * Checks what the agent stands on in a process of its own, so that a long check of a large state keeps nobody waiting.
 * Never rejects: where the check could not be run, nothing is known, and the report says why; one that was cancelled says nothing.
 */
export function checkHealthInChildProcess(start: StartContext, cancel: AbortSignal): Promise<HealthReport> {
  const { promise, resolve } = Promise.withResolvers<HealthReport>();
  const child = execFile(
    process.execPath,
    [
      "--disable-warning=ExperimentalWarning",
      ...["--import", `data:text/javascript,${encodeURIComponent(attended)}`],
      ...[program, "doctor", "--json"],
    ],
    { env: { ...start.environment }, cwd: start.cwd, signal: cancel, maxBuffer: mostOutput },
    (error, output) => {
      if (cancel.aborted) resolve({ health: "unknown", checks: [] });
      else resolve(readReport(output) ?? couldNotRun(error?.message ?? "it said nothing"));
    },
  );
  if (child.pid !== undefined) setPriority(child.pid, priority);
  return promise;
}

function readReport(output: string): HealthReport | null {
  return output.trim().startsWith("{") ? (JSON.parse(output) as HealthReport) : null;
}

function couldNotRun(why: string): HealthReport {
  const text = `the check of the start could not be run (${why}). passepartout doctor runs it again.`;
  return { health: "unknown", checks: [{ name: "doctor", result: "bad", text }] };
}
