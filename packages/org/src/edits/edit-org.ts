import { applyOperation } from "./apply-operation.ts";
import type { EditableFiles } from "./archive.ts";
import { writePendingLog } from "./log-note.ts";
import { openEditSession, type SessionOptions } from "./open-session.ts";
import type { Operation } from "./operation.ts";
import type { EditSession } from "./session.ts";
import type { Splice } from "./splice.ts";

/** The name of the edited file, and access to other files that operations may write to. */
export type EditFiles = {
  readonly name: string;
  /** The name that archived entries remember, with `~` for the home folder; `name` where it is left out. */
  readonly shownAs?: string;
  /** The text of another file: empty if it does not exist yet, null if it may not be written. `path` is as the text names it. */
  readonly read: (path: string) => string | null;
};

/** What edits depend on besides the text. Without `files`, nothing is archived to another file. */
export type EditOptions = SessionOptions & {
  readonly files?: EditFiles;
  /** A text that ends in a line feed still ends in one, also where Emacs leaves that to saving. */
  readonly keepFinalNewline?: boolean;
};

/** An operation that was refused, with its index. */
export type RefusedOperation = {
  readonly index: number;
  readonly operation: Operation;
  readonly reason: string;
};

/** An edited text, and the splices that make it from the original. */
export type EditedText = { readonly text: string; readonly splices: readonly Splice[] };

/** The result of edits. `otherFiles` are the files that subtrees were archived to, by the path that the text names. */
export type EditResult = EditedText & {
  readonly refused: readonly RefusedOperation[];
  readonly otherFiles: readonly (EditedText & { readonly path: string })[];
};

/** Applies operations to an Org text in order, as Emacs's commands do. An operation that cannot be applied is refused with a reason; the others are still applied. */
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

/** Another file lies elsewhere, so that its setup files have other names: none is read. */
function filesOf(
  { files, readSetup: _ofText, ...options }: EditOptions,
  others: Map<string, EditSession>,
): EditableFiles {
  return {
    name: files?.name ?? "",
    shownAs: files?.shownAs ?? files?.name ?? "",
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
