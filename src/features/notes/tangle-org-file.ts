import { dirname } from "node:path";
import { readWholeFile } from "../../act/files/contents.ts";
import { done, type Fallible, problem } from "../../act/files/fallible.ts";
import { replaceFile } from "../../act/files/replace.ts";
import { resolveTypedPath } from "../../act/files/typed-path.ts";
import {
  digestsOf,
  findTargets,
  type TangleTarget,
  type TangleTargets,
  unreadableTarget,
} from "../../act/tangle/find-targets.ts";
import { openTangledRecord } from "../../act/tangle/tangled-record.ts";
import { isInside } from "../../text/is-inside.ts";
import { executedLaterRule } from "../../text/later/executed-later.ts";

/** The tangling of a file. `check` writes nothing; `force` replaces files that were changed elsewhere too. */
export type OrgFileTangling = {
  readonly cwd: string;
  readonly home: string;
  readonly file: string;
  readonly stateFolder: string;
  readonly check: boolean;
  readonly force: boolean;
  /** Asked before new files are written where they are not expected; nothing is written without a yes. */
  readonly mayWrite: (files: readonly UnexpectedTarget[]) => Promise<boolean>;
};

/** A file that was not tangled before, with why its place is not expected of an Org file. */
export type UnexpectedTarget = { readonly path: string; readonly why: string };

/** A target with whether it was written. */
export type TangledTarget = TangleTarget & { readonly written: boolean };

/** Writes the files that an Org file names, but for those that somebody changed since they were tangled. */
export async function tangleOrgFile({
  cwd,
  home,
  file,
  stateFolder,
  check,
  force,
  mayWrite,
}: OrgFileTangling): Promise<
  Fallible<{ readonly targets: readonly TangledTarget[]; readonly notes: TangleTargets["notes"] }>
> {
  const path = await resolveTypedPath(file, { workspace: cwd, home });
  if (!path.ok) return path;
  const source = await readWholeFile(path.value);
  if (!source.ok) return source;
  if (source.value === null)
    return problem("not-found", `there is no file ${file}. Correct the name, or create the file`);
  const record = openTangledRecord(stateFolder);
  const found = await findTargets({ path: path.value, bytes: source.value.bytes }, { home, record });
  if (!found.ok) return found;
  const unreadable = unreadableTarget(found.value.targets);
  if (unreadable !== null) return unreadable;
  const isWanted = ({ state }: TangleTarget): boolean =>
    !check && (state === "absent" || state === "older" || (force && state === "edited"));
  const wanted = found.value.targets.filter(isWanted);
  const unexpected = wanted.flatMap((target) => whyUnexpected(dirname(path.value), target));
  if (unexpected.length > 0 && !(await mayWrite(unexpected)))
    return problem("not-allowed", "nothing was written");
  const targets: TangledTarget[] = [];
  for (const target of found.value.targets) {
    if (isWanted(target)) {
      const replaced = await replaceFile({
        path: target.path,
        before: target.current,
        after: target.bytes,
        mode: target.executable ? 0o755 : null,
        keepPreImage: async () => "",
      });
      if (!replaced.ok) return replaced;
    }
    targets.push({ ...target, written: isWanted(target) });
  }
  if (!check)
    await record.keep(digestsOf(targets.filter(({ written, state }) => written || state === "same")));
  return done({ targets, notes: found.value.notes });
}

/** A file that is older than its source was tangled from it before, with a yes where it needed one. */
function whyUnexpected(folder: string, { path, state }: TangleTarget): readonly UnexpectedTarget[] {
  if (state === "older") return [];
  if (!isInside(folder, path)) return [{ path, why: `outside of ${folder}` }];
  const rule = executedLaterRule(path.slice(folder.length));
  return rule === null ? [] : [{ path, why: `run or obeyed later: ${rule}` }];
}
