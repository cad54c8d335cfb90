import type { FlowOrigin } from "../../signal/facts.ts";
import type { TurnSources } from "../../signal/tool.ts";
import { foldName } from "../../text/fold-name.ts";
import type { Clause, ClauseWord } from "../../text/words/find-clauses.ts";
import { findAmount, findName, findNaming, type NameForm } from "../../text/words/find-words.ts";
import { fileNameWithoutSuffix, type IdentifierForm, identifierOf } from "../../text/words/identifiers.ts";
import { personNouns, rightWords } from "../../text/words/lexicon.ts";
import type { Intent } from "../../text/words/read-intent.ts";
import { partsOf, type Word } from "../../text/words/tokens.ts";
import { withEvidence } from "./evidence.ts";
import {
  fitsName,
  isCredentialName,
  isIdName,
  isMomentName,
  isPathName,
  isPersonName,
  isTextName,
  wordsOfName,
} from "./fits-name.ts";
import { isSaidMoment } from "./moment-of-request.ts";
import { stem } from "./name-records.ts";
import { isBelow, isOwnPath } from "./own-paths.ts";
import { mayCount } from "./paid-amount.ts";
import { isIdField, recordsIn } from "./records.ts";
import { standsInAny } from "./references.ts";
import { isContact } from "./trace-contact.ts";
import {
  type ApprovedValue,
  fitsSlot,
  refersBack,
  type TraceContext,
  type TracedArgument,
} from "./trace-context.ts";
import { isNamedLink } from "./trace-link.ts";
import { isOfRecord } from "./trace-record.ts";

/** Finds where a value comes from that decides over an effect: by whole identifiers and names in the clause that asks for the act, never by a part of a text. */
export function traceValue(argument: TracedArgument, context: TraceContext): FlowOrigin {
  const proved = withEvidence(argument.value, context);
  // All results count against a value, as others that fit too, and those that are evidence for it.
  const isIn = (isOrigin: typeof isInWords): boolean =>
    isOrigin(argument, context) && (proved === context || isOrigin(argument, proved));
  const form = identifierOf(argument.value)?.form;
  if (!fitsName(argument.name, argument.value)) return originOutside(argument.value, proved);
  if (isEndorsed(argument, context.sources)) return "endorsed";
  if (isApproved(argument, context.approved)) return "approved";
  if (isIn(isInWords)) return "words";
  if (argument.role === "critical" && isMomentName(argument.name) && isSaidMoment(argument, context))
    return "words";
  if (form === "path" && isPathName(argument.name) && isOwnPath(argument.value, context)) return "words";
  if (isContact(argument, context)) return "contact";
  if (form !== "address" && form !== "url" && isMade(argument, context)) return "made";
  if (isIn(isOfRecord)) return "record";
  return originOutside(argument.value, proved);
}

/** Finds where an address comes from that is only read: the owner's words, a link in a source that they name, or the host of a page that they name. */
export function traceAddress(argument: TracedArgument, context: TraceContext): FlowOrigin {
  const { value } = argument;
  const proved = withEvidence(value, context);
  const wanted = identifierOf(value);
  const words = context.intent.words.filter(({ role }) => role !== "content");
  if (isEndorsed(argument, context.sources)) return "endorsed";
  if (isApproved(argument, context.approved)) return "approved";
  if (
    wanted === null
      ? fitsName(argument.name, value) && isSignedName(words, value)
      : findNaming(words, value).length > 0
  )
    return "words";
  if (wanted?.form === "path" && isOwnPath(value, context)) return "words";
  if (wanted?.form === "url") {
    const { value: url } = wanted;
    if ([context, proved].every((one) => isNamedLink(url, words, one))) return "link";
  } else if (isMade(argument, context)) return "made";
  return originOutside(value, proved);
}

