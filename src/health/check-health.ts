import { existsSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { canReadAccessLists } from "../act/sandbox/access-lists.ts";
import { findSandbox } from "../act/sandbox/bubblewrap.ts";
import { canReadAttributes } from "../act/sandbox/extended-attributes.ts";
import { findOverlayProblem } from "../act/sandbox/overlay.ts";
import { explainNoSandbox } from "../act/sandbox/sandbox-lack.ts";
import { tryToGetOut } from "../act/sandbox/try-to-get-out.ts";
import { installCommand } from "../act/steward/package-manager.ts";
import { lockHolder } from "../memory/storage/lock-holder.ts";
import type { Environment } from "../settings/environment.ts";
import { loadPolicy, type Policy } from "../settings/policy.ts";
import { SettingsError } from "../settings/settings-error.ts";
import { describeError } from "../text/describe-error.ts";
import { pushAll } from "../text/lists.ts";
import { systemPath } from "../text/system-programs.ts";
import { unkeptInstallation } from "../update/own-build.ts";
import { checkZone, shownZone } from "./check-clock.ts";
import { checkDeclaredPrograms } from "./check-declared-programs.ts";
import { checkDoors } from "./check-doors.ts";
import { checkLeftovers } from "./check-leftovers.ts";
import { checkNotes } from "./check-notes.ts";
import { checkNotesFolders } from "./check-notes-folders.ts";
import { checkProviders } from "./check-providers.ts";
import { checkProxy, checkProxyOfAgent } from "./check-proxy.ts";
import { checkRuntime } from "./check-runtime.ts";
import { checkPort, checkService } from "./check-service.ts";
import { checkPrivate, checkSettingsFile, checkSettingsFolder } from "./check-settings-file.ts";
import { checkState } from "./check-state.ts";
import { checkUpdate } from "./check-update.ts";
import { findFolderProblem } from "./find-folder-problem.ts";
import type { HealthCheck } from "./health-check.ts";

/** The health of the agent, with the checks that it follows from. */
export type HealthReport = {
  readonly health: "unknown" | "healthy" | "degraded" | "unhealthy";
  readonly checks: readonly HealthCheck[];
};

/** A check by its name. */
export type NamedCheck = readonly [name: string, check: Check];
type Check = () => readonly HealthCheck[] | Promise<readonly HealthCheck[]>;

/** Checks all that the agent depends on, and then what `others` check. Never throws: a check that fails makes the agent unhealthy. */
export async function checkHealth(
  { environment, version }: { readonly environment: Environment; readonly version: string },
  others: readonly NamedCheck[] = [],
): Promise<HealthReport> {
  try {
    const policy = loadPolicy(environment);
    const checks = await runAll([
      ["gates", () => [checkGates(policy)]],
      ["runtime", () => [checkRuntime(process.versions.node)]],
      ["updates", () => checkUpdate(unkeptInstallation(), environment)],
      ["network", () => checkProxy(environment)],
      ["network", () => checkProxyOfAgent(environment, lockHolder(policy.config.places.state))],
      ["clock", () => checkZone(environment["TZ"], shownZone())],
      ["rules", () => checkRules(policy)],
      ["skills", () => checkSkills(policy)],
      ["settings", () => checkSettings(policy)],
      ["providers", () => checkProviders(policy.config)],
      ["vault", () => checkVault(policy)],
      ["sandbox", () => checkSandbox(policy)],
      ["programs", () => checkPrograms(policy)],
      ["programs", () => checkDeclaredPrograms(policy)],
      ["folders", () => checkFolders(policy)],
      ["notes", () => checkNotes(policy.notesPlace, policy.config.places.state)],
      ["state", () => checkState(policy)],
      ["daemon", () => checkDaemon(policy, version)],
      ["doors", () => checkDoors(policy)],
      ...others,
    ]);
    return { health: healthOf(checks), checks };
  } catch (error) {
    const name = error instanceof SettingsError ? "settings" : "doctor";
    const text = describeError(error);
    return { health: "unhealthy", checks: [{ name, result: "bad", text }] };
  }
}

async function checkDaemon(policy: Policy, version: string): Promise<readonly HealthCheck[]> {
  const service = await checkService(policy, version);
  return [service, ...(await checkPort(service))];
}

/** Runs checks one after the other. One that fails is bad itself, and hides no other. */
async function runAll(checks: readonly NamedCheck[]): Promise<readonly HealthCheck[]> {
  const done: HealthCheck[] = [];
  for (const [name, check] of checks) {
    try {
      pushAll(done, await check());
    } catch (error) {
      const why = describeError(error);
      done.push({
        name,
        result: "bad",
        text: `this could not be checked: ${why}. Correct that, and run passepartout doctor again.`,
      });
    }
  }
  return done;
}

/** The health that follows from checks. */
function healthOf(checks: readonly HealthCheck[]): HealthReport["health"] {
  if (checks.some(({ result }) => result === "bad")) return "unhealthy";
  return checks.some(({ result }) => result === "finding") ? "degraded" : "healthy";
}

function checkGates({ failedCanaries, gateCount }: Policy): HealthCheck {
  const failed = failedCanaries();
  if (failed.length === 0) {
    return { name: "gates", result: "ok", text: `${gateCount} gates; all that must be blocked is blocked` };
  }
  const text = `the judge let through what it must block: ${failed.join(", ")}. The agent answers but does not act. Reinstall this version.`;
  return { name: "gates", result: "bad", text };
}

/** Nothing is said where the owner taught no rule. */
function checkRules({ rules }: Policy): readonly HealthCheck[] {
  const problems = rules.problems();
  if (problems.length > 0) return problems.map((text) => ({ name: "rules", result: "finding", text }));
  const count = rules.count();
  return count === 0 ? [] : [{ name: "rules", result: "ok", text: `${count} in force; every example holds` }];
}

/** Whether what the owner accepted of skills can be read. */
function checkSkills({ skillBook }: Policy): readonly HealthCheck[] {
  const fault = skillBook.fault();
  if (fault !== null) return [{ name: "skills", result: "bad", text: fault }];
  const accepted = skillBook.all().filter(({ enabled }) => enabled);
  return accepted.length === 0 ? [] : [{ name: "skills", result: "ok", text: `${accepted.length} accepted` }];
}

function checkSettings({ config }: Policy): readonly HealthCheck[] {
  const unused = config.unusedSettings.map(
    (name): HealthCheck => ({
      name: "settings",
      result: "ok",
      text: `${name} is accepted and has no effect: everything is saved at once, and nothing sleeps`,
    }),
  );
  if (config.problems.length === 0) {
    return [{ name: "settings", result: "ok", text: "all settings could be parsed" }, ...unused];
  }
  return [...config.problems.map((text) => settingFinding(text, config)), ...unused];
}

/** A name that is near to that of a setting can be corrected, unless the file has that setting too. */
function settingFinding(text: string, { unknownNames, places }: Policy["config"]): HealthCheck {
  const unknown = unknownNames.find(({ problem }) => problem === text);
  const found: HealthCheck = { name: "settings", result: "finding", text };
  if (unknown === undefined || unknown.near === null) return found;
  const path = join(places.configuration, ".env");
  return { ...found, fix: { kind: "rename-setting", path, from: unknown.name, to: unknown.near } };
}

/** Nothing is said where there is no vault. Whether it is unlocked is known to the running agent alone. */
function checkVault({ config: { vault } }: Policy): readonly HealthCheck[] {
  const { state, names, keyringEntry, text } = vault.status();
  if (state === "none") return [];
  if (state === "damaged") return [{ name: "vault", result: "finding", text }];
  const open = checkPrivate("vault", vault.path, "and could try passphrases on it");
  if (open.length > 0) return open;
  const count = names.length === 1 ? "1 value" : `${names.length} values`;
  const where = keyringEntry === null ? "" : "; its passphrase is in the system's keyring";
  const kept = `${count}, encrypted${where}. While it is locked, providers whose keys are in it are skipped; passepartout vault status says how it stands`;
  return [{ name: "vault", result: "ok", text: kept }];
}

async function checkSandbox({ config, searchPath }: Policy): Promise<readonly HealthCheck[]> {
  const sandbox = await findSandbox();
  if (sandbox !== null) {
    const { state } = config.places;
    const open = await tryToGetOut(sandbox, fileURLToPath(import.meta.url));
    if (open !== null) {
      const text = `the sandbox does not hold: ${open}. Do not approve commands before this is mended: install bubblewrap anew from your system's packages.`;
      return [{ name: "sandbox", result: "bad", text }];
    }
    const works: HealthCheck = {
      name: "sandbox",
      result: "ok",
      text: `bubblewrap works, and a command that tried to get out did not${await withoutLists()}`,
    };
    // Where the next command removes what a killed check leaves. That nothing can be written there is told of
    // the state.
    const place = findFolderProblem(state) === null && existsSync(state) ? join(state, "commands") : tmpdir();
    const problem = await findOverlayProblem(place);
    if (problem === null && sandbox.filter !== null) return [works];
    if (problem === null) {
      const unfiltered =
        "commands that are not known ask instead of being tried: there is no filter of system calls for this machine.";
      return [works, { name: "sandbox", result: "finding", text: unfiltered }];
    }
    const text = `what commands change cannot be undone: ${problem}.`;
    return [works, { name: "sandbox", result: "finding", text }];
  }
  const { isInstalled, why, remedy } = explainNoSandbox();
  const text = `${why}: commands that are not proved harmless ask you, and would run without a sandbox.`;
  const found: HealthCheck = { name: "sandbox", result: "finding", text };
  return [isInstalled ? { ...found, text: `${text} ${remedy}.` } : await lacking("bwrap", found, searchPath)];
}

/** What is not known of a command's changes where lists of access or attributes cannot be read. */
async function withoutLists(): Promise<string> {
  const lists = (await canReadAccessLists())
    ? ""
    : "; without getfacl (package acl) it is not known which rights a command gives by lists of access";
  const attributes = (await canReadAttributes())
    ? ""
    : "; without getfattr (package attr) extended attributes that a command changes may be lost";
  return `${lists}${attributes}`;
}

/** Programs that parts of this agent need, with what is not there without them. */
const usedPrograms: readonly (readonly [program: string, lack: string])[] = [
  ["git", "what repositories say of files and their history is not known"],
  ["script", "interactive programs get no terminal"],
];

async function checkPrograms({ searchPath }: Policy): Promise<readonly HealthCheck[]> {
  const missing = usedPrograms.filter(
    ([program]) => !isThere(program, searchPath) || !isThere(program, systemPath),
  );
  return Promise.all(
    missing.map(([program, lack]) => {
      const text = `${program} is missing: ${lack}.`;
      return lacking(program, { name: "programs", result: "finding", text }, searchPath);
    }),
  );
}

function isThere(program: string, searchPath: string): boolean {
  const folders = searchPath.split(":").filter((folder) => folder.startsWith("/"));
  return folders.some((folder) => existsSync(join(folder, program)));
}

/** A finding with the command that installs what it lacks; the fix is offered where the program is not there at all. */
async function lacking(program: string, found: HealthCheck, searchPath: string): Promise<HealthCheck> {
  const command = await installCommand(program);
  if (command === null) {
    const text = `${found.text} Install ${program} (Linux only for bwrap, the package bubblewrap).`;
    return { ...found, text };
  }
  const told = { ...found, text: `${found.text} Install it: ${command}` };
  return isThere(program, searchPath)
    ? told
    : { ...told, fix: { kind: "install-program", program, command } };
}

function checkFolders(policy: Policy): readonly HealthCheck[] {
  const { configuration } = policy.config.places;
  return [
    ...checkNotesFolders(policy),
    ...checkSettingsFolder(configuration),
    ...checkSettingsFile(join(configuration, ".env")),
    ...checkLeftovers(configuration, Date.now()),
  ];
}
