import type { ServiceAct } from "../../signal/effect.ts";
import { type Flow, type FlowOrigin, isTrustedOrigin, type Licence } from "../../signal/facts.ts";
import { foldName } from "../../text/fold-name.ts";
import { type JsonObject, stringsIn } from "../../text/json.ts";
import type { Clause } from "../../text/words/find-clauses.ts";
import { findAmount } from "../../text/words/find-words.ts";
import { type IdentifierForm, identifierOf } from "../../text/words/identifiers.ts";
import { bookingVerbs, confirmationWords, synonymsOf, unitNouns } from "../../text/words/lexicon.ts";
import { type Intent, readIntent } from "../../text/words/read-intent.ts";
import { asksForConfirmation } from "./asks-confirmation.ts";
import { type DecidingValue, decidingValues, unknownFields } from "./deciding-values.ts";
import { isMomentName, momentsOf, wordsOfName } from "./fits-name.ts";
import { type ActRequest, books, findRequest, hasNoun, readToolName, type ToolWords } from "./license-act.ts";
import { linkFlows, originOfFetched } from "./link-flows.ts";
import { orderOf } from "./order.ts";
import { isPlainOrder } from "./plain-order.ts";
import { actsOfRequest, isAmountPaid, isRepeated } from "./repeated-act.ts";
import { isSaidCurrency } from "./said-currency.ts";
import {
  type ApprovedValue,
  decidingNames,
  type ReadCall,
  type TraceContext,
  type TracedCall,
  type TraceSources,
} from "./trace-context.ts";
import { foreignMoments } from "./trace-moments.ts";
import { traceValue } from "./trace-value.ts";
import { tracedResults } from "./traced-results.ts";
import { originOfUndeclared, undeclaredValues } from "./undeclared-values.ts";

/** Where the values of a call come from, and what the owner's words of this turn license of it. */
export type TracedFlows = { readonly flows: readonly Flow[]; readonly licences: readonly Licence[] };

/** Traces the values of a call on its only effect. Reading needs no licence and has no flows. */
export function traceCall(call: TracedCall, sources: TraceSources, readCall: ReadCall): TracedFlows {
  if (call.act === "read") return { flows: [], licences: [] };
  const { forbidden, ...asked } = readIntent(sources.words);
  const intent = { ...asked, forbidden: [...forbidden, ...readIntent(sources.reasons ?? []).forbidden] };
  const tool = readToolName(call.tool);
  const request = findRequest(intent, call.act, tool);
  const results = tracedResults(sources, readCall);
  const approved = sources.approved
    .filter(
      (one) =>
        one.tool === call.tool || (isMild(call.act) && isMild(readCall(one.tool, one.args)?.act ?? null)),
    )
    .flatMap(({ tool: used, args }) => approvedValues(args, used === call.tool));
  const values = decidingValues(call.args, call, tool);
  const context: TraceContext = {
    intent,
    request,
    sources,
    approved,
    results,
    removes: tool.senses.has("delete") || books(tool),
    books: books(tool),
    pays: call.act === "pay",
    given: values.map(({ value }) => value),
    destinations: values.flatMap(({ value, role }) => (role === "destination" ? [value] : [])),
    outward: isOutward(call),
    tool,
  };
  const confirms = call.act === "credential" && asksForConfirmation(sources, { intent, readCall });
  const flows = [
    ...values.map((value, at) => ({
      ...value,
      origin:
        isSecond(value, values.slice(0, at), call.act) || isPartOfMoment(value)
          ? ("agent" as const)
          : originOf(value, { call, context, confirms }),
    })),
    ...(call.act === "credential" ? [] : linkFlows(call, context)),
  ].map(({ pointer, role, origin }): Flow => ({ effectIndex: 0, argument: pointer, role, origin }));
  const undeclared = undeclaredFlows(call, { values, flows, context });
  const riding = [
    ...undeclared.map(({ flow }) => flow),
    ...unknownFields(call)
      .filter(({ name, pointer }) => !isSaidCurrency(name, context) && !isStrange(pointer, flows))
      .map(({ pointer }) => rideAlong(pointer, "agent")),
  ];
  const moments = foreignMoments(call.args, decidingNames(call), context).map(({ pointer }) =>
    rideAlong(pointer, "foreign"),
  );
  const licensed =
    call.act === "fetch"
      ? flows.length > 0 && flows.every(({ origin }) => isTrustedOrigin[origin])
      : flows.some(({ origin }) => origin === "confirmation") ||
        (isLicensed(call, { intent, request, tool, values, flows, sources, readCall }) &&
          isPlainOrder(orderOf(call, { values, flows, context, undeclared }), request.companions));
  return {
    flows: [...flows, ...riding, ...moments],
    licences: licensed ? [intentLicence(request, call)] : [],
  };
}

