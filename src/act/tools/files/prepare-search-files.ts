import { lstat } from "node:fs/promises";
import { setImmediate } from "node:timers/promises";
import { sha256 } from "../../../machine/digest.ts";
import { bottomLabel, joinAll, joinLabels, type Label } from "../../../signal/label.ts";
import type { Outcome, Preparation } from "../../../signal/tool.ts";
import { failure, success } from "../../../signal/tool.ts";
import { isOrgFile } from "../../../text/is-org-file.ts";
import type { JsonObject } from "../../../text/json.ts";
import { asUtf8 } from "../../../text/utf16-text.ts";
import { readWholeFile } from "../../files/contents.ts";
import { catchFileErrors, done, problem } from "../../files/fallible.ts";
import { type FilePorts, isClosedPath, labelOfContents, labelOfPath } from "../../files/file-ports.ts";
import { compileGlob, type MatchPath } from "../../files/glob.ts";
import { ignoreRulesAbove } from "../../files/ignore-rules.ts";
import { labelOfNames, labelOfTyped } from "../../files/private-names.ts";
import { makeQuickReader, type QuickReader } from "../../files/quick-reader.ts";
import { shownPath } from "../../files/shown-path.ts";
import { underTypedNames } from "../../files/typed-names.ts";
import { resolveTypedPath, writtenPath } from "../../files/typed-path.ts";
import {
  countOmission,
  describeOmissions,
  type Omissions,
  type TreeEntry,
  walkTree,
} from "../../files/walk.ts";
import type { ToolCall } from "../define-tool.ts";
import { type FoundLines, findLines } from "./find-lines.ts";
import { type LineMatcher, makeLineMatcher } from "./line-matcher.ts";

const maxEntriesRead = 100_000;
const maxMilliseconds = 10_000;
/** How long lines are looked through before other work gets a turn. */
const sliceMilliseconds = 8;
const agents: Label = { ...bottomLabel, integrity: "agent" };
const maxBytes = 5 * 1024 * 1024;
const filesAtOnce = 16;
const usualMatches = 200;
const mostMatches = 1000;
const mostContext = 20;
/** Characters of all matches together. */
const maxShown = 60_000;

/** The parsed arguments of the tool search-files. */
export type SearchFilesArguments = {
  readonly pattern: string;
  readonly path?: string | undefined;
  readonly glob?: string | undefined;
  /** Lines to show before and after a match. */
  readonly context?: number | undefined;
  /** The most matches; 200 if it is left out. */
  readonly limit?: number | undefined;
  /** Whether the pattern is a text and not a regular expression. */
  readonly literal?: boolean | undefined;
  /** Whether what `.gitignore` leaves out is searched too. */
  readonly ignored?: boolean | undefined;
};

/** Prepares the search for a text in a folder or file. */
export async function prepareSearchFiles(
  { pattern, path: typed = ".", glob, context = 0, limit = usualMatches, ...flags }: SearchFilesArguments,
  { ports, caller, labelOf }: ToolCall<FilePorts>,
): Promise<Preparation> {
  const { workspace } = caller;
  const bearings = { workspace, home: ports.folders.home };
  const located = await resolveTypedPath(typed, bearings);
  if (!located.ok) return located;
  const path = located.value;
  const { literal = false, ignored = false } = flags;
  const matcher = await makeLineMatcher(pattern, literal);
  if (!matcher.ok) return matcher;
  const chosen = glob === undefined ? done(() => true) : await compileGlob(glob);
  if (!chosen.ok) return chosen;
  const label = joinAll([labelOf(pattern), labelOf(typed), ...(glob === undefined ? [] : [labelOf(glob)])]);
  const place = await labelOfTyped(typed, path, workspace, ports);
  const wanted = { context: Math.min(context, mostContext), limit: Math.min(limit, mostMatches), ignored };
  return {
    ok: true,
    effects: await underTypedNames(
      { kind: "read-path", target: path, access: "contents", tree: true, label, reversal: "undoable" },
      writtenPath(typed, bearings),
      ports.isSecretPath,
    ),
    plan: { path, pattern, literal, glob: glob ?? null, ...wanted },
    changes: [],
    // The agent may have made any of these files, so their contents do not count as the owner's words.
    resultLabel: joinLabels(place, agents),
    run: (cancel) =>
      search(
        { path, pattern, matcher: matcher.value, chosen: chosen.value, ...wanted, ports, workspace, place },
        cancel,
      ),
  };
}

