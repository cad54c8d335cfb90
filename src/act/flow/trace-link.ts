import { stringsIn } from "../../text/json.ts";
import { hostOfUrl } from "../../text/words/identifiers.ts";
import { linkNouns } from "../../text/words/lexicon.ts";
import type { Intent } from "../../text/words/read-intent.ts";
import type { Word } from "../../text/words/tokens.ts";
import { addressesGiven, linksIn } from "./links.ts";
import { namedRecords, stem } from "./name-records.ts";
import { recordsIn } from "./records.ts";
import type { TraceContext } from "./trace-context.ts";
import { isCallNamed } from "./trace-record.ts";

/** Whether a URL that is only read stands in a source that the owner's words name, or on a page of a host that they name. */
export function isNamedLink(url: string, words: readonly Word[], context: TraceContext): boolean {
  return isLinkOfNamedSource(url, context) || isLinkOnNamedHost(url, words, context);
}

/**
 * Whether a page that was fetched from a host that the owner typed links to the address, on the same host.
 */
function isLinkOnNamedHost(url: string, words: readonly Word[], { results }: TraceContext): boolean {
  const host = hostOfUrl(url);
  const isOn = (link: string): boolean => hostOfUrl(link) === host;
  return (
    words.some(({ identifier }) => identifier?.form === "url" && hostOfUrl(identifier.value) === host) &&
    results.some(
      ({ fetches, args, content }) =>
        fetches &&
        addressesGiven(args).length > 0 &&
        addressesGiven(args).every(isOn) &&
        stringsIn(content).some(({ text }) => holdsLink(text, url)),
    )
  );
}

/** Whether a link stands in a result that the owner's words name as a source: by all that its call was given, and by its record. */
function isLinkOfNamedSource(url: string, { intent, results }: TraceContext): boolean {
  const words = intent.words.filter(({ role }) => role !== "content");
  const speaksOfLinks = words.some(({ text }) => linkNouns.has(text));
  const meansAll = words.some(
    ({ text }, at) =>
      (text === "all" || text === "every" || text === "alle") &&
      words.slice(at, at + 4).some((word) => linkNouns.has(word.text)),
  );
  return results.some(({ reads, args, content, nouns }) => {
    // "Find a message that …": what is looked for says what the results are, where no link is spoken of.
    const isSaid = words.some(({ text }) => nouns.some((noun) => noun.length > 2 && stem(text) === noun));
    if (!reads || !(speaksOfLinks || isSaid)) return false;
    const records = recordsIn(content);
    const holders = lookedAt(intent)
      .filter((said) => isCallNamed(args, said))
      .flatMap((said) => namedRecords(records, said, speaksOfLinks && meansAll));
    return holders.some(
      ({ record, named, shared }) =>
        named.length + shared > 1 &&
        record.fields.some(({ values }) => values.some((text) => holdsLink(text, url))),
    );
  });
}

/** The words of each request to look at something, with what its sentence says before, unless that asks for an act. */
function lookedAt({ clauses }: Intent): readonly (readonly Word[])[] {
  const acts = new Set(clauses.flatMap(({ verb, senses }) => (senses.length > 0 ? [verb] : [])));
  return clauses
    .filter(({ senses }) => senses.length === 0)
    .map(({ words, earlier }) => [...(earlier.some(({ text }) => acts.has(text)) ? [] : earlier), ...words]);
}

function holdsLink(text: string, url: string): boolean {
  const host = hostOfUrl(url);
  // To look for one host is cheaper than to find all links.
  return host !== "" && text.toLowerCase().includes(host) && linksIn(text).includes(url);
}
