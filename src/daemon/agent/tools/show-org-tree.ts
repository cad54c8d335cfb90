import { decodeOrgText, type OrgText, type ParseOptions, parseOrg, scanOutline } from "#org";
import { readStamped, stampFile } from "../../../act/files/attached-bytes.ts";
import { resolveTypedPath } from "../../../act/files/typed-path.ts";
import { digestOf, sha256 } from "../../../machine/digest.ts";
import { openSetupFilesOfAny } from "../../../memory/notes/folder/setup-files.ts";
import { labelsOfEntries } from "../../../memory/notes/labels/label-of-file.ts";
import type { Notes } from "../../../memory/notes/open-notes.ts";
import type { State } from "../../../memory/state/state.ts";
import { outlineOf } from "../../../notes/parse-note-file.ts";
import type { OrgTreeRequest } from "../../../perceive/org-tree-request.ts";
import type { Policy } from "../../../settings/policy.ts";
import { joinAll, type Label } from "../../../signal/label.ts";
import { success } from "../../../signal/tool.ts";
import { escapeInvisible } from "../../../text/escape-invisible.ts";
import { isOrgFile } from "../../../text/is-org-file.ts";
import { asUtf8 } from "../../../text/utf16-text.ts";
import type { CommandReply } from "../../commands/command-reply.ts";
import type { CommandOrigin } from "../../commands/undo-request.ts";
import type { KnownPrivateText } from "../resources/private-passages.ts";
import { type JudgeReadingParts, judgeReading, type Refusal, refusal } from "./judge-reading.ts";
import { listTree, pageOfTree, type ReadTree, type ShownTree } from "./org-tree-page.ts";
import { makeTreeKeeper, type TreeKeeper } from "./tree-keeper.ts";

/** What showing trees needs. */
export type OrgTreeParts = JudgeReadingParts & {
  readonly state: Pick<State, "origins">;
  readonly policy: Pick<Policy, "judge" | "folders" | "filter" | "scan" | "snapshot" | "config">;
  readonly notes: Notes;
  readonly privateText: Pick<KnownPrivateText, "labelOfOutcome">;
  readonly trees: TreeKeeper<KeptTree>;
};

/** Characters of a file or text that is read as a tree, at most: to read it holds everything else up. */
const mostCharacters = 500_000;
/** The nodes of a page, at most. */
const mostNodes = 10_000;

/** A tree that was read, with all that its pages need. */
type KeptTree = ShownTree & {
  readonly ok: true;
  /** The real path of the file; null for a text. */
  readonly file: string | null;
  /** In code points. */
  readonly length: number;
  readonly eol: "lf" | "crlf";
  readonly bom: boolean;
  readonly digest: string;
  /** Of the whole. */
  readonly label: Label;
};

/** Opens the place for trees whose further pages may be asked for. */
export function openTrees(): TreeKeeper<KeptTree> {
  return makeTreeKeeper(2 * mostCharacters);
}

