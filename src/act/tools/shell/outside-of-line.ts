import {
  changesOutside,
  findOutsidePlaces,
  noPlaces,
  type OutsidePlaces,
} from "../../shell/outside-places.ts";
import type { CommandPlan, PlanEnvironment } from "../../shell/plan.ts";
import { findProtectedPaths } from "../../shell/protected-paths.ts";
import type { ShellPorts } from "../../shell/shell-ports.ts";
import { findUnheldChange, type UnheldChange } from "../../shell/unheld-changes.ts";

/**
 * What a line changes outside of the workspace, of which it gets copies once the owner said yes; or why it
 * cannot, in words: then nobody is asked for what would not be done. Of what no action may touch the judge
 * says so. Without a sandbox it needs no copies.
 */
export async function outsideOf(
  plan: CommandPlan,
  given: PlanEnvironment,
  { sandbox, hidden, isSecretPath }: ShellPorts,
): Promise<OutsidePlaces | string> {
  const { workspace } = given;
  if (workspace === null || sandbox === null || !given.mayLook) return noPlaces;
  const unheld = findUnheldChange(plan, { ...given, workspace });
  if (unheld !== null && !given.isForbidden(unheld.path)) return refusalOf(unheld, workspace);
  const changes = plan.flatMap(({ commands }) =>
    commands.flatMap((command) => changesOutside(command, workspace)),
  );
  const [first] = changes;
  if (first === undefined || changes.some(({ path }) => given.isForbidden(path))) return noPlaces;
  const search = (path: string) => findProtectedPaths(path, isSecretPath);
  const found =
    (await given.holdsCopies?.()) === true
      ? await findOutsidePlaces(plan, { workspace, search, own: hidden })
      : "no copy can be made of what it would change, so that nothing could undo it";
  return typeof found === "string" ? refusalOf({ path: first.path, why: found }, workspace) : found;
}

function refusalOf({ path, why }: UnheldChange, workspace: string): string {
  return `A command cannot change ${path}, which is outside of the workspace ${workspace}: ${why}. Write a file there with write-file or edit-file, or let output go there (COMMAND > FILE); anything else the owner does in a terminal of their own. Nothing was run.`;
}

/** The files that a line writes outside of the workspace by its words. */
export function changedPaths({ places }: OutsidePlaces): readonly string[] {
  return places.flatMap(({ folder, named }) =>
    named.flatMap(({ path, how }) => (how === "write" && path !== folder ? [path] : [])),
  );
}
