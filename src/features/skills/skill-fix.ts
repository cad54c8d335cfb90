import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { sha256 } from "../../machine/digest.ts";
import { openStateReader } from "../../program/read-state.ts";
import { replaceFile } from "../../settings/replace-file.ts";
import type { StartContext } from "../../settings/start-context.ts";
import { describeLabel } from "../../shown/describe-skill-change.ts";
import { wholeDiff } from "../../signal/file-diff.ts";
import { isOwnText } from "../../signal/label-of-skill.ts";
import { skillName } from "../../skills/read-skill-file.ts";

/** The fix that was proposed for a skill, or why there is none. */
export type SkillFix =
  | {
      readonly ok: true;
      readonly path: string;
      readonly diff: string;
      /** What the owner has to know of what it was made from, in lines. */
      readonly from: readonly string[];
      /** The file with the fix. */
      readonly text: string;
      readonly write: () => void;
    }
  | { readonly ok: false; readonly problem: string };

/** Opens the fix that was proposed for a skill of a folder. It counts for the file as it was then. */
export async function openSkillFix(start: StartContext, folder: string, name: string): Promise<SkillFix> {
  const path = join(folder, `${name}.org`);
  if (!skillName.test(name) || !existsSync(path))
    return { ok: false, problem: `There is no skill ${name}. List them with: passepartout skill list` };
  await using reader = await openStateReader(start);
  const fix = await reader.state.skillTroubles.fixOf(name);
  if (fix === null)
    return {
      ok: false,
      problem: `No fix was proposed for the skill ${name}. The job self-repair proposes one after it failed; to ask for one now: passepartout jobs run self-repair`,
    };
  const { before, after, label } = fix;
  const text = readFileSync(path, "utf8");
  if (text === after) return { ok: false, problem: `${path} has this fix already.` };
  if (sha256(text) !== before)
    return {
      ok: false,
      problem: `${path} changed since the fix was proposed, so nothing was done. If it still fails, another fix will be proposed.`,
    };
  const diff = wholeDiff(Buffer.from(text), Buffer.from(after)) ?? "";
  const about = { label: isOwnText(label) ? undefined : label, before: null, checked: { head: { name } } };
  return {
    ok: true,
    path,
    diff,
    from: describeLabel(about, false),
    text: after,
    write: () => replaceFile(path, after),
  };
}
