/** Keys of a package.json that nothing executes. */
const harmlessKeys = new Set(
  (
    "name version description keywords author contributors maintainers license repository homepage bugs funding private type main module browser " +
    "exports imports types typings files engines os cpu sideeffects"
  ).split(" "),
);
const dependencyKeys = new Set([
  "dependencies",
  "devdependencies",
  "peerdependencies",
  "optionaldependencies",
]);

/**
 * Says what of a package.json a change makes executed later: scripts, programs, hooks, or a dependency that is not named by its
 * version alone. Null if nothing. A manifest that does not read counts.
 */
export function changedManifest(before: string, after: string): string | null {
  const [old, made] = [readManifest(before), readManifest(after)];
  if (made === null) return "it does not read as a package.json";
  const keys = new Set([...(old?.keys() ?? []), ...made.keys()]);
  for (const key of keys) {
    if (
      JSON.stringify(old?.get(key)) === JSON.stringify(made.get(key)) ||
      harmlessKeys.has(key.toLowerCase())
    )
      continue;
    if (!dependencyKeys.has(key.toLowerCase())) return `a package manager runs or obeys its "${key}"`;
    if (!isPlainList(made.get(key))) return `its "${key}" name a place, not only versions`;
  }
  return null;
}

function readManifest(text: string): ReadonlyMap<string, unknown> | null {
  if (text.trim() === "") return new Map();
  try {
    const value: unknown = JSON.parse(text);
    if (typeof value !== "object" || value === null || Array.isArray(value)) return null;
    return new Map(Object.entries(value));
  } catch (fault) {
    if (fault instanceof SyntaxError) return null;
    throw fault;
  }
}

const versionRange = /^(?:[\^~<>=v|*x\d. +-]|alpha|beta|rc|next|latest|canary)+$/i;

function isPlainList(value: unknown): boolean {
  if (value === undefined) return true;
  if (typeof value !== "object" || value === null) return false;
  return Object.values(value).every((range) => typeof range === "string" && versionRange.test(range));
}