/** The arguments that nobody declares and that decide all the same, with where they come from. */
function undeclaredFlows(
  call: TracedCall,
  {
    values,
    flows,
    context,
  }: {
    readonly values: readonly DecidingValue[];
    readonly flows: readonly Flow[];
    readonly context: TraceContext;
  },
): readonly { readonly value: DecidingValue; readonly flow: Flow }[] {
  const undeclared = undeclaredValues(call).filter(
    ({ pointer }) => !flows.some(({ argument }) => argument === pointer),
  );
  const all = [...values, ...undeclared];
  return undeclared.map((value) => ({
    value,
    flow: rideAlong(value.pointer, originOfUndeclared(value, all, { act: call.act, context })),
  }));
}

/** Whether the value in a place asks already. */
function isStrange(pointer: string, flows: readonly Flow[]): boolean {
  return flows.some(({ argument, origin }) => argument === pointer && !isTrustedOrigin[origin]);
}

function rideAlong(argument: string, origin: FlowOrigin): Flow {
  return { effectIndex: 0, argument, role: "critical", origin };
}

/** An approval of a value to fetch or to keep counts for both. To send, to delete, to pay and to give rights with it is another question. */
function isMild(act: ServiceAct | null): boolean {
  return act === "fetch" || act === "change";
}

/** The values that the owner said yes to: for the same tool each in its place, since a yes to a text is none to what the text names. */
function approvedValues(args: JsonObject, isSame: boolean): readonly ApprovedValue[] {
  return stringsIn(args).map(({ path, text }) => ({
    name: isSame ? nameAt(path) : null,
    value: text,
  }));
}

/** The name of the argument, or of the field inside it; an item of a list has the name of the list. */
function nameAt(path: string): string {
  return foldName(path.split("/").findLast((part) => !/^\d*$/.test(part)) ?? "");
}

/**
 * Whether another argument has the same address, or another place in an argument of a payment the same value:
 * what is named once is named for one of them.
 */
function isSecond(
  { name, value, pointer }: DecidingValue,
  before: readonly DecidingValue[],
  act: ServiceAct,
): boolean {
  const wanted = identifierOf(value);
  return before.some(
    (one) =>
      (wanted?.form === "address" && one.name !== name && one.value === value) ||
      (act === "pay" &&
        one.pointer.split("/")[1] === pointer.split("/")[1] &&
        (identifierOf(one.value)?.value ?? one.value) === (wanted?.value ?? value)),
  );
}

/** One moment in several parts is none that the owner said. */
function isPartOfMoment({ name, pointer }: DecidingValue): boolean {
  return isMomentName(name) && /\/\d+$/.test(pointer);
}

type OriginParts = { readonly call: TracedCall; readonly context: TraceContext; readonly confirms: boolean };

function originOf(value: DecidingValue, { call, context, confirms }: OriginParts): FlowOrigin {
  if (call.act === "fetch") return originOfFetched(value, context);
  const confirming = wordsOfName(value.name).some((part) => confirmationWords.has(part));
  if (!confirming || call.act !== "credential") return traceValue(value, context);
  if (confirms) return "confirmation";
  return findAmount(context.intent.words, value.value).length > 0 ? "words" : "agent";
}

/** Whether others get what the call says. */
function isOutward({ act }: TracedCall): boolean {
  return act === "send" || act === "grant" || act === "pay" || act === "unknown";
}

type LicenceParts = {
  readonly intent: Intent;
  readonly request: ActRequest;
  readonly tool: ToolWords;
  readonly values: readonly DecidingValue[];
  readonly flows: readonly Flow[];
  readonly sources: TraceSources;
  readonly readCall: ReadCall;
};

