import { basename, dirname, join } from "node:path";
import { isInside } from "../../text/is-inside.ts";
import { streamNamed } from "../files/own-streams.ts";
import { entryIfThere, statusIfThere } from "../files/status-if-there.ts";
import { sandboxFolders } from "../sandbox/bubblewrap.ts";
import { type CopiedTree, lookAtCopied } from "./copied-tree.ts";
import { opensFile, type SimpleCommand } from "./program.ts";
import { proveHarmless } from "./programs/prove-harmless.ts";
import { withoutWrappers } from "./programs/unwrap-words.ts";
import { wordedChanges } from "./programs/worded-changes.ts";
import type { WordedChange } from "./programs/worded-rule.ts";

/** A change that the words of a command tell. `path` is real; `written` is what was typed, made absolute. */
export type ResolvedChange = WordedChange & {
  readonly written: string;
  readonly exists: boolean;
  /** What a folder that is copied or moved there brings; left out in the workspace. */
  readonly copied?: CopiedTree;
};

/** Devices that hold nothing of anybody: what is read from them is none, zeros or chance. */
const emptyDevices = new Set(["null", "zero", "full", "random", "urandom"].map((name) => `/dev/${name}`));

/** The functions that read the world. */
export type ChangeLookup = {
  readonly cwd: string;
  readonly workspace: string | null;
  readonly home: string;
  readonly mayLook: boolean;
  readonly resolvePath: (path: string) => Promise<string>;
  readonly exists: (path: string) => Promise<boolean>;
  /** Whether no action may read or change a path. */
  readonly isForbidden: (path: string) => boolean;
};

/** What an unproved command says that it reads, writes and deletes, with the commands of a text that it gives to a shell. It adds objections and proves nothing. */
export async function findSaidChanges(
  command: SimpleCommand,
  lookup: ChangeLookup,
): Promise<readonly ResolvedChange[]> {
  const { inside = [] } = command;
  const { cwd, home, exists, isForbidden } = lookup;
  const said = [...ofWords(command), ...inside.flatMap(ofRedirects), ...inside.flatMap(ofWords)];
  const resolved = await Promise.all(
    said.map(async (change) => {
      const named = change.ofHome === true ? join(home, change.path) : change.path;
      const path = await placeOf({ ...change, path: named }, lookup);
      const written = named.startsWith("/") ? named : join(cwd, named);
      if (path === null) return [];
      const resolvedChange = { ...change, path, written, exists: await exists(path) };
      const isPlaced = isOutside(path, lookup.workspace) || change.how === "read";
      return isPlaced && lookup.mayLook ? withCopied(resolvedChange, lookup) : [resolvedChange];
    }),
  );
  return resolved
    .flat()
    .filter(
      ({ onlyForbidden, path, written, how, made }) =>
        streamNamed(path) === null &&
        (onlyForbidden !== true ||
          [path, written].some(isForbidden) ||
          (how !== "read" &&
            isOutside(path, lookup.workspace) &&
            (made === true || !isScratch(path, lookup)))),
    );
}

/**
 * Whether a path is in a folder that each sandbox has of its own, where a line may leave what it needs
 * itself.
 */
function isScratch(path: string, { home }: ChangeLookup): boolean {
  return !isInside(home, path) && sandboxFolders.some((folder) => isInside(folder, path));
}

/** A change outside of the workspace with what is copied or moved there; none that cannot be. */
async function withCopied(
  change: ResolvedChange,
  { resolvePath }: ChangeLookup,
): Promise<readonly ResolvedChange[]> {
  const { onlyWhere, from, path, unfollowed } = change;
  const isTakenItself = unfollowed !== undefined && (await entryIfThere(path))?.isSymbolicLink() === true;
  if (onlyWhere !== undefined && !isTakenItself) {
    const status = await statusIfThere(await resolvePath(onlyWhere.target));
    if ((status?.isDirectory() === true) !== onlyWhere.isFolder) return [];
  }
  const copied = from === undefined ? null : await lookAtCopied(await resolvePath(from), path);
  return [copied === null ? change : { ...change, copied }];
}

/** Of more files that a copied folder replaces the extent of the command tells. */
const mostReplaced = 20;

/** A change with the files that it replaces, where what it copies is a folder. */
export function withReplaced({ copied, ...change }: ResolvedChange): readonly ResolvedChange[] {
  if (copied === undefined) return [change];
  const replaced = copied.replaced.slice(0, mostReplaced);
  const { how } = change;
  return [
    { ...change, copied },
    ...replaced.map((path): ResolvedChange => ({ path, how, tree: false, written: path, exists: true })),
  ];
}

/** The real path that a change is at; null for what would lie behind a link that the command takes itself. */
async function placeOf(
  { path, how, unfollowed }: WordedChange,
  { workspace, resolvePath }: ChangeLookup,
): Promise<string | null> {
  if (unfollowed === undefined) {
    const entry = how === "delete" ? await entryOf(path, resolvePath) : null;
    return entry !== null && isOutside(entry, workspace) ? entry : await resolvePath(path);
  }
  const entry = join(await resolvePath(dirname(unfollowed)), basename(unfollowed));
  const isLink = entry !== (await resolvePath(unfollowed));
  if (!isLink) return await resolvePath(path);
  return path === unfollowed ? entry : null;
}

function isOutside(path: string, workspace: string | null): boolean {
  return workspace !== null && !isInside(workspace, path);
}

/** What is deleted by a path that ends in a name: a link itself, and not what it leads to. */
async function entryOf(path: string, resolvePath: ChangeLookup["resolvePath"]): Promise<string | null> {
  if (/(?:^|\/)\.{0,2}$/.test(path)) return null;
  return join(await resolvePath(dirname(path)), basename(path));
}

/** What a command says itself, and what the command behind its wrappers would read by the grammar. */
function ofWords({ argv }: SimpleCommand): readonly WordedChange[] {
  const started = proveHarmless(withoutWrappers(argv));
  const reads = started.harmless ? started.reads : [];
  const contents = reads.filter(({ access, path }) => access === "contents" && !isInput(path, false));
  return [
    ...wordedChanges(argv),
    ...contents.map(({ path, tree }) => ({ path, tree, how: "read" }) as const),
  ];
}

function ofRedirects({ redirects }: SimpleCommand): readonly WordedChange[] {
  return redirects
    .filter((redirect) => opensFile(redirect) && redirect.target !== "/dev/null")
    .map(({ op, target }) => ({ path: target, how: op === "<" ? "read" : "write", tree: false }) as const);
}

/** Most programs take `-` for their input, some for a file of that name: it counts where there is one. */
export function isInput(path: string, hasDash: boolean): boolean {
  return emptyDevices.has(path) || streamNamed(path) === 0 || (path === "-" && !hasDash);
}
