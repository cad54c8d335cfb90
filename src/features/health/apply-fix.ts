import { chmodSync, existsSync, readFileSync, renameSync, writeFileSync } from "node:fs";
import type { HealthFix } from "../../health/health-check.ts";
import { changeEnvFile } from "../../settings/edit-env-file.ts";
import { readEnvFile } from "../../settings/env-file.ts";

/** Says what a fix would change, in one line. */
export function describeFix(fix: HealthFix): string {
  switch (fix.kind) {
    case "set-mode":
      return `${fix.path}: mode ${fix.from.toString(8)} becomes ${fix.to.toString(8)}`;
    case "rename-setting":
      return `${fix.path}: ${fix.from} becomes ${fix.to}; the file as it was is kept as ${freeName(fix.path)}`;
    case "set-aside":
      return `${fix.path} is moved to ${freeName(fix.path)}`;
    case "install-program":
      return `${fix.program} is installed: ${fix.command}`;
  }
}

/** A change of files. */
type FileFix = Exclude<HealthFix, { readonly kind: "install-program" }>;

/** Makes a change of files that a check proposed. What it replaces is kept beside it. */
export async function applyFix(fix: FileFix): Promise<void> {
  switch (fix.kind) {
    case "set-mode":
      chmodSync(fix.path, fix.to);
      return;
    case "rename-setting": {
      const value = readEnvFile(fix.path, [])[fix.from];
      if (value === undefined) return;
      keepCopy(fix.path);
      await changeEnvFile(
        fix.path,
        new Map([
          [fix.from, null],
          [fix.to, value],
        ]),
      );
      return;
    }
    case "set-aside":
      if (existsSync(fix.path)) renameSync(fix.path, freeName(fix.path));
      return;
  }
}

/** Keeps a file as it was beside it, for its owner alone: it may hold keys. */
function keepCopy(path: string): void {
  const copy = freeName(path);
  writeFileSync(copy, readFileSync(path), { mode: 0o600, flag: "wx" });
}

/** A name beside a file that nothing has yet. */
function freeName(path: string): string {
  for (let count = 1; ; count += 1) {
    const name = count === 1 ? `${path}.old` : `${path}.old-${count}`;
    if (!existsSync(name)) return name;
  }
}