/** Whether a verb of the owner asks for the act, for as many as it says; an act that names nothing must at least be about what the words say. */
function isLicensed(call: TracedCall, parts: LicenceParts): boolean {
  const { intent, request, tool, values, sources, readCall } = parts;
  const { clauses } = request;
  const repeating = { intent, clauses, sources, readCall };
  if (clauses.length === 0 || isRepeated(call, repeating) || (values.length === 0 && !hasNoun(clauses, tool)))
    return false;
  // Where it goes is left out, or stands where nobody looks for it.
  if (values.length === 0 && call.act !== "change" && call.destinations.size > 0) return false;
  if (call.act === "pay" && !hasSaidDates(call, clauses)) return false;
  // It says to whom, and leaves how much to the service.
  const decidesMore = [...call.critical].some((name) => !call.destinations.has(name));
  const saysOnlyWhere = values.length > 0 && values.every(({ role }) => role === "destination");
  if (call.act === "pay" && decidesMore && saysOnlyWhere) return false;
  if (call.act === "pay" && isAmountPaid(values, clauses, actsOfRequest(call, repeating))) return false;
  if (!isForNow(call, clauses, sources)) return false;
  if (values.length > 0)
    return (isOutward(call) && !createsOnly(tool)) || isToldByValues(parts) || hasNoun(clauses, tool);
  const done = actsOfRequest(call, repeating).length;
  return (
    clauses.some(({ count }) => count === "all") ||
    done < clauses.reduce((sum, { count }) => sum + (typeof count === "number" ? count : 1), 0)
  );
}

/** "Create an event" asks for no door to be opened: what is created must be said. */
function createsOnly({ senses, verbs }: ToolWords): boolean {
  return senses.has("create") && senses.size === 1 && ![...verbs].some((verb) => bookingVerbs.has(verb));
}

/** "From June 1st on" asks for no payment now: a date that the request says must be in the call. */
function hasSaidDates({ args }: TracedCall, clauses: readonly Clause[]): boolean {
  const given = stringsIn(args).flatMap(({ text }) => momentsOf(text));
  const said = clauses.flatMap(({ words }) =>
    words.flatMap(({ date, slot, role }) =>
      date === null || role === "content" || slot === "remark" || slot === "source" ? [] : [date],
    ),
  );
  return said.every((date) => given.some(({ value }) => value === date || date === `*${value.slice(4)}`));
}

/**
 * "Delete it tomorrow" asks for nothing now: an act that takes no moment is done at once. What has a date
 * of its own is only described by it.
 */
function isForNow(
  { act, args }: TracedCall,
  clauses: readonly Clause[],
  { today = "" }: TraceSources,
): boolean {
  if (act === "send" || act === "change" || stringsIn(args).some(({ text }) => momentsOf(text).length > 0))
    return true;
  return clauses.some(
    ({ words }) =>
      words.some(({ text }) => datedNouns.has(text)) ||
      !words.some(
        ({ text, role, slot, date }, at) =>
          role !== "content" &&
          slot !== "remark" &&
          (laterWords.has(text) ||
            (today !== "" && slot !== "source" && date !== null && date > today) ||
            (nextWords.has(text) && unitNouns.has(words[at + 1]?.text ?? "")) ||
            (text === "in" &&
              words[at + 1]?.identifier?.form === "number" &&
              unitNouns.has(words[at + 2]?.text ?? ""))),
      ),
  );
}

const laterWords: ReadonlySet<string> = new Set("tomorrow tonight later morgen übermorgen später".split(" "));
const nextWords: ReadonlySet<string> = new Set("next nächste nächsten nächstes nächster".split(" "));
const datedNouns: ReadonlySet<string> = new Set([
  ...synonymsOf("event"),
  ..."events meetings appointments booking reservation room hotel flight trip ticket table taxi buchung reservierung termine".split(
    " ",
  ),
]);

/** Whether the values alone tell what an act makes or adds to, as a path or a record does. The name of another thing, such as an event's, tells no file. */
function isToldByValues({ tool, values, flows }: LicenceParts): boolean {
  if (books(tool) || (!tool.senses.has("create") && !tool.senses.has("insert"))) return true;
  return (
    flows.some(({ origin }) => origin !== "words") ||
    values.some(({ value }) => selfTelling.has(identifierOf(value)?.form ?? "number"))
  );
}

const selfTelling: ReadonlySet<IdentifierForm> = new Set(["address", "url", "account", "path"]);

function intentLicence({ clauses }: ActRequest, { tool, act }: TracedCall): Licence {
  const verb = clauses[0]?.verb ?? (act === "fetch" ? "read" : "confirm");
  return {
    kind: "intent",
    name: `your word "${verb}" (${tool})`,
    discharges: ["service-act"],
    effectIndexes: [0],
  };
}
