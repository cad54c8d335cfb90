import type { Effect } from "../../../signal/effect.ts";
import { countOf } from "../../../text/count-of.ts";
import { isInside } from "../../../text/is-inside.ts";
import { differenceEffects } from "../../trial/difference-effects.ts";
import type { ChangedPart } from "../../trial/keep-together.ts";
import { changesOf } from "../../trial/lost-files.ts";
import { withinSize } from "../../trial/measure.ts";
import type { NamedChange } from "../../trial/unnamed-changes.ts";
import { type Loss, lossExtent } from "./loss-effects.ts";

/** What a line may have put into folders outside of the workspace beside what its question told. */
type Told = { readonly named: readonly NamedChange[]; readonly loss: Loss };

const mostNamed = 5;

/**
 * Why nothing is kept of what a line put into a folder outside of the workspace: what would be asked about or
 * blocked inside, and the question did not tell, since only the copy knows what a program unpacks. Null where
 * all of it would have passed.
 */
export async function findUntold([copy, difference]: ChangedPart, told: Told): Promise<string | null> {
  const { named, loss } = told;
  const { label, ports } = loss;
  const judging = {
    overlay: copy,
    label,
    isSecretPath: ports.isSecretPath,
    parsed: new Map<string, string | null>(),
  };
  const effects = await withinSize(() => differenceEffects(difference, judging));
  if (!effects.ok) return effects.error.message;
  const odd = effects.value.flatMap((effect) => wordsOn(effect, told));
  if (odd.length > 0)
    return `It would also have made what no question told: ${listed(odd, "; ")}. ${byNames}`;
  const changes = await changesOf(difference, loss.workspace);
  const changed = changes.changed.filter(({ path }) => !isTold(path, named));
  const extent = changed.length === 0 ? null : await lossExtent({ ...changes, changed }, loss);
  if (extent === null) return null;
  const { count, shown } = extent;
  const lost = countOf(count ?? shown.length, "file");
  return `It would have overwritten ${lost} outside of the workspace that no question named: ${listed(shown, ", ", count ?? 0)}. ${byNames}`;
}

const byNames =
  "Nothing of it was kept there. Let the command fill a folder of the workspace instead, and propose cp -r FOLDER/. PLACE: its question names what comes and what it replaces; leave out what may not be there.";

/** What is wrong with one effect, beside what a question told of it. */
function wordsOn(effect: Effect, { named, loss }: Told): readonly string[] {
  if (effect.kind !== "write-path") return [];
  const { target, executedLater, opens } = effect;
  if (loss.ports.isSecretPath(target)) return [`${target} is a secret path, which no command may write`];
  if (isTold(target, named)) return [];
  if (executedLater !== undefined) return [`${target}: ${executedLater}`];
  return opens === undefined ? [] : [`${target} would open to others (${opens})`];
}

/**
 * Whether a question named a path itself or a folder around it that goes, or looked at the folder that a copy
 * brings there.
 */
function isTold(path: string, named: readonly NamedChange[]): boolean {
  const isWhole = ({ how, tree, isListed }: NamedChange): boolean =>
    isListed === true || (how === "delete" && tree);
  return named.some((each) => each.path === path || (isWhole(each) && isInside(each.path, path)));
}

function listed(words: readonly string[], between: string, count = words.length): string {
  const more = count > mostNamed ? ` and ${count - mostNamed} more` : "";
  return `${words.slice(0, mostNamed).join(between)}${more}`;
}
