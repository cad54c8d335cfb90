import { applyOperation } from "./apply-operation.ts";
import type { EditableFiles } from "./archive.ts";
import { writePendingLog } from "./log-note.ts";
import { openEditSession, type SessionOptions } from "./open-session.ts";
import type { Operation } from "./operation.ts";
import type { EditSession } from "./session.ts";
import type { Splice } from "./splice.ts";

/** The file that a text is of, and the others that operations may write to. */
export type EditFiles = {
  readonly name: string;
  /** The text of another file, nothing for one that is not there yet; null for one that may not be written. `path` is as the text names it. */
  readonly read: (path: string) => string | null;
};

/** What edits depend on besides the text. Without `files`, nothing is archived to another file. */
export type EditOptions = SessionOptions & {
  readonly files?: EditFiles;
  /** A text that ends in a line feed still does afterwards, also where Emacs leaves that to saving. */
  readonly keepFinalNewline?: boolean;
};

/** An operation that was not done, with its place in the row. */
export type RefusedOperation = {
  readonly index: number;
  readonly operation: Operation;
  readonly reason: string;
};

/** A text after edits, and how it came about: splices to be applied to the text before. */
export type EditedText = { readonly text: string; readonly splices: readonly Splice[] };

/** What edits come to. `otherFiles` are those that a subtree was archived to, by the path that the text names. */
export type EditResult = EditedText & {
  readonly refused: readonly RefusedOperation[];
  readonly otherFiles: readonly (EditedText & { readonly path: string })[];
};

/** Applies operations to a text of Org in order, as Emacs's commands would. What cannot be done is refused with a reason, and the rest goes on. */
export function editOrg(text: string, operations: readonly Operation[], options: EditOptions): EditResult {
  const session = openEditSession(text, options);
  const others = new Map<string, EditSession>();
  const files = filesOf(options, others);
  const refused: RefusedOperation[] = [];
  for (const [index, operation] of operations.entries()) {
    if ("note" in operation) session.note = operation.note ?? "";
    const reason = applyOperation(session, operation, files);
    writePendingLog(session);
    if (reason !== null) refused.push({ index, operation, reason });
  }
  if (options.keepFinalNewline === true && text.endsWith("\n")) endWithNewline(session);
  return {
    ...edited(session),
    refused,
    otherFiles: [...others].map(([path, other]) => ({ path, ...edited(other) })),
  };
}

function endWithNewline({ draft }: EditSession): void {
  const end = draft.text.length;
  if (end > 0 && !draft.text.endsWith("\n")) draft.replace({ begin: end, end }, "\n");
}

function filesOf({ files, ...options }: EditOptions, others: Map<string, EditSession>): EditableFiles {
  return {
    name: files?.name ?? "",
    open(path) {
      const known = others.get(path);
      if (known !== undefined) return known;
      const text = files?.read(path) ?? null;
      if (text === null) return null;
      const session = openEditSession(text, options);
      others.set(path, session);
      return session;
    },
  };
}

function edited({ draft }: EditSession): EditedText {
  return { text: draft.text, splices: draft.splices() };
}
