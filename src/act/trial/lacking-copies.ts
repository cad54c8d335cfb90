import { basename, dirname, join, relative } from "node:path";
import { isInside } from "../../text/is-inside.ts";
import { statusIfThere } from "../files/status-if-there.ts";
import { archiveMembers, type Member } from "./archive-members.ts";
import { type Difference, namesIn, statusOf } from "./difference.ts";
import { walkEntries } from "./fingerprint.ts";

/** A secret file or folder of which commands see the name alone. */
type Covered = { readonly path: string; readonly siblings: readonly Sibling[] };
type Sibling = { readonly path: string; readonly size: number };

/** An archive or a copy of a folder that a command made, with the secret paths that it was to hold. */
export type LackingCopy = {
  readonly path: string;
  readonly lacks: readonly string[];
  /** Those in whose place it has a device or an empty file. */
  readonly standIns: readonly string[];
};

/** Files and folders that are made and looked at. */
const mostMade = 50_000;

/**
 * Finds the archives and the copies of folders in what a command changed that lack what secret files hold,
 * since commands do not see that. `covered`: the paths of the workspace that commands do not see.
 */
export async function findLackingCopies(
  { exchanges }: Pick<Difference, "exchanges">,
  covered: readonly string[],
): Promise<readonly LackingCopy[]> {
  const made = exchanges.filter(({ incoming }) => incoming !== null);
  if (made.length === 0) return [];
  const secrets = await lookAtCovered(covered, (path) => made.some((each) => isInside(each.path, path)));
  if (secrets.length === 0) return [];
  const found: LackingCopy[] = [];
  let left = mostMade;
  for (const { path, incoming, becomes } of made) {
    if (incoming === null) continue;
    const copied: Member[] = [];
    for await (const { inside, status } of walkEntries(incoming)) {
      left -= 1;
      if (left < 0) return found;
      if (!status.isFile()) continue;
      copied.push({ name: inside, size: Number(status.size), isDevice: false });
      const members = status.size < 22n ? null : await archiveMembers(join(incoming, inside));
      const place = join(path, inside);
      if (members === "unread")
        found.push({ path: place, lacks: secrets.map((each) => each.path), standIns: [] });
      else if (members !== null) found.push(lackOf(place, members, secrets, false));
    }
    if (becomes === "folder") found.push(lackOf(path, copied, secrets, true));
  }
  return found.filter(({ lacks }) => lacks.length > 0);
}

/** The secret files and folders that hold something, each with the files beside it that were there before. */
async function lookAtCovered(
  paths: readonly string[],
  isMade: (path: string) => boolean,
): Promise<readonly Covered[]> {
  const found: Covered[] = [];
  const known = new Map<string, readonly Sibling[]>();
  for (const path of paths) {
    const status = await statusIfThere(path);
    if (status === null || isMade(path) || !(status.isDirectory() || (status.isFile() && status.size > 0)))
      continue;
    const folder = dirname(path);
    const siblings = known.get(folder) ?? (await filesBeside(folder, new Set(paths), isMade));
    known.set(folder, siblings);
    found.push({ path, siblings });
  }
  return found;
}

async function filesBeside(
  folder: string,
  covered: ReadonlySet<string>,
  isMade: (path: string) => boolean,
): Promise<readonly Sibling[]> {
  const files: Sibling[] = [];
  for (const path of (await namesIn(folder)).map((name) => join(folder, name))) {
    const status = covered.has(path) || isMade(path) ? null : await statusOf(path);
    if (status?.isFile() === true) files.push({ path, size: Number(status.size) });
  }
  return files;
}

/**
 * What an archive or a copy lacks: it has the folder of a secret file by its name, or every other file of
 * that folder, or something empty in its place.
 */
function lackOf(
  path: string,
  members: readonly Member[],
  secrets: readonly Covered[],
  isCopy: boolean,
): LackingCopy {
  const byEnd = Map.groupBy(members, ({ name }) => basename(name));
  const isOf = (real: string, name: string): boolean => {
    const inside = name.replace(/^(?:\.?\/)+/, "").replace(/\/$/, "");
    return inside !== "" && real.endsWith(`/${inside}`);
  };
  const holds = ({ path: real, size }: Sibling): boolean =>
    (byEnd.get(basename(real)) ?? []).some(
      (member) => (isCopy ? member.size === size : true) && isOf(real, member.name),
    );
  const lacks: string[] = [];
  const standIns: string[] = [];
  for (const { path: secret, siblings } of secrets) {
    const own = (byEnd.get(basename(secret)) ?? []).filter(
      ({ name }) => isOf(secret, name) && !name.endsWith("/"),
    );
    const isEmpty = own.some(({ size, isDevice }) => isDevice || size === 0);
    const hasFolder =
      !isCopy && members.some(({ name }) => name.endsWith("/") && isOf(dirname(secret), name));
    const hasAll = siblings.length > 0 && siblings.every(holds);
    if (isEmpty && (hasAll || hasFolder || !isCopy)) standIns.push(secret);
    if (isEmpty || ((hasFolder || hasAll) && own.length === 0)) lacks.push(secret);
  }
  return { path, lacks, standIns };
}

const mostNamed = 5;

function named(paths: readonly string[], folder: string): string {
  const more = paths.length > mostNamed ? ` and ${paths.length - mostNamed} more` : "";
  const shown = paths.slice(0, mostNamed).map((path) => relative(folder, path).toWellFormed());
  return `${shown.join(", ")}${more}`;
}

/** Why nothing is kept of copies that have something empty in the place of secret files; null for none. */
export function refuseStandIns(copies: readonly LackingCopy[], folder: string): string | null {
  const standing = copies.filter(({ standIns }) => standIns.length > 0);
  if (standing.length === 0) return null;
  const secrets = [...new Set(standing.flatMap(({ standIns }) => standIns))];
  return `${named(
    standing.map(({ path }) => path),
    folder,
  )} would have something empty in the place of ${named(secrets, folder)}: commands do not see what is in secret files, and whoever unpacks or uses the copy would take that for the file. Nothing was kept. Propose it again without these files (tar --exclude=NAME, zip -x NAME), and tell the owner that the copy lacks them: a whole one the owner makes in a terminal of their own.`;
}

/** What is said of copies that lack secret files. */
export function notesOnLacking(copies: readonly LackingCopy[], folder: string): readonly string[] {
  if (copies.length === 0) return [];
  const secrets = [...new Set(copies.flatMap(({ lacks }) => lacks))];
  return [
    `Commands do not see what is in secret files: ${named(
      copies.map(({ path }) => path),
      folder,
    )} lacks ${named(secrets, folder)}, and is no whole copy. Tell the owner, and delete nothing that only the original has; a whole one the owner makes in a terminal of their own.`,
  ];
}