const hiddenMatches =
  "matches in private notes and in words of others, if there are any; read-file shows them";

type Search = {
  readonly path: string;
  readonly pattern: string;
  readonly matcher: LineMatcher;
  readonly chosen: MatchPath;
  readonly context: number;
  readonly limit: number;
  readonly ignored: boolean;
  readonly ports: FilePorts;
  readonly workspace: string | null;
  /** The label of the path. */
  readonly place: Label;
};

async function search(given: Search, cancel: AbortSignal): Promise<Outcome> {
  const { path, pattern, matcher, workspace } = given;
  const kind = await kindOf(path);
  if (!kind.ok) return failure(kind);
  const omissions: Omissions = new Map();
  const matches = new MatchList(given.limit, omissions);
  const deadline = performance.now() + maxMilliseconds;
  let holdsNotes = false;
  let turn = performance.now() + sliceMilliseconds;
  const quick = await makeQuickReader(path);
  const entries = entriesOf(given, kind.value, omissions);
  for await (const { entry, text, digest } of readAhead(entries, { quick, omissions })) {
    cancel.throwIfAborted();
    if (performance.now() > turn) {
      await setImmediate();
      turn = performance.now() + sliceMilliseconds;
    }
    const found = await linesOf(text, { ...given, deadline }, cancel);
    if (isCutBy(matcher, text))
      countOmission(
        omissions,
        `files with lines searched only up to ${matcher.lineLength.toLocaleString("en")} characters`,
      );
    holdsNotes ||= isOrgFile(entry.path);
    // It is not told whether such a file matches: by many patterns that would tell what stands in it.
    if (found.length > 0 && (await mayBeShown(entry.path, digest(), given)))
      matches.add(shownPath(entry.path, workspace), found);
    if (performance.now() < deadline) continue;
    countOmission(omissions, "everything after the first 10 seconds (search a folder below, or use a glob)");
    break;
  }
  const note = matcher.note === "" ? {} : { note: matcher.note };
  return success({
    path: shownPath(path, workspace),
    pattern,
    matches: matches.list,
    leftOut: [...describeOmissions(omissions), ...(holdsNotes ? [hiddenMatches] : [])],
    ...note,
  });
}

/** The files to look into. */
async function* entriesOf(
  { path, ports, chosen, ignored, workspace }: Search,
  kind: "file" | "folder",
  omissions: Omissions,
): AsyncGenerator<TreeEntry> {
  if (kind === "file") {
    yield { path, via: path, kind };
    return;
  }
  const tree = walkTree({
    root: path,
    isClosed: (inside) => isClosedPath(ports, inside),
    maxEntries: maxEntriesRead,
    omissions,
    ignore: ignored ? undefined : await ignoreRulesAbove(path, workspace),
    entersAll: ignored,
  });
  for await (const entry of tree) {
    if (entry.kind === "file" && chosen(entry.path.slice(path === "/" ? 1 : path.length + 1))) yield entry;
  }
}

/** The matches of a search, up to its limits. What goes beyond them is counted. */
class MatchList {
  readonly list: JsonObject[] = [];
  #room = maxShown;
  readonly #limit: number;
  readonly #omissions: Omissions;

  constructor(limit: number, omissions: Omissions) {
    this.#limit = limit;
    this.#omissions = omissions;
  }

