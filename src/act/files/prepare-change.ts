import { findNewIds } from "../../memory/notes/edits/find-new-ids.ts";
import type { Effect, LiftedMark } from "../../signal/effect.ts";
import { previewChange } from "../../signal/file-diff.ts";
import type { Json, JsonObject } from "../../signal/json.ts";
import { bottomLabel, joinLabels, type Label } from "../../signal/label.ts";
import { asUtf8 } from "../../signal/text/utf16-text.ts";
import { type FileChange, failure, type Outcome, type Preparation, success } from "../../signal/tool.ts";
import { brokenSyntax } from "../syntax/broken-syntax.ts";
import { isThere, makeInert, takenId, type Versions } from "./check-contents.ts";
import { digestBytes, type FileContents, readWholeFile } from "./contents.ts";
import { describeDisarmed, type InertChange } from "./disarm-change.ts";
import { done, type Fallible, problem } from "./fallible.ts";
import type { FilePorts } from "./file-ports.ts";
import { laterByOtherName } from "./later-names.ts";
import { sameBytes } from "./merge-versions.ts";
import { newNames } from "./private-names.ts";
import { type DroppedCopy, type FileReplacement, replaceFile } from "./replace.ts";
import { writtenProblem } from "./written-problem.ts";

/** A proposed change of one file. `path` is real. */
export type ProposedChange = {
  readonly path: string;
  /** The path as the outcome names it. */
  readonly shownAs: string;
  /** The session that the change belongs to. */
  readonly session: string;
  /** The label of everything that flows into the change. */
  readonly label: Label;
  /** The label of the text that the change brings into the file, if other data flows into it too. */
  readonly brought?: Label;
  /** The label of the name of the file, where a proposal chose it. */
  readonly named?: Label;
  /** The file from which nodes move here, with their IDs, before and after the change. */
  readonly movedFrom?: Versions;
  /** Whether the outcome reveals something of the file's contents. */
  readonly readsContents: boolean;
  /** The label of the file's contents after the change. `digest` is the digest of its current contents, `bytes`. */
  readonly contentLabel: (digest: string | null, bytes?: Uint8Array) => Label | Promise<Label>;
  /** The new contents, given the current ones. Called before `contentLabel` and `tells`. */
  readonly change: (current: Uint8Array | null) => Fallible<Uint8Array> | Promise<Fallible<Uint8Array>>;
  /** The same for a change that counts for whatever the file holds once it is made, such as an append. Any other change counts for the contents that were judged. */
  readonly carryOver?: (current: Uint8Array | null) => Uint8Array;
  /**
   * The ID of the note that the change adds: where the file has it, the change is made already. Called after
   * `change`.
   */
  readonly adds?: () => string | null;
  /**
   * The label of what the outcome says, where that is not the whole file's; null where it is. Called after
   * `change`.
   */
  readonly toldLabel?: (before: Uint8Array | null, after: Uint8Array) => Promise<Label | null>;
  /** What the outcome says besides the path and the size. */
  readonly tells?: () => JsonObject;
  /** Further effects, and a function to call once the file is changed. */
  readonly also?: {
    readonly effects: readonly Effect[];
    readonly plan: Json;
    readonly after: (before: Uint8Array | null) => Promise<void>;
  };
};

type Change = {
  readonly file: FileChange;
  readonly current: Uint8Array | null;
  readonly bytes: Uint8Array;
  readonly label: Label;
  readonly mode: number;
  /** The older copies that are dropped so that the file can be kept as it is now. */
  readonly drops: readonly DroppedCopy[];
  readonly lifts: readonly LiftedMark[];
  readonly inert: InertChange;
  /** Why the file will be executed or obeyed later, by its contents or by another name; null if it will not. */
  readonly executedLater: string | null;
  /** What is wrong with the contents, where the present ones have nothing wrong; null if nothing is. */
  readonly breaks: string | null;
};

