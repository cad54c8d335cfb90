import { hash } from "node:crypto";
import { realpath } from "node:fs/promises";
import { homedir } from "node:os";
import { basename, dirname, relative, resolve } from "node:path";
import type { NoteNode } from "../../../notes/note-node.ts";
import { bottomLabel, joinAll, type Label, secrecyOf } from "../../../signal/label.ts";
import { isInside } from "../../../text/is-inside.ts";
import { isOrgFile } from "../../../text/is-org-file.ts";
import type { NoteIndex } from "../index/note-index.ts";
import type { LabelRules } from "./labelled-index.ts";

/** What finding the entries needs that files are attached to. */
export type AttachedFilesParts = {
  readonly index: Pick<NoteIndex, "root" | "claimants" | "nodesInFile" | "nodesWithFolder">;
  /** The notes folders. */
  readonly folders: readonly string[];
  readonly pathOf: (file: string) => string;
  /** The recorded origins, among them those of attachments that `keysOf` names. */
  readonly originsOf: LabelRules["originsOf"];
};

/** Properties that name the folder of an entry's attachments. */
const folderProperties = ["DIR", "ATTACH_DIR"] as const;
/** How many folders of a path an ID is looked for in: Org cuts it into two. */
const mostParts = 3;
/** How many folders are remembered. */
const mostKnown = 100_000;

type NamedFolder = { readonly folder: string; readonly note: string; readonly label: Label };

/**
 * Labels files by the entries that Org attaches them to: in the folder that a property of the entry names, or
 * in folders whose names make up its ID (`data/ab/cdef…`), wherever they are in a notes folder.
 */
export class AttachedFiles {
  readonly #parts: AttachedFilesParts;
  #root: string | null = null;
  #roots: readonly string[] = [];
  #named: readonly NamedFolder[] = [];
  /** The labels of folders by their IDs. */
  readonly #known = new Map<string, Promise<Label>>();
  /** The labels of files and folders by what is recorded of them. */
  readonly #recorded = new Map<string, Promise<Label>>();

  constructor(parts: AttachedFilesParts) {
    this.#parts = parts;
  }

  /** How secret files or folders are, at real paths, as parts of what is attached. */
  async labelOf(paths: readonly string[]): Promise<Label> {
    await this.#refresh();
    const labels: Label[] = [];
    for (const path of paths) labels.push(await this.#labelOfOne(path));
    return joinAll(labels);
  }

  async #labelOfOne(path: string): Promise<Label> {
    const around = this.#named.filter(({ folder, note }) =>
      // A folder that has the note itself in it has other notes, too, which have their own tags.
      isInside(folder, note) ? isInside(folder, path) && !isOrgFile(path) : isInside(folder, path),
    );
    const root = this.#roots.find((folder) => isInside(folder, path));
    const byId = root === undefined ? bottomLabel : await this.#labelById(path, root);
    return joinAll([byId, await this.#labelRecorded(path), ...around.map(({ label }) => label)]);
  }

  /** The keys of what is attached to the entries of a file that are not public, with their labels. */
  async keysOf(file: string): Promise<ReadonlyMap<string, Label>> {
    const { index, pathOf } = this.#parts;
    const keys = new Map<string, Label>();
    const nodes = await index.nodesInFile(file);
    if (secrecyOf(nodes.map(({ label }) => label)).secrecy === "public") return keys;
    for (const node of nodes) {
      const label = labelWithBelow(node, nodes);
      if (label.secrecy === "public") continue;
      const { ID: id } = node.properties;
      if (id !== undefined) keys.set(keyOfId(id.trim()), label);
      const note = await realPathOf(pathOf(file));
      for (const folder of await foldersOfNode(node, pathOf(file)))
        if (!isInside(folder, note)) keys.set(keyOfFolder(folder), label);
    }
    return keys;
  }

  #labelRecorded(path: string): Promise<Label> {
    const known = this.#recorded.get(path);
    if (known !== undefined) return known;
    if (this.#recorded.size >= mostKnown) this.#recorded.clear();
    const label = this.#findRecorded(path);
    this.#recorded.set(path, label);
    return label;
  }

  async #findRecorded(path: string): Promise<Label> {
    if (dirname(path) === path) return bottomLabel;
    const parts = path.split("/").slice(1);
    const keys = [keyOfFolder(path)];
    for (let count = 1; count <= Math.min(mostParts, parts.length); count += 1)
      keys.push(keyOfId(parts.slice(-count).join("")));
    const found = await this.#parts.originsOf(keys);
    const above = await this.#labelRecorded(dirname(path));
    return joinAll([above, ...[...found.values()].map(({ label }) => label)]);
  }

