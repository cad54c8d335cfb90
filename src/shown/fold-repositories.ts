import type { FileDiff } from "../signal/file-diff.ts";
import { countOf } from "../text/count-of.ts";
import { escapeInvisible } from "../text/escape-invisible.ts";
import { isRepositoryData } from "../text/later/executed-later.ts";

/** What was changed in files, with one line for each repository whose own records were changed. */
export type FoldedChanges = { readonly files: readonly FileDiff[]; readonly repositories: readonly string[] };

/** Digits of a commit's id that are shown. */
const shortId = 7;
/** Records beside the data of a repository: branches, tags, and files such as `HEAD` and `MERGE_MSG`. */
const record = /^(?:refs\/.+|packed-refs|[A-Z_]+)$/;
/**
 * What an operation that goes on later keeps: where it stands. Its options are obeyed, and count as files.
 */
const standing = /^(?:rebase-(?:merge|apply)|sequencer)\/(?!strategy|gpg_sign_opt|opts)[^/]+$/;
/**
 * Where a repository keeps that of a submodule, or what belongs to a linked work tree, with a record in it.
 */
const partOfRepository =
  /^(?:.*\/)?\.git\/(?:modules|worktrees)\/.+?(?=\/(?:refs\/|logs\/|objects\/|index$|packed-refs$|[A-Z_]+$))/;
/** A branch of a repository that is not called `.git`, as git keeps it: its file names a commit. */
const branch = /^(.+)\/refs\/heads\/./;
const namesCommit = /^\+[0-9a-f]{40,64}$/m;
const todoList = /\/(?:git-rebase-)?todo(?:\.backup)?$/;

/**
 * Takes what git itself keeps of a repository (its branches, its index, its objects) out of the files that
 * were changed, and tells it in a line: where each branch is now, and how many records changed besides.
 * `known`: folders that are repositories under other names than `.git`.
 */
export function foldRepositories(changes: readonly FileDiff[], known: readonly string[] = []): FoldedChanges {
  const records = Map.groupBy(changes, (diff) => {
    const folder = repositoryOf(diff, known);
    return isRecord(diff, folder) ? folder : "";
  });
  const files = records.get("") ?? [];
  records.delete("");
  return { files, repositories: [...records].map(([folder, diffs]) => describeRecords(folder, diffs)) };
}

function isRecord(diff: FileDiff, folder: string): boolean {
  const name = diff.path.slice(folder.length + 1);
  const isData = isRepositoryData(`/.git/${name}`);
  return folder !== "" && (isData || record.test(name) || (standing.test(name) && !runs(diff)));
}

/** Whether a list of what is still to be done has a new line that runs a command, as far as it is seen. */
function runs({ path, diff, left }: FileDiff): boolean {
  return todoList.test(path) && (diff === "" || left > 0 || /^\+\s*(?:x|exec)\s/m.test(diff));
}

function repositoryOf({ path, diff }: FileDiff, known: readonly string[]): string {
  const named = partOfRepository.exec(path) ?? /^(?:.*\/)?\.git(?=\/)/i.exec(path);
  const found = named?.[0] ?? known.find((folder) => path.startsWith(`${folder}/`));
  if (found !== undefined) return found;
  return namesCommit.test(diff) ? (branch.exec(path)?.[1] ?? "") : "";
}

function describeRecords(folder: string, diffs: readonly FileDiff[]): string {
  const nameOf = ({ path }: FileDiff): string => path.slice(folder.length + 1);
  const packed = readPacked(diffs.find((diff) => nameOf(diff) === "packed-refs"));
  const loose = diffs.flatMap((diff) => describeReference(nameOf(diff), diff, packed));
  const names = new Set(diffs.map(nameOf));
  const unpacked = [...packed.gone].filter((name) => !names.has(name) && !packed.added.has(name));
  const told = [...loose, ...unpacked.flatMap((name) => shownName(name) ?? []).map(deleted)];
  const others = diffs.length - loose.length;
  const rest = others === 0 ? [] : [countOf(others, told.length === 0 ? "record" : "other record")];
  return escapeInvisible(`${folder}: ${[...told, ...rest].join(", ")}`);
}

/**
 * What was written into git's file of packed branches and tags, and what was taken out of it, by full
 * names.
 */
type Packed = {
  readonly added: ReadonlyMap<string, string>;
  readonly gone: ReadonlySet<string>;
  /** Whether all of its changes are known. */
  readonly isWhole: boolean;
};

function readPacked(diff: FileDiff | undefined): Packed {
  const lines = [...(diff?.diff ?? "").matchAll(/^([+-])([0-9a-f]{40,64}) (refs\/.+)$/gm)];
  const ofSign = (wanted: string) =>
    lines.flatMap(([, sign, id = "", name = ""]) => (sign === wanted ? [[name, id] as const] : []));
  return {
    added: new Map(ofSign("+")),
    gone: new Set(ofSign("-").map(([name]) => name)),
    isWhole: diff === undefined || (diff.diff !== "" && diff.left === 0),
  };
}

/** A branch or a tag as people name it; null for any other record. */
function shownName(name: string): string | null {
  const [, kind, reference] = /^refs\/(heads|tags|remotes)\/(.+)$/.exec(name) ?? [];
  if (reference === undefined) return null;
  return kind === "tags" ? `tag ${reference}` : reference;
}

function deleted(shown: string): string {
  return `${shown} is deleted`;
}

/**
 * The branch that the work tree is on, or where a branch or a tag is now; nothing of any other record, and
 * of a branch that was packed as it is.
 */
function describeReference(name: string, { change, diff }: FileDiff, packed: Packed): readonly string[] {
  if (name === "HEAD") {
    const commit = idBehind("+", diff);
    if (commit !== undefined) return [`now at commit ${commit.slice(0, shortId)}`];
    return /(?<=^\+ref: refs\/heads\/).+$/m.exec(diff)?.map((each) => `now on ${each}`) ?? [];
  }
  const shown = shownName(name);
  if (shown === null) return [];
  const [before, after] = ["-", "+"].map((sign) => idBehind(sign, diff));
  const id = change === "delete" ? packed.added.get(name) : after;
  if (change === "delete" && id === undefined)
    return [packed.isWhole ? deleted(shown) : `${shown} is packed or deleted`];
  return id === undefined || id === before ? [] : [`${shown} is at commit ${id.slice(0, shortId)}`];
}

function idBehind(sign: string, diff: string): string | undefined {
  return new RegExp(`^\\${sign}([0-9a-f]{40,64})$`, "m").exec(diff)?.[1];
}
