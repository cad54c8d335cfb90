import { basename, dirname, resolve } from "node:path";
import { aboutWords, countsKind, isActing, isDistinct, isFiller } from "../../signal/intent/extent-words.ts";
import { findPhrase } from "../../signal/intent/find-words.ts";
import {
  commonWords,
  numberedNouns,
  quantities,
  relatives,
  statementSubjects,
  unitNouns,
} from "../../signal/intent/lexicon.ts";
import { isTyped, type NamingRequest, readNamingRequests } from "../../signal/intent/naming-requests.ts";
import { partsOf, type Word } from "../../signal/intent/tokens.ts";
import { readGlobSegment } from "./glob-segment.ts";
import {
  lineMark,
  type TypedPattern,
  withLineMarked,
  withPatternsMarked,
  withRangesListed,
} from "./typed-sets.ts";

/** Things of one kind that a command acts on. */
export type ThingSet = {
  readonly kind: string;
  readonly items: readonly string[];
  /** Whether files are taken away, and not only changed: then no folder or pattern is named by a word such as "update". */
  readonly isRemoved: boolean;
};

/** What the owner's words of a turn name: which of a set they leave unnamed, and whether they name a folder as a whole. */
export type NamedThings = {
  readonly unnamed: (set: ThingSet) => readonly string[];
  readonly whole: (folder: string) => boolean;
};

/** Where words were typed: the command line that is judged, and its folder. */
type Place = { readonly cmd: string; readonly cwd: string };

/**
 * Reads what the owner's words name exactly: things that a request lists; a folder, a pattern, a kind of file where the request has no word
 * that is not understood; a number of things. Everything else names nothing, so that it asks.
 */
export function readNamedThings(typed: readonly string[], { cmd, cwd }: Place): NamedThings {
  const program = basename(/^\s*(\S+)/.exec(cmd)?.[1] ?? "").toLowerCase();
  const requests = typed.flatMap((text) => {
    const { marked, patterns } = withPatternsMarked(
      withRangesListed(withLineMarked(text, cmd, program)),
      cmd,
    );
    return readNamingRequests(marked, program).map((request) => new Request(request, patterns, program));
  });
  if (requests.some((request) => request.isCommand)) return { unnamed: () => [], whole: () => true };
  return {
    unnamed: (set) => {
      if (requests.some((request) => request.counts(set))) return [];
      const named = requests.map((request) => request.named(set, cwd));
      return set.items.filter((item) => !named.some((names) => names(item)));
    },
    whole: (folder) => requests.some((request) => request.isWhole(folder, cwd)),
  };
}

/** A request of the owner, as it names things. */
class Request {
  readonly #words: readonly Word[];
  readonly #isCut: boolean;
  readonly #removes: boolean;
  readonly #patterns: readonly TypedPattern[];
  readonly #program: string;
  readonly #hasAll: boolean;

  constructor({ words, isCut, removes }: NamingRequest, patterns: readonly TypedPattern[], program: string) {
    this.#words = words;
    this.#isCut = isCut;
    this.#removes = removes;
    this.#patterns = patterns.filter(({ mark }) => words.some(({ text }) => text === mark));
    this.#program = program;
    this.#hasAll = words.some(({ text }) => quantities.get(text) === "all");
  }

  /** Whether it is the command line itself. */
  get isCommand(): boolean {
    const at = this.#words.findIndex(({ text }) => text === lineMark) - 1;
    return !this.#isCut && at >= 0 && isTyped(this.#words, at, this.#program);
  }

