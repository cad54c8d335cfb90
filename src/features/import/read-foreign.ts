import {
  closeSync,
  constants,
  fstatSync,
  lstatSync,
  openSync,
  readdirSync,
  readSync,
  realpathSync,
  statSync,
} from "node:fs";
import { join, relative } from "node:path";
import { isInside } from "../../text/is-inside.ts";

/** The folder of another agent, read with suspicion: its files may be anybody's. */
export type ForeignFolder = {
  /** Its real path. */
  readonly path: string;
  readonly isSecretPath: (path: string) => boolean;
  /** Real paths besides its own folder that it may reach: the file beside it, or a workspace that its settings name. */
  readonly also: readonly string[];
  /** The workspace that its settings name in place of its own. */
  readonly workspace?: string;
};

/** A text of the folder, or why it is not read. */
export type ForeignText = { readonly path: string; readonly text: string } | ForeignLeft;
export type ForeignLeft = { readonly path: string; readonly why: string };

/** Bytes of the largest file that is read, and the most names of a folder that are looked at. */
const largest = 262_144;
const mostNames = 500;

/** The paths that a pattern names, sorted; nothing of a folder that is a link out of the agent's own. */
export function matchPaths(folder: ForeignFolder, pattern: string): readonly string[] {
  const [first = "", ...others] = pattern.split("/");
  const isMoved = first === "workspace" && folder.workspace !== undefined;
  let found: readonly string[] = [isMoved ? (folder.workspace ?? "") : folder.path];
  for (const part of isMoved ? others : [first, ...others]) {
    found = found.flatMap((parent) =>
      part === "*" || part.startsWith("*.")
        ? namesIn(folder, parent)
            .filter((name) => part === "*" || name.endsWith(part.slice(1)))
            .map((name) => join(parent, name))
        : [join(parent, part)],
    );
  }
  return found.filter((path) => lstatSync(path, { throwIfNoEntry: false }) !== undefined);
}

function namesIn(folder: ForeignFolder, parent: string): readonly string[] {
  try {
    if (!isWithin(folder, realpathSync(parent))) return [];
    return readdirSync(parent).toSorted().slice(0, mostNames);
  } catch (error) {
    if (error instanceof Error && "code" in error) return [];
    throw error;
  }
}

/** A path as it is told: relative to the agent's folder, or to its workspace. */
export function shownPath({ path: root, workspace }: ForeignFolder, path: string): string {
  return workspace !== undefined && isInside(workspace, path)
    ? join("workspace", relative(workspace, path))
    : relative(root, path);
}

function isWithin({ path, also }: ForeignFolder, real: string): boolean {
  return [path, ...also].some((allowed) => isInside(allowed, real));
}

/** Reads a text: a plain file of the agent's own folder, of no more than 256 kB, in UTF-8. Follows no link out of it, and opens nothing else. */
export function readForeignText(folder: ForeignFolder, path: string): ForeignText {
  const shown = shownPath(folder, path);
  const left = (why: string): ForeignLeft => ({ path: shown, why });
  let file: number;
  try {
    const real = realpathSync(path);
    if (!isWithin(folder, real)) return left("it is a link to another place");
    if (folder.isSecretPath(real)) return left("it is a secret path");
    if (!statSync(real).isFile()) return left("it is no plain file");
    // Should it become a pipe by now, opening it must not wait; should it become a link, it is not followed.
    file = openSync(real, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK);
  } catch (error) {
    if (error instanceof Error && "code" in error) return left(`it cannot be read (${error.code})`);
    throw error;
  }
  try {
    const found = fstatSync(file);
    if (!found.isFile()) return left("it is no plain file");
    if (found.size > largest) return left("it is larger than 256 kB");
    const bytes = Buffer.alloc(largest + 1);
    let length = 0;
    for (let read = -1; read !== 0 && length <= largest; length += read)
      read = readSync(file, bytes, length, bytes.length - length, null);
    if (length > largest) return left("it is larger than 256 kB");
    return { path: shown, text: new TextDecoder("utf-8", { fatal: true }).decode(bytes.subarray(0, length)) };
  } catch (error) {
    if (error instanceof TypeError) return left("it is no text in UTF-8");
    throw error;
  } finally {
    closeSync(file);
  }
}
