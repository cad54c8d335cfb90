import type { ServiceAct } from "../../signal/effect.ts";
import type { Intent } from "../../text/words/read-intent.ts";
import { partsOf } from "../../text/words/tokens.ts";
import { readToolName } from "./license-act.ts";
import { stem } from "./name-records.ts";
import { isFailure, speaksOfConfirmation } from "./status.ts";
import type { ReadCall, TraceSources } from "./trace-context.ts";

/** Acts that a service may want confirmed. What is fetched or sent comes back with words of others. */
const weighty: ReadonlySet<ServiceAct> = new Set(["change", "delete", "pay", "credential", "grant"]);

type ConfirmationParts = { readonly intent: Intent; readonly readCall: ReadCall };

/** Calls that may fail before the next one asks: a code that is tried more often is guessed. */
export const mostFailures = 3;

/** Whether an act of this turn asked for a confirmation that it has not got. Acts only run with a licence; a read counts where the words ask for it. A confirmation that failed was not given. */
export function asksForConfirmation(
  { results }: TraceSources,
  { intent, readCall }: ConfirmationParts,
): boolean {
  let [open, failures] = [0, 0];
  const read = new Set<string>();
  const said = new Set(
    intent.words
      .filter(({ role }) => role !== "content")
      .flatMap(({ text }) => partsOf(text))
      .map(stem),
  );
  for (const { tool, args, content } of results) {
    const act = readCall(tool, args)?.act ?? null;
    if (act === "credential" && readToolName(tool).senses.has("confirm")) {
      if (isFailure(content)) failures++;
      else open = Math.max(0, open - 1);
    } else if (
      speaksOfConfirmation(content) &&
      (act === "read" ? isAskedRead(tool, said) && !read.has(tool) : act !== null && weighty.has(act))
    )
      open++;
    if (act === "read") read.add(tool);
  }
  return open > 0 && failures < mostFailures * open;
}

function isAskedRead(tool: string, said: ReadonlySet<string>): boolean {
  return readToolName(tool).nouns.filter((noun) => noun.length > 2 && said.has(noun)).length > 1;
}
