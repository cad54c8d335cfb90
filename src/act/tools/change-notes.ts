import { decodeOrgText, type EditOptions, editOrg, encodeOrgText, type Moment, type Operation } from "#org";
import { merge } from "../../memory/notes/edits/merge.ts";
import { done, type Fallible, problem } from "../files/fallible.ts";

/** Operations on one file. */
export type NotesChange = {
  readonly path: string;
  /** Each with what goes with it, such as the mark of its origin. */
  readonly operations: readonly (readonly Operation[])[];
  /** The version that they were proposed on, where that is known: what they replace as a whole is replaced in that one alone. */
  readonly seen: Uint8Array | null;
  /** What other files hold that subtrees may be archived to, by the names that the text has for them. */
  readonly archives: ReadonlyMap<string, Uint8Array>;
  /** Unix milliseconds. */
  readonly at: number;
  readonly newId: () => string;
};

/** What an Org file and its archives are to hold, and what was done and not done, in words. */
export type NotesChangeResult = {
  readonly bytes: Uint8Array;
  readonly archives: ReadonlyMap<string, Uint8Array>;
  readonly note: string;
};

/** The names of the files that operations on a text would archive to. */
export function archiveNames(current: Uint8Array, change: Omit<NotesChange, "archives">): readonly string[] {
  const names = new Set<string>();
  const read = (name: string): string => {
    names.add(name);
    return "";
  };
  editOrg(decodeOrgText(current).text, change.operations.flat(), optionsOf(change, read));
  return [...names];
}

/** Applies operations to what a file holds (null: there is none). Where none of them can be done, that is the problem; else the rest is done. */
export function changeNotes(current: Uint8Array | null, change: NotesChange): Fallible<NotesChangeResult> {
  const { path, operations, seen } = change;
  if (current === null && !operations.every(([first]) => first !== undefined && makesHeading(first)))
    return problem(
      "not-found",
      `${path}: there is no such file. Headings can be inserted into it, and nothing else.`,
    );
  const stale = seen !== null && current !== null && Buffer.compare(seen, current) !== 0;
  if (stale && operations.flat().some(replacesWhole)) return onSeen(current, seen, change);
  return edited(current ?? new Uint8Array(), change);
}

function optionsOf(
  { path, at, newId }: Omit<NotesChange, "archives">,
  read: (name: string) => string | null,
): EditOptions {
  return { now: momentOf(at), newId, files: { name: path, read }, keepFinalNewline: true };
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
  return done({ bytes: encodeOrgText({ ...org, text }), archives, note });
}

/** Does them in the version that they were proposed on, and merges that with what the file holds now. */
function onSeen(current: Uint8Array, seen: Uint8Array, change: NotesChange): Fallible<NotesChangeResult> {
  const ours = edited(seen, change);
  if (!ours.ok) return ours;
  const [base, mine, now] = [seen, ours.value.bytes, current].map((bytes) => decodeOrgText(bytes));
  if (base === undefined || mine === undefined || now === undefined) return ours;
  const merged = merge(base.text, mine.text, now.text);
  if (merged.ok) return done({ ...ours.value, bytes: encodeOrgText({ ...now, text: merged.text }) });
  return problem(
    "edited-meanwhile",
    `${change.path}: somebody else changed the same lines since they were last seen here, so nothing was written. Read them again and propose anew.`,
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

/** Org has no time zone: it is the clock on the wall. */
function momentOf(at: number): Moment {
  const date = new Date(at);
  return {
    ...{ year: date.getFullYear(), month: date.getMonth() + 1, day: date.getDate() },
    ...{ hour: date.getHours(), minute: date.getMinutes() },
  };
}
