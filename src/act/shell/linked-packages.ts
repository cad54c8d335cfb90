import { glob } from "node:fs/promises";
import { dirname, join } from "node:path";
import { isJsonObject, type JsonObject } from "../../text/json.ts";
import { parseJson } from "../../text/parse-json.ts";
import { readWholeFile } from "../files/contents.ts";

/** Packages of a repository that are looked at, and patterns that name them. */
const mostPackages = 1_000;
const mostPatterns = 100;

/** Parts of a pattern, and those of them that stand for all names. */
const mostParts = 8;
const mostStars = 3;

/** Characters of the path of a program. */
const longestPath = 1_000;

/** Bytes of a manifest that is looked into. */
const maxBytes = 1024 * 1024;

/**
 * The programs of the packages that a package manager links into `node_modules`: those of its workspaces and
 * of dependencies in folders. It makes each executable. Relative to the folder.
 */
export async function findLinkedPrograms(folder: string): Promise<readonly string[]> {
  const root = await readManifest(join(folder, "package.json"));
  if (root === null) return [];
  const found = new Set<string>();
  for (const pattern of linkedFolders(root).slice(0, mostPatterns)) {
    if (!isPlain(pattern)) continue;
    const manifests = glob(join(pattern, "package.json"), { cwd: folder, exclude: ["**/node_modules"] });
    for await (const path of manifests) {
      if (found.size >= mostPackages) break;
      const manifest = await readManifest(join(folder, path));
      for (const program of manifest === null ? [] : programsOf(manifest))
        found.add(join(dirname(path), program));
    }
  }
  return [...found];
}

/** Whether a pattern names folders below by names and by `*` alone. What says more is not read. */
function isPlain(pattern: string): boolean {
  const parts = pattern.replace(/^\.\//, "").replace(/\/$/, "").split("/");
  return (
    parts.length <= mostParts &&
    parts.every((part) => part !== ".." && /^(?:[\w@.+-]{1,100}|\*)$/.test(part)) &&
    parts.filter((part) => part === "*").length <= mostStars
  );
}

/** Patterns of the folders whose packages are linked. */
function linkedFolders({ workspaces, ...manifest }: JsonObject): readonly string[] {
  const patterns: unknown = isJsonObject(workspaces) ? workspaces["packages"] : workspaces;
  const groups = ["dependencies", "devDependencies", "optionalDependencies"].map((name) => manifest[name]);
  const places = groups.flatMap((group) => (isJsonObject(group) ? Object.values(group) : []));
  const folders = places.flatMap((place) =>
    typeof place === "string" ? (/^(?:file|link|portal):(.+)$/.exec(place)?.[1] ?? []) : [],
  );
  const named: readonly unknown[] = Array.isArray(patterns) ? patterns : [];
  return [...named.filter((pattern) => typeof pattern === "string"), ...folders];
}

/**
 * The programs that a manifest names in the folder of its package. No name with a dot before it is one: what
 * a yes unlocks beside the package is nothing that its words may choose.
 */
function programsOf({ bin }: JsonObject): readonly string[] {
  const named = isJsonObject(bin) ? Object.values(bin) : [bin];
  return named
    .filter((path) => typeof path === "string")
    .map((path) => path.replace(/^\.\//, ""))
    .filter(
      (path) =>
        path.length <= longestPath && path.split("/").every((name) => /^[\w@+-][\w@.+-]*$/.test(name)),
    );
}

async function readManifest(path: string): Promise<JsonObject | null> {
  const read = await readWholeFile(path, maxBytes);
  if (!read.ok || read.value === null) return null;
  const manifest = parseJson(Buffer.from(read.value.bytes).toString("utf8"));
  return isJsonObject(manifest) ? manifest : null;
}
