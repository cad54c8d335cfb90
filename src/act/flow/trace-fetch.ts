import type { CallsOfTurn } from "../../signal/called-result.ts";
import type { ServiceAct } from "../../signal/effect.ts";
import type { FlowOrigin } from "../../signal/facts.ts";
import type { TurnSources } from "../../signal/tool.ts";
import { stringsIn } from "../../text/json.ts";
import { identifierOf } from "../../text/words/identifiers.ts";
import { linkNouns } from "../../text/words/lexicon.ts";
import { readIntent } from "../../text/words/read-intent.ts";
import { forbidsSomething, namesAddress } from "./names-address.ts";
import { standsInAny } from "./references.ts";
import { traceCall } from "./trace-call.ts";
import type { ReadCall } from "./trace-context.ts";

/** The built-in tools that read what an address can stand in. */
const acts: ReadonlyMap<string, ServiceAct> = new Map([
  ...["read-file", "read-code", "search-files", "list-files", "recall", "agenda", "backlinks"].map(
    (name) => [name, "read"] as const,
  ),
  ["fetch-url", "fetch"],
]);

const readCall: ReadCall = (tool, args) => {
  const act = acts.get(tool);
  return act === undefined
    ? null
    : {
        tool,
        act,
        args,
        destinations: new Set(["url"]),
        critical: new Set(),
        isDescribed: true,
        choices: new Set(),
        fields: new Set(),
      };
};

/**
 * Finds where an address comes from that is to be read: the owner endorsed its host, typed it, or named the file or page whose link it is; else it is of others or
 * the model's own. A link counts only where the words speak of links and forbid nothing, each once, and for a few fetches in a turn: by which links it fetches, a model
 * that reads a page full of them could tell its host what it knows.
 */
export async function traceFetch(url: URL, typed: string, sources: TurnSources): Promise<FlowOrigin> {
  if (sources.endorsed?.some(({ argument, value }) => argument === "url" && value === url.origin) === true)
    return "endorsed";
  // No server gets what stands behind "#".
  if (namesAddress(sources.words, url.href.replace(/#.*$/s, ""))) return "words";
  if (standsInAny(typed, sources.pasted ?? [])) return "pasted";
  const otherTurns = asksForLinks(sources) ? ((await sources.otherTurns?.()) ?? []) : null;
  if (otherTurns === null || isLastOfMany(url, [sources, ...otherTurns]))
    return standsInAny(
      typed,
      sources.results.map(({ content }) => content),
    )
      ? "foreign"
      : "agent";
  const call = readCall("fetch-url", { url: typed });
  const writtenFiles = (await sources.writtenFiles?.()) ?? new Map<string, readonly string[]>();
  const origin =
    call &&
    traceCall(call, { ...sources, contacts: [], otherTurns, writtenFiles }, readCall).flows[0]?.origin;
  return origin === "link" || origin === "foreign" ? origin : "agent";
}

/** Fetches of a turn beyond which a link asks. */
const mostFetches = 8;

function asksForLinks({ words, reasons = [] }: TurnSources): boolean {
  const speaks = readIntent(words).words.some(({ text, role }) => role !== "content" && linkNouns.has(text));
  return speaks && !forbidsSomething([...words, ...reasons]);
}

function isLastOfMany(url: URL, turns: readonly CallsOfTurn[]): boolean {
  const tried = turns
    .flatMap(({ results, failed = [] }) => [...results, ...failed])
    .filter(({ tool }) => tool === "fetch-url");
  const pageOf = (text: string) => identifierOf(text)?.value.replace(/\/*#.*$/s, "");
  const wanted = pageOf(url.href);
  return (
    tried.length >= mostFetches ||
    tried.some(({ args }) => stringsIn(args).some(({ text }) => pageOf(text) === wanted))
  );
}
