import type { BigIntStats } from "node:fs";
import { basename, join } from "node:path";
import type { DeletePath, Effect, WritePath } from "../../signal/effect.ts";
import type { Label } from "../../signal/label.ts";
import { isBuildOutput } from "../../text/build-output.ts";
import { holdsOnlyCertificates, isMaybeCertificates } from "../../text/certificates.ts";
import { opensAsOrg } from "../../text/later/disarm.ts";
import { executedLaterRule, isRepositoryData } from "../../text/later/executed-later.ts";
import { executedLaterContents, executedLaterLarge } from "../../text/later/later-change.ts";
import { shadowedModule } from "../../text/later/python-modules.ts";
import { OtherNames } from "../files/later-names.ts";
import type { Overlay } from "../sandbox/overlay.ts";
import { ScriptParser } from "../syntax/script-syntax.ts";
import { breakage } from "./breakage.ts";
import { makeBuiltAgainTest } from "./built-again.ts";
import type { Difference, Exchange } from "./difference.ts";
import { isOfEndedMerge } from "./ended-merge.ts";
import { walkEntries } from "./fingerprint.ts";
import type { GivenAccess } from "./given-access.ts";
import { LinkRules } from "./link-rule.ts";
import { TooLarge } from "./measure.ts";
import { octal, openedRights } from "./opened-rights.ts";
import { isOwnBranch } from "./own-branch.ts";
import { makePackedAnewTest } from "./packed-anew.ts";
import { asRepositoryData, foldRepositoryData } from "./repository-data.ts";
import { lookAt, textOf } from "./text-of.ts";

/** What the effects of a difference are worked out with. */
export type DifferenceJudging = {
  readonly overlay: Overlay;
  readonly label: Label;
  readonly isSecretPath: (path: string) => boolean;
  /** What parsers said of the changed files: the overlay is not changed any more, and what is judged twice is parsed once. */
  readonly parsed: Map<string, string | null>;
};

/** So many paths are named one by one. Of more, those that are like any other stand together under the folder that was changed. */
const mostNamed = 100;
/** Secret, odd and later-executed paths of more are not judged: nobody could look at each. */
const mostSpecial = 10_000;

/**
 * The effects of keeping a difference, judged like edits: each file that is made, replaced or deleted, with what its contents or its name make of it. What is
 * executed later, secret or leads out of the workspace is always named by itself. Throws `TooLarge`.
 */
export async function differenceEffects(
  { exchanges, modes, times, access, unheld }: Difference,
  given: DifferenceJudging,
): Promise<readonly Effect[]> {
  await using parser = new ScriptParser();
  const judging = { ...given, parser };
  const isBuiltAgain = makeBuiltAgainTest(judging.overlay.folder);
  const [links, others] = [new LinkRules(judging.overlay), new OtherNames()];
  const isPackedAnew = makePackedAnewTest({ exchanges, overlay: judging.overlay });
  const names = { links, others, access, exchanges, isBuiltAgain, isPackedAnew };
  const plain: Effect[] = [];
  /** What a folder that was made again holds no more. */
  const gone: Effect[] = [];
  const special: Effect[] = [];
  /** What git keeps in its repositories. */
  const data: WritePath[] = [];
  const roots: Effect[] = [];
  for (const exchange of exchanges) {
    let found = 0;
    let isGits = true;
    for await (const { effect, isSpecial } of effectsOf(exchange, names, judging)) {
      found += 1;
      const isData = effect.kind === "write-path" && effect.repositoryData === true;
      isGits &&= isData || isSpecial;
      if (isSpecial) special.push(effect);
      else if (isData) data.push(effect);
      else if (effect.kind === "delete-path" && effect.target !== exchange.path) gone.push(effect);
      else if (plain.length <= mostNamed) plain.push(effect);
      if (special.length > mostSpecial) throw new TooLarge(`more than ${mostSpecial} files need a look each`);
    }
    if (found > 0 && isGits) continue;
    const whole = await wholeOf(exchange, judging, isBuiltAgain);
    if (found === 0 && plain.length <= mostNamed) plain.push(whole);
    roots.push(whole);
  }
  const changed = modes.map(({ path, was, mode }) => ({
    ...write(path, "replace", judging),
    ...openedRights(was, mode),
  }));
  const closed = modes.filter(({ was, mode }) => (was & ~mode & 0o500) !== 0);
  const gets = [
    ...unheld,
    ...closed.map(({ path, mode }) => [path, `gets the permissions ${octal(mode)}`] as const),
  ];
  const beside = gets.map(([path, words]) => ({ ...write(path, "replace", judging), gets: words }));
  const timed = times.map(({ path }) => write(path, "replace", judging));
  const few = plain.length <= mostNamed ? plain : roots;
  // First what stands for itself: a question names the first of many.
  const named = [...beside, ...summarised(special, judging), ...gone.slice(0, mostNamed)];
  return [...named, ...few, ...foldRepositoryData(data, mostNamed), ...changed, ...timed];
}