/**
 * A page of the tree of a file, a note or a text, for its owner. A file is judged and read like every
 * other.
 */
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
  const { file, length, eol, bom, label, top, under } = found;
  const digest = digestOf([request.node, found.digest]);
  const first = firstOfPage(request.cursor, digest);
  if (first === null) return { code: "tree-changed", text: treeChanged };
  const limit = Math.max(1, Math.min(request.limit ?? mostNodes, mostNodes));
  const { nodes, next } = await pageOfTree(found, { top, first, limit });
  if (next === null) parts.trees.drop(under);
  const data = {
    ...(file === null ? {} : { file }),
    length,
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

/** A tree, what it was read under, and the number of the node that was asked for; 0 for all of it. */
type FoundTree = KeptTree & { readonly under: string; readonly top: number };

function findTree(
  parts: OrgTreeParts,
  request: OrgTreeRequest,
  by: CommandOrigin,
): Promise<FoundTree | Refusal> | Refusal {
  const { file, node, text, cursor } = request;
  if ([file, node, text].filter((one) => one !== null).length !== 1)
    return refusal("name one of :FILE, :NODE and :TEXT.");
  const isFirst = cursor === null;
  if (node !== null) return readNode(parts, node, { ...by, isFirst });
  return text === null ? readFile(parts, file ?? "", { ...by, isFirst }) : readText(parts, text, isFirst);
}

/** Who asks from where, and whether for a first page. */
type Asking = CommandOrigin & { readonly isFirst: boolean };

/** A first page is read anew; a further one is of the tree that is kept, where it was read under the same. */
async function readOnce(
  { trees }: OrgTreeParts,
  { under, isFirst }: { readonly under: string; readonly isFirst: boolean },
  read: () => Promise<KeptTree | Refusal>,
): Promise<FoundTree | Refusal> {
  const tree = (isFirst ? undefined : trees.find(under)) ?? (await read());
  if (!tree.ok) return tree;
  trees.keep(under, tree);
  return { ...tree, under, top: 0 };
}

/** A text has no place, so that a setup file that it names is not read. */
function readText(
  parts: OrgTreeParts,
  given: string,
  isFirst: boolean,
): Promise<FoundTree | Refusal> | Refusal {
  const bytes = Buffer.from(given);
  if (bytes.length > mostBytes) return tooLarge("the text");
  const digest = sha256(bytes);
  const under = digestOf([digest, parts.policy.snapshot()]);
  return readOnce(parts, { under, isFirst }, async () => {
    const decoded = decodeOrgText(bytes);
    const { text } = decoded;
    const length = lengthOf(text);
    if (length > mostCharacters) return tooLarge("the text");
    const parsing = { variables: parts.notes.place.variables };
    const labels = await labelsOfEntries(scanOutline(text, parsing), rulesOf(parts), null);
    const known = await parts.privateText.labelOfOutcome(success({ text }), false);
    const label = joinAll([...labels.values(), known]);
    const shown = await treeOf(parts, { ...decoded, labels }, parsing);
    return { ...shown, ok: true, file: null, length, digest, label };
  });
}

async function readFile(
  parts: OrgTreeParts,
  typed: string,
  { workspace, signal: { session, source }, isFirst }: Asking,
): Promise<FoundTree | Refusal> {
  const { policy, notes } = parts;
  const located = await resolveTypedPath(typed, { workspace, home: policy.folders.home });
  if (!located.ok) return located;
  const file = located.value;
  if (!isOrgFile(file)) return refusal(`${file} is no Org file by its name.`);
  const stamp = await stampFile(file);
  if (!stamp.ok) return stamp.code === "not-found" ? refusal(`there is no file ${file}.`) : stamp;
  if (stamp.value.size > mostBytes) return tooLarge(file);
  const version = Object.values(stamp.value).join(" ");
  const under = digestOf([file, version, workspace, policy.snapshot()]);
  return readOnce(parts, { under, isFirst }, async () => {
    const judged = await judgeReading(parts, { session, source, workspace, path: file }, "org-ast");
    if (!judged.ok) return judged;
    const read = await readStamped(file, stamp.value);
    if (!read.ok) return read;
    const { bytes, digest } = read.value;
    const decoded = decodeOrgText(asUtf8(bytes));
    const length = lengthOf(decoded.text);
    if (length > mostCharacters) return tooLarge(file);
    const { label } = judged;
    const labels = label.secrecy === "public" ? noLabels : await labelsOfFile(parts, file, decoded.text);
    const setup = openSetupFilesOfAny(file, notes.place);
    const parsing = { readSetup: setup.read, variables: setup.variables };
    const shown = await treeOf(parts, { ...decoded, labels }, parsing);
    return { ...shown, ok: true, file, length, digest, label };
  });
}

const noLabels: ReadonlyMap<number, Label> = new Map();

function labelsOfFile(parts: OrgTreeParts, file: string, text: string): Promise<ReadonlyMap<number, Label>> {
  const setup = openSetupFilesOfAny(file, parts.notes.place);
  return labelsOfEntries(outlineOf(file, text, setup), rulesOf(parts), setup.problem());
}

async function treeOf(
  { policy }: OrgTreeParts,
  { text, eol, bom, labels }: OrgText & Pick<ReadTree, "labels">,
  parsing: ParseOptions,
): Promise<ShownTree & Pick<OrgText, "eol" | "bom">> {
  const tree = parseOrg(text, parsing);
  return { ...(await listTree({ text, tree, labels, secrets: policy.scan(text) })), eol, bom };
}

/** The file of a note, and where it begins in these very bytes. */
async function readNode(parts: OrgTreeParts, id: string, by: Asking): Promise<FoundTree | Refusal> {
  const { notes } = parts;
  await notes.ready();
  for (const isLast of [false, true]) {
    const node = await notes.index.resolveId(id);
    if (node === null) return refusal(`there is no note ${id}. /search finds ids.`);
    const path = notes.pathOf(node.file);
    const read = await readFile(parts, path, by);
    if (!read.ok) return read;
    const indexed = await notes.index.file(node.file);
    if (indexed?.digest === read.digest) {
      const top = node.level === 0 ? 0 : read.headlines.get(node.begin);
      return top === undefined ? refusal(`${id} is in an encrypted entry.`) : { ...read, top };
    }
    if (!isLast) await notes.sync([path]);
  }
  return refusal(`the file of ${id} changes all the time. Ask again.`);
}

function rulesOf({ policy, state }: OrgTreeParts) {
  return { privacyTags: policy.config.privacyTags, originsOf: state.origins.of };
}

/** What has more bytes has too many characters, whatever they are. */
const mostBytes = 4 * mostCharacters;

function tooLarge(what: string): Refusal {
  const most = mostCharacters.toLocaleString("en");
  return refusal(`${what} has more than ${most} characters, and no more are read as one tree.`);
}

function lengthOf(text: string): number {
  let count = 0;
  for (const _ of text) count += 1;
  return count;
}
