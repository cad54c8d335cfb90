import { decodeOrgText, type OrgNode, type OrgText, type ParseOptions, parseOrg, scanOutline } from "#org";
import { readStamped, stampFile } from "../../../act/files/attached-bytes.ts";
import { resolveTypedPath } from "../../../act/files/typed-path.ts";
import { openSetupFilesOfAny } from "../../../memory/notes/folder/setup-files.ts";
import { labelsOfEntries } from "../../../memory/notes/labels/label-of-file.ts";
import { isOrgFile } from "../../../memory/notes/nodes/is-org-file.ts";
import { outlineOf } from "../../../memory/notes/nodes/parse-note-file.ts";
import type { Notes } from "../../../memory/notes/open-notes.ts";
import type { State } from "../../../memory/state/state.ts";
import { digestOf, sha256 } from "../../../memory/storage/digest.ts";
import type { OrgTreeRequest } from "../../../perceive/org-tree-request.ts";
import type { Policy } from "../../../settings/policy.ts";
import { joinAll, type Label } from "../../../signal/label.ts";
import { describeBytes } from "../../../signal/text/describe-bytes.ts";
import { escapeInvisible } from "../../../signal/text/escape-invisible.ts";
import { asUtf8 } from "../../../signal/text/utf16-text.ts";
import { success } from "../../../signal/tool.ts";
import type { CommandReply } from "../../commands/command-reply.ts";
import type { CommandOrigin } from "../../commands/undo-request.ts";
import type { KnownPrivateText } from "../resources/private-passages.ts";
import { type JudgeReadingParts, judgeReading, type Refusal, refusal } from "./judge-reading.ts";
import { pageOfTree, type ShownTree } from "./org-tree-page.ts";

/** What showing trees needs. */
export type OrgTreeParts = JudgeReadingParts & {
  readonly state: Pick<State, "origins">;
  readonly policy: Pick<Policy, "judge" | "folders" | "filter" | "scan" | "snapshot" | "config">;
  readonly notes: Notes;
  readonly privateText: Pick<KnownPrivateText, "labelOfOutcome">;
  readonly trees: TreeKeeper;
};

/** The bytes of a file or text that is read as a tree, at most. */
const mostTreeBytes = 5 * 1024 * 1024;
/** The nodes of a page, at most. */
const mostNodes = 10_000;

/** A tree that was read, with all that its pages need. */
type ReadTree = Omit<ShownTree, "top"> & {
  readonly ok: true;
  /** The real path of the file; null for a text. */
  readonly file: string | null;
  readonly eol: "lf" | "crlf";
  readonly bom: boolean;
  readonly digest: string;
  readonly tree: OrgNode;
  /** Of the whole. */
  readonly label: Label;
};

/** A tree whose further pages may be asked for, and what it was read under: the file as it was, and the policy. */
type KeptTree = { readonly under: string; readonly read: ReadTree };

/** The tree that was asked for last, while its further pages may be asked for. */
export type TreeKeeper = {
  readonly get: () => KeptTree | null;
  readonly keep: (tree: KeptTree | null) => void;
};

/** Milliseconds that a tree waits for its next page. */
const keptFor = 60_000;

/** Keeps one tree, and lets it go after a minute. */
export function makeTreeKeeper(): TreeKeeper {
  let kept: KeptTree | null = null;
  let timer: NodeJS.Timeout | undefined;
  return {
    get: () => kept,
    keep(tree) {
      clearTimeout(timer);
      kept = tree;
      if (tree !== null) timer = setTimeout(() => (kept = null), keptFor).unref();
    },
  };
}

/** A page of the tree of a file, a note or a text, for its owner. A file is read as any is, and judged before. */
export async function showOrgTree(
  parts: OrgTreeParts,
  request: OrgTreeRequest,
  by: CommandOrigin,
): Promise<CommandReply> {
  const found = await findTree(parts, request, by);
  if (!found.ok) {
    const text = `There is no tree: ${escapeInvisible(parts.policy.filter(found.message))}`;
    return { code: "not-done", text };
  }
  const { file, text, eol, bom, tree, label } = found;
  const begin = found.begin === null ? null : headlineAt(tree, found.begin);
  const digest = digestOf([request.node, found.digest]);
  const first = firstOfPage(request.cursor, digest);
  if (first === null) return { code: "tree-changed", text: treeChanged };
  const limit = Math.max(1, Math.min(request.limit ?? mostNodes, mostNodes));
  const { nodes, next } = pageOfTree({ ...found, top: begin ?? tree }, { first, limit });
  if (next === null) parts.trees.keep(null);
  const data = {
    ...(file === null ? {} : { file }),
    length: lengthOf(text),
    eol,
    ...(bom ? { bom } : {}),
    ...(label.secrecy === "public" ? {} : { secrecy: label.secrecy }),
    first,
    nodes,
    ...(next === null ? {} : { next: `${digest}.${next}` }),
  };
  return { code: "org-ast", text: "", data };
}

const treeChanged =
  "The cursor belongs to another text, or the text changed since. Ask again without a cursor.";

/** The place of the first node of a page; null where the cursor belongs to another tree. */
function firstOfPage(cursor: string | null, digest: string): number | null {
  if (cursor === null) return 0;
  const [, of, first = ""] = /^([0-9a-f]{64})\.([1-9]\d{0,8})$/.exec(cursor) ?? [];
  return of === digest ? Number(first) : null;
}

/** A tree, and where in its text the note begins that was asked for; null for all of it. */
type FoundTree = ReadTree & { readonly begin: number | null };