  /**
   * Which things of a set it names. What depends on the set alone is worked out once: a set may be thousands.
   */
  named({ items: among, isRemoved }: ThingSet, cwd: string): (item: string) => boolean {
    const isUnderstood = this.#isUnderstood(among);
    const listing = new Set(
      this.#words.filter((word) => isUnderstood || isDistinct(word)).map(({ text }) => text),
    );
    const short = shortForms.map((form) => ({ form, times: countAlike(among.map(form)) }));
    const namesKinds = isUnderstood && !this.#isCut && (!isRemoved || this.#removes);
    const isOfKind = namesKinds ? this.#namedKinds(among) : () => false;
    return (item) => {
      const only = short.flatMap(({ form, times }) =>
        this.#hasAll || times.get(form(item)) === 1 ? [form(item)] : [],
      );
      const name = basename(item).toLowerCase();
      return (
        [...pathForms(item, cwd), ...only].some((form) => listing.has(form)) ||
        (name.includes(" ") && findPhrase(this.#words, partsOf(name)).length > 0) ||
        isOfKind(item)
      );
    };
  }

  /** Whether it names a folder, and nothing of it less than the whole. */
  isWhole(folder: string, cwd: string): boolean {
    const forms = [...pathForms(folder, cwd), basename(folder).toLowerCase()];
    if (this.#isCut || !this.#removes || !this.#isUnderstood([folder])) return false;
    return this.#folders().some((text) => forms.includes(text));
  }

  /** A number before a noun of this kind: "those 12 branches"; where the words say a place, all of them are there. */
  counts({ kind, items }: ThingSet): boolean {
    if (this.#words.some(({ text }) => aboutWords.has(text))) return false;
    const folders = this.#places(inside).filter((place) => !/^\d+$/.test(place));
    if (kind === "files" && !items.every((item) => isBelowOne(item, folders))) return false;
    const count = items.length;
    return this.#words.some((word, at) => {
      const [before, next, after] = [this.#words[at - 1], this.#words[at + 1], this.#words[at + 2]];
      const said =
        word.identifier?.form === "number" ? Number(word.identifier.value) : quantities.get(word.text);
      if (said !== count || word.dated || before === undefined || next === undefined) return false;
      if (next.after !== "nothing" || !/^\p{L}/u.test(next.text) || commonNoun(next.text)) return false;
      if (!isFiller(before) && !isActing(this.#words, at - 1)) return false;
      return countsKind(next.text, kind) && (after?.after !== "nothing" || countsKind(after.text, kind));
    });
  }

  /** All of a folder, of a pattern, or of a kind of file: "everything in cache", "*.tmp", "all log files". */
  #namedKinds(among: readonly string[]): (item: string) => boolean {
    const [folders, places, extensions] = [this.#folders(), this.#places(), this.#extensions(among)];
    return (item) => {
      const whole = plainPath(item);
      if (folders.some((folder) => whole.startsWith(`${folder}/`))) return true;
      const fits = this.#patterns.some(({ pattern }) => fitsPattern(whole, pattern));
      return isBelowOne(item, places) && (fits || extensions.has(extensionOf(whole)));
    };
  }

  /** Whether each word is one that changes nothing in what is named, or a name. */
  #isUnderstood(among: readonly string[]): boolean {
    const names = new Set(among.flatMap((item) => [...pathForms(item, "/"), ...plainPath(item).split("/")]));
    const extensions = this.#extensions(among);
    const isLine = this.#isTyped();
    return this.#words.every((word, at) => {
      const { text } = word;
      if (relatives.has(text) && statementSubjects.has(this.#words[at + 1]?.text ?? "")) return false;
      if (isFiller(word) || isActing(this.#words, at) || text === this.#program) return true;
      const isName = names.has(text) || names.has(`${text}.${[...extensions][0] ?? ""}`);
      if (!isName && !extensions.has(text)) return isDistinct(word);
      const next = this.#words[at + 1];
      const isBeside = next?.after === "nothing" && names.has(next.text) && !isFiller(next);
      return isLine || isDistinct(word) || !isBeside;
    });
  }

  #isTyped(): boolean {
    return this.#words.some((_, at) => isTyped(this.#words, at, this.#program));
  }

  /** The folders that it names as a whole: by themselves, or as the place of all that is acted on. */
  #folders(): readonly string[] {
    const places = this.#places();
    const objects = this.#names().filter((text) => !places.includes(text));
    if (places.length === 0) return objects;
    const isAll =
      this.#hasAll || this.#words.some(({ text }, at) => emptying.has(text) || (plurals.has(text) && at > 0));
    const pointed = this.#words.some(({ text }) => demonstratives.has(text));
    return objects.length > 0 ? objects : isAll && !pointed ? places : [];
  }

  #names(): readonly string[] {
    return this.#words
      .filter((word, at) => !isActing(this.#words, at) && (!isFiller(word) || this.#isFolder(at)))
      .map(({ text }) => text);
  }

  /** "The notes folder". */
  #isFolder(at: number): boolean {
    const beside = [this.#words[at - 1], this.#words[at + 1]].some((word) =>
      folderNouns.has(word?.text ?? ""),
    );
    return beside && kindNames.has(this.#words[at]?.text ?? "");
  }

  /** What stands behind "in" and "from". */
  #places(prepositions = placing): readonly string[] {
    const places: string[] = [];
    let isPlace = false;
    for (const [at, word] of this.#words.entries()) {
      if (prepositions.has(word.text)) isPlace = true;
      else if (isActing(this.#words, at)) isPlace = false;
      else if (isPlace && !isFiller(word)) places.push(word.text);
    }
    return places;
  }

  /** The kinds of files that it names by their extension. */
  #extensions(among: readonly string[]): ReadonlySet<string> {
    const known = new Set(among.map((item) => extensionOf(plainPath(item))));
    const said = this.#words.filter(({ text }, at) => {
      const isKind = known.has(text) && fileNouns.has(this.#words[at + 1]?.text ?? "");
      return isKind && quantities.get(this.#words[at - 1]?.text ?? "") === "all";
    });
    return new Set(said.map(({ text }) => text));
  }
}

const emptying: ReadonlySet<string> = new Set(
  "empty clear wipe purge leere leeren contents inhalt".split(" "),
);
const plurals: ReadonlySet<string> = new Set("files things items dateien sachen".split(" "));
const demonstratives: ReadonlySet<string> = new Set("these those diese".split(" "));
const placing: ReadonlySet<string> = new Set(
  "in inside into from under within below of on im aus".split(" "),
);
const inside: ReadonlySet<string> = new Set("in inside from under within below im aus".split(" "));
const folderNouns: ReadonlySet<string> = new Set("folder dir directory ordner verzeichnis".split(" "));
const kindNames: ReadonlySet<string> = new Set(
  "notes drafts modules scripts packages images services jobs".split(" "),
);
const fileNouns: ReadonlySet<string> = new Set("file files datei dateien".split(" "));

function commonNoun(text: string): boolean {
  return commonWords.has(text) || unitNouns.has(text) || numberedNouns.has(text);
}

/** Whether a thing is below one of some folders; true where there are none. */
function isBelowOne(item: string, folders: readonly string[]): boolean {
  const folder = `/${dirname(plainPath(item))}/`;
  return folders.length === 0 || folders.some((one) => folder.includes(`/${one}/`));
}

function plainPath(item: string): string {
  return item.toLowerCase().replace(/^\.\//, "");
}

function pathForms(item: string, cwd: string): readonly string[] {
  const whole = plainPath(item);
  return [whole, whole.replace(/^\./, ""), resolve(cwd, item).toLowerCase()];
}

/** Forms that name a thing where no other of the set has the same: its name, without a leading dot, without its extension. */
const shortForms: readonly ((item: string) => string)[] = [
  (item) => basename(plainPath(item)),
  (item) => basename(plainPath(item)).replace(/^\./, ""),
  (item) => basename(plainPath(item)).replace(/(?<=.)\.\w+$/, ""),
];

function countAlike(names: readonly string[]): ReadonlyMap<string, number> {
  const times = new Map<string, number>();
  for (const name of names) times.set(name, (times.get(name) ?? 0) + 1);
  return times;
}

function extensionOf(path: string): string {
  return /[^/]\.(\w+)$/.exec(path)?.[1] ?? "";
}

function fitsPattern(path: string, pattern: string): boolean {
  const folder = dirname(pattern);
  const isThere = folder === "." || /[*?[]/.test(folder) || path.startsWith(`${folder}/`);
  return isThere && readGlobSegment(basename(pattern))?.matches(basename(path)) === true;
}
