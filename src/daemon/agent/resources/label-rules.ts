import type { FileLabelRules } from "../../../memory/notes/labels/label-of-file.ts";
import type { State } from "../../../memory/state/state.ts";
import type { Policy } from "../../../settings/policy.ts";
import type { Label } from "../../../signal/label.ts";

/** What the labels of files depend on besides their contents. */
export function labelRulesOf({
  policy,
  state,
}: {
  readonly policy: Pick<Policy, "config" | "notesPlace">;
  /** Without one no origins are known. */
  readonly state: Pick<State, "origins"> | null;
}): FileLabelRules {
  return {
    privacyTags: policy.config.privacyTags,
    originsOf: state?.origins.of ?? (async () => new Map()),
    notes: policy.notesPlace,
  };
}

/**
 * Says how secret a text is that the owner prepares: by what makes a note private, and by the tags in these
 * words of it.
 */
export function makePreparedLabel(
  rules: FileLabelRules,
): (path: string, text: string, words?: readonly string[]) => Promise<Label> {
  return async (path, text, words = []) => {
    const { labelPrepared } = await import("../../../memory/notes/labels/label-of-prepared.ts");
    return labelPrepared({ path, text, words }, rules);
  };
}
