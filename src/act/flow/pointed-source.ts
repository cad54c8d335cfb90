import { findIdentifiers, identifierOf } from "../../signal/intent/identifiers.ts";
import { linkNouns } from "../../signal/intent/lexicon.ts";
import type { ClauseWord } from "../../signal/intent/read-intent.ts";
import { partsOf, type Word } from "../../signal/intent/tokens.ts";
import { stringsIn } from "../../signal/json.ts";
import { isPersonName, wordsOfName } from "./fits-name.ts";
import { addressesGiven } from "./links.ts";
import { isBelow } from "./own-paths.ts";
import { fitsSlot, type TraceContext, type TracedArgument, type TracedResult } from "./trace-context.ts";

/** Whether the owner says where the value stands, and there it stands alone: as the only address on the page of the person that the request names, or as the whole of the one file that it describes. */
export function isPointedTo(argument: TracedArgument, context: TraceContext): boolean {
  return isAddressOnOwnPage(argument, context) || isWholeFile(argument, context);
}

/** "Invite Dora. You can find her e-mail on her website: …": the address is called like her, and no contact has that name. */
function isAddressOnOwnPage({ name, value, role }: TracedArgument, context: TraceContext): boolean {
  const { request, results, intent, sources } = context;
  if (identifierOf(value)?.form !== "address" || role !== "destination" || !isPersonName(name)) return false;
  const called = partsOf(value.split("@")[0] ?? "");
  const persons = request.clauses.flatMap(({ words }) =>
    words.filter((word) => isPerson(word) && fitsSlot(word, role, context)),
  );
  const person = persons.find(({ text }) => called.includes(text))?.text;
  if (person === undefined) return false;
  if (sources.contacts.some(({ names }) => names.some((one) => partsOf(one).includes(person)))) return false;
  const isAlone = persons.every(({ text }) => text === person);
  const isPage = (url: string): boolean => isPageOf(url, intent.words, { person, isAlone });
  const pages = results.filter(({ fetches, args }) => fetches && addressesGiven(args).some(isPage));
  return (
    pages.length > 0 && pages.every((page) => addressesGiven(page.args).every(isPage) && hasOnly(page, value))
  );
}

function isPerson({ capital, role, slot, identifier, text }: ClauseWord): boolean {
  return capital && role === "plain" && slot === "object" && identifier === null && text.length > 2;
}

type PersonSaid = { readonly person: string; readonly isAlone: boolean };

/** "The website of Dora (…)", "Dora's website …", or "her e-mail on her website: …" where nobody else is named. */
function isPageOf(url: string, words: readonly Word[], { person, isAlone }: PersonSaid): boolean {
  const wanted = identifierOf(url);
  if (wanted?.form !== "url") return false;
  return words.some(({ identifier, role }, at) => {
    if (role === "content" || identifier?.form !== "url" || identifier.value !== wanted.value) return false;
    const before = words.slice(Math.max(0, at - 3), at).map(({ text }) => text);
    const [first = "", second = "", last = ""] = before;
    if (last === person) return linkNouns.has(first) && second === "of";
    if (!linkNouns.has(last)) return false;
    const saysAddress = words.slice(Math.max(0, at - 6), at).some(({ text }) => addressWords.has(text));
    return second === person || (isAlone && saysAddress && pronouns.has(second));
  });
}

const pronouns: ReadonlySet<string> = new Set(["her", "his", "their", "ihrer", "seiner"]);
const addressWords: ReadonlySet<string> = new Set(["e-mail", "email", "mail", "address", "adresse"]);

/** Whether the value is the only address in a result: whoever adds one makes the choice open. */
function hasOnly({ content }: TracedResult, value: string): boolean {
  const wanted = identifierOf(value)?.value;
  const addresses = stringsIn(content)
    .flatMap(({ text }) => findIdentifiers(text))
    .filter(({ form }) => form === "address");
  return addresses.length > 0 && addresses.every((one) => one.value === wanted);
}

/** "Add my public key, you can find it in /keys": all that the one file holds there whose name says so. */
function isWholeFile({ name, value }: TracedArgument, { request, results, removes }: TraceContext): boolean {
  const nouns = wordsOfName(name);
  if (removes || value.length < 8 || value.includes("\n") || isPersonName(name)) return false;
  return request.clauses.some(({ words }) => {
    const described = qualifierOf(words, nouns);
    const folders = words.flatMap(({ identifier, role }) =>
      role !== "content" && identifier?.form === "path" && identifier.value !== "/" ? [identifier.value] : [],
    );
    const [folder] = folders;
    if (described === null || folder === undefined || folders.length > 1) return false;
    const names = namesIn(folder, results).filter((one) => isDescribed(one, described));
    return (
      names.length === 1 && results.some((file) => isFileOf(file, { path: `${folder}/${names[0]}`, value }))
    );
  });
}

/** The word before the nouns of an argument, which says which one is meant: "public" in "my public key". */
function qualifierOf(words: readonly ClauseWord[], nouns: readonly string[]): string | null {
  const at = words.findIndex((_, from) => nouns.every((noun, order) => words[from + order]?.text === noun));
  const [owner, word] = [words[at - 2], words[at - 1]];
  return owner?.text === "my" && word?.role === "plain" && word.slot === "object" ? word.text : null;
}

/** The names that reads of a folder list. */
function namesIn(folder: string, results: readonly TracedResult[]): readonly string[] {
  const listed = results
    .filter(({ reads, args }) => reads && stringsIn(args).every(({ text }) => text === folder))
    .flatMap(({ content }) => stringsIn(content).map(({ text }) => text));
  return [...new Set(listed)].filter((text) => isBelow(`${folder}/${text}`, folder));
}

/** "id.pub" is the public one. */
function isDescribed(name: string, qualifier: string): boolean {
  return partsOf(name).some((part) => part.length > 2 && qualifier.startsWith(part));
}

type FileParts = { readonly path: string; readonly value: string };

function isFileOf({ reads, args, content }: TracedResult, { path, value }: FileParts): boolean {
  const given = stringsIn(args);
  return (
    reads &&
    given.length === 1 &&
    given[0]?.text === path &&
    typeof content === "string" &&
    content.trim() === value
  );
}