  async #refresh(): Promise<void> {
    const { index, folders, pathOf } = this.#parts;
    const root = await index.root();
    if (root === this.#root) return;
    this.#roots = await Promise.all(folders.map(realPathOf));
    const named: NamedFolder[] = [];
    for (const node of await index.nodesWithFolder()) {
      const label = await this.#labelOfNode(node);
      const note = await realPathOf(pathOf(node.file));
      const own = label.secrecy === "public" ? [] : await foldersOfNode(node, pathOf(node.file));
      for (const folder of own) named.push({ folder, note, label });
    }
    this.#named = named;
    this.#known.clear();
    this.#root = root;
  }

  #labelById(path: string, root: string): Promise<Label> {
    const known = this.#known.get(path);
    if (known !== undefined) return known;
    if (this.#known.size >= mostKnown) this.#known.clear();
    const label = this.#findById(path, root);
    this.#known.set(path, label);
    return label;
  }

  async #findById(path: string, root: string): Promise<Label> {
    if (path === root) return bottomLabel;
    const folders = relative(root, path).split("/");
    const labels = [await this.#labelById(dirname(path), root)];
    for (let parts = 1; parts <= Math.min(mostParts, folders.length); parts += 1) {
      const nodes = await this.#parts.index.claimants(folders.slice(-parts).join(""));
      for (const node of nodes) labels.push(await this.#labelOfNode(node));
    }
    return joinAll(labels);
  }

  /** How secret a node is, or an entry below it that keeps its attachments with it. */
  async #labelOfNode(node: NoteNode): Promise<Label> {
    const own = secrecyOf([node.label]);
    return own.secrecy === "public"
      ? labelWithBelow(node, await this.#parts.index.nodesInFile(node.file))
      : own;
  }
}

/**
 * How secret a node is, or an entry below it that keeps its attachments with it; `all`: the nodes of its
 * file.
 */
function labelWithBelow(node: NoteNode, all: readonly NoteNode[]): Label {
  const own = secrecyOf([node.label]);
  if (own.secrecy !== "public") return own;
  const { level, begin, end } = node;
  const below = all.filter((one) => one.level > level && one.begin >= begin && one.end <= end);
  return secrecyOf(below.filter(inherits).map(({ label }) => label));
}

/** The real paths of the folders that an entry names for its attachments. */
async function foldersOfNode({ properties }: NoteNode, note: string): Promise<readonly string[]> {
  const names = folderProperties.flatMap((name) => properties[name] ?? []);
  const typed = names.map((name) => name.trim().replace(/^~(?=\/|$)/, homedir()));
  return Promise.all(typed.map((name) => realPathOf(resolve(dirname(note), name))));
}

function keyOfFolder(folder: string): string {
  return `attached-folder:${hash("sha256", folder)}`;
}

function keyOfId(id: string): string {
  return `attached-id:${hash("sha256", id)}`;
}

/** Whether an entry has attachments, and none in a folder of its own. */
function inherits({ localTags, properties }: NoteNode): boolean {
  const hasOwn = ["ID", ...folderProperties].some((name) => properties[name] !== undefined);
  return !hasOwn && localTags.some((tag) => tag.toUpperCase() === "ATTACH");
}

/** The real path as far as there is one. */
async function realPathOf(path: string): Promise<string> {
  return realpath(path).catch(async () =>
    path === "/" ? path : resolve(await realPathOf(dirname(path)), basename(path)),
  );
}