/** What is fetched by a name must be one that no common word is: quoted, or with a sign in it. */
function isSignedName(words: readonly Word[], value: string): boolean {
  return findName(words, value, { nouns: new Set(), capitals: false, beside: true }).some(
    ({ text, role }) => role === "name" || /[/_.]/.test(text),
  );
}

/** Whether the owner pasted the value, content of others holds it, or nothing that is known. */
function originOutside(value: string, { results, sources }: TraceContext): "pasted" | "foreign" | "agent" {
  if (value === "") return "agent";
  if (sources.pasted !== undefined && standsInAny(value, sources.pasted)) return "pasted";
  const read = results.map(({ content }) => content);
  return standsInAny(value, read) ? "foreign" : "agent";
}

/** Whether the owner endorsed the value in this turn: an address or account wherever it goes, any other value for an argument of the same name. */
function isEndorsed(
  { name, value }: TracedArgument,
  { endorsed = [] }: Pick<TurnSources, "endorsed">,
): boolean {
  const wanted = identifierOf(value);
  return endorsed.some((one) => {
    const own = identifierOf(one.value);
    if (wanted !== null && own !== null && wanted.value !== own.value) return false;
    if (wanted === null || own === null) return one.argument === name && one.value === value;
    return one.argument === name || (wanted.form === own.form && selfTelling.has(wanted.form));
  });
}

/** The forms of values that name the same thing wherever they stand. */
const selfTelling: ReadonlySet<IdentifierForm> = new Set(["address", "url", "account"]);

function isApproved({ name, value }: TracedArgument, approved: readonly ApprovedValue[]): boolean {
  const canonical = identifierOf(value)?.value ?? value;
  const place = foldName(name);
  return approved.some((one) => {
    if (one.name !== null && one.name !== place) return false;
    const own = identifierOf(one.value)?.value ?? one.value;
    return own === canonical || (own.startsWith("/") && isBelow(canonical, own));
  });
}

/** Whether the clause that asks for the act names the value in its place. */
function isInWords(argument: TracedArgument, context: TraceContext): boolean {
  const { name, value, role } = argument;
  const rights = rightWords.get(value);
  const nouns = new Set(wordsOfName(name));
  // A place or a person in the words names no file: "the plans for Hawaii".
  const isFile = /file/i.test(name);
  const form: NameForm = {
    nouns,
    capitals: role === "destination" && !isFile,
    beside: !isCredentialName(name),
  };
  const clauses = [...context.request.clauses, ...(role === "destination" ? context.request.companions : [])];
  if (isPersonName(name) && hasTypedAddress(value, context.intent)) return false;
  return clauses.some((clause) => {
    if (!saysKind(clause, argument, context)) return false;
    const usable = wordsInPlace(clause, role, context).filter((word) => mayCount(word, argument, context));
    if (rights !== undefined) return usable.some(({ text }) => rights.has(text));
    const naming = findIn(clause.words, argument, form).filter((word) => usable.includes(word));
    if (naming.length >= timesGiven(value, context)) return true;
    if (role === "critical" && !isIdName(name) && isSaidAmount(argument, clause, context)) return true;
    return role === "critical" && refersBack(clause) && findIn(clause.earlier, argument, form).length > 0;
  });
}

/** How many words have to name a value: one for each argument that has it, since the name of a folder is no name of a person. */
function timesGiven(value: string, { given }: TraceContext): number {
  return identifierOf(value) === null ? given.filter((one) => one === value).length : 1;
}

/** Whether the owner typed an address for the person of this name: then that is the person. */
function hasTypedAddress(value: string, { words }: Intent): boolean {
  const [first = ""] = partsOf(value);
  return (
    identifierOf(value) === null &&
    words.some(
      ({ identifier, role }) =>
        role !== "content" &&
        identifier?.form === "address" &&
        partsOf(identifier.value.split("@")[0] ?? "").includes(first),
    )
  );
}