/** Prepares a change of a file. A problem with the file shows only when running, after the judge: a refusal before would reveal its contents. */
export async function prepareChange(
  proposed: ProposedChange,
  ports: FilePorts,
): Promise<Preparation & { readonly ok: true }> {
  const { path } = proposed;
  const current = await readWholeFile(path);
  const planned = current.ok ? await plan(proposed, current.value, ports) : current;
  const exists = !current.ok || current.value !== null;
  const file = planned.ok ? planned.value.file : { path, before: null, after: null };
  return {
    ok: true,
    effects: [
      ...effectsOf(proposed, exists, planned.ok ? planned.value : null),
      ...dropEffects(planned.ok ? planned.value.drops : []),
      ...(proposed.also?.effects ?? []),
    ],
    plan: {
      path,
      also: proposed.also?.plan ?? null,
      ...(planned.ok ? planFor(proposed, planned.value) : { problem: planned.code }),
    },
    changes: planned.ok && file.before !== file.after ? [withNote(file, proposed)] : [],
    ...(planned.ok && current.ok && current.value !== null && file.before !== file.after
      ? { rewrites: [{ path, before: current.value.bytes, after: planned.value.bytes }] }
      : {}),
    ...(planned.ok ? { preview: previewChange(planned.value) } : {}),
    // A problem may quote the contents as well as a success.
    resultLabel: joinLabels(
      !proposed.readsContents
        ? bottomLabel
        : planned.ok
          ? ((await proposed.toldLabel?.(planned.value.current, planned.value.bytes)) ?? planned.value.label)
          : await proposed.contentLabel(current.ok ? (current.value?.digest ?? null) : null),
      proposed.label,
    ),
    ...(planned.ok && quotesContents(planned.value) ? { toldByEffects: planned.value.label } : {}),
    run: () => run(proposed, planned, ports),
    ...(proposed.adds === undefined ? {} : { resumes: true }),
  };
}

function quotesContents({ lifts, executedLater, breaks }: Change): boolean {
  return lifts.length > 0 || executedLater !== null || breaks !== null;
}

function withNote(file: FileChange, { adds }: ProposedChange): FileChange {
  const id = adds?.() ?? null;
  return id === null ? file : { ...file, adds: id };
}

async function plan(
  proposed: ProposedChange,
  current: FileContents | null,
  ports: FilePorts,
): Promise<Fallible<Change>> {
  const changed = await proposed.change(current?.bytes ?? null);
  if (!changed.ok) return changed;
  const mode = current?.mode ?? 0;
  const inert = makeInert(proposed, { before: current?.bytes ?? null, after: changed.value, mode });
  if (!inert.ok) return inert;
  const { bytes } = inert.value;
  const taken = await takenId(proposed, { before: current?.bytes ?? null, after: bytes }, ports);
  if (taken !== null) return taken;
  const before = current?.digest ?? null;
  const file = { path: proposed.path, before, after: digestBytes(bytes) };
  const isChanged = before !== file.after;
  return {
    ok: true,
    value: {
      file,
      drops: isChanged
        ? await ports.planPreImage(proposed.path, current?.bytes ?? null, proposed.session)
        : [],
      current: current?.bytes ?? null,
      bytes,
      inert: inert.value,
      executedLater: inert.value.executedLater ?? (isChanged ? await laterByOtherName(proposed.path) : null),
      breaks: await brokenSyntax(proposed.path, current?.bytes ?? null, bytes),
      label: await proposed.contentLabel(before, current?.bytes),
      mode,
      lifts: await ports.origins.lifted(proposed.path, {
        before: [current?.bytes, proposed.movedFrom?.before].filter(isThere).map(asUtf8),
        after: [bytes, proposed.movedFrom?.after].filter(isThere).map(asUtf8),
      }),
    },
  };
}

function planFor({ also, carryOver }: ProposedChange, { file: { before, after }, drops }: Change) {
  const plan = carryOver === undefined ? { before, after: also === undefined ? after : null } : {};
  return drops.length === 0 ? plan : { ...plan, drops: drops.map(({ id }) => id) };
}

function effectsOf(
  { path, label, readsContents }: ProposedChange,
  exists: boolean,
  planned: Change | null,
): readonly Effect[] {
  const { lifts = [], executedLater = null, breaks = null } = planned ?? {};
  const write: Effect = {
    kind: "write-path",
    target: path,
    change: exists ? "replace" : "create",
    ...(lifts.length === 0 ? {} : { lifts }),
    ...(executedLater === null ? {} : { executedLater }),
    ...(breaks === null ? {} : { breaks }),
    label,
    reversal: "undoable",
  };
  const read: Effect = {
    kind: "read-path",
    target: path,
    access: "contents",
    tree: false,
    label,
    reversal: "undoable",
  };
  return readsContents ? [read, write] : [write];
}