/** All secret and odd paths, and so many of the others that nobody has to read thousands: the rest stands as one. */
function summarised(special: readonly Effect[], judging: DifferenceJudging): readonly Effect[] {
  const isKept = ({ target }: Effect, index: number): boolean =>
    index < mostNamed || judging.isSecretPath(target) || isOdd(target);
  const kept = special.filter(isKept);
  const more = special.length - kept.length;
  if (more === 0) return kept;
  const rest = write(
    judging.overlay.folder,
    "replace",
    judging,
    `${more} more files that are executed later`,
  );
  return [...kept, { ...rest, tree: true }];
}

/** Names with control characters and the like are judged one by one. */
function isOdd(target: string): boolean {
  return !target.isWellFormed() || /[^\P{C}]|[^\P{Z} ]/u.test(target);
}

/**
 * What the links of a difference say, what the links around it say of files, what was given to others, and
 * all that was exchanged.
 */
type WholeDifference = {
  readonly links: LinkRules;
  readonly others: OtherNames;
  readonly access: GivenAccess;
  readonly exchanges: readonly Exchange[];
  readonly isBuiltAgain: ReturnType<typeof makeBuiltAgainTest>;
  readonly isPackedAnew: ReturnType<typeof makePackedAnewTest>;
};

type Judging = DifferenceJudging & { readonly parser: ScriptParser };

type Found = { readonly effect: Effect; readonly isSpecial: boolean };

async function* effectsOf(
  exchange: Exchange,
  names: WholeDifference,
  judging: Judging,
): AsyncGenerator<Found> {
  const { links, others, access, isPackedAnew } = names;
  const { path, was, incoming } = exchange;
  const before = await entriesAt(was === null ? null : path);
  const after = await entriesAt(incoming);
  yield* removedEffects(exchange, [before, after], names, judging);
  if (incoming === null) return;
  for (const [inside, status] of after) {
    const target = join(path, inside);
    const given = access.get(target);
    if (status.isDirectory()) {
      const made = { ...write(target, "create", judging), ...openedRights(0, 0, given) };
      if (given !== undefined) yield { effect: made, isSpecial: true };
      continue;
    }
    const place = join(incoming, inside);
    const old = before.get(inside);
    const file = old?.isFile() === true ? old : null;
    const text = file === null ? null : textOf(target);
    const why = status.isSymbolicLink()
      ? await links.of(target, { incoming: place, before: text })
      : (contentsRule({ target, file, text }, { incoming: place, mode: Number(status.mode) }) ??
        shadowedModule(target, judging.overlay.folder) ??
        (await others.laterBy(target, { byInode: false })));
    const mode = Number(status.mode);
    const opens = status.isFile() ? openedRights(Number(file?.mode ?? mode), mode, given) : {};
    const written = write(target, old === undefined ? "create" : "replace", judging, why);
    const breaks = await breakage(target, text, { incoming: place, judging });
    const isOwn =
      old?.isFile() !== false &&
      status.isFile() &&
      isOwnBranch(target, { commit: textOf(place) ?? "", workspace: judging.overlay.folder });
    const effect: WritePath = {
      ...written,
      ...opens,
      ...(breaks === null ? {} : { breaks }),
      ...(isOwn ? { ownBranch: true } : {}),
      ...certificates(target, old === undefined ? [place] : [target, place], judging),
    };
    const isMarked = why !== null || breaks !== null || effect.opens !== undefined;
    if (!isMarked && basename(target) === "packed-refs" && (await isPackedAnew(target)))
      yield { effect: asRepositoryData(effect), isSpecial: false };
    else yield { effect, isSpecial: isMarked || isNamedByItself(target, judging) };
  }
}

type Entries = ReadonlyMap<string, BigIntStats>;

