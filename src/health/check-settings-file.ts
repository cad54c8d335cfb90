import { existsSync, statSync } from "node:fs";
import type { HealthCheck } from "./health-check.ts";

/** Checks whether there is a settings file that only its owner can open. Whether it can be parsed is a check of the settings. */
export function checkSettingsFile(path: string): readonly HealthCheck[] {
  if (!existsSync(path)) {
    const text = `settings come from the environment alone: there is no ${path} yet`;
    return [{ name: "folders", result: "ok", text }];
  }
  const found: HealthCheck = { name: "folders", result: "ok", text: `settings are read from ${path}` };
  return [found, ...checkPrivate("folders", path, "which may hold keys")];
}

/** Finds a file that other users of this machine can open. `why` says what that means. */
export function checkPrivate(name: string, path: string, why: string): readonly HealthCheck[] {
  const from = statSync(path).mode & 0o777;
  if ((from & 0o077) === 0) return [];
  const text = `other users of this machine can open ${path}, ${why}. Protect it: chmod 600 ${path}`;
  return [{ name, result: "finding", text, fix: { kind: "set-mode", path, from, to: 0o600 } }];
}

/** Finds a folder of settings that other users can write into: they could replace the settings. */
export function checkSettingsFolder(path: string): readonly HealthCheck[] {
  const from = (statSync(path, { throwIfNoEntry: false })?.mode ?? 0o700) & 0o777;
  if ((from & 0o022) === 0) return [];
  const text = `other users of this machine can replace what you allow: they can write into ${path}. Protect it: chmod 700 ${path}`;
  return [{ name: "folders", result: "bad", text, fix: { kind: "set-mode", path, from, to: 0o700 } }];
}
