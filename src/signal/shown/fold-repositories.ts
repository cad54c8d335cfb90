import { isRepositoryData } from "../executed-later/executed-later.ts";
import type { FileDiff } from "../file-diff.ts";
import { countOf } from "../text/count-of.ts";
import { escapeInvisible } from "../text/escape-invisible.ts";

/** What was changed in files, with one line for each repository whose own records were changed. */
export type FoldedChanges = { readonly files: readonly FileDiff[]; readonly repositories: readonly string[] };

/** Digits of a commit's id that are shown. */
const shortId = 7;
/** Records beside the data of a repository: branches, tags, and files such as `HEAD` and `MERGE_MSG`. */
const record = /^(?:refs\/.+|packed-refs|[A-Z_]+)$/;

/**
 * Takes what git itself keeps of a repository (its branches, its index, its objects) out of the files that
 * were changed, and tells it in a line: where each branch is now, and how many records changed besides.
 */
export function foldRepositories(changes: readonly FileDiff[]): FoldedChanges {
  const records = Map.groupBy(changes, ({ path }) => (isRecord(path) ? repositoryOf(path) : ""));
  const files = records.get("") ?? [];
  records.delete("");
  return { files, repositories: [...records].map(([folder, diffs]) => describeRecords(folder, diffs)) };
}

function isRecord(path: string): boolean {
  const folder = repositoryOf(path);
  return folder !== "" && (isRepositoryData(path) || record.test(path.slice(folder.length + 1)));
}

function repositoryOf(path: string): string {
  return /^(?:.*\/)?\.git(?=\/)/i.exec(path)?.[0] ?? "";
}

function describeRecords(folder: string, diffs: readonly FileDiff[]): string {
  const told = diffs.flatMap((diff) => describeReference(diff.path.slice(folder.length + 1), diff));
  const others = diffs.length - told.length;
  const rest = others === 0 ? [] : [countOf(others, told.length === 0 ? "record" : "other record")];
  return escapeInvisible(`${folder}: ${[...told, ...rest].join(", ")}`);
}

/** The branch that the work tree is on, or where a branch or a tag is now; nothing of any other record. */
function describeReference(name: string, { change, diff }: FileDiff): readonly string[] {
  if (name === "HEAD")
    return /(?<=^\+ref: refs\/heads\/).+$/m.exec(diff)?.map((branch) => `now on ${branch}`) ?? [];
  const [, kind, reference] = /^refs\/(heads|tags|remotes)\/(.+)$/.exec(name) ?? [];
  if (reference === undefined) return [];
  const shown = kind === "tags" ? `tag ${reference}` : reference;
  if (change === "delete") return [`${shown} is deleted`];
  const [, id] = /^\+([0-9a-f]{40,64})$/m.exec(diff) ?? [];
  return id === undefined ? [] : [`${shown} is at commit ${id.slice(0, shortId)}`];
}