  add(path: string, found: readonly FoundLines[]): void {
    for (const { line, text } of found) {
      const isFull = this.list.length >= this.#limit;
      this.#room -= isFull ? 0 : path.length + text.length;
      if (!isFull && this.#room > 0) this.list.push({ path, line, text });
      else {
        const limit = isFull ? `the first ${this.#limit}` : `${maxShown.toLocaleString("en")} characters`;
        countOmission(this.#omissions, `matches beyond ${limit}; search a folder below or for a longer text`);
      }
    }
  }
}

/** Whether a text has a line that is longer than what the matcher looks at. */
function isCutBy({ lineLength }: LineMatcher, text: string): boolean {
  if (text.length <= lineLength) return false;
  for (let at = 0, end = 0; end !== -1; at = end + 1) {
    end = text.indexOf("\n", at);
    if ((end === -1 ? text.length : end) - at > lineLength) return true;
  }
  return false;
}

/** The matching lines of a file, up to a time. Lets others have a turn, so that no text and no expression stops the agent. */
async function linesOf(
  text: string,
  { matcher, context, deadline }: Search & { readonly deadline: number },
  cancel: AbortSignal,
): Promise<readonly FoundLines[]> {
  const found: FoundLines[] = [];
  let turn = performance.now() + sliceMilliseconds;
  for (const lines of findLines(text, matcher, context)) {
    if (lines !== null) found.push(lines);
    const now = performance.now();
    if (now > deadline) break;
    if (now < turn) continue;
    await setImmediate();
    cancel.throwIfAborted();
    turn = performance.now() + sliceMilliseconds;
  }
  return found;
}

async function kindOf(path: string) {
  return await catchFileErrors(path, async () => {
    const found = await lstat(path);
    if (found.isDirectory()) return done("folder" as const);
    if (found.isFile()) return done("file" as const);
    return problem("special-file", `${path}: this is neither a file nor a folder. Nothing was read.`);
  });
}

/** The result is labelled before anything is read. A file that is more private or less trusted than that label is left out. */
async function mayBeShown(
  path: string,
  digest: string,
  { ports, workspace, place }: Search,
): Promise<boolean> {
  const own = await labelOfPath(path, workspace, ports);
  const named = await labelOfNames({ path, tree: false, tells: "path" }, ports);
  const { secrecy, integrity } = joinLabels(named, await labelOfContents(own, digest, ports));
  return secrecy === "public" && (integrity !== "untrusted" || place.integrity === "untrusted");
}

/** `digest`: of its bytes, in hex. */
type Text = { readonly entry: TreeEntry; readonly text: string; readonly digest: () => string };

type Reading = { readonly quick: QuickReader; readonly omissions: Omissions };

/** Reads files some at a time and gives them in their order. */
async function* readAhead(entries: AsyncIterable<TreeEntry>, how: Reading): AsyncGenerator<Text> {
  const reading: Promise<Text>[] = [];
  for await (const entry of entries) {
    const text = textOf(entry, how);
    // A fault is thrown when its turn comes, not before.
    text.catch(() => undefined);
    reading.push(text);
    const first = reading.length < filesAtOnce ? undefined : reading.shift();
    if (first !== undefined) yield await first;
  }
  for (const text of reading) yield await text;
}

/** Its path, not `via`: the walk may have gone on. What is opened is compared with the path. */
async function textOf(entry: TreeEntry, { quick, omissions }: Reading): Promise<Text> {
  const none = { entry, text: "", digest: () => "" };
  const small = quick(entry.path);
  const read = small === null ? await readWholeFile(entry.path, maxBytes) : done({ bytes: small });
  if (!read.ok) {
    countOmission(omissions, `files that could not be searched (${read.code})`);
    return none;
  }
  const whole = read.value?.bytes ?? new Uint8Array();
  const bytes = asUtf8(whole);
  if (!bytes.subarray(0, 8192).includes(0))
    return { entry, text: new TextDecoder().decode(bytes), digest: () => sha256(whole) };
  countOmission(omissions, "binary files");
  return none;
}
