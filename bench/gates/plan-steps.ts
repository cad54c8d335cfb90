import { canonicalJson, type Json, type JsonObject, stringsIn } from "../../src/text/json.ts";
import { pushAll } from "../../src/text/lists.ts";
import { identifierOf } from "../../src/text/words/identifiers.ts";
import { confirmationWords } from "../../src/text/words/lexicon.ts";
import { partsOf } from "../../src/text/words/tokens.ts";
import type { BenchCall, BenchSuite } from "./bench-suite.ts";
import type { ReplayedTurn, ReplayParts } from "./service-bench.ts";

/**
 * The steps of a flight plan that a model can propose at this place of a task: each call still to come that would ask and whose deciding
 * values are known by now, as the tool `propose-plan` takes it. A value that only a later output has is not known, nor is a code of one use,
 * nor an address that nobody has yet.
 */
export async function planSteps(
  calls: readonly BenchCall[],
  turn: ReplayedTurn,
  { suite, bench, read }: ReplayParts,
): Promise<readonly string[]> {
  const known = [turn.prompt, ...turn.results.flatMap(({ args, content }) => textsOf([args, content]))];
  const later: string[] = [];
  const times = new Map<string, number>();
  for (const call of calls) {
    const args = decidingArguments(call, suite);
    const isAct = suite.tools[call.tool]?.effect !== "read";
    if (isAct && isKnown(args, known, later)) {
      // A further plan takes the place of the one in force.
      const { verdict } = await bench.judge(call.tool, call.args, { ...turn, plan: null });
      const step = `call ${call.tool} ${canonicalJson(args)}`;
      if (verdict.decision === "ask") times.set(step, (times.get(step) ?? 0) + 1);
      pushAll(known, textsOf([args]));
    }
    pushAll(later, textsOf([read(call.output)]));
  }
  return [...times].map(([step, count]) => (count === 1 ? step : `${count}x ${step}`));
}

function decidingArguments({ tool, args }: BenchCall, { tools }: BenchSuite): JsonObject {
  const { critical_args: critical = null, destination_args: destinations } = tools[tool] ?? {};
  const deciding = critical === null ? Object.keys(args) : [...critical, ...(destinations ?? [])];
  return Object.fromEntries(Object.entries(args).filter(([name]) => deciding.includes(name)));
}

function isKnown(args: JsonObject, known: readonly string[], later: readonly string[]): boolean {
  return Object.entries(args).every(([name, held]) => {
    const parts = partsOf(name.replaceAll("_", " "));
    if (parts.some((part) => confirmationWords.has(part))) return false;
    // Which kind of thing it is, the tool says.
    const values = stringsIn(held).flatMap(({ path, text }) => (/\/(?:type|kind)$/.test(path) ? [] : [text]));
    if (parts.includes("url") && values.some((value) => identifierOf(value)?.form !== "url")) return false;
    return values
      .flatMap(partsOfValue)
      .every((part) => known.some((text) => holds(text, part)) || !later.some((text) => holds(text, part)));
  });
}

/** A path or a name with an owner is put together from its parts, each of which has to be known. */
function partsOfValue(value: string): readonly string[] {
  return identifierOf(value)?.form === "url" ? [value] : value.split("/").filter((part) => part !== "");
}

/** Whether a text holds a value, an id only as a whole. */
function holds(text: string, value: string): boolean {
  return value.length > 4 ? text.includes(value) : text === value;
}

function textsOf(values: readonly Json[]): readonly string[] {
  return values.flatMap((value) => stringsIn(value).map(({ text }) => text));
}
