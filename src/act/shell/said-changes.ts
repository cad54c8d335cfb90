import { basename, dirname, join } from "node:path";
import { streamNamed } from "../files/own-streams.ts";
import { opensFile, type SimpleCommand } from "./program.ts";
import { proveHarmless } from "./programs/prove-harmless.ts";
import { withoutWrappers } from "./programs/unwrap-words.ts";
import { wordedChanges } from "./programs/worded-changes.ts";
import type { WordedChange } from "./programs/worded-rule.ts";

/** A change that the words of a command tell. `path` is real. */
export type ResolvedChange = WordedChange & { readonly exists: boolean };

/** Devices that hold nothing of anybody: what is read from them is none, zeros or chance. */
const emptyDevices = new Set(["null", "zero", "full", "random", "urandom"].map((name) => `/dev/${name}`));

/** The functions that read the world. */
export type ChangeLookup = {
  readonly home: string;
  readonly resolvePath: (path: string) => Promise<string>;
  readonly exists: (path: string) => Promise<boolean>;
  /** Whether no action may read or change a path. */
  readonly isForbidden: (path: string) => boolean;
};

/** What an unproved command says that it reads, writes and deletes, with the commands of a text that it gives to a shell. It adds objections and proves nothing. */
export async function findSaidChanges(
  command: SimpleCommand,
  { home, resolvePath, exists, isForbidden }: ChangeLookup,
): Promise<readonly ResolvedChange[]> {
  const { inside = [] } = command;
  const said = [...ofWords(command), ...inside.flatMap(ofRedirects), ...inside.flatMap(ofWords)];
  const resolved = await Promise.all(
    said.map(async (change) => {
      const named = change.ofHome === true ? join(home, change.path) : change.path;
      const path = await placeOf({ ...change, path: named }, resolvePath);
      return path === null ? [] : [{ ...change, path, exists: await exists(path) }];
    }),
  );
  return resolved
    .flat()
    .filter(
      ({ onlyForbidden, path }) =>
        streamNamed(path) === null && (onlyForbidden !== true || isForbidden(path)),
    );
}

/** The real path that a change is at; null for what would lie behind a link that the command takes itself. */
async function placeOf(
  { path, unfollowed }: WordedChange,
  resolvePath: ChangeLookup["resolvePath"],
): Promise<string | null> {
  if (unfollowed === undefined) return await resolvePath(path);
  const entry = join(await resolvePath(dirname(unfollowed)), basename(unfollowed));
  const isLink = entry !== (await resolvePath(unfollowed));
  if (!isLink) return await resolvePath(path);
  return path === unfollowed ? entry : null;
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
