import type { Licence } from "../../../signal/facts.ts";
import { joinLabels } from "../../../signal/label.ts";
import type { Outcome, Preparation } from "../../../signal/tool.ts";
import { failure, success } from "../../../signal/tool.ts";
import { readOpenFile, readWholeFile } from "../../files/contents.ts";
import { type Excerpt, type ExcerptRequest, excerptOf, readExcerpt } from "../../files/excerpt.ts";
import { catchFileErrors, done } from "../../files/fallible.ts";
import { type FilePorts, labelOfContents } from "../../files/file-ports.ts";
import { type FileIdentity, openRegularFile, readFileIdentity } from "../../files/open-file.ts";
import { labelOfTyped } from "../../files/private-names.ts";
import { readPieces } from "../../files/read-pieces.ts";
import { shownPath } from "../../files/shown-path.ts";
import { underTypedNames } from "../../files/typed-names.ts";
import { resolveTypedPath, writtenPath } from "../../files/typed-path.ts";
import { namesPath } from "../../flow/names-path.ts";
import type { ToolCall } from "../define-tool.ts";

/** To read the very file that the owner typed is what they ask for. */
const namedByOwner: Licence = {
  kind: "intent",
  name: "your words, which name the file",
  discharges: ["read-outside"],
  effectIndexes: [0],
};
/** Bytes that one call gives: what a model gets of a result. */
const maxBytes = 32 * 1024;
const maxTracedBytes = 5 * 1024 * 1024;

/** The parsed arguments of the tool read-file. */
export type ReadFileArguments = {
  readonly path: string;
  /** The first line; 1 if it is left out. */
  readonly offset?: number | undefined;
  /** The most lines. */
  readonly limit?: number | undefined;
};

/** Prepares the reading of a file. */
export async function prepareReadFile(
  { path: typed, offset: from = 1, limit }: ReadFileArguments,
  { ports, caller, labelOf }: ToolCall<FilePorts>,
): Promise<Preparation> {
  const bearings = { workspace: caller.workspace, home: ports.folders.home };
  const located = await resolveTypedPath(typed, bearings);
  if (!located.ok) return located;
  const path = located.value;
  const identity = await readFileIdentity(path);
  const traced = await readWholeFile(path, maxTracedBytes);
  const contents = traced.ok ? traced.value : null;
  const digest = contents?.digest ?? null;
  const place = await labelOfTyped(typed, path, caller.workspace, ports);
  return {
    ok: true,
    effects: await underTypedNames(
      {
        kind: "read-path",
        target: path,
        access: "contents",
        tree: false,
        label: labelOf(typed),
        reversal: "undoable",
      },
      writtenPath(typed, bearings),
      ports.isSecretPath,
    ),
    plan: { path, from, limit: limit ?? null },
    changes: [],
    licences: namesPath(caller.sources?.words ?? [], path, ports.folders.home) ? [namedByOwner] : [],
    resultLabel:
      !traced.ok && traced.code === "too-large"
        ? joinLabels(
            await labelOfContents(place, null, ports),
            await ports.origins.insideLarge(path, readPieces(path)),
          )
        : await labelOfContents(place, digest, ports, contents?.bytes),
    run: (cancel) =>
      read(
        {
          path,
          shown: shownPath(path, caller.workspace),
          wanted: { from, maxLines: limit, maxBytes },
          identity,
          digest,
        },
        cancel,
      ),
  };
}

type Judged = {
  readonly path: string;
  /** The path as the result names it. */
  readonly shown: string;
  readonly wanted: ExcerptRequest;
  readonly identity: FileIdentity;
  /** The digest of the contents that the result's label belongs to; null if they are too large to be labelled by digest. */
  readonly digest: string | null;
};

async function read(
  { path, shown, wanted, identity, digest }: Judged,
  cancel: AbortSignal,
): Promise<Outcome> {
  const result = await catchFileErrors(path, async () => {
    const opened = await openRegularFile(path, identity);
    if (!opened.ok) return opened;
    await using handle = opened.value;
    if (digest === null) return done(await readExcerpt(handle, wanted, cancel));
    const now = await readOpenFile(handle, path, maxTracedBytes);
    if (!now.ok) return now;
    cancel.throwIfAborted();
    return now.value.digest === digest ? done(excerptOf(now.value.bytes, wanted)) : changed(path);
  });
  return result.ok ? describe(shown, wanted.from, result.value) : failure(result);
}

function changed(path: string) {
  return {
    ok: false,
    code: "changed-since-judged",
    message: `${path}: the file changed while it was being read. Read it again.`,
  } as const;
}

function describe(path: string, from: number, excerpt: Excerpt): Outcome {
  if (excerpt.kind === "binary") {
    return success({
      path,
      size: excerpt.size,
      binary: true,
      note: `This is a binary file of ${excerpt.size} bytes; its contents are not shown.`,
    });
  }
  const { text, to, next, size, lines } = excerpt;
  const count = lines === null ? null : `${lines} ${lines === 1 ? "line" : "lines"}`;
  const past =
    text === "" && from > 1 ? [`Nothing is at line ${from}: the file has ${count ?? "fewer lines"}.`] : [];
  const whole = count === null ? `a file of ${size} bytes` : `${count} (${size} bytes)`;
  const more =
    next === null ? [] : [`These are lines ${from} to ${to} of ${whole}. Read on with offset: ${next}.`];
  const note = [...excerpt.notes, ...past, ...more].join(" ");
  return success({ path, text, from, to, size, ...(note === "" ? {} : { note }) });
}
