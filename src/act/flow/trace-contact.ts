import type { Contact } from "../../signal/contact.ts";
import type { ClauseWord } from "../../text/words/find-clauses.ts";
import { findPhrase } from "../../text/words/find-words.ts";
import { contactValue, identifierOf } from "../../text/words/identifiers.ts";
import { commonWords, sourcePrepositions, targetPrepositions } from "../../text/words/lexicon.ts";
import { partsOf, type Word } from "../../text/words/tokens.ts";
import { isPersonName } from "./fits-name.ts";
import { accountsIn, accountValue } from "./said-accounts.ts";
import { fitsSlot, type TraceContext, type TracedArgument } from "./trace-context.ts";

/** Whether the clause names a contact with this address, and nobody else by the same name. */
export function isContact({ name: argument, value, role }: TracedArgument, context: TraceContext): boolean {
  const { intent, request, sources } = context;
  const canonical = contactValue(value) ?? value;
  const own = sources.contacts.filter((contact) => contact.value === canonical);
  if (own.length === 0 || role !== "destination" || !isPersonName(argument)) return false;
  const typed = intent.words.flatMap(({ identifier, role: said }) =>
    said !== "content" && identifier?.form === "address" ? [identifier.value] : [],
  );
  const clauses = [...request.clauses, ...request.companions];
  return clauses.some(({ words }) => {
    const usable = words.filter((word) => fitsSlot(word, role, context));
    // "Pay Anna to DE12 …": another account than the noted one.
    if (
      kindOf(canonical) === "account" &&
      accountsIn(usable).some((account) => account !== accountValue(value))
    )
      return false;
    return own.some((contact) => {
      const others = othersThan(contact, sources.contacts);
      const { names, value: meant, past = false } = contact;
      return names.some((name) =>
        callsAlone(usable, name, { canonical: meant, past, others, typed, clause: words }),
      );
    });
  });
}

type ContactSearch = {
  readonly canonical: string;
  readonly past: boolean;
  readonly others: readonly Contact[];
  readonly typed: readonly string[];
  readonly clause: readonly ClauseWord[];
};

/**
 * The contacts that a name may mean instead: all with another value, but for the values of another kind in
 * the same entry, such as a phone number beside an address.
 */
function othersThan({ value, entry }: Contact, contacts: readonly Contact[]): readonly Contact[] {
  const beside = contacts.filter(
    (one) => entry !== undefined && one.entry === entry && kindOf(one.value) !== kindOf(value),
  );
  return contacts.filter(
    (one) =>
      one.value !== value &&
      !beside.some((same) => same === one || (one.past === true && one.value === same.value)),
  );
}

function kindOf(value: string): string {
  return identifierOf(value)?.form ?? "number";
}

/** Whether words call a contact by its whole name, or by its first name where no other contact has it. */
function callsAlone(
  words: readonly ClauseWord[],
  name: string,
  { canonical, past, others, typed, clause }: ContactSearch,
): boolean {
  const parts = partsOf(name);
  const has = (part: string): boolean =>
    others.some(({ names }) => names.some((other) => partsOf(other).includes(part)));
  const isFree = !others.some(({ names }) =>
    names.some((other) => partsOf(other).join(" ") === parts.join(" ")),
  );
  const called = (phrase: readonly string[]): readonly ClauseWord[] =>
    findPhrase(words, phrase).filter((word) => !hasOtherAddress(clause, word, { parts, canonical }));
  if (parts.length > 1 && isFree && called(parts).length > 0) return true;
  if (past) return false;
  const [first = ""] = parts;
  // The owner typed an address for this name: that is the person.
  if (typed.some((address) => address !== canonical && partsOf(address.split("@")[0] ?? "").includes(first)))
    return false;
  return (
    first.length > 2 &&
    !has(first) &&
    called([first]).some((word) => !isLongerName(words, word, parts) && !isCommonNoun(words, word))
  );
}

/** "Anna Lind (anna@new.example)": where the owner says another address than the noted one. */
function hasOtherAddress(
  words: readonly Word[],
  word: Word,
  { parts, canonical }: { readonly parts: readonly string[]; readonly canonical: string },
): boolean {
  let at = words.indexOf(word) + 1;
  while (
    partsOf(words[at]?.text ?? "").some((part) => parts.includes(part)) &&
    words[at]?.identifier === null
  )
    at++;
  if (addressLeads.has(words[at]?.text ?? "")) at++;
  const next = words[at];
  return (
    next?.identifier?.form === "address" &&
    (next.after === "nothing" || next.apart) &&
    next.identifier.value !== canonical
  );
}

const addressLeads: ReadonlySet<string> = new Set("at via under unter an über".split(" "));

/** "The client" is somebody, and "my github keys" are none of a contact of that name. */
function isCommonNoun(words: readonly Word[], word: Word): boolean {
  const at = words.indexOf(word);
  const next = words[at + 1];
  const leads = next?.after === "nothing" && next.role === "plain" && !next.capital && !ends.has(next.text);
  const isMarked = commonNounMarks.has(words[at - 1]?.text ?? "");
  return word.capital ? isMarked && leads && !word.possessive : isMarked || (leads && !word.bare);
}

/** Words that end the name before them. */
const ends: ReadonlySet<string> = new Set([
  ...commonWords,
  ...targetPrepositions,
  ...sourcePrepositions,
  "again",
  "back",
  "now",
  "today",
  "tomorrow",
]);

const commonNounMarks: ReadonlySet<string> = new Set(
  "the a an this that each every all my your our their mein meine meinen der die das den dem ein eine einen unser".split(
    " ",
  ),
);

/** Whether behind a first name another surname follows: "Sarah Connor" is not Sarah Baker. */
function isLongerName(words: readonly Word[], word: Word, parts: readonly string[]): boolean {
  const after = words[words.indexOf(word as ClauseWord) + 1];
  return (
    after !== undefined && after.after === "nothing" && after.capital && partsOf(after.text)[0] !== parts[1]
  );
}
