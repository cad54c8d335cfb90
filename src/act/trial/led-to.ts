import { basename, join, relative } from "node:path";
import { namesCommits } from "../../text/later/executed-later.ts";
import { pushAll } from "../../text/lists.ts";
import { namesIfThere } from "../files/names-if-there.ts";
import { textIn } from "./checked-out.ts";
import { afterwards, type Exchange } from "./difference.ts";
import { walkEntries } from "./fingerprint.ts";
import { emptyTrees } from "./lost-commits.ts";
import { TooLarge } from "./measure.ts";
import { idsIn, namesObjects } from "./missing-objects.ts";
import { entriesIn, type GitFile, type MovedCommit } from "./new-in-git.ts";
import type { History } from "./repository-history.ts";

/** What the logs, `ORIG_HEAD`, `MERGE_HEAD` and the like of a work tree's part of a repository say newly. */
type Led = {
  /** The names of objects that no branch and no such file named there before. */
  readonly ids: ReadonlySet<string>;
  /** Those of the files that lead elsewhere than by the names of objects or branches. */
  readonly odd: readonly string[];
};

/** A line of a log, as git reads it: two names of objects, who, when, and words. */
const logLine = /^([0-9a-f]{64}|[0-9a-f]{40}) ([0-9a-f]{64}|[0-9a-f]{40}) /i;
/** From such words of a log git takes what `git checkout -` goes back to. */
const movedFrom = /checkout: moving from (?=(.*?) to )/g;
const objectName = /^(?:[0-9a-f]{64}|[0-9a-f]{40})$/i;
/** No branch, but how to come from one to a commit, or a name of a commit in short. */
const expression = /[~^:?*[\\\s]|\.\.|@\{|^(?:.*-g)?[0-9a-f]{4,}$/i;

/** What the files of a work tree's part of a repository that lead to commits say newly. */
export async function ledTo(
  own: string,
  exchanges: readonly Exchange[],
  { repository, before, now, refs }: MovedCommit,
): Promise<Led> {
  const [ids, odd] = [new Set<string>(), new Set<string>()];
  const at = afterwards(exchanges);
  for (const { path, incoming } of exchanges) {
    if (incoming === null || !`${path}/`.startsWith(`${own}/`)) continue;
    for await (const { inside, status } of walkEntries(incoming)) {
      const file = join(path, inside);
      const name = relative(own, file);
      if (status.isDirectory() || /^(?:modules|worktrees)\//.test(name)) continue;
      if (!namesCommits(`/.git/${name}`)) continue;
      if (!status.isFile()) odd.add(file);
      const held = new Set((await textIn(file))?.split("\n"));
      const lines = (await textIn(join(incoming, inside)))?.split("\n") ?? [];
      for (const line of lines.filter((each) => !held.has(each))) {
        const moves = /^logs\/head$/i.test(name) ? [...line.matchAll(movedFrom)] : [];
        const froms = moves.map(([, from = ""]) => from);
        const names = name.startsWith("logs/") ? (logLine.exec(line)?.slice(1) ?? []) : [line];
        for (const each of [...names, ...froms]) if (objectName.test(each)) ids.add(each.toLowerCase());
        for (const from of froms) {
          if (objectName.test(from) || !expression.test(from)) continue;
          const branch = `refs/heads/${from}`;
          const isMade = /^[0-9a-f]+$/i.test(from) && (await holdsName(at(join(repository, branch))));
          if (!refs.has(branch) && !isMade) odd.add(file);
        }
      }
    }
  }
  const known = new Set([...before, now]);
  return { ids: new Set([...ids].filter((id) => !/^0+$/.test(id) && !known.has(id))), odd: [...odd] };
}

/** Whether a file holds the name of an object, as that of a branch does. */
async function holdsName(place: string | null): Promise<boolean> {
  return /^(?:[0-9a-f]{64}|[0-9a-f]{40})\n$/.test((await textIn(place)) ?? "");
}

/** Of more commits that nothing led to before nobody looks at each. */
const mostCommits = 2_000;

/**
 * The files as commits made them that nothing led to before: those that the commits of a branch made before,
 * as a rebase does with each, are left out. Null where what is led to is not there, or is too much.
 */
export async function filesLedTo(
  git: History,
  ids: ReadonlySet<string>,
  { repository, was, before }: MovedCommit,
): Promise<readonly GitFile[] | null> {
  const said = async (args: readonly string[], input: readonly string[]): Promise<string> => {
    const found = await git.run(args, input);
    if (found === null) throw new TooLarge(`what the logs of ${repository} lead to cannot be read`);
    return found;
  };
  const listed = (text: string): readonly string[] => text.split("\n").filter((line) => line !== "");
  const kinds = listed(await said(["cat-file", "--batch-check=%(objectname) %(objecttype)"], [...ids]));
  if (kinds.some((line) => line.endsWith(" missing"))) return null;
  const ofKind = (kind: RegExp): readonly string[] =>
    kinds.flatMap((line) => (kind.test(line) ? [line.split(" ", 1)[0] ?? ""] : []));
  const commitsOf = async (some: readonly string[], others: readonly string[]) => {
    if (some.length === 0) return [];
    const limits = ["--ignore-missing", `--max-count=${mostCommits + 1}`, "--stdin"];
    return listed(await said(["rev-list", ...limits], [...some, ...others.map((id) => `^${id}`)]));
  };
  const madeBy = async (commits: readonly string[]): Promise<readonly GitFile[]> =>
    commits.length === 0 ? [] : changesIn(await said(changesOfEach, commits));
  const led = ofKind(/ (?:commit|tag)$/);
  const commits = await commitsOf(led, [...before, ...(await formerIds(repository))]);
  if (commits.length > mostCommits) return null;
  const made = [...(await madeBy(commits))];
  const start = was ?? emptyTrees.get([...ids][0]?.length ?? 0) ?? "";
  for (const tree of ofKind(/ tree$/))
    pushAll(made, entriesIn(await said(["diff-tree", "-r", "-z", "--raw", "--no-renames", start, tree], [])));
  if (made.length === 0) return made;
  const replaced = await commitsOf(was === null ? [] : [was], led);
  const known = new Set((await madeBy(replaced.slice(0, mostCommits))).map(keyOf));
  return made.filter((file) => !known.has(keyOf(file)));
}

function keyOf({ name, id, mode }: GitFile): string {
  return `${mode} ${id} ${name}`;
}

const changesOfEach = [
  "diff-tree",
  "--stdin",
  "--no-commit-id",
  "-r",
  "-c",
  "--root",
  "--raw",
  "-z",
  "--no-renames",
];

/** The files that commits made, each otherwise than in all of its parents. */
function changesIn(listed: string): readonly GitFile[] {
  const change = /:+((?:\d{6} )+)((?:[0-9a-f]{40,64} )+)[A-Z]+\0([^\0]+)\0/g;
  return [...listed.matchAll(change)].flatMap(([, modes = "", objects = "", name = ""]) => {
    const all = modes
      .trim()
      .split(" ")
      .map((mode) => Number.parseInt(mode, 8));
    const mode = all.at(-1) ?? 0;
    const was = all.slice(0, -1).reduce((some, one) => some | one, 0);
    return mode === 0 ? [] : [{ name, id: objects.trim().split(" ").at(-1) ?? "", mode, was }];
  });
}

/** The objects that logs, the stash and the like of a repository named before. */
async function formerIds(repository: string): Promise<readonly string[]> {
  const found = new Set<string>();
  for (const name of await namesIfThere(repository)) {
    if (name === "objects" || name === "modules" || name === "index") continue;
    for await (const { inside, status } of walkEntries(join(repository, name))) {
      const file = join(repository, name, inside);
      if (status.isFile() && basename(file) !== "index" && namesObjects(repository, file))
        for (const id of await idsIn(file)) found.add(id);
    }
  }
  return [...found].filter((id) => !/^0+$/.test(id));
}
