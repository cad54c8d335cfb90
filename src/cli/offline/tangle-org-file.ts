import { readWholeFile } from "../../act/files/contents.ts";
import { done, type Fallible, problem } from "../../act/files/fallible.ts";
import { replaceFile } from "../../act/files/replace.ts";
import { resolveTypedPath } from "../../act/files/typed-path.ts";
import {
  digestsOf,
  findTargets,
  type TangleTarget,
  type TangleTargets,
} from "../../act/tangle/find-targets.ts";
import { openTangledRecord } from "../../act/tangle/tangled-record.ts";

/** The tangling of a file. `check` writes nothing; `force` replaces files that were changed elsewhere too. */
export type OrgFileTangling = {
  readonly cwd: string;
  readonly home: string;
  readonly file: string;
  readonly stateFolder: string;
  readonly check: boolean;
  readonly force: boolean;
};

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
  const targets: TangledTarget[] = [];
  for (const target of found.value.targets) {
    const isWanted =
      target.state === "absent" || target.state === "older" || (force && target.state === "edited");
    if (isWanted && !check) {
      const replaced = await replaceFile({
        path: target.path,
        before: target.current,
        after: target.bytes,
        mode: target.executable ? 0o755 : null,
        keepPreImage: async () => "",
      });
      if (!replaced.ok) return replaced;
    }
    targets.push({ ...target, written: isWanted && !check });
  }
  if (!check)
    await record.keep(digestsOf(targets.filter(({ written, state }) => written || state === "same")));
  return done({ targets, notes: found.value.notes });
}
