import { readWholeFile } from "../../act/files/contents.ts";
import type { LabelOfTexts } from "../../act/shell/declared-programs.ts";
import { labelOfFile } from "../../memory/notes/labels/label-of-file.ts";
import type { LabelRules } from "../../memory/notes/labels/labelled-index.ts";
import { StateProblem } from "../../memory/storage/state-problem.ts";
import { openStateReader } from "../../program/read-state.ts";
import type { Policy } from "../../settings/policy.ts";
import type { StartContext } from "../../settings/start-context.ts";
import { bottomLabel, joinAll, type Label } from "../../signal/label.ts";

/** A text that is larger is not looked into. */
const maxBytes = 5 * 1024 * 1024;
const unknownLabel: Label = { ...bottomLabel, secrecy: "private" };

/**
 * Labels texts where no agent runs: by their tags, and by what the state knows of where they come from. What
 * cannot be looked into is private.
 */
export function makeTextLabels(start: StartContext, { config, notesPlace }: Policy): LabelOfTexts {
  const { privacyTags } = config;
  const originsOf = originsOfState(start);
  const labelOf = async (path: string): Promise<Label> => {
    const read = await readWholeFile(path, maxBytes);
    if (!read.ok || read.value === null) return unknownLabel;
    const { bytes, digest } = read.value;
    const inside = await labelOfFile(path, bytes, { privacyTags, originsOf, notes: notesPlace });
    const known = [...(await originsOf([digest])).values()].map(({ label }) => label);
    return joinAll([inside.label, ...known]);
  };
  return async ({ files }) => joinAll(await Promise.all(files.map(labelOf)));
}

/** The recorded origins of texts; none where there is no state yet. */
function originsOfState(start: StartContext): LabelRules["originsOf"] {
  return async (hashes) => {
    try {
      await using reader = await openStateReader(start);
      return await reader.state.origins.of(hashes);
    } catch (error) {
      if (error instanceof StateProblem && error.code === "missing") return new Map();
      throw error;
    }
  };
}
