import type { FlowOrigin } from "../../signal/facts.ts";
import { foldName } from "../../text/fold-name.ts";
import { textsIn } from "../../text/json.ts";
import { identifierOf } from "../../text/words/identifiers.ts";
import { outwardAddressesIn } from "./links.ts";
import { forbidsSomething, namesAddress } from "./names-address.ts";
import { decidingNames, type TraceContext, type TracedArgument, type TracedCall } from "./trace-context.ts";
import { traceAddress } from "./trace-value.ts";

type LinkFlow = { readonly pointer: string; readonly role: "link"; readonly origin: FlowOrigin };

/**
 * The addresses in the texts of a call that are not the owner's: a link, a mail address, an account to pay
 * to. Nobody reads a password.
 */
export function linkFlows(call: TracedCall, context: TraceContext): readonly LinkFlow[] {
  const deciding = decidingNames(call);
  const texts = textsIn(call.args).filter(({ path }) => !deciding.has(foldName(path.split("/")[1] ?? "")));
  if (call.act === "fetch") return texts.flatMap((text) => fetchedIn(text, context));
  const { intent, sources } = context;
  const own = new Set([
    ...intent.words.flatMap(({ identifier }) => (identifier === null ? [] : [identifier.value])),
    ...sources.words.flatMap((said) => outwardAddressesIn(said, true)),
    ...sources.contacts.map(({ value }) => value),
  ]);
  return texts.flatMap(({ path, text }) =>
    outwardAddressesIn(text, context.outward)
      .filter((address) => !own.has(address))
      .map((): LinkFlow => ({ pointer: path, role: "link", origin: "foreign" })),
  );
}

/**
 * A server may fetch, or tell, whatever address an argument holds: each counts as one to fetch. A long number
 * is none.
 */
function fetchedIn(
  { path, text }: { path: string; text: string },
  context: TraceContext,
): readonly LinkFlow[] {
  const name = path.split("/").findLast((part) => !/^\d*$/.test(part)) ?? "";
  return outwardAddressesIn(text, true)
    .filter((address) => !/^\+?\d+$/.test(address))
    .map((value) => {
      const origin = originOfFetched({ name, value, role: "destination", nouns: [] }, context);
      return { pointer: path, role: "link", origin };
    });
}

/**
 * Where an address comes from that is to be fetched. Words that may forbid something ask for no page that
 * they name or lead to.
 */
export function originOfFetched(value: TracedArgument, context: TraceContext): FlowOrigin {
  const origin = traceAddress(value, context);
  const { words, reasons = [] } = context.sources;
  const isPage = identifierOf(value.value)?.form === "url";
  const forbids =
    (origin === "words" && (forbidsSomething(words) || (isPage && !namesAddress(words, value.value)))) ||
    (origin === "link" && forbidsSomething([...words, ...reasons]));
  return forbids ? "agent" : origin;
}