async function findTree(
  parts: OrgTreeParts,
  request: OrgTreeRequest,
  by: CommandOrigin,
): Promise<FoundTree | Refusal> {
  const { file, node, text } = request;
  if ([file, node, text].filter((one) => one !== null).length !== 1)
    return refusal("name one of :FILE, :NODE and :TEXT.");
  if (node !== null) return readNode(parts, node, by);
  const read = await (text === null ? readFile(parts, file ?? "", by) : readText(parts, text));
  return read.ok ? { ...read, begin: null } : read;
}

/** The tree that is kept, where it was read under the same; else it is read, and kept. */
async function readOnce(
  { trees }: OrgTreeParts,
  under: string,
  read: () => Promise<ReadTree | Refusal>,
): Promise<ReadTree | Refusal> {
  const kept = trees.get();
  if (kept?.under === under) return kept.read;
  const tree = await read();
  trees.keep(tree.ok ? { under, read: tree } : null);
  return tree;
}

/** A text has no place, so it names no setup files. */
function readText(parts: OrgTreeParts, given: string): Promise<ReadTree | Refusal> | Refusal {
  const bytes = Buffer.from(given);
  if (bytes.length > mostTreeBytes) return tooLarge("the text", bytes.length);
  const digest = sha256(bytes);
  return readOnce(parts, digest, async () => {
    const decoded = decodeOrgText(bytes);
    const { text } = decoded;
    const parsing = { variables: parts.notes.place.variables };
    const labels = await labelsOfEntries(scanOutline(text, parsing), rulesOf(parts), null);
    const known = await parts.privateText.labelOfOutcome(success({ text }), false);
    const label = joinAll([...labels.values(), known]);
    return { ...treeOf(parts, decoded, parsing), ok: true, file: null, digest, labels, label };
  });
}

async function readFile(
  parts: OrgTreeParts,
  typed: string,
  { workspace, signal: { session, source } }: CommandOrigin,
): Promise<ReadTree | Refusal> {
  const { policy, notes } = parts;
  const located = await resolveTypedPath(typed, { workspace, home: policy.folders.home });
  if (!located.ok) return located;
  const file = located.value;
  if (!isOrgFile(file)) return refusal(`${file} is no Org file by its name.`);
  const stamp = await stampFile(file);
  if (!stamp.ok) return stamp.code === "not-found" ? refusal(`there is no file ${file}.`) : stamp;
  if (stamp.value.size > mostTreeBytes) return tooLarge(file, Number(stamp.value.size));
  const version = Object.values(stamp.value).join(" ");
  const under = digestOf([file, version, workspace, policy.snapshot()]);
  return readOnce(parts, under, async () => {
    const judged = await judgeReading(parts, { session, source, workspace, path: file }, "org-ast");
    if (!judged.ok) return judged;
    const read = await readStamped(file, stamp.value);
    if (!read.ok) return read;
    const { bytes, digest } = read.value;
    const decoded = decodeOrgText(asUtf8(bytes));
    const { label } = judged;
    const labels = label.secrecy === "public" ? noLabels : await labelsOfFile(parts, file, decoded.text);
    const setup = openSetupFilesOfAny(file, notes.place);
    const parsing = { readSetup: setup.read, variables: setup.variables };
    return { ...treeOf(parts, decoded, parsing), ok: true, file, digest, labels, label };
  });
}

const noLabels: ReadonlyMap<number, Label> = new Map();

function labelsOfFile(parts: OrgTreeParts, file: string, text: string): Promise<ReadonlyMap<number, Label>> {
  const setup = openSetupFilesOfAny(file, parts.notes.place);
  return labelsOfEntries(outlineOf(file, text, setup), rulesOf(parts), setup.problem());
}

function treeOf(
  { policy }: OrgTreeParts,
  { text, eol, bom }: OrgText,
  parsing: ParseOptions,
): Pick<ReadTree, "text" | "eol" | "bom" | "tree" | "secrets"> {
  return { text, eol, bom, tree: parseOrg(text, parsing), secrets: policy.scan(text) };
}

/** The file of a note, and where it begins in these very bytes. */
async function readNode(parts: OrgTreeParts, id: string, by: CommandOrigin): Promise<FoundTree | Refusal> {
  const { notes } = parts;
  await notes.ready();
  for (const isLast of [false, true]) {
    const node = await notes.index.resolveId(id);
    if (node === null) return refusal(`there is no note ${id}. /search finds ids.`);
    const path = notes.pathOf(node.file);
    const read = await readFile(parts, path, by);
    if (!read.ok) return read;
    const indexed = await notes.index.file(node.file);
    if (indexed?.digest === read.digest) return { ...read, begin: node.level === 0 ? null : node.begin };
    if (!isLast) await notes.sync([path]);
  }
  return refusal(`the file of ${id} changes all the time. Ask again.`);
}

function rulesOf({ policy, state }: OrgTreeParts) {
  return { privacyTags: policy.config.privacyTags, originsOf: state.origins.of };
}

function tooLarge(what: string, bytes: number): Refusal {
  return refusal(
    `${what} has ${describeBytes(bytes)}, and ${describeBytes(mostTreeBytes)} are read at most.`,
  );
}

/** The headline that begins at a place of the text; null where none does. */
function headlineAt({ children }: OrgNode, begin: number): OrgNode | null {
  const around = children.find((child) => child.type === "headline" && child.end > begin);
  if (around === undefined || around.begin > begin) return null;
  return around.begin === begin ? around : headlineAt(around, begin);
}

function lengthOf(text: string): number {
  let count = 0;
  for (const _ of text) count += 1;
  return count;
}
