import { findProgram } from "../../act/shell/binary.ts";
import { findInstallation, type Installation } from "../../act/steward/package-manager.ts";
import { installPackage } from "../../act/tools/shell/install-package.ts";
import type { Environment } from "../../settings/environment.ts";
import { loadPolicy } from "../../settings/policy.ts";
import type { Outcome } from "../../signal/tool.ts";
import { isJsonObject } from "../../text/json.ts";

/** The owner's settings, and how a program is installed: by the packages of this machine, if nothing else is said. */
export type InstallMissingParts = {
  readonly environment: Environment;
  readonly find?: (program: string) => Promise<Installation | null>;
};

/** What became of an installation, in words. */
export type InstallResult = { readonly ok: boolean; readonly text: string };

/** Installs a program from the machine's own packages, as the tool install-program does. Whoever calls it has the owner's yes. */
export async function installMissing(
  { environment, find = findInstallation }: InstallMissingParts,
  program: string,
  cancel: AbortSignal,
): Promise<InstallResult> {
  const installation = await find(program);
  if (installation === null)
    return { ok: false, text: `No package with ${program} is known for this machine.` };
  const { searchPath, folders, mask } = loadPolicy(environment);
  const ports = { searchPath, home: folders.home, mask };
  const { argv } = installation;
  const found = await findProgram(argv[0] ?? "", ports.searchPath, "/");
  const words = argv.filter((word) => word !== "-n").join(" ");
  if (found.binary === null)
    return { ok: false, text: `${argv[0]} is not there. Install ${program} as root: ${words}` };
  const installed = await installPackage(installation, { found, ports, cancel });
  return installed.ok
    ? { ok: true, text: installed.done }
    : {
        ok: false,
        text: `${program} was not installed: ${whyNot(installed.outcome)} Run it yourself: ${words}`,
      };
}

/** The note of an outcome, else the last line that was printed. */
function whyNot(outcome: Outcome): string {
  if (outcome.status === "error") return outcome.message;
  const content = isJsonObject(outcome.content) ? outcome.content : {};
  const [note, printed] = [content["note"], content["stderr"]];
  const last =
    String(printed ?? "")
      .trim()
      .split("\n")
      .at(-1) ?? "";
  const why = typeof note === "string" ? note : last;
  return why === "" ? `it ended with exit code ${String(content["exitCode"])}.` : why;
}
