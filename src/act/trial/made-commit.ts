import { join } from "node:path";
import { looseFile, readLoose } from "../../memory/private-text/loose-objects.ts";
import { textIn } from "./checked-out.ts";

/**
 * The parents of a commit that a command made, from the file that it wrote. Null where it wrote none, where
 * the file does not hold the commit of that name, and where git takes the commit for one without parents.
 */
export async function parentsOfMade(
  commit: string,
  repository: string,
  at: (path: string) => string | null,
): Promise<readonly string[] | null> {
  const file = looseFile(repository, commit);
  const place = at(file);
  if (place === null || place === file) return null;
  const made = await readLoose(place, commit);
  if (made?.type !== "commit") return null;
  const [id, text] = [`[0-9a-f]{${commit.length}}`, made.bytes.toString("latin1")];
  const [, parents] = new RegExp(`^tree ${id}\\n((?:parent ${id}\\n)*)author `).exec(text) ?? [];
  if (parents === undefined || (await textIn(join(repository, "shallow")))?.includes(commit) === true)
    return null;
  return parents.split("\n").flatMap((line) => line.split(" ")[1] ?? []);
}
