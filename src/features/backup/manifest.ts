import { z } from "zod";
import { BackupProblem } from "./backup-problem.ts";

/** The newest version of the form of a backup. */
const newestVersion = 2;
/** The name of the first file of a backup. */
export const manifestName = "manifest.json";
/** The bytes of the largest manifest. */
export const largestManifest = 67_108_864;

const hexadecimal = z.string().regex(/^[0-9a-f]{64}$/);
const file = z.strictObject({
  path: z.string().max(4096),
  size: z.int().min(0),
  sha256: hexadecimal,
  /** Rights and time of a note; everything else is for its owner alone. */
  mode: z.int().min(0).max(0o777).optional(),
  modified: z.int().optional(),
  owner: z.int().min(0).optional(),
  group: z.int().min(0).optional(),
});
const folder = z.strictObject({
  path: z.string().max(4096),
  /** With the bits that hand on the group and keep files their owners'. */
  mode: z.int().min(0).max(0o3777),
  modified: z.int(),
  owner: z.int().min(0),
  group: z.int().min(0),
});
const schema = z.strictObject({
  format: z.literal("passepartout backup"),
  version: z.int().min(1).max(newestVersion),
  program: z.string().max(64),
  made: z.iso.datetime(),
  /** The folders of the notes, in the order of their numbers in the paths, as they were called. */
  notes: z.array(z.string().max(4096)).max(64),
  /** What was left out, and why. */
  omitted: z.array(z.strictObject({ path: z.string(), why: z.string() })),
  /** Tells the key that seals secret contents of the state from another one; null where the state has none. */
  sealing: hexadecimal.nullable(),
  /** That key, encrypted with a passphrase. */
  key: z
    .strictObject({
      n: z.int().min(16_384).max(1_048_576),
      salt: z.base64(),
      nonce: z.base64(),
      sealed: z.base64(),
    })
    .nullable(),
  files: z.array(file).max(1_000_000),
  /** The folders of the notes, themselves among them, empty ones too. Not in version 1. */
  folders: z.array(folder).max(1_000_000).optional(),
});

/** What a backup says of itself: its files in their order, with their sizes and hashes. */
export type Manifest = Readonly<z.infer<typeof schema>>;
export type ManifestFile = Manifest["files"][number];
export type ManifestFolder = Readonly<z.infer<typeof folder>>;

/** The version of a backup: the oldest whose programs can read it. */
export function versionWith(folders: readonly ManifestFolder[]): number {
  return folders.length === 0 ? 1 : newestVersion;
}

/** Whether a backup has files of notes: one that was made with notes has none where there were none. */
export function hasNotes({ files }: Manifest): boolean {
  return files.some(({ path }) => path.startsWith("notes/"));
}

/** Reads a manifest. Throws a `BackupProblem` where it is none, is of a newer version, or names a file that no backup has. */
export function parseManifest(bytes: Buffer): Manifest {
  const json = jsonOf(bytes);
  const newer = z.object({ version: z.int().min(newestVersion + 1) }).safeParse(json).data?.version;
  if (newer !== undefined)
    throw new BackupProblem(
      `This backup has version ${newer}, and this program reads versions up to ${newestVersion}. Install the newer program.`,
    );
  const parsed = schema.safeParse(json);
  if (!parsed.success) throw new BackupProblem("This is no backup of Passepartout: its manifest is not one.");
  const manifest = parsed.data;
  for (const { path } of manifest.folders ?? []) {
    const problem = problemOfPath(`${path}/file`, manifest.notes.length);
    if (problem !== null || !path.startsWith("notes/"))
      throw new BackupProblem(
        `This backup names the folder ${JSON.stringify(path)}: ${problem ?? "it is none of the notes"}.`,
      );
  }
  const seen = new Set<string>();
  for (const { path } of manifest.files) {
    const problem = problemOfPath(path, manifest.notes.length);
    if (problem !== null) throw new BackupProblem(`This backup names ${JSON.stringify(path)}: ${problem}.`);
    if (seen.has(path)) throw new BackupProblem(`This backup has ${JSON.stringify(path)} twice.`);
    seen.add(path);
  }
  return manifest;
}

/** Why a path is none of a backup; null where it is one. */
export function problemOfPath(path: string, notes: number): string | null {
  if (path.startsWith("/") || path.includes("\\")) return "it is no path of a backup";
  const segments = path.split("/");
  if (segments.some((segment) => segment === "" || segment === "." || segment === ".."))
    return "it leads out of its folder";
  if (segments.some((segment) => Buffer.byteLength(segment) > 255 || /\p{Cc}/u.test(segment)))
    return "a part of it cannot be the name of a file";
  const [root = "", second = ""] = segments;
  if (root === "state") return stateFiles.test(path) ? null : "the state has no such file";
  if (root === "configuration" && segments.length > 1) return null;
  const isNote = root === "notes" && /^\d{1,2}$/.test(second) && Number(second) < notes;
  return isNote && segments.length > 2 ? null : "it belongs to no folder of a backup";
}

const stateFiles = /^state\/(?:state\.db|journal\.jsonl|journal-\d{10}\.jsonl|prompt-history|set-aside\/.+)$/;

function jsonOf(bytes: Buffer): unknown {
  try {
    return JSON.parse(bytes.toString("utf8"));
  } catch (error) {
    if (error instanceof SyntaxError) return null;
    throw error;
  }
}
