import { sha256 } from "../../machine/digest.ts";
import { findNewIds } from "../../notes/find-new-ids.ts";
import { inBuffer } from "../../signal/editor-buffer.ts";
import { bottomLabel, joinLabels, type Label } from "../../signal/label.ts";
import { noteOnOtherNames } from "../../signal/other-names.ts";
import { failure, type Outcome, success } from "../../signal/tool.ts";
import type { JsonObject } from "../../text/json.ts";
import { syntaxProblem } from "../syntax/broken-syntax.ts";
import { makeInert, type Versions } from "./check-contents.ts";
import { describeDisarmed } from "./disarm-change.ts";
import { done, problem } from "./fallible.ts";
import type { FilePorts } from "./file-ports.ts";
import { sameBytes } from "./merge-versions.ts";
import { newNames } from "./private-names.ts";
import type { PlannedChange, ProposedChange } from "./proposed-change.ts";
import type { FileReplacement } from "./replace.ts";
import { replacePresent } from "./replace-present.ts";
import { statusIfThere } from "./status-if-there.ts";

/** Makes a change that was planned, in its file or in the buffer that has unsaved changes of it. */
export async function makeChange(
  proposed: ProposedChange,
  planned: PlannedChange,
  ports: FilePorts,
): Promise<Outcome> {
  const { file, bytes, label, current, inert, isInBuffer } = planned;
  const { path, shownAs } = proposed;
  if (file.before === file.after) {
    if (proposed.adds === undefined) return success({ path: shownAs, unchanged: true });
    // A call that a crash cut off has added its note, and ends here.
    await proposed.also?.after(current);
    return success({ path: shownAs, created: false, bytes: current?.length ?? 0, ...proposed.tells?.() });
  }
  await keepOrigin(proposed, { before: current, after: bytes, label }, ports);
  if (current === null) await keepNames(proposed, ports);
  // Where the owner was asked about a tag that is taken, their yes stands.
  const keepPrivate = planned.lifts.length > 0 ? undefined : await ports.origins.watchPrivate?.(path);
  const others = isInBuffer || current === null ? 0 : ((await statusIfThere(path))?.nlink ?? 1) - 1;
  const replaced = await replacePresent(
    {
      path,
      before: current,
      after: bytes,
      mode: null,
      keepPreImage: keeping(planned, ports),
      ...carriedOver(proposed, planned),
    },
    isInBuffer ? ports.buffers : undefined,
  );
  if (!replaced.ok) return failure(replaced);
  await keepPrivate?.();
  const { before, after } = replaced.value;
  if (after !== null && !sameBytes(after, bytes))
    await keepOrigin(proposed, { before, after, label: await labelOfMerged(proposed, before, ports) }, ports);
  await proposed.also?.after(before);
  return success({
    path: shownAs,
    created: before === null,
    bytes: after?.length ?? 0,
    ...(isInBuffer ? { editor: inBuffer } : {}),
    ...proposed.tells?.(),
    ...(others > 0 ? { note: noteOnOtherNames(others) } : {}),
    ...describeDisarmed(inert.disarmed),
    ...(await writtenProblem(path, after)),
  });
}

function keeping({ drops }: PlannedChange, { keepPreImage }: FilePorts): FilePorts["keepPreImage"] {
  return (versions) => keepPreImage({ ...versions, drops: drops.map(({ id }) => id) });
}

/**
 * How a change is made on other contents than those that were judged, if it may be: with the same checks, and
 * only where it is as harmless as it was judged.
 */
function carriedOver(
  proposed: ProposedChange,
  { mode, inert: judged }: PlannedChange,
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
  const digest = sha256(before);
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
  await origins.keep(sha256(after), label, { path, before, after, ...flowing });
}

/**
 * What a result says of contents that the parser of the file's kind cannot read; nothing of others. The gate
 * `syntax` blocks only what breaks a valid file.
 */
async function writtenProblem(path: string, after: Uint8Array | null): Promise<JsonObject> {
  const problem = after === null ? null : await syntaxProblem(path, after);
  return problem === null ? {} : { problem: `The file was written, and it does not parse: ${problem}.` };
}