/** The effect that changes of files can no longer be undone; none where nothing is dropped. */
function dropEffects(drops: readonly DroppedCopy[]): readonly Effect[] {
  if (drops.length === 0) return [];
  const paths = [...new Set(drops.flatMap((drop) => drop.paths))].sort();
  const shown = paths.slice(0, shownPaths).join(", ");
  const more = paths.length > shownPaths ? ` and ${paths.length - shownPaths} more files` : "";
  const effect: Effect = {
    kind: "change-memory",
    target: `${shown}${more}`,
    realm: "own",
    operation: `drop the older contents of ${shown}${more} (${drops.length} kept for undo)`,
    label: bottomLabel,
    reversal: "final",
  };
  return [effect];
}

/** Paths that the question about dropped contents names. */
const shownPaths = 5;

async function run(proposed: ProposedChange, planned: Fallible<Change>, ports: FilePorts): Promise<Outcome> {
  if (!planned.ok) return failure(planned);
  const { file, bytes, label, current, drops, inert } = planned.value;
  const { path, shownAs } = proposed;
  if (file.before === file.after) {
    if (proposed.adds === undefined) return success({ path: shownAs, unchanged: true });
    // A call that a crash cut off has added its note, and ends here.
    await proposed.also?.after(current);
    return success({ path: shownAs, created: false, bytes: current?.length ?? 0, ...proposed.tells?.() });
  }
  await keepOrigin(proposed, { before: current, after: bytes, label }, ports);
  if (current === null) await keepNames(proposed, ports);
  const replaced = await replaceFile({
    path,
    before: current,
    after: bytes,
    mode: null,
    keepPreImage: (versions) => ports.keepPreImage({ ...versions, drops: drops.map(({ id }) => id) }),
    ...carriedOver(proposed, planned.value),
  });
  if (!replaced.ok) return failure(replaced);
  const { before, after } = replaced.value;
  if (after !== null && !sameBytes(after, bytes))
    await keepOrigin(proposed, { before, after, label: await labelOfMerged(proposed, before, ports) }, ports);
  await proposed.also?.after(before);
  return success({
    path: shownAs,
    created: before === null,
    bytes: after?.length ?? 0,
    ...proposed.tells?.(),
    ...describeDisarmed(inert.disarmed),
    ...(await writtenProblem(path, after)),
  });
}

/** How a change is made on other contents than those that were judged, if it may be: with the same checks, and only where it is as harmless as it was judged. */
function carriedOver(
  proposed: ProposedChange,
  { mode, inert: judged }: Change,
): Pick<FileReplacement, "carryOver"> {
  const { path, carryOver } = proposed;
  if (carryOver === undefined) return {};
  return {
    carryOver(found) {
      const inert = makeInert(proposed, { before: found, after: carryOver(found), mode });
      if (!inert.ok) return inert;
      const { bytes, executedLater } = inert.value;
      const isTaken = findNewIds(path, found, bytes).some(({ twice }) => twice);
      if (executedLater === judged.executedLater && !isTaken) return done(bytes);
      return problem(
        "conflict",
        `${path}: the file changed after this was judged, and with it what the change would do. Nothing was written; try again.`,
      );
    },
  };
}

/** The label of contents that somebody else changed too. `before` is what they held without this change. */
async function labelOfMerged(
  { path, contentLabel }: ProposedChange,
  before: Uint8Array | null,
  { origins }: FilePorts,
): Promise<Label> {
  if (before === null) return await contentLabel(null);
  const digest = digestBytes(before);
  return joinLabels(await contentLabel(digest, before), await origins.inside(path, digest, before));
}

async function keepNames({ path, named = bottomLabel }: ProposedChange, { origins }: FilePorts) {
  if (named.secrecy !== "public") await origins.names?.keep(await newNames(path), named);
}

async function keepOrigin(
  { path, brought, label: whole, movedFrom }: ProposedChange,
  { before, after, label }: Versions & { readonly label: Label },
  { origins }: FilePorts,
): Promise<void> {
  const flowing = { label: brought ?? whole, movedFrom: movedFrom?.before ?? null };
  await origins.keep(digestBytes(after), label, { path, before, after, ...flowing });
}
