import type { InstalledPrograms } from "../act/shell/installed-programs.ts";
import type { HealthCheck } from "./health-check.ts";

/** Says of which folders of `PATH` commands see the programs in the sandbox, and of which they do not. */
export async function checkSeenPrograms(
  programs: Pick<InstalledPrograms, "seenOfFolders">,
): Promise<readonly HealthCheck[]> {
  const folders = await programs.seenOfFolders();
  const whole = folders.flatMap(({ folder, seen }) => (seen === "installation" ? [folder] : []));
  const parts = folders.filter(({ seen }) => seen === "folder");
  const unseen = folders.filter(({ seen }) => seen === "nothing");
  const kept = whole.length === 0 ? [] : [`of ${whole.join(", ")} with all that lies beside them`];
  const alone = parts.map(({ folder, why }) => `of ${folder} with the code beside it alone (${why})`);
  const seen = [...kept, ...alone].join("; ");
  return [
    ...(seen === "" ? [] : [{ name: "programs", result: "ok", text: `commands see those ${seen}` } as const]),
    ...unseen.map(({ folder, why }): HealthCheck => {
      const text = `commands do not see the programs of ${folder}, which PATH names: ${why}. One that a command names itself runs, and finds nothing beside it. Keep them in a hidden folder of their own, such as ~/.NAME/bin, and name that in PATH.`;
      return { name: "programs", result: "finding", text };
    }),
  ];
}
