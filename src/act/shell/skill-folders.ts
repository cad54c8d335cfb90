import { join, relative } from "node:path";
import type { Caller } from "../../signal/tool.ts";
import { isInside } from "../../text/is-inside.ts";
import { sandboxHome } from "../sandbox/bubblewrap.ts";
import type { ResolvedPathUse } from "./confine.ts";

/**
 * The folders of the skills in force, as commands see them: a script finds what lies beside it. Each stands
 * at its real path, under the name that its owner gave it, and below the home folder that commands have.
 */
export function skillFolders({ skills }: Pick<Caller, "skills">, home: string): readonly ResolvedPathUse[] {
  return (skills?.folders ?? []).flatMap(({ path, written = path }) => {
    const names = isInside(home, written) ? [written, join(sandboxHome, relative(home, written))] : [written];
    return names.map((name) => ({ path, written: name, access: "contents", tree: true }) as const);
  });
}
