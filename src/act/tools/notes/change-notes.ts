import { decodeOrgText, type EditOptions, editOrg, encodeOrgText, type Moment, type Operation } from "#org";
import { merge } from "../../../text/diff/merge.ts";
import { underHome } from "../../../text/under-home.ts";
import { done, type Fallible, problem } from "../../files/fallible.ts";

/** A list of operations on one file. */
export type NotesChange = {
  readonly path: string;
  /** The operations, each with those that go with it, such as marking its origin. */
  readonly operations: readonly (readonly Operation[])[];
  /** The version that the operations were proposed for, or null if unknown. Operations that replace a whole text apply to this version only. */
  readonly seen: Uint8Array | null;
  /** The contents of the files that subtrees may be archived to, by their names in the text. */
  readonly archives: ReadonlyMap<string, Uint8Array>;
  /** Unix milliseconds. */
  readonly at: number;
  readonly newId: () => string;
  /** The home folder. */
  readonly home: string;
  readonly settings: OutsideSettings;
};

/** What is set outside a file: by Emacs's variables, and by the setup files that it names. */
export type OutsideSettings = Pick<EditOptions, "variables" | "readSetup">;

/** The new contents of an Org file and its archives, and a note on what was done and not done. */
export type NotesChangeResult = {
  readonly bytes: Uint8Array;
  readonly archives: ReadonlyMap<string, Uint8Array>;
  readonly note: string;
  /** Whether all operations were done: why one was not may quote any entry. */
  readonly isWhole: boolean;
};

/** The names of the files that the operations would archive to. */
export function archiveNames(current: Uint8Array, change: Omit<NotesChange, "archives">): readonly string[] {
  const names = new Set<string>();
  const read = (name: string): string => {
    names.add(name);
    return "";
  };
  editOrg(decodeOrgText(current).text, change.operations.flat(), optionsOf(change, read));
  return [...names];
}

/** Applies operations to the contents of a file (null: there is none). Operations that fail are named in the note; if all fail, that is a problem. */
export function changeNotes(current: Uint8Array | null, change: NotesChange): Fallible<NotesChangeResult> {
  const { path, operations, seen } = change;
  if (current === null && !operations.every(([first]) => first !== undefined && makesHeading(first)))
    return problem(
      "not-found",
      `${path}: there is no such file. In a new file only headings can be inserted.`,
    );
  const stale = seen !== null && current !== null && Buffer.compare(seen, current) !== 0;
  if (stale && operations.flat().some(replacesWhole)) return onSeen(current, seen, change);
  return edited(current ?? new Uint8Array(), change);
}

function optionsOf(
  { path, at, newId, home, settings }: Omit<NotesChange, "archives">,
  read: (name: string) => string | null,
): EditOptions {
  const files = { name: path, shownAs: underHome(path, home), read };
  return { now: momentOf(at), newId, ...settings, files, keepFinalNewline: true };
}

function edited(bytes: Uint8Array, change: NotesChange): Fallible<NotesChangeResult> {
  const { path, operations } = change;
  const org = decodeOrgText(bytes);
  const sources = new Map([...change.archives].map(([name, held]) => [name, decodeOrgText(held)] as const));
  const options = optionsOf(change, (name) => sources.get(name)?.text ?? null);
  const { text, refused, otherFiles } = editOrg(org.text, operations.flat(), options);
  const archives = new Map(
    otherFiles.map((file) => {
      const source = sources.get(file.path) ?? { ...org, bom: false };
      return [file.path, encodeOrgText({ ...source, text: file.text })] as const;
    }),
  );
  const owners = operations.flatMap((group, index) => group.map(() => index));
  const reasons = new Map(refused.map(({ index, reason }) => [owners[index] ?? 0, reason]));
  const left = [...reasons].map(([index, reason]) => {
    const operation = operations[index]?.at(-1);
    return `Not done: ${index + 1}. ${operation === undefined ? "" : described(operation)}: ${reason}.`;
  });
  if (reasons.size === operations.length)
    return problem("refused", `${path}: ${left.join(" ")} Nothing was written.`);
  const doneCount = operations.length - reasons.size;
  const note = [`${doneCount} of ${operations.length} operations done.`, ...left].join(" ");
  return done({ bytes: encodeOrgText({ ...org, text }), archives, note, isWhole: left.length === 0 });
}

/** Applies the operations to the version that they were proposed for, and merges the result with the current contents. */
function onSeen(current: Uint8Array, seen: Uint8Array, change: NotesChange): Fallible<NotesChangeResult> {
  const ours = edited(seen, change);
  if (!ours.ok) return ours;
  const [base, mine, now] = [seen, ours.value.bytes, current].map((bytes) => decodeOrgText(bytes));
  if (base === undefined || mine === undefined || now === undefined) return ours;
  const merged = merge(base.text, mine.text, now.text);
  if (merged.ok) return done({ ...ours.value, bytes: encodeOrgText({ ...now, text: merged.text }) });
  return problem(
    "edited-meanwhile",
    `${change.path}: somebody else changed the same lines after you last read them, so nothing was written. Read the file again and propose a new change.`,
  );
}

function makesHeading({ op }: Operation): boolean {
  return op === "insert" || op === "capture" || op === "paste";
}

function replacesWhole({ op }: Operation): boolean {
  return op === "body" || op === "title";
}

function described(operation: Operation): string {
  return "at" in operation && operation.at !== undefined
    ? `${operation.op} at '${operation.at}'`
    : operation.op;
}

/** The local time: Org has no time zones. */
function momentOf(at: number): Moment {
  const date = new Date(at);
  return {
    year: date.getFullYear(),
    month: date.getMonth() + 1,
    day: date.getDate(),
    hour: date.getHours(),
    minute: date.getMinutes(),
  };
}
