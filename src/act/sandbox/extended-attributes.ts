import { bytesOfPath } from "../files/byte-names.ts";
import { entryIfThere } from "../files/status-if-there.ts";
import { blocksByPath } from "./access-lists.ts";
import { runSystemProgram } from "./overlay.ts";

/**
 * The values of what programs and people attach to a file or folder, and of its lists of access, by their
 * names.
 */
export type Attributes = ReadonlyMap<string, string>;

const program = "/usr/bin/getfattr";
const dump = [program, "--no-dereference", "--physical", "--absolute-names", "--dump", "--encoding=hex"];
const named = "^(user\\.|system\\.posix_acl_)";

/** Whether a list of access beyond the mode is among attributes, be it the default of a folder. */
export function hasAccessList(attributes: Attributes): boolean {
  return attributes.keys().some((name) => name.startsWith("system.posix_acl_"));
}

/** Whether extended attributes can be read on this machine. */
export async function canReadAttributes(): Promise<boolean> {
  return (await entryIfThere(program)) !== null;
}

/**
 * Reads a folder with all below, and then the paths on its input. A small shell starts both programs, since
 * it does so much faster than this process.
 */
const script = `folder=$1 && shift && "$@" --recursive -- "$folder" && exec /usr/bin/xargs -0 -r "$@" --`;

/** An attribute that an overlay notes for itself. */
export type OverlayMark = { readonly path: string; readonly name: string };

/** The attributes of files and folders by their paths, and the marks there that are none of them. */
type ReadAttributes = {
  readonly attributes: ReadonlyMap<string, Attributes>;
  readonly marks: readonly OverlayMark[];
};

/**
 * What has attributes at and below a folder, and of some paths elsewhere, which exist; null where they cannot
 * be read.
 */
export async function readAttributes(
  folder: string,
  paths: readonly string[],
): Promise<ReadAttributes | null> {
  if (!(await canReadAttributes())) return { attributes: new Map(), marks: [] };
  const words = ["/bin/sh", "-c", script, "sh", folder, ...dump, `--match=${named}`];
  const { code, said } = await runWithPaths(words, paths);
  if (code !== 0) return null;
  const blocks = [...blocksByPath(said)];
  return {
    attributes: new Map(blocks.map(([path, text]) => [path, attributesIn(text)])),
    marks: blocks.flatMap(([path, text]) => marksIn(text).map((name) => ({ path, name }))),
  };
}

/** What is attached to some paths, which exist; null where it cannot be read. */
export async function readAttributesOf(
  paths: readonly string[],
): Promise<ReadonlyMap<string, Attributes> | null> {
  if (paths.length === 0 || !(await canReadAttributes())) return new Map();
  const words = ["/usr/bin/xargs", "-0", ...dump, `--match=${named}`, "--"];
  const { code, said } = await runWithPaths(words, paths);
  if (code !== 0) return null;
  return new Map([...blocksByPath(said)].map(([path, text]) => [path, attributesIn(text)]));
}

/**
 * Removes marks of an overlay, as far as this user may write what has them: they are of no use to whoever the
 * files belong to.
 */
export async function removeOverlayMarks(marks: readonly OverlayMark[]): Promise<void> {
  for (const [name, marked] of Map.groupBy(marks, (mark) => mark.name)) {
    const paths = marked.map(({ path }) => path);
    const remove = ["/usr/bin/setfattr", "--no-dereference", `--remove=${name}`, "--"];
    await runWithPaths(["/usr/bin/xargs", "-0", ...remove], paths);
  }
}

function runWithPaths(words: readonly string[], paths: readonly string[]) {
  const input = Buffer.concat(paths.flatMap((path) => [Buffer.from(bytesOfPath(path)), Buffer.from("\0")]));
  return runSystemProgram(words, input);
}

function marksIn(text: string): readonly string[] {
  return [...text.matchAll(/^(user\.overlay\..*?)=/gm)].map(([, name = ""]) => name);
}

/** Those of a text of the program; what an overlay notes for itself is none of them. */
function attributesIn(text: string): Attributes {
  return new Map(
    [...text.matchAll(/^((?:user|system)\..*)=(.*)$/gm)]
      .filter(([, name = ""]) => !name.startsWith("user.overlay."))
      .map(([, name = "", value = ""]) => [name, name === accessList ? beyondMode(value) : value]),
  );
}

const accessList = "system.posix_acl_access";

/** What a list of access says that a mode does not: of its entries not those of owner, mask and others. */
function beyondMode(value: string): string {
  const entries = value.slice("0x02000000".length).match(/.{16}/g) ?? [];
  return entries.filter((entry) => !/^(?:01|10|20)/.test(entry)).join(" ");
}

/**
 * Gives an entry the attributes and lists of access of another one, and takes those that the other one has
 * not; false where it did not take all.
 */
export async function giveAttributes(from: string, to: string): Promise<boolean> {
  const [wanted, there] = [await rawAttributes(from), await rawAttributes(to)];
  if (wanted === null || there === null) return false;
  const set = "/usr/bin/setfattr";
  const steps = [
    ...[...there.keys()].filter((name) => !wanted.has(name)).map((name) => [`--remove=${name}`]),
    ...[...wanted]
      .filter(([name, value]) => there.get(name) !== value)
      .map(([name, value]) => [`--name=${name}`, `--value=${value}`]),
  ];
  for (const step of steps) {
    const { code } = await runWithPaths(
      ["/usr/bin/xargs", "-0", set, "--no-dereference", ...step, "--"],
      [to],
    );
    if (code !== 0) return false;
  }
  return true;
}

/** The attributes of one entry as they are set; null where they cannot be read. */
async function rawAttributes(path: string): Promise<Attributes | null> {
  const { code, said } = await runWithPaths(
    ["/usr/bin/xargs", "-0", ...dump, `--match=${named}`, "--"],
    [path],
  );
  if (code !== 0) return null;
  const lines = said.toString("latin1").matchAll(/^((?:user|system)\..*)=(.*)$/gm);
  return new Map(
    [...lines]
      .filter(([, name = ""]) => !name.startsWith("user.overlay."))
      .map(([, name = "", value = ""]) => [name, value]),
  );
}
