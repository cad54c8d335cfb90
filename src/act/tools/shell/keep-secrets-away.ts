import { resolve } from "node:path";
import { isInside } from "../../../text/is-inside.ts";
import type { ProtectedPathsSearch, ResolvedPathUse } from "../../shell/confine.ts";
import { findSecretsOfSearch, withoutSecrets } from "../../shell/left-out-secrets.ts";
import type { CommandPlan, PlanEnvironment, PlannedCommand } from "../../shell/plan.ts";
import { isScript } from "../../shell/programs/unwrap-words.ts";
import { findProtectedPaths, type ProtectedPaths } from "../../shell/protected-paths.ts";
import { nameSecretsRemoved } from "../../shell/removals.ts";
import type { ShellPorts } from "../../shell/shell-ports.ts";

type GivenPaths = Pick<PlanEnvironment, "cwd" | "resolvePath" | "exists">;

/**
 * Without a sandbox nothing hides secret files: a search leaves them out, and those that an unproved command
 * names become reads that are judged. In one, those that `rm` deletes are named.
 */
export async function keepSecretsAway(
  plan: CommandPlan,
  given: GivenPaths,
  ports: ShellPorts,
): Promise<CommandPlan> {
  if (ports.resolve === false) return plan;
  const search: ProtectedPathsSearch = (folder) => findProtectedPaths(folder, ports.isSecretPath);
  const { isSecretPath } = ports;
  // Nobody is asked whether a folder goes that the agent's own are in, such as the root of the machine.
  const asked: ProtectedPathsSearch = async (folder) =>
    ports.hidden.some((own) => isInside(folder, own)) ? nothing : search(folder);
  const one = async (command: PlannedCommand): Promise<PlannedCommand> => {
    if (ports.sandbox !== null)
      return nameSecretsRemoved(command, given.cwd, { search: asked, isSecretPath });
    if (command.proof === null)
      return { ...command, reads: [...command.reads, ...(await namedSecrets(command, given, ports))] };
    return withoutSecrets(command, await findSecretsOfSearch(command, search));
  };
  return Promise.all(
    plan.map(async (part) => ({ ...part, commands: await Promise.all(part.commands.map(one)) })),
  );
}

const nothing: ProtectedPaths = { masked: [], repositories: [], complete: true };

/** Existing secret files among the words of an unproved command, also after an `=`. */
async function namedSecrets(
  command: PlannedCommand,
  given: GivenPaths,
  ports: ShellPorts,
): Promise<readonly ResolvedPathUse[]> {
  if (isScript(command.argv)) return [];
  const words = command.argv.slice(1).flatMap((word) => [word, word.slice(word.indexOf("=") + 1)]);
  const found: ResolvedPathUse[] = [];
  for (const word of new Set(words.filter((each) => each !== "" && !each.includes("\0")))) {
    const path = await given.resolvePath(word);
    const written = resolve(given.cwd, word);
    if ((ports.isSecretPath(path) || ports.isSecretPath(written)) && (await given.exists(path)))
      found.push({ path, written, access: "contents", tree: false });
  }
  return found;
}
