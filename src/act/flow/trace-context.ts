import type { CalledResult, OtherTurn, WrittenFiles } from "../../signal/called-result.ts";
import type { Contact } from "../../signal/contact.ts";
import type { ServiceAct } from "../../signal/effect.ts";
import type { TurnSources } from "../../signal/tool.ts";
import { foldName } from "../../text/fold-name.ts";
import type { JsonObject } from "../../text/json.ts";
import type { Clause, ClauseWord } from "../../text/words/find-clauses.ts";
import type { Intent } from "../../text/words/read-intent.ts";
import type { ActRequest, ToolWords } from "./license-act.ts";

/** A call whose values are traced. */
export type TracedCall = DecidingNames & {
  readonly tool: string;
  readonly act: ServiceAct;
  readonly args: JsonObject;
  /** Whether the server describes arguments at all. Where it does not, the model chose each name. */
  readonly isDescribed: boolean;
  /** The arguments of which the server lists the values. */
  readonly choices: ReadonlySet<string>;
  /** The names that the server describes inside the arguments. */
  readonly fields: ReadonlySet<string>;
};

/** A call of the turn with what its tool does and what decides over it; null for a tool that is not known. */
export type ReadCall = (tool: string, args: JsonObject) => TracedCall | null;

/**
 * The names of the arguments that decide where a call goes, and of those that decide what it acts on or
 * how.
 */
export type DecidingNames = {
  readonly destinations: ReadonlySet<string>;
  readonly critical: ReadonlySet<string>;
};

/** What values can come from, with the owner's contacts and the calls of other turns as they are now. */
export type TraceSources = Omit<TurnSources, "contacts" | "writtenFiles" | "otherTurns"> & {
  readonly contacts: readonly Contact[];
  readonly otherTurns?: readonly OtherTurn[];
  readonly writtenFiles?: WrittenFiles;
};

/**
 * What the model itself wrote in the arguments of a call or into a file, in a form in which values are
 * found again.
 */
export type Written = {
  /** All letters and digits of each text. */
  readonly joined: string;
  readonly words: ReadonlySet<string>;
  /** The numbers that may be ids: none in a date or a time, and no limit or size. */
  readonly numbers: ReadonlySet<string>;
};

/** A result of the turn with what its tool does. */
export type TracedResult = CalledResult & {
  /** The call read from a service; what it fetched from an address is no record. */
  readonly reads: boolean;
  /** What the call got from an address. */
  readonly fetches: boolean;
  /** What the model wrote between the result before and this one. */
  readonly written: readonly Written[];
  /** The call made something. */
  readonly made: boolean;
  /** What the tool is about, by its name. */
  readonly nouns: readonly string[];
};

/** A value that the owner said yes to, and the only argument that it counts for, in folded spelling; null where it counts for any. */
export type ApprovedValue = { readonly name: string | null; readonly value: string };

/** What a value is traced with. */
export type TraceContext = {
  readonly intent: Intent;
  readonly request: ActRequest;
  readonly sources: TraceSources;
  /** The values of the approved calls that count for this act too. */
  readonly approved: readonly ApprovedValue[];
  readonly results: readonly TracedResult[];
  /** Whether a source is the place of the act: "delete it from the list", "reserve a room at the inn". */
  readonly removes: boolean;
  /** Whether the act takes a place for the owner, which its verb's object names: "reserve the River View". */
  readonly books: boolean;
  /** Whether the act reaches others, so that its destination must stand where a destination does. */
  readonly outward: boolean;
  /** The values that decide over the call. */
  readonly given: readonly string[];
  /** Those of them that say where it goes. */
  readonly destinations: readonly string[];
  /** Whether the act pays. */
  readonly pays: boolean;
  /** What the tool is about, by its name. */
  readonly tool: ToolWords;
};

/** A value of an argument. */
export type TracedArgument = {
  /** The name of the argument, or of the field inside it. */
  readonly name: string;
  readonly value: string;
  readonly role: "destination" | "critical";
  /** The kinds of things that it may be the id of. */
  readonly nouns: readonly string[];
};

/** Whether a word stands where the act takes such a value: a destination behind "to" or right behind the verb, an object anywhere but in a remark or as a source. */
export function fitsSlot(
  { slot, next }: ClauseWord,
  role: TracedArgument["role"],
  { removes, outward, books }: Pick<TraceContext, "removes" | "outward" | "books">,
): boolean {
  if (slot === "remark") return false;
  if (slot === "source") return removes;
  return role === "critical" || !outward || books || slot === "target" || next;
}

/** Whether a clause speaks of something that its sentence named before: "delete it", "add them to the file". */
export function refersBack({ words }: Clause): boolean {
  return words.some(
    ({ text, role }, at) =>
      role === "plain" &&
      (backwards.has(text) ||
        (definite.has(text) && words[at + 1]?.role === "plain" && words[at + 1]?.slot !== "remark")),
  );
}

const backwards: ReadonlySet<string> = new Set(["it", "them", "its", "their", "es", "sie"]);
const definite: ReadonlySet<string> = new Set([
  "the",
  "this",
  "that",
  "these",
  "those",
  "der",
  "die",
  "das",
  "den",
]);

/** The names of all arguments that are declared to decide, in folded spelling. */
export function decidingNames({ destinations, critical }: DecidingNames): ReadonlySet<string> {
  return new Set([...destinations, ...critical].map(foldName));
}
