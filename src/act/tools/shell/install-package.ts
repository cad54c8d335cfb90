import { failure, type Outcome, type Run } from "../../../signal/tool.ts";
import { isJsonObject } from "../../../text/json.ts";
import { type FoundProgram, findProgram } from "../../shell/binary.ts";
import { noEndNote } from "../../shell/end-note.ts";
import { ownEnvironment } from "../../shell/environment.ts";
import { withNotes } from "../../shell/later-guard.ts";
import { openFromRoot } from "../../shell/redirect-file.ts";
import { runPipelines } from "../../shell/run.ts";
import type { Installation } from "../../steward/package-manager.ts";

/** What an installation is run with: its package manager as it was found, and where programs are looked up. */
export type InstallingParts = {
  readonly found: FoundProgram;
  readonly ports: {
    readonly searchPath: string;
    readonly home: string;
    readonly mask: (text: string) => string;
  };
  readonly cancel: AbortSignal;
  readonly view?: Parameters<Run>[1];
};

/** That a program is there now, in words; or the outcome that says why it is not. */
type Installed =
  | { readonly ok: true; readonly done: string }
  | { readonly ok: false; readonly outcome: Outcome };

/** Milliseconds that an installation may take. */
const patience = 600_000;

/** Installs the package of a program for everybody on this machine. Whoever calls it has the owner's yes to these words. */
export async function installPackage(installation: Installation, parts: InstallingParts): Promise<Installed> {
  const { program, package: name } = installation;
  const failed = problemOf(await runManager(installation, parts));
  if (failed !== null) return { ok: false, outcome: failed };
  const there = await findProgram(program, parts.ports.searchPath, "/");
  if (there.binary === null) {
    const message = `The package ${name} was installed, and ${program} is still not there. Tell the owner.`;
    return { ok: false, outcome: failure({ code: "not-installed", message }) };
  }
  return { ok: true, done: `The package ${name} was installed; ${program} is ${there.binary.path}.` };
}

/** Runs the package manager without a shell and without questions: nobody is at its terminal. */
function runManager(
  { argv, program }: Installation,
  { found, ports, cancel, view }: InstallingParts,
): Promise<Outcome> {
  const environment = new Map([
    ...ownEnvironment(ports),
    ["DEBIAN_FRONTEND", "noninteractive"] as const,
    ["HOMEBREW_NO_AUTO_UPDATE", "1"] as const,
  ]);
  const step = {
    name: program,
    argv: [found.binary?.path ?? "", ...argv.slice(1)],
    binaries: found.binary === null ? [] : [found.binary],
    redirects: [],
    environment,
    filter: null,
    opensStreams: true,
    informs: false,
    left: null,
    openParent: openFromRoot,
  };
  const pipelines = [{ steps: [step], negated: false, next: null }];
  const limits = {
    timeoutMilliseconds: patience,
    outputCharacters: 100_000,
    notes: [],
    endNote: () => noEndNote,
  };
  return runPipelines({ pipelines, cwd: "/", ...limits, view }, cancel);
}

/** Why an installation failed; null where it did not. */
function problemOf(outcome: Outcome): Outcome | null {
  if (outcome.status === "error") return outcome;
  const content = isJsonObject(outcome.content) ? outcome.content : {};
  if (content["exitCode"] === 0) return null;
  const asks = /sudo: .*password/i.test(String(content["stderr"]));
  return asks
    ? withNotes(outcome, ["sudo asks for a password here, so only the owner can install it, in a terminal."])
    : outcome;
}
