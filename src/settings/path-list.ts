/** Splits a list of paths at its colons, as PATH is. `\\:` stands for a colon in a path. */
export function splitPaths(text: string): readonly string[] {
  return text
    .split(/(?<!\\):/)
    .map((path) => path.replaceAll("\\:", ":").trim())
    .filter((path) => path !== "");
}
