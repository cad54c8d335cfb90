import { findSandbox } from "../act/sandbox/bubblewrap.ts";
import { type DeclaringSettings, declaredPrograms } from "../act/shell/declared-programs.ts";
import { howToSee, managedPrograms, tellUnseen, unseenOf } from "../act/shell/unseen-programs.ts";
import type { HealthCheck } from "./health-check.ts";

/** How many programs are named. */
const mostNamed = 6;

/** Says which declared folders of programs commands see, and which programs of `PATH` they do not see. */
export async function checkDeclaredPrograms(settings: DeclaringSettings): Promise<readonly HealthCheck[]> {
  if ((await findSandbox()) === null) return [];
  const programs = declaredPrograms(settings);
  const { folders, covered, problems } = await programs.look(null);
  const shown = folders.map(({ to }) => to);
  const checks = problems.map((text): HealthCheck => ({ name: "programs", result: "finding", text }));
  if (shown.length > 0) {
    const text = `commands see the programs of ${shown.join(", ")}; covered in them: ${covered.length}`;
    checks.push({ name: "programs", result: "ok", text });
  }
  const lookup = { searchPath: settings.searchPath, cwd: "/", workspace: null };
  const unseen = await unseenOf(managedPrograms(), lookup, shown);
  if (unseen.length === 0) return checks;
  const more = unseen.length > mostNamed ? ` So it is with ${unseen.length - mostNamed} more.` : "";
  const told = unseen.slice(0, mostNamed).map(tellUnseen).join(" ");
  const how = programs.howToDeclare(unseen.flatMap(({ path, real }) => [path, real]));
  const text = `${told}${more} ${howToSee(how, "passepartout config set")}`;
  return [...checks, { name: "programs", result: "finding", text }];
}