/** The words that stand where such a value stands. What is booked is named by the object, else behind "at" or "from", else behind "in" or "for". */
function wordsInPlace(
  { words }: Clause,
  role: TracedArgument["role"],
  context: TraceContext,
): readonly ClauseWord[] {
  const usable = words.filter((word) => fitsSlot(word, role, context));
  if (!context.books || role !== "destination") return usable;
  const bySlot = (["object", "source", "target"] as const).map((one) =>
    usable.filter(({ slot }) => slot === one),
  );
  return (
    bySlot.find((own) =>
      own.some(({ capital, role: kind, dated }) => !dated && (capital || kind === "name")),
    ) ?? usable
  );
}

/** Whether the words say how much or how many. */
function isSaidAmount(argument: TracedArgument, clause: Clause, context: TraceContext): boolean {
  const { name, value, role } = argument;
  if (isTextName(name)) return false;
  const usable = clause.words.filter(
    (word) => fitsSlot(word, role, context) && mayCount(word, argument, context),
  );
  return findAmount(usable, value).some((word) => !isOwnDetail(context) || !beginsName(word, clause));
}

/** "14" in "14 Hill Street" is no amount. */
function beginsName(word: ClauseWord, { words }: Clause): boolean {
  const next = words[words.indexOf(word) + 1];
  return next?.capital === true && next.after === "nothing" && !next.dated;
}

/** Whether an act changes a detail of the owner's own, such as an address: others get nothing, and nothing is removed. */
function isOwnDetail({ outward, removes }: TraceContext): boolean {
  return !outward && !removes;
}

/** The words that are the value: the same identifier, or the same name; of a file also without its suffix. An id is a number with its noun, or exactly a code. */
function findIn<W extends Word>(
  words: readonly W[],
  { name, value }: TracedArgument,
  form: NameForm,
): readonly W[] {
  const identifier = identifierOf(value);
  if (isIdName(name)) {
    return identifier?.form === "number"
      ? findNaming(words, value, form.nouns)
      : words.filter(({ text, role }) => role !== "content" && isCode(text) && text === value.toLowerCase());
  }
  // A date or a time is never the name of something.
  if (identifier?.form === "date" || identifier?.form === "time") return [];
  if (identifier !== null) return findNaming(words, value, form.nouns);
  const own = findName(words, value, form);
  const bare = fileNameWithoutSuffix(value);
  return own.length > 0 || bare === null ? own : findName(words, bare, form);
}

/** Letters and digits in one word, as numbers of orders are. */
function isCode(text: string): boolean {
  return text.length > 3 && /\d/.test(text) && /\p{L}/u.test(text);
}

/** Whether the words speak of the kind of thing that a message or a right goes to: what is no person's name needs its noun ("channel"). */
function saysKind(
  { words }: Clause,
  { name, value }: TracedArgument,
  { outward, removes }: TraceContext,
): boolean {
  const nouns = wordsOfName(name).filter((part) => part !== "name");
  if (
    !outward ||
    removes ||
    identifierOf(value) !== null ||
    nouns.some((noun) => personNouns.has(stem(noun)) || personNouns.has(noun))
  )
    return true;
  return words.some(
    ({ text, role }) =>
      role !== "content" && nouns.some((noun) => noun.length > 2 && text.startsWith(stem(noun))),
  );
}

/** Whether an act of this turn made the thing: its id in the result, or the name that the act gave it, behind an owner that the words say. */
function isMade({ value }: TracedArgument, { results, tool, intent }: TraceContext): boolean {
  if (tool.senses.has("create")) return false;
  const at = value.lastIndexOf("/");
  const isSaid =
    at > 0 &&
    intent.words.some(
      ({ text, role }) => role !== "content" && text.startsWith(value.slice(0, at + 1).toLowerCase()),
    );
  return results.some(
    ({ made, content, args }) =>
      made &&
      (recordsIn(content)
        .slice(0, 1)
        .some(({ fields }) => fields.some((field) => isIdField(field) && field.values.includes(value))) ||
        (isSaid && Object.values(args).some((given) => given === value.slice(at + 1)))),
  );
}
