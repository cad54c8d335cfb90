import { randomUUID } from "node:crypto";
import { dirname, resolve } from "node:path";
import {
  decodeOrgText,
  type EditResult,
  editOrg,
  encodeOrgText,
  type Moment,
  type Operation,
  type OrgText,
  type RefusedOperation,
  readDate,
} from "#org";
import { type FileContents, readWholeFile } from "../../act/files/contents.ts";
import { done, type Fallible, problem } from "../../act/files/fallible.ts";
import { checkEditorLock, replaceFile } from "../../act/files/replace.ts";
import { resolveTypedPath } from "../../act/files/typed-path.ts";
import { operationSchema } from "../../act/tools/notes/operation-schema.ts";
import { type NotesPlace, openSetupFilesOfAny } from "../../memory/notes/folder/setup-files.ts";
import type { Json } from "../../text/json.ts";

/** An edit of a file. Its name is relative to `cwd`. */
export type OrgFileEdit = {
  readonly cwd: string;
  /** The folder that `~` stands for. */
  readonly home: string;
  readonly file: string;
  readonly operations: readonly Json[];
  /** `2024-01-15 10:00`; null means the present. */
  readonly now: string | null;
  /** Where the file's setup files may be, and what Emacs's variables set. */
  readonly notes: NotesPlace;
  /** Whether nothing is written. */
  readonly dry: boolean;
};

/** An operation as it was given, with the reason why it was refused; null if it was done. */
export type OperationOutcome = { readonly operation: Json; readonly reason: string | null };

/** The result of an edit: the new bytes of the file, an outcome for each operation, and the paths of the files that changed. */
export type OrgFileEditResult = {
  readonly bytes: Uint8Array;
  readonly outcomes: readonly OperationOutcome[];
  readonly changed: readonly string[];
};

type OrgFile = { readonly path: string; readonly contents: FileContents | null; readonly source: OrgText };

/** Parses a time as the command line writes it, such as `2024-01-15 10:00`; null if it cannot be parsed. */
export function readMoment(written: string): Moment | null {
  const found = /^\d{4}-\d\d-\d\d(?: \d\d?:\d\d)?$/.test(written);
  const date = found ? readDate(written, { now: localMoment(), old: null }) : null;
  return date === null
    ? null
    : { ...date.moment, hour: date.moment.hour ?? 0, minute: date.moment.minute ?? 0 };
}

/** Applies operations to an Org file, and to the archives that they name. Each file is replaced in one step, the archives first; a file that an editor has locked is not written. */
export async function editOrgFile(edit: OrgFileEdit): Promise<Fallible<OrgFileEditResult>> {
  const main = await openFile(edit, edit.file);
  if (!main.ok) return main;
  if (main.value.contents === null)
    return problem("not-found", `there is no file ${edit.file}. Correct the name, or create the file`);
  const read = readOperations(edit.operations);
  const others = new Map<string, OrgFile>();
  const edited = await editWith(edit, { main: main.value, operations: read.operations, others });
  if (!edited.ok) return edited;
  const bytes = encode(main.value, edited.value.text);
  const outcomes = edit.operations.map((operation, index) => ({
    operation,
    reason: read.malformed.get(index) ?? reasonOf(edited.value.refused, read.places.indexOf(index)),
  }));
  const changes = [
    ...edited.value.otherFiles.flatMap(({ path, text }) => change(others.get(path), text)),
    ...change(main.value, edited.value.text),
  ];
  if (!edit.dry) {
    const written = await writeAll(changes);
    if (!written.ok) return written;
  }
  return done({ bytes, outcomes, changed: changes.map(({ file }) => file.path) });
}

type EditInput = {
  readonly main: OrgFile;
  readonly operations: readonly Operation[];
  readonly others: Map<string, OrgFile>;
};

/** Edits, and starts again with each archive that the operations turn out to need. */
async function editWith(edit: OrgFileEdit, input: EditInput): Promise<Fallible<EditResult>> {
  const { main, operations, others } = input;
  const wanted = new Set<string>();
  const read = (path: string) => {
    if (!others.has(path)) wanted.add(path);
    return others.get(path)?.source.text ?? null;
  };
  const now = (edit.now === null ? null : readMoment(edit.now)) ?? localMoment();
  const files = { name: main.path, read };
  const edited = editOrg(main.source.text, operations, {
    now,
    newId: randomUUID,
    variables: edit.notes.variables,
    readSetup: openSetupFilesOfAny(main.path, edit.notes).read,
    files,
  });
  if (wanted.size === 0) return done(edited);
  for (const path of wanted) {
    const other = await openFile({ cwd: dirname(main.path), home: edit.home }, path);
    if (!other.ok) return other;
    if (other.value.path === main.path)
      return problem(
        "same-file",
        `${path} is the edited file itself. Correct the ARCHIVE property or keyword`,
      );
    others.set(path, other.value);
  }
  return await editWith(edit, input);
}

async function openFile(
  { cwd, home }: Pick<OrgFileEdit, "cwd" | "home">,
  name: string,
): Promise<Fallible<OrgFile>> {
  const typed = name.startsWith("~/") ? name : resolve(cwd, name);
  const path = await resolveTypedPath(typed, { workspace: cwd, home });
  if (!path.ok) return path;
  const contents = await readWholeFile(path.value);
  if (!contents.ok) return contents;
  const source = decodeOrgText(contents.value?.bytes ?? new Uint8Array());
  return done({ path: path.value, contents: contents.value, source });
}

function readOperations(values: readonly Json[]) {
  const operations: Operation[] = [];
  const places: number[] = [];
  const malformed = new Map<number, string>();
  for (const [index, value] of values.entries()) {
    const read = operationSchema.safeParse(value);
    if (read.success) {
      operations.push(read.data);
      places.push(index);
    } else {
      const [issue] = read.error.issues;
      const where = issue?.path.join(".") ?? "";
      malformed.set(
        index,
        `it is not a valid operation: ${where === "" ? "" : `${where}: `}${issue?.message ?? "unknown"}`,
      );
    }
  }
  return { operations, places, malformed };
}

function reasonOf(refused: readonly RefusedOperation[], place: number): string | null {
  return refused.find(({ index }) => index === place)?.reason ?? null;
}

type Change = { readonly file: OrgFile; readonly bytes: Uint8Array };

function change(file: OrgFile | undefined, text: string): readonly Change[] {
  if (file === undefined || file.source.text === text) return [];
  return [{ file, bytes: encode(file, text) }];
}

function encode({ source }: OrgFile, text: string): Uint8Array {
  return encodeOrgText({ ...source, text });
}

async function writeAll(changes: readonly Change[]): Promise<Fallible<null>> {
  for (const { file } of changes) {
    const held = await checkEditorLock(file.path);
    if (held !== null) return held;
  }
  for (const { file, bytes } of changes) {
    const before = file.contents?.bytes ?? null;
    const keepPreImage = async () => "";
    const written = await replaceFile({ path: file.path, before, after: bytes, mode: null, keepPreImage });
    if (!written.ok) return written;
  }
  return done(null);
}

function localMoment(): Moment {
  const now = new Date();
  return {
    year: now.getFullYear(),
    month: now.getMonth() + 1,
    day: now.getDate(),
    hour: now.getHours(),
    minute: now.getMinutes(),
  };
}
