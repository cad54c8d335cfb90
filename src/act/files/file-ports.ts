import type { FileVersions } from "../../memory/notes/labels/label-of-file.ts";
import type { ChangedVersions } from "../../memory/notes/labels/lifted-marks.ts";
import type { LiftedMark } from "../../signal/effect.ts";
import { type Folders, notesFolders } from "../../signal/facts.ts";
import { bottomLabel, joinLabels, type Label } from "../../signal/label.ts";
import type { KeptWrites } from "../../signal/unlabelled-writes.ts";
import { isInside } from "../../text/is-inside.ts";
import type { EditorBuffers } from "./present-file.ts";
import type { KeepPreImage, PlanPreImage } from "./replace.ts";

/** A change of a file, with the label of the text that it brought in. */
export type WrittenFile = {
  readonly path: string;
  readonly before: Uint8Array | null;
  readonly after: Uint8Array;
  readonly label: Label;
  /** What the file held from which nodes moved here: their words keep the labels that they had there. */
  readonly movedFrom?: Uint8Array | null;
};

/**
 * Names of files that were made from text that is not public, wherever they stand, and traces of what was
 * made of it.
 */
export type NameOrigins = {
  readonly known: () => Promise<KnownNames>;
  readonly keep: (names: readonly string[], label: Label) => Promise<void>;
};

/** What is known of names at a time. */
export type KnownNames = { readonly isEmpty: boolean; readonly labelOf: (name: string) => Label };

/** The port to the origins of texts, by the SHA-256 of the file. A text that the agent wrote keeps the label that it was written with. */
export type OriginPort = {
  /** Of several, the join of what is known; null where nothing is. */
  readonly of: (digests: readonly string[]) => Promise<Label | null>;
  /** The label of the contents of a file with that digest: from its tags and the origins of its parts. The path is real. Without `bytes`, which have that digest, the file is read. */
  readonly inside: (path: string, digest: string, bytes?: Uint8Array) => Promise<Label>;
  /** The label of the text of a file that is too large to be read as a whole, from its tags. */
  readonly insideLarge: (path: string, pieces: AsyncIterable<string>) => Promise<Label>;
  /** The label of the entries that a change of an Org file touches. The path is real. */
  readonly touched: (versions: FileVersions) => Promise<Label>;
  /** The headings that a change of Org files would leave without their privacy tag or origin mark. */
  readonly lifted: (path: string, versions: ChangedVersions) => Promise<readonly LiftedMark[]>;
  /** `label` is the label of the whole file. */
  readonly keep: (digest: string, label: Label, written: WrittenFile) => Promise<void>;
  /**
   * How secret files or folders are, at real paths, by the notes that they are attached to. Default: they are
   * attached to none.
   */
  readonly attached?: (paths: readonly string[]) => Promise<Label>;
  /** Default: every name is public. */
  readonly names?: NameOrigins;
  /**
   * Looks at the notes below folders before something may change them; what it gives then labels the parts
   * of notes that were made there. Default: there are no notes.
   */
  readonly watchNotes?: (roots: readonly string[]) => Promise<(label: Label) => Promise<void>>;
  /**
   * Looks at what is private by a file before that changes: notes that name it as their setup file, and
   * what is attached to its entries. What it gives then keeps them so. Default: there are none.
   */
  readonly watchPrivate?: (path: string) => Promise<() => Promise<void>>;
  /** Where lines are kept until what they made is labelled. Default: nowhere. */
  readonly unlabelled?: KeptWrites;
};

/** The ports of the file tools. */
export type FilePorts = {
  readonly folders: Omit<Folders, "workspace">;
  readonly isSecretPath: (path: string) => boolean;
  readonly origins: OriginPort;
  readonly keepPreImage: KeepPreImage;
  readonly planPreImage: PlanPreImage;
  /** Left out where no editor is asked. */
  readonly buffers?: EditorBuffers | undefined;
  /** Whether the owner trusts the workspace of a session, with the file or folder at a real path in it. */
  readonly isTrusted: (workspace: string, path: string) => Promise<boolean>;
  /** The real path of the file with the node of an `:ID:`; null for an unknown ID. */
  readonly fileOfNode?: (id: string) => Promise<string | null>;
};

/** Whether a search must not enter a path: secret paths and the agent's own folders. */
export function isClosedPath(
  { folders, isSecretPath }: Pick<FilePorts, "folders" | "isSecretPath">,
  path: string,
): boolean {
  return isSecretPath(path) || folders.own.some((own) => isInside(own, path));
}

/** The label of a path: from the owner in the notes folders and in a workspace that the owner trusts, untrusted elsewhere; secret on a closed path. */
export async function labelOfPath(path: string, workspace: string | null, ports: FilePorts): Promise<Label> {
  const within = (folder: string): boolean => folder !== "/" && isInside(folder, path);
  const own =
    notesFolders(ports.folders).some(within) ||
    (workspace !== null && within(workspace) && (await ports.isTrusted(workspace, path)));
  return {
    integrity: own ? "user" : "untrusted",
    secrecy: isClosedPath(ports, path) ? "secret" : "public",
    sources: [{ id: path, path: "" }],
  };
}

/** The label of a file's contents: the label of its path, joined with the origin that was kept for its digest. Without `bytes`, which have that digest, the file is read. */
export async function labelOfContents(
  place: Label,
  digest: string | null,
  ports: FilePorts,
  bytes?: Uint8Array,
): Promise<Label> {
  const path = place.sources[0]?.id ?? "";
  const around = joinLabels(place, await labelOfAttached([path], ports));
  if (digest === null) return around;
  const inside = await ports.origins.inside(path, digest, bytes);
  return joinLabels(around, inside, (await ports.origins.of([digest])) ?? bottomLabel);
}

/** The label of files or folders by the notes that they are attached to. */
export async function labelOfAttached(
  paths: readonly string[],
  { origins }: Pick<FilePorts, "origins">,
): Promise<Label> {
  return (await origins.attached?.(paths)) ?? bottomLabel;
}
