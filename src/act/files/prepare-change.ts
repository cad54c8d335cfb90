import { sha256 } from "../../machine/digest.ts";
import { inBuffer, waitsForLock } from "../../signal/editor-buffer.ts";
import type { Effect } from "../../signal/effect.ts";
import { previewChange } from "../../signal/file-diff.ts";
import { bottomLabel, joinAll, joinLabels, type Label } from "../../signal/label.ts";
import { type FileChange, failure, type Preparation } from "../../signal/tool.ts";
import { asUtf8 } from "../../text/utf16-text.ts";
import { brokenSyntax } from "../syntax/broken-syntax.ts";
import { isThere, makeInert, takenId } from "./check-contents.ts";
import { catchFileErrors, done, type Fallible } from "./fallible.ts";
import type { FilePorts } from "./file-ports.ts";
import { OtherNames } from "./later-names.ts";
import { makeChange } from "./make-change.ts";
import { type PresentFile, readPresentFile } from "./present-file.ts";
import { labelOfNames } from "./private-names.ts";
import type { PlannedChange, ProposedChange } from "./proposed-change.ts";
import { checkEditorLock, type DroppedCopy } from "./replace.ts";
import { laterByNames, type PathEffect, underTypedNames } from "./typed-names.ts";

/** Prepares a change of a file. A problem with the file shows only when running, after the judge: a refusal before would reveal its contents. */
export async function prepareChange(
  proposed: ProposedChange,
  ports: FilePorts,
): Promise<Preparation & { readonly ok: true }> {
  const { path, written } = proposed;
  const links = await labelOfNames({ path, written, tree: false, tells: "links" }, ports);
  const present = await readUsable(proposed, ports);
  const current = present.ok ? done(present.value.contents) : present;
  const planned = present.ok ? await plan(proposed, present.value, ports) : present;
  const exists = !current.ok || current.value !== null;
  const file = planned.ok ? planned.value.file : { path, before: null, after: null };
  return {
    ok: true,
    effects: [
      ...(await effectsOf(
        proposed,
        { exists, planned: planned.ok ? planned.value : null, isLocked: await isLocked(path) },
        ports,
      )),
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
    // A problem may quote the contents as well as a success, and both tell where the links of the path lead.
    resultLabel: joinAll([
      !proposed.readsContents
        ? bottomLabel
        : planned.ok
          ? ((await proposed.toldLabel?.(planned.value.current, planned.value.bytes)) ?? planned.value.label)
          : present.ok
            ? await labelOfPresent(proposed, present.value)
            : await proposed.contentLabel(null),
      proposed.label,
      links,
    ]),
    ...(planned.ok && quotesContents(planned.value) ? { toldByEffects: planned.value.label } : {}),
    run: async () => (planned.ok ? makeChange(proposed, planned.value, ports) : failure(planned)),
    ...(proposed.adds === undefined ? {} : { resumes: true }),
  };
}

/**
 * What the file holds before its owner. A buffer with text that is or was encrypted stays with its editor: in
 * the
 * file that text is no plain text, so its edit waits.
 */
async function readUsable(
  { path, onlyOnDisk }: ProposedChange,
  { buffers, isSecretPath, origins }: FilePorts,
): Promise<Fallible<PresentFile>> {
  const present = await readPresentFile(
    path,
    onlyOnDisk === true || isSecretPath(path) ? undefined : buffers,
  );
  if (!present.ok || present.value.onDisk === undefined) return present;
  const { contents, onDisk } = present.value;
  const inside = await origins.inside(path, contents?.digest ?? "", contents?.bytes ?? new Uint8Array());
  return inside.secrecy === "secret" ? done({ contents: onDisk }) : present;
}

/** Whether an editor has unsaved changes of a file. */
async function isLocked(path: string): Promise<boolean> {
  const held = await catchFileErrors(path, async () => (await checkEditorLock(path)) ?? done(null));
  return !held.ok && held.code === "locked";
}

/** The label of the contents; of a buffer, joined with that of its file. */
async function labelOfPresent(
  { contentLabel }: ProposedChange,
  { contents, onDisk = null }: PresentFile,
): Promise<Label> {
  const label = await contentLabel(contents?.digest ?? null, contents?.bytes);
  return onDisk === null ? label : joinLabels(label, await contentLabel(onDisk.digest, onDisk.bytes));
}

function quotesContents({ lifts, executedLater, breaks }: PlannedChange): boolean {
  return lifts.length > 0 || executedLater !== null || breaks !== null;
}

function withNote(file: FileChange, { adds }: ProposedChange): FileChange {
  const id = adds?.() ?? null;
  return id === null ? file : { ...file, adds: id };
}

async function plan(
  proposed: ProposedChange,
  present: PresentFile,
  ports: FilePorts,
): Promise<Fallible<PlannedChange>> {
  const { contents: current, onDisk } = present;
  const changed =
    onDisk === undefined
      ? await proposed.change(current?.bytes ?? null)
      : await proposed.change(current?.bytes ?? null, onDisk?.bytes ?? null);
  if (!changed.ok) return changed;
  const mode = current?.mode ?? 0;
  const inert = makeInert(proposed, { before: current?.bytes ?? null, after: changed.value, mode });
  if (!inert.ok) return inert;
  const { bytes } = inert.value;
  const taken = await takenId(proposed, { before: current?.bytes ?? null, after: bytes }, ports);
  if (taken !== null) return taken;
  const before = current?.digest ?? null;
  const isInBuffer = onDisk !== undefined;
  const place = isInBuffer ? { inBuffer: { onDisk: onDisk?.digest ?? null } } : {};
  const file = { path: proposed.path, before, after: sha256(bytes), ...place };
  const isChanged = before !== file.after;
  return {
    ok: true,
    value: {
      file,
      drops: isChanged
        ? await ports.planPreImage(proposed.path, current?.bytes ?? null, proposed.session)
        : [],
      current: current?.bytes ?? null,
      isInBuffer,
      bytes,
      inert: inert.value,
      executedLater: inert.value.executedLater ?? (isChanged ? await laterByName(proposed) : null),
      breaks: await brokenSyntax(proposed.path, current?.bytes ?? null, bytes),
      label: await labelOfPresent(proposed, present),
      mode,
      lifts: await ports.origins.lifted(proposed.path, {
        before: [current?.bytes, proposed.movedFrom?.before].filter(isThere).map(asUtf8),
        after: [bytes, proposed.movedFrom?.after].filter(isThere).map(asUtf8),
      }),
    },
  };
}

function planFor({ also, carryOver }: ProposedChange, { file: { before, after }, drops }: PlannedChange) {
  const plan = carryOver === undefined ? { before, after: also === undefined ? after : null } : {};
  return drops.length === 0 ? plan : { ...plan, drops: drops.map(({ id }) => id) };
}

function laterByName({ path, written }: ProposedChange): Promise<string | null> {
  return laterByNames(path, { written, others: new OtherNames(), byInode: true });
}

async function effectsOf(
  { path, written, label, readsContents }: ProposedChange,
  {
    exists,
    planned,
    isLocked,
  }: { readonly exists: boolean; readonly planned: PlannedChange | null; readonly isLocked: boolean },
  { isSecretPath }: FilePorts,
): Promise<readonly Effect[]> {
  const editor = planned?.isInBuffer === true ? inBuffer : isLocked ? waitsForLock : undefined;
  const { lifts = [], executedLater = null, breaks = null } = planned ?? {};
  const write: PathEffect = {
    kind: "write-path",
    target: path,
    change: exists ? "replace" : "create",
    ...(lifts.length === 0 ? {} : { lifts }),
    ...(executedLater === null ? {} : { executedLater }),
    ...(breaks === null ? {} : { breaks }),
    ...(editor === undefined ? {} : { editor }),
    label,
    reversal: "undoable",
  };
  const read: PathEffect = {
    kind: "read-path",
    target: path,
    access: "contents",
    tree: false,
    label,
    reversal: "undoable",
  };
  const effects: readonly PathEffect[] = readsContents ? [read, write] : [write];
  return (await Promise.all(effects.map((one) => underTypedNames(one, written, isSecretPath)))).flat();
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
