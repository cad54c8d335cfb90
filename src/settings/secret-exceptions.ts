import { readFileSync } from "node:fs";
import { isAbsolute } from "node:path";
import { z } from "zod";
import { isInsideFolded } from "../gate/path.ts";
import { secretPathRule } from "../gate/secret-path.ts";
import { describeError } from "../text/describe-error.ts";
import { replaceFile, versionOfFile } from "./replace-file.ts";

/** The paths that the owner took off the list of secret paths, in a file of the configuration folder that no action may write. It is read again whenever it changed. */
export type SecretExceptions = {
  readonly path: string;
  /** Real paths; each with everything below it. Empty where the file cannot be used. */
  readonly all: () => readonly string[];
  /** Why the file cannot be used, in words; null if it can, or if there is none. */
  readonly fault: () => string | null;
  /** Takes a path off the list, and gives the rule that made it secret; or says why it cannot be taken off. Throws where the file cannot be used or written. */
  readonly allow: (path: string) => { readonly rule: string } | { readonly refused: string };
  /** Puts a path back on the list; false if it was not taken off. Throws where the file cannot be used or written. */
  readonly forget: (path: string) => boolean;
};

const fileSchema = z.strictObject({
  version: z.literal(1),
  paths: z.array(z.string().max(4096).refine(isAbsolute)).max(1000),
});

type Read = { readonly key: string; readonly paths: readonly string[]; readonly fault: string | null };

/** Opens the exceptions of a file, which need not exist. */
export function openSecretExceptions(
  path: string,
  { home, own }: { readonly home: string; readonly own: readonly string[] },
): SecretExceptions {
  let known: Read = { key: "", paths: [], fault: null };
  const read = (): Read => {
    const key = versionOfFile(path);
    if (key !== known.key) known = readPaths(path, key);
    return known;
  };
  const change = (paths: readonly string[]): void => {
    const { fault } = read();
    if (fault !== null) throw new Error(fault);
    replaceFile(path, `${JSON.stringify({ version: 1, paths }, null, 2)}\n`);
  };
  return {
    path,
    all: () => read().paths,
    fault: () => read().fault,
    allow(allowed) {
      if (own.some((folder) => isInsideFolded(folder, allowed) || isInsideFolded(allowed, folder)))
        return {
          refused: `${allowed} is or holds a folder of the agent itself, which no action may read or write.`,
        };
      const rule = secretPathRule(allowed, home);
      if (rule === null) return { refused: `${allowed} is no secret path, so there is nothing to allow.` };
      change([...new Set([...read().paths, allowed])].sort());
      return { rule };
    },
    forget(removed) {
      const { paths } = read();
      if (!paths.includes(removed)) return false;
      change(paths.filter((each) => each !== removed));
      return true;
    },
  };
}

function readPaths(path: string, key: string): Read {
  try {
    const parsed = fileSchema.parse(JSON.parse(readFileSync(path, "utf8")));
    return { key, paths: parsed.paths, fault: null };
  } catch (error) {
    if (error instanceof Error && "code" in error && error.code === "ENOENT")
      return { key, paths: [], fault: null };
    const fault = `${path} cannot be used, so every secret path stays secret: ${describeError(error)}. Mend it, or move it away.`;
    return { key, paths: [], fault };
  }
}
