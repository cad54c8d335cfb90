import { textOfName } from "../files/byte-names.ts";
import { entryIfThere } from "../files/status-if-there.ts";
import { runSystemProgram } from "./overlay.ts";

/**
 * The rights that a file or folder gives, as bits of read, write and execute, by the words of each entry but
 * the owner's: `user:NAME`, `group:` for its own group, `group:NAME`, `other:`, and with `default:` before
 * them for what is made in a folder. What the mask takes away is not given.
 */
export type AccessList = ReadonlyMap<string, number>;

const program = "/usr/bin/getfacl";
/** Paths of one call. */
const batch = 400;

/** Whether lists of access can be read on this machine. */
export async function canReadAccessLists(): Promise<boolean> {
  return (await entryIfThere(program)) !== null;
}

/** What has a list of access beyond its mode at and below a folder, by paths; null where one cannot be read. */
export async function accessListsBelow(folder: string): Promise<ReadonlyMap<string, AccessList> | null> {
  return readLists(["--recursive", "--physical", "--skip-base"], [folder]);
}

/**
 * What paths give that exist and are no links; those with names that are not UTF-8 are left out. Null where one
 * cannot be read.
 */
export async function accessListsOf(
  paths: readonly string[],
): Promise<ReadonlyMap<string, AccessList> | null> {
  const found = new Map<string, AccessList>();
  const readable = paths.filter((path) => path.isWellFormed());
  for (let at = 0; at < readable.length; at += batch) {
    const lists = await readLists(["--physical"], readable.slice(at, at + batch));
    if (lists === null) return null;
    for (const [path, list] of lists) found.set(path, list);
  }
  return found;
}

async function readLists(
  options: readonly string[],
  paths: readonly string[],
): Promise<ReadonlyMap<string, AccessList> | null> {
  if (!(await canReadAccessLists())) return new Map();
  const { code, said } = await runSystemProgram([program, "--absolute-names", ...options, "--", ...paths]);
  if (code !== 0) return null;
  return new Map([...blocksByPath(said)].map(([path, text]) => [path, listOf(text)]));
}

/** What `getfacl` or `getfattr` says of each file, by the paths. */
export function blocksByPath(said: Buffer): ReadonlyMap<string, string> {
  const texts = said
    .toString("latin1")
    .split("\n\n")
    .filter((text) => text.startsWith("# file: "));
  return new Map(texts.map((text) => [pathOf(text), text]));
}

/** The path that a block is headed with, where some bytes stand as their octal numbers. */
function pathOf(text: string): string {
  const [first = ""] = text.split("\n");
  const name = first
    .slice("# file: ".length)
    .replace(/\\(\d{3})|\\(\\)/g, (_, octal?: string) =>
      octal === undefined ? "\\" : String.fromCharCode(Number.parseInt(octal, 8)),
    );
  return textOfName(Buffer.from(name, "latin1"));
}

function listOf(text: string): AccessList {
  const entries = [...text.matchAll(/^((?:default:)?)(user|group|mask|other):(.*?):([r-][w-][x-])/gm)].map(
    ([, scope = "", kind = "", name = "", rights = ""]) => ({ scope, kind, name, rights: bitsOf(rights) }),
  );
  const maskOf = (scope: string): number =>
    entries.find((entry) => entry.kind === "mask" && entry.scope === scope)?.rights ?? 7;
  const isMasked = ({ kind }: { readonly kind: string }): boolean => kind !== "other";
  return new Map(
    entries
      .filter(({ kind, name }) => kind !== "mask" && (kind !== "user" || name !== ""))
      .map((entry) => [
        `${entry.scope}${entry.kind}:${entry.name}`,
        isMasked(entry) ? entry.rights & maskOf(entry.scope) : entry.rights,
      ]),
  );
}

function bitsOf(rights: string): number {
  return [...rights].reduce((bits, letter) => bits * 2 + (letter === "-" ? 0 : 1), 0);
}
