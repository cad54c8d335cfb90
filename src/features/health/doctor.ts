import { setTimeout as wait } from "node:timers/promises";
import type { Io } from "../../kernel/io.ts";
import { confirm } from "../../program/confirm.ts";
import { exitCodes } from "../../program/io.ts";
import { parseCommand } from "../../program/options.ts";
import { applyFix, describeFix } from "./apply-fix.ts";
import { doctorSpec } from "./command-specs.ts";
import { diagnose } from "./diagnose.ts";
import { type InstallResult, installMissing } from "./install-missing.ts";

const marks = { ok: "ok  ", finding: "note", bad: "BAD " } as const;

/** Milliseconds between two checks of `--watch`. */
const betweenChecks = 10_000;

/** Checks all that the agent depends on. Exit code 0 if it is healthy or degraded, 1 if it is unhealthy. */
export async function doctorCommand(io: Io): Promise<number> {
  const { values } = parseCommand(io, doctorSpec);
  if (values.watch) return watch(io, values.json);
  const fixed = values.fix ? await fix(io, { isDry: values["dry-run"], json: values.json }) : null;
  const report = await check(io, { servers: !values.quick });
  if (values.json) io.out(`${JSON.stringify({ ...report, ...fixed })}\n`);
  else print(io, report);
  return codeOf(report);
}

type Report = Awaited<ReturnType<typeof diagnose>>;
type HealthCheck = Report["checks"][number];
type HealthFix = NonNullable<HealthCheck["fix"]>;

function check(io: Io, asked = { servers: false }): Promise<Report> {
  return diagnose({ environment: io.environment, cwd: io.cwd, version: io.version }, asked);
}

function codeOf({ health }: Report): number {
  return health === "unhealthy" ? exitCodes.failed : exitCodes.done;
}

function print(io: Io, { health, checks }: Report): void {
  io.out(`Passepartout ${io.version} is ${health}.\n`);
  for (const done of checks) io.out(`  ${formatCheck(done)}\n`);
  const mendable = checks.filter(({ fix }) => fix !== undefined).length;
  if (mendable > 0)
    io.out(`passepartout doctor --fix mends ${mendable} of these; with --dry-run it only shows how.\n`);
}

function formatCheck({ name, result, text }: HealthCheck): string {
  return `${marks[result]}  ${name}: ${text}`;
}

/** What was changed, or would be, and the commands that nobody said yes to. */
type Fixed = { readonly fixed: readonly string[]; readonly left: readonly string[] };

/** Makes the changes that the checks propose, and tells each. Programs are installed after a yes on the terminal alone. */
async function fix(
  io: Io,
  { isDry, json }: { readonly isDry: boolean; readonly json: boolean },
): Promise<Fixed> {
  const fixes = (await check(io)).checks.flatMap(({ fix: proposed }) => proposed ?? []);
  const [fixed, left]: [string[], string[]] = [[], []];
  const tell = (mark: string, text: string): void => {
    if (!json) io.out(`  ${mark}  ${text}\n`);
  };
  for (const proposed of fixes) {
    const text = describeFix(proposed);
    if (!isDry && proposed.kind === "install-program") {
      const { ok, text: told } = await installOnYes(io, proposed);
      (ok ? fixed : left).push(told);
      tell(ok ? "fixed" : "left", told);
      continue;
    }
    if (!isDry && proposed.kind !== "install-program") await applyFix(proposed);
    fixed.push(text);
    tell(isDry ? "would fix" : "fixed", text);
  }
  if (fixes.length === 0 && !json) io.out("Nothing here can be fixed by a change of files or a package.\n");
  return { fixed, left };
}

async function installOnYes(
  io: Io,
  { program, command }: Extract<HealthFix, { readonly kind: "install-program" }>,
): Promise<InstallResult> {
  const said = await confirm(io, `Install ${program} for everybody on this machine, by: ${command}?`);
  if (said === null)
    return { ok: false, text: `${program}: nobody is at a terminal to say yes. Run it yourself: ${command}` };
  if (!said) return { ok: false, text: `${program}: you said no. To install it later: ${command}` };
  const leaving = new AbortController();
  const off = io.onInterrupt(() => leaving.abort());
  try {
    return await installMissing(io, program, leaving.signal);
  } finally {
    off();
  }
}

/** Checks until Ctrl-C. The first report is printed whole; then the checks that changed. */
async function watch(io: Io, json: boolean): Promise<number> {
  const leaving = new AbortController();
  const off = io.onInterrupt(() => leaving.abort());
  let before: Report | null = null;
  try {
    for (;;) {
      const report = await check(io);
      if (before === null && !json) print(io, report);
      else printChanges(io, { before, report, json });
      before = report;
      if (leaving.signal.aborted) return codeOf(report);
      await wait(betweenChecks, undefined, { signal: leaving.signal }).catch((error: unknown) => {
        if (!leaving.signal.aborted) throw error;
      });
      if (leaving.signal.aborted) return codeOf(report);
    }
  } finally {
    off();
  }
}

function printChanges(
  io: Io,
  given: { readonly before: Report | null; readonly report: Report; readonly json: boolean },
): void {
  const { before, report, json } = given;
  const was = new Set((before?.checks ?? []).map(formatCheck));
  const is = new Set(report.checks.map(formatCheck));
  const begun = report.checks.filter((one) => !was.has(formatCheck(one)));
  const ended = (before?.checks ?? []).filter((one) => !is.has(formatCheck(one)));
  if (begun.length + ended.length === 0) return;
  const { health } = report;
  if (json) {
    io.out(`${JSON.stringify({ health, begun, ended })}\n`);
    return;
  }
  io.out(`${new Date().toTimeString().slice(0, 8)} ${health}\n`);
  for (const one of ended) io.out(`  gone  ${one.name}: ${one.text}\n`);
  for (const one of begun) io.out(`  ${formatCheck(one)}\n`);
}
