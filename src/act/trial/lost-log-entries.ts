import { join, relative } from "node:path";
import { isInside } from "../../text/is-inside.ts";
import { pushAll } from "../../text/lists.ts";
import { textIn } from "./checked-out.ts";
import { afterwards, type Difference } from "./difference.ts";
import { walkEntries } from "./fingerprint.ts";
import { repositoryOf } from "./lost-commits.ts";
import { type OverlayFolders, openHistory } from "./repository-history.ts";

type Tried = Pick<Difference, "exchanges"> & { readonly overlay: OverlayFolders };

/**
 * Commits of a repository that only its logs led to, each with its subject; null where nobody can say which.
 */
type LostEntries = { readonly repository: string; readonly commits: readonly string[] | null };

/** Of more commits nobody looks at each. */
const mostCommits = 2_000;

/**
 * The commits that entries of logs, such as the list of the stash, led to before a command, and that no
 * branch, tag, `HEAD` or log leads to after it. The objects may be there still: git gives them up later.
 */
export async function lostLogEntries(tried: Tried): Promise<readonly LostEntries[]> {
  const lost: LostEntries[] = [];
  for (const [repository, gone] of await goneEntries(tried)) {
    const led = await ledToAfter(repository, tried);
    const ids = [...gone].filter((id) => !led.has(id));
    const commits = ids.length === 0 ? [] : await outOfReach(ids, { repository, led, tried });
    if (commits?.length !== 0) lost.push({ repository, commits });
  }
  return lost;
}

/** What entries of logs named that the same logs do not name afterwards, by repository. */
async function goneEntries({ exchanges }: Tried): Promise<ReadonlyMap<string, ReadonlySet<string>>> {
  const gone = new Map<string, Set<string>>();
  const at = afterwards(exchanges);
  for (const { path, was } of exchanges) {
    if (was === null) continue;
    for await (const { inside, status } of walkEntries(path)) {
      const file = join(path, inside);
      if (!status.isFile() || !/\/logs\/(?:HEAD|refs\/.+)$/i.test(file)) continue;
      const repository = await repositoryOf(file);
      if (repository === null) continue;
      const ids = gone.get(repository) ?? new Set<string>();
      const now = new Set(namedByLog(await textIn(at(file))));
      for (const id of namedByLog(await textIn(file))) if (!now.has(id)) ids.add(id);
      gone.set(repository, ids);
    }
  }
  return gone;
}

/** An entry as git reads it: of the two names of objects, the second is that of what it leads to. */
const entry =
  /^(?:[0-9a-f]{64}|[0-9a-f]{40}) ([0-9a-f]{64}|[0-9a-f]{40}) [^>\n]*> \d+ [+-]\d{4}[^\n]*(?=\n)/gim;
/** A line of a branch, a tag or their list begins with the name of an object. */
const named = /^(?:[0-9a-f]{64}|[0-9a-f]{40})(?=\s|$)/gim;

function namedByLog(text: string | null): readonly string[] {
  return [...(text ?? "").matchAll(entry)].flatMap(([, id = ""]) =>
    /^0+$/.test(id) ? [] : id.toLowerCase(),
  );
}

/** The files of a repository by which git finds commits that it keeps. */
const leads = /^(?:worktrees\/[^/]+\/)?(?:HEAD|packed-refs|(refs|logs)\/.+)$/i;

/** The objects that the branches, tags, logs and work trees of a repository name after a command. */
async function ledToAfter(repository: string, { exchanges }: Tried): Promise<ReadonlySet<string>> {
  const at = afterwards(exchanges);
  const own = ["HEAD", "packed-refs", "refs", "logs", "worktrees"].map((name) => join(repository, name));
  const made = exchanges.filter(
    ({ path }) =>
      (isInside(repository, path) && !isInside(join(repository, "objects"), path)) ||
      isInside(path, repository),
  );
  const led = new Set<string>();
  for (const { path, incoming } of [...own.map((path) => ({ path, incoming: path })), ...made])
    for await (const { inside, status } of incoming === null ? [] : walkEntries(incoming)) {
      const file = join(path, inside);
      const [found, kind] = leads.exec(relative(repository, file)) ?? [];
      if (found === undefined || !status.isFile()) continue;
      const text = (await textIn(at(file))) ?? "";
      const ids = kind === "logs" ? namedByLog(text) : [...text.matchAll(named)].map(([id]) => id);
      for (const id of ids) led.add(id.toLowerCase());
    }
  return led;
}

type Led = { readonly repository: string; readonly led: ReadonlySet<string>; readonly tried: Tried };

/**
 * Those commits, with what they stand on, that nothing else leads to; null where git cannot say, or there are
 * too many.
 */
async function outOfReach(
  ids: readonly string[],
  { repository, led, tried }: Led,
): Promise<readonly string[] | null> {
  await using git = await openHistory(repository, ids[0]?.length ?? 40, tried.overlay);
  const kinds = await git.run(["cat-file", "--batch-check=%(objectname) %(objecttype)"], ids);
  if (kinds === null) return null;
  const commits = kinds
    .split("\n")
    .flatMap((line) => (/ (?:commit|tag)$/.test(line) ? [line.split(" ", 1)[0] ?? ""] : []));
  if (commits.length === 0) return [];
  const limits = [
    "--topo-order",
    "--first-parent",
    "--ignore-missing",
    `--max-count=${mostCommits + 1}`,
    "--stdin",
  ];
  const input = [...commits];
  pushAll(
    input,
    [...led].map((id) => `^${id}`),
  );
  const found = await git.run(["log", "-z", "--format=%h %s", ...limits], input);
  const lost = found?.split("\0").filter((line) => line !== "") ?? null;
  return lost === null || lost.length > mostCommits ? null : lost;
}
