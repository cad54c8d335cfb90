import type { ServiceAct } from "../../signal/effect.ts";
import type { Clause } from "../../text/words/find-clauses.ts";
import {
  bookingVerbs,
  credentialNouns,
  moneyNouns,
  type Sense,
  sensesOf,
  synonymsOf,
} from "../../text/words/lexicon.ts";
import type { Intent } from "../../text/words/read-intent.ts";
import { wordsOfName } from "./fits-name.ts";
import { stem } from "./name-records.ts";

/** The request of the owner that a call answers: which verbs, and which words belong to them. */
export type ActRequest = {
  /** The clauses whose verb asks for this act; empty where no word of the turn does. */
  readonly clauses: readonly Clause[];
  /** The clauses in which a person may be named too: "create an event", "invite Mark". */
  readonly companions: readonly Clause[];
};

/** What the name of a tool says: its verbs' senses, and its nouns. */
export type ToolWords = {
  readonly verbs: ReadonlySet<string>;
  readonly senses: ReadonlySet<Sense>;
  readonly nouns: readonly string[];
};

/** Reads the name of a tool: `create_event` creates, and is about an event. Words that the lexicon does not know give nothing. */
export function readToolName(name: string): ToolWords {
  const parts = wordsOfName(name);
  const isVerb = (part: string): boolean => sensesOf(part).length > 0;
  const first = parts.findIndex(isVerb);
  const joined = parts.filter((part, at) => isVerb(part) && (at === first || parts[at - 1] === "and"));
  // What deletes is asked for by a word that deletes, wherever the name has its own: `cancel_order`, `order_cancel`.
  const removing = parts.filter((part) => sensesOf(part).includes("delete"));
  const verbs = removing.length > 0 ? removing : joined;
  return {
    verbs: new Set(verbs),
    senses: new Set(verbs.flatMap((part) => sensesOf(part))),
    nouns: parts.filter((part) => sensesOf(part).length === 0 || part !== parts[0]).map(stem),
  };
}

/**
 * Finds the clauses of the owner's words that ask for an act of this kind with a tool of this name. The verb must mean what the tool's
 * verb means; to pay needs money in the words, to change credentials needs a credential; what the words forbid anywhere is not asked for.
 */
export function findRequest(intent: Intent, act: ServiceAct, tool: ToolWords): ActRequest {
  if (act === "unknown" || intent.forbidden.some((sense) => tool.senses.has(sense)))
    return { clauses: [], companions: [] };
  const meant = sensesMeant(act, tool);
  const asks = intent.clauses.filter(
    (clause) =>
      (clause.senses.some((sense) => meant.has(sense)) &&
        !booksOther(clause, tool) &&
        (!clearingVerbs.has(clause.verb) || tool.verbs.has(clause.verb))) ||
      (act === "pay" && givingVerbs.has(clause.verb) && namesAccount(clause)) ||
      // "Add an event" creates it; "add Bob to the event" does not.
      (meant.has("create") && clause.senses.includes("insert") && hasNoun([clause], tool)),
  );
  const clauses = asks.filter(
    (clause) =>
      fits(clause, act, tool) || (act === "pay" && clause.verb !== "send" && tool.verbs.has(clause.verb)),
  );
  const companions =
    clauses.length > 0 && act === "send" && tool.senses.has("create")
      ? intent.clauses.filter(({ senses }) => senses.includes("invite"))
      : [];
  return { clauses, companions };
}

/**
 * What the verb must mean: of what buys or returns goods that, of any other payment to pay; and to write a
 * name down lets nobody in.
 */
function sensesMeant(act: ServiceAct, { senses, nouns }: ToolWords): ReadonlySet<Sense> {
  const trades = senses.has("trade") || nouns.some((noun) => sensesOf(noun).includes("trade"));
  const meant = new Set(act === "pay" ? [...senses, trades ? ("trade" as const) : ("pay" as const)] : senses);
  if (act === "grant") meant.delete("insert");
  return meant;
}

/**
 * Verbs that empty a thing, put it down, or shut somebody out, where no tool of that name deletes by them.
 */
const clearingVerbs: ReadonlySet<string> = new Set("drop clear wipe purge revoke kick ban".split(" "));

/** "Reserve a room" asks for no event. */
function booksOther(clause: Clause, tool: ToolWords): boolean {
  return bookingVerbs.has(clause.verb) && !books(tool) && !hasNoun([clause], tool);
}

/** "Send 20 to" an account is a payment. */
const givingVerbs: ReadonlySet<string> = new Set(["send", "give", "schick", "schicke", "sende", "gib"]);

function namesAccount({ words }: Clause): boolean {
  return words.some(({ identifier, role }) => role !== "content" && identifier?.form === "account");
}

/** Whether a tool takes a place or a thing for the owner: a room, a table, a car. */
export function books({ verbs, nouns }: ToolWords): boolean {
  return [...verbs].some((verb) => bookingVerbs.has(verb)) && !nouns.some((noun) => moneyNouns.has(noun));
}

function fits(clause: Clause, act: ServiceAct, tool: ToolWords): boolean {
  const said = (nouns: ReadonlySet<string>): boolean =>
    clause.words.some(({ text, role }) => role === "plain" && nouns.has(text));
  if (act === "pay") {
    return (
      clause.senses.includes("pay") ||
      namesAccount(clause) ||
      (clause.senses.includes("create") && (books(tool) || said(moneyNouns)))
    );
  }
  if (act === "credential")
    return clause.senses.includes("confirm") || clause.senses.includes("sign-in") || said(credentialNouns);
  return true;
}

/** Whether a clause has a noun of the tool: an act that names nothing else must at least be about the same kind of thing. */
export function hasNoun(clauses: readonly Clause[], tool: ToolWords): boolean {
  const nouns = tool.nouns.flatMap(synonymsOf).map(stem);
  return clauses.some(({ words }) =>
    words.some(
      ({ text, role, slot }) =>
        role !== "content" &&
        slot === "object" &&
        nouns.some((noun) => noun.length > 2 && stem(text).startsWith(noun)),
    ),
  );
}
