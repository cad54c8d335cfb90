import { bottomLabel, joinAll, joinLabels, type Label, secrecyOf } from "../signal/label.ts";
import type { Caller, Preparation } from "../signal/tool.ts";
import { type JsonObject, stringsIn } from "../text/json.ts";
import { makeArgumentLabeller } from "./argument-labeller.ts";
import { labelOfLinks, type NameLabels } from "./files/private-names.ts";
import type { PreparerParts } from "./preparer-parts.ts";

/** A project may have many files. */
const maxEntries = 250_000;

type PreparedFor = {
  /** The arguments of the call. */
  readonly payload: JsonObject;
  readonly preparation: Preparation;
  readonly caller: Caller;
};

/**
 * The label of the reasons that name what a call would do, or why it cannot be prepared: they are as secret
 * as the data in its effects, as what was read to find these, and as where the links lead that its words
 * name.
 */
export async function labelOfReason(
  { payload, preparation, caller }: PreparedFor,
  { labelOfNames, folders }: Pick<PreparerParts, "labelOfNames" | "folders">,
): Promise<Label> {
  const names: NameLabels = labelOfNames === undefined ? {} : { labelOfNames };
  const words = stringsIn(payload).map(({ text }) => text);
  const links = await labelOfLinks(words, {
    ...names,
    cwd: caller.workspace ?? folders.home,
    home: folders.home,
  });
  if (!preparation.ok) {
    const labelOf = makeArgumentLabeller(caller);
    const given = words.map((word) => labelOf(word));
    return joinLabels(preparation.label ?? bottomLabel, secrecyOf([links, ...given]));
  }
  const { effects, toldByEffects = bottomLabel } = preparation;
  const lost = effects.some((effect) => "extent" in effect)
    ? await labelOfExtent(caller, names)
    : bottomLabel;
  return secrecyOf([...effects.map(({ label }) => label), toldByEffects, links, lost]);
}

/** An extent names what is there, beside what would be lost, and what earlier calls of the turn took away. */
async function labelOfExtent({ workspace, sources }: Caller, { labelOfNames }: NameLabels): Promise<Label> {
  const earlier = (sources?.results ?? []).map(({ label }) => label);
  if (workspace === null || labelOfNames === undefined) return joinAll(earlier);
  const all = { path: workspace, tree: true, maxEntries } as const;
  return joinAll([...earlier, await labelOfNames({ ...all, shows: ["made", "repository"] })]);
}
