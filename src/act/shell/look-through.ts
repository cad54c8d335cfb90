import { readFile } from "node:fs/promises";
import { makeEventLoopYield } from "../../machine/yield-to-event-loop.ts";
import type { Label } from "../../signal/label.ts";
import type { Waiting } from "../../signal/waiting.ts";
import { isInside } from "../../text/is-inside.ts";
import { isSettings, mayNameLogin, namesLogin } from "../../text/settings-files.ts";
import { bytesOfPath } from "../files/byte-names.ts";
import { refuseSpellings } from "../files/ignores-case.ts";
import type { Mask } from "../sandbox/bubblewrap.ts";
import { inBatches } from "./in-batches.ts";
import { programStampStart } from "./loaded-code.ts";
import type { LookedFile, LookedFolders, Pause } from "./looked-folders.ts";
import { areCertificates } from "./protected-paths.ts";

/** What of a file makes it private or secret. */
export type LookRules = {
  /**
   * The join of the labels of text files by what they hold, and by all that is known of them now. Default:
   * public.
   */
  readonly labelOf?: (asked: { readonly files: readonly string[] }) => Promise<Label>;
  /** Whether a text holds a secret. Default: none does. */
  readonly holdsSecret?: (text: string) => boolean;
  /** Another value once other texts hold a secret. Default: always the same. */
  readonly secretsNow?: () => unknown;
};

/** A folder that was looked through whole: what no command sees of it, and its stamp. */
export type Looked = {
  readonly covered: readonly Mask[];
  readonly stamp: string;
  readonly entries: number;
  readonly hasPrograms: boolean;
};

/** Files of one folder that are covered at most: each is a mount of its own. */
const mostCovered = 1_000;
/** Entries of one folder. */
const usualEntries = 200_000;
/** The largest file that is looked into for a login, in bytes. Settings that are larger are covered. */
const largestRead = 1024 * 1024;
/** Texts that are asked for at once. */
const labelledAtOnce = 128;
/** Milliseconds after which a look is told of, and between two times that it is. */
const [untold, betweenTold] = [1_000, 10_000];

/**
 * Looks through a folder of programs for what no command sees: what is secret by its name, Org, private
 * texts, what names a key or a login, repositories, manuals (which no program needs) and what nobody but its
 * owner may read, at any depth. Gives the reason where not all of that can be found or covered. Throws once
 * nobody waits.
 */
export async function lookThrough(
  folder: string,
  known: Pick<LookedFolders, "walk">,
  { waiting, mostEntries = usualEntries, clock = Date.now, ...rules }: LookRules & LookLimits,
): Promise<Looked | string> {
  const pause = makePause(folder, waiting, clock);
  const walk = await known.walk({ mostEntries, clock, pause });
  if (walk === null)
    return "it has too many files to search them for what is private. Name a folder in it, such as that of one version.";
  const { entries, hasPrograms } = walk;
  const closed = await findClosed(walk.files, { ...rules, folder }, (read) => pause(entries, read));
  const masks = [...walk.masked, ...closed.map((path): Mask => ({ path, kind: "file" }))];
  // Where a link leads elsewhere, nothing is seen of that.
  const covered = masks.filter(({ path }) => isInside(folder, path));
  const problem = await coverProblem(folder, covered);
  return (
    problem ?? { covered, stamp: `${programStampStart}${walk.hash.digest("hex")}`, entries, hasPrograms }
  );
}

/**
 * `mostEntries`: default 200,000. Without `waiting` nobody is told of the look, and it goes on to its end.
 * `clock`: milliseconds, as files have them. Default: that of the system.
 */
type LookLimits = {
  readonly waiting?: Waiting | undefined;
  readonly mostEntries?: number | undefined;
  readonly clock?: (() => number) | undefined;
};

async function coverProblem(folder: string, covered: readonly Mask[]): Promise<string | null> {
  if (covered.some(({ path }) => path === folder)) return "it may not be listed, or is a repository itself.";
  if (covered.length > mostCovered)
    return `it has more than ${mostCovered} files that are secret or that only you may read. Name a folder in it, such as that of one version, or let others read its programs, and no keys or histories: chmod go+rx FOLDER FOLDER/bin FOLDER/bin/*`;
  const nameless = covered.find(({ path }) => !path.isWellFormed());
  if (nameless !== undefined)
    return `${nameless.path.toWellFormed()} must be kept from commands, and its name is not in UTF-8. Rename it.`;
  return refuseSpellings(covered.map(({ path }) => path));
}

/** Lets other tasks run during a look, ends it with whoever waits for it, and tells them of a long one. */
function makePause(folder: string, waiting: Waiting | undefined, clock: () => number): Pause {
  const yieldToEventLoop = makeEventLoopYield();
  let next = clock() + untold;
  return (entries, read = 0) => {
    waiting?.cancel.throwIfAborted();
    const now = clock();
    if (now > next) {
      next = now + betweenTold;
      const done = [`${entries.toLocaleString("en")} entries`];
      if (read > 0) done.push(`${read.toLocaleString("en")} texts`);
      waiting?.notice(`Looking through ${folder} for what commands must not see: ${done.join(", ")} so far.`);
    }
    return yieldToEventLoop();
  };
}

/**
 * Which files hold what no command may see. One without a secret is read again once it changed, or other
 * texts are secret.
 */
async function findClosed(
  files: readonly LookedFile[],
  rules: LookRules & { readonly folder: string },
  pause: (read: number) => Promise<void> | null,
): Promise<readonly string[]> {
  const closed = new Set<string>();
  const secrets = rules.secretsNow?.() ?? true;
  const unread = files.filter(({ entry }) => entry.cleanFor !== secrets);
  const read = inBatches(unread, async (file) => ({ file, isClean: await isClean(file, rules) }));
  for await (const { file, isClean: clean } of read) {
    const wait = pause(0);
    if (wait !== null) await wait;
    if (!clean) closed.add(file.path);
    else if (file.entry.status === file.status) file.entry.cleanFor = secrets;
  }
  const texts = files.filter(({ path, entry }) => entry.isText && !closed.has(path)).map(({ path }) => path);
  for (let at = 0; at < texts.length; at += labelledAtOnce) {
    for (const path of await privateOf(texts.slice(at, at + labelledAtOnce), rules)) closed.add(path);
    const wait = pause(Math.min(at + labelledAtOnce, texts.length));
    if (wait !== null) await wait;
  }
  return [...closed];
}

/** Whether a file holds no key and no login. What cannot be read may hold one. */
async function isClean(
  { path, entry, status }: LookedFile,
  { holdsSecret, folder }: LookRules & { readonly folder: string },
): Promise<boolean> {
  if (entry.rule === "certificates") return areCertificates(path);
  if (!mayNameLogin(path.slice(folder.length))) return true;
  if (status.size > largestRead) return !isSettings(path);
  const text = await readFile(bytesOfPath(path), "utf8").catch(() => null);
  return text !== null && holdsSecret?.(text) !== true && !namesLogin(path, text);
}

/** Which of some texts are not public. */
async function privateOf(files: readonly string[], rules: LookRules): Promise<readonly string[]> {
  if (files.length === 0) return [];
  const label = await rules.labelOf?.({ files });
  if (label === undefined || label.secrecy === "public") return [];
  if (files.length === 1) return files;
  const half = Math.ceil(files.length / 2);
  return [...(await privateOf(files.slice(0, half), rules)), ...(await privateOf(files.slice(half), rules))];
}
