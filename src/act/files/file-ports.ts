import type { Folders } from "../../signal/facts.ts";
import { bottomLabel, joinLabels, type Label } from "../../signal/label.ts";
import type { KeepPreImage } from "./replace.ts";

/** What a change brought into a file, and the label of what flowed into it. */
export type WrittenFile = {
  readonly path: string;
  readonly before: Uint8Array | null;
  readonly after: Uint8Array;
  readonly label: Label;
};

/** Where a text came from, by the SHA-256 of the file that holds it: what the agent wrote keeps the label that it was written with. */
export type OriginPort = {
  readonly of: (digest: string) => Promise<Label | null>;
  /** The label of what stands in a file of that digest: its tags, and where its parts came from. The path is real. */
  readonly inside: (path: string, digest: string) => Promise<Label>;
  /** `label` is that of the whole file. */
  readonly keep: (digest: string, label: Label, written: WrittenFile) => Promise<void>;
};

/** What the file tools need of the rest. */
export type FilePorts = {
  readonly folders: Omit<Folders, "workspace">;
  readonly isSecretPath: (path: string) => boolean;
  readonly origins: OriginPort;
  readonly keepPreImage: KeepPreImage;
  /** Where the node lies that has an `:ID:`: a real path, null for an unknown one. */
  readonly fileOfNode?: (id: string) => Promise<string | null>;
};

/** Whether reading a tree must stay out of a path: secrets, and what is the agent's own. */
export function isClosedPath({ folders, isSecretPath }: FilePorts, path: string): boolean {
  return isSecretPath(path) || folders.own.some((own) => path === own || path.startsWith(`${own}/`));
}

/** What the files of a folder are labelled as: the owner's own in the workspace and the notes folder, of unknown origin elsewhere, secret on a secret path. */
export function labelOfPath(path: string, workspace: string | null, ports: FilePorts): Label {
  const within = (folder: string) => folder !== "/" && (path === folder || path.startsWith(`${folder}/`));
  const own = [workspace, ports.folders.notes].some((folder) => folder !== null && within(folder));
  return {
    integrity: own ? "user" : "untrusted",
    secrecy: isClosedPath(ports, path) ? "secret" : "public",
    sources: [{ id: path, path: "" }],
  };
}

/** The label of one file's contents: that of its place, joined with the origin that was kept for its digest. */
export async function labelOfContents(place: Label, digest: string | null, ports: FilePorts): Promise<Label> {
  if (digest === null) return place;
  const inside = await ports.origins.inside(place.sources[0]?.id ?? "", digest);
  return joinLabels(place, inside, (await ports.origins.of(digest)) ?? bottomLabel);
}
