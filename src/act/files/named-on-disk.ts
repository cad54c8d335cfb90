import { readdir } from "node:fs/promises";
import { done, type Fallible, problem } from "./fallible.ts";
import { entryIfThere } from "./status-if-there.ts";

/**
 * An absolute path with each name in the form that its folder has it in, so that no second file of the same
 * look is made.
 */
export async function asNamedOnDisk(path: string): Promise<Fallible<string>> {
  if (/^[\p{ASCII}]*$/u.test(path)) return done(path);
  let at = "";
  for (const name of path.split("/").filter((part) => part !== "")) {
    const isThere = (await entryIfThere(`${at}/${name}`)) !== null;
    const alike = isThere || /^[\p{ASCII}]*$/u.test(name) ? [] : await namesAlike(at === "" ? "/" : at, name);
    if (alike.length > 1)
      return problem(
        "invalid-path",
        `'${path}': ${alike.length} names in ${at} look like '${name}' and differ in their Unicode form. Rename all but one, or copy the name as list-files gives it.`,
      );
    at = `${at}/${alike[0] ?? name}`;
  }
  return done(path.endsWith("/") ? `${at}/` : at);
}

/** The names in a folder that are canonically equivalent to a name. */
async function namesAlike(folder: string, name: string): Promise<readonly string[]> {
  const form = name.normalize("NFC");
  const names = await readdir(folder).catch(() => []);
  return names.filter((each) => each.normalize("NFC") === form);
}