/** The effects of what is there no more. */
async function* removedEffects(
  { path, was, becomes }: Exchange,
  [before, after]: readonly [Entries, Entries],
  { exchanges, isBuiltAgain, isPackedAnew }: WholeDifference,
  judging: Judging,
): AsyncGenerator<Found> {
  const isWhole = !after.has("") || (was !== becomes && [was, becomes].includes("folder"));
  for (const [inside, status] of before) {
    const target = join(path, inside);
    if (inside === "" ? !isWhole : after.has(inside) || status.isDirectory()) continue;
    const isLater = isNamedByItself(target, judging);
    const isNamed = inside === "" || isLater || (!isWhole && !(await isBuiltAgain(target)));
    if (!isNamed) continue;
    if (await isPackedAnew(target))
      yield { effect: asRepositoryData(write(target, "replace", judging)), isSpecial: false };
    else {
      const isGitsOwn = isOfEndedMerge(target, exchanges);
      const effect = isGitsOwn
        ? write(target, "replace", judging)
        : await remove(target, judging, isBuiltAgain);
      yield { effect: { ...effect, ...certificates(target, [target], judging) }, isSpecial: isLater };
    }
  }
}

/**
 * All entries at and below a path, by their names. A link among them is an entry like any other: what it
 * leads to is not here.
 */
async function entriesAt(path: string | null): Promise<Entries> {
  const found = new Map<string, BigIntStats>();
  if (path === null) return found;
  for await (const { inside, status } of walkEntries(path)) found.set(inside, status);
  return found;
}

function isNamedByItself(target: string, { isSecretPath }: DifferenceJudging): boolean {
  return executedLaterRule(target) !== null || isSecretPath(target) || isOdd(target);
}

/**
 * Of a file that is secret by its ending alone: whether each of these, it and what takes its place, holds
 * public certificates and nothing else.
 */
function certificates(
  target: string,
  files: readonly string[],
  { isSecretPath }: DifferenceJudging,
): Pick<WritePath, "certificates"> {
  if (!isMaybeCertificates(target, isSecretPath)) return {};
  return files.every((path) => holdsOnlyCertificates(textOf(path) ?? "")) ? { certificates: true } : {};
}

/** The effect on what was changed as a whole. */
async function wholeOf(
  { path, was, becomes }: Exchange,
  judging: DifferenceJudging,
  isBuiltAgain: WholeDifference["isBuiltAgain"],
): Promise<Effect> {
  if (becomes === null) return remove(path, judging, isBuiltAgain);
  const effect = write(path, was === null ? "create" : "replace", judging);
  return becomes === "folder" ? { ...effect, tree: true } : effect;
}

function write(
  target: string,
  change: "create" | "replace",
  { label }: DifferenceJudging,
  executedLater: string | null = null,
): WritePath {
  const later = executedLater === null ? {} : { executedLater };
  const data = isRepositoryData(target) ? { repositoryData: true as const } : {};
  return { kind: "write-path", target, change, label, reversal: "undoable", ...later, ...data };
}

async function remove(
  target: string,
  { label, overlay }: DifferenceJudging,
  isBuiltAgain: WholeDifference["isBuiltAgain"],
): Promise<DeletePath> {
  const isTracked = isBuildOutput(target, overlay.folder) && !(await isBuiltAgain(target));
  const tracked = isTracked ? ({ tracked: true } as const) : {};
  return { kind: "delete-path", target, label, reversal: "undoable", existed: true, ...tracked };
}

/** A file as it was: null where none was there; its text, unless it is large. */
type FileBefore = {
  readonly target: string;
  readonly file: BigIntStats | null;
  readonly text: string | null;
};

/** Why the contents of a file count, beyond its name. Notes have marks that only a tool for notes keeps. */
function contentsRule(
  { target, file, text }: FileBefore,
  { incoming, mode }: { readonly incoming: string; readonly mode: number },
): string | null {
  const look = lookAt(incoming);
  if (look === null) return null;
  const isExecutable = (mode & 0o111) !== 0;
  const becomesExecutable = isExecutable && file !== null && (Number(file.mode) & 0o111) === 0;
  const now = { path: target, isExecutable, becomesExecutable };
  if (!look.isWhole) return executedLaterLarge({ ...now, first: look.first, last: look.last });
  const isChanged = text !== look.text;
  if (file !== null && isChanged && opensAsOrg(target, look.text))
    return "a command changes a note that was there before";
  return executedLaterContents({ ...now, held: text === null ? [] : [text], after: look.text });
}
