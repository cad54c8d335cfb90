import { createHash } from "node:crypto";
import {
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  realpathSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import type { TestContext } from "node:test";
import { gunzipSync, gzipSync } from "node:zlib";
import { openState } from "../../memory/state/open-state.ts";
import { sampleSignal } from "../../memory/state/samples.fixture.ts";
import type { State } from "../../memory/state/state.ts";
import type { Environment } from "../../settings/environment.ts";
import { loadPolicy, type Policy } from "../../settings/policy.ts";
import { type Manifest, manifestName, parseManifest } from "./manifest.ts";
import { planRestore } from "./plan-restore.ts";
import { type RestoreRequest, restoreBackup } from "./restore-backup.ts";
import { tarEnd, tarHeader, tarPadding } from "./tar.ts";
import { type BackupRequest, writeBackup } from "./write-backup.ts";

/** A home with a state, settings and notes of its own. */
export type BackupWorld = {
  readonly home: string;
  readonly policy: Policy;
  readonly file: string;
  readonly backup: (given?: Partial<BackupRequest>) => Promise<Manifest>;
  readonly restore: (
    given?: Partial<RestoreRequest> & { readonly notes?: boolean; readonly environment?: Environment },
  ) => Promise<void>;
  /** Opens the state for writing. */
  readonly open: () => Promise<State>;
  readonly write: (path: string, text: string) => void;
  /** Every file below the home by its path, with a hash of its contents. What restores and locks leave is not among them. */
  readonly tree: () => Readonly<Record<string, string>>;
};

export function makeBackupWorld(test: TestContext): BackupWorld {
  const home = realpathSync(mkdtempSync(join(tmpdir(), "backup-")));
  test.after(() => rmSync(home, { recursive: true, force: true }));
  const policy = (): Policy => loadPolicy({ HOME: home });
  const file = join(home, "a.backup");
  const { state } = policy().config.places;
  return {
    home,
    file,
    get policy() {
      return policy();
    },
    backup: (given = {}) =>
      writeBackup({
        policy: policy(),
        version: "0.0.0-test",
        file,
        notes: true,
        passphrase: null,
        now: new Date(),
        onProgress: () => undefined,
        signal: new AbortController().signal,
        ...given,
      }),
    async restore({ notes = true, environment = {}, ...given } = {}) {
      const plan = await planRestore(policy(), given.file ?? file, { notes, environment });
      await restoreBackup({ policy: policy(), file, plan, passphrase: null, now: new Date(), ...given });
    },
    open: () => openState({ folder: state, clock: Date.now, gates: "g".repeat(64), access: "write" }),
    write(path, text) {
      mkdirSync(dirname(join(home, path)), { recursive: true });
      writeFileSync(join(home, path), text);
    },
    tree: () => Object.fromEntries(treeOf(home, "")),
  };
}

const passing =
  /^a\.backup|\/(?:lock|lock\.(?:pid|socket)|state\.db-(?:wal|shm)|reserve|last\.json)$|passepartout-restore/;

function treeOf(home: string, at: string): readonly (readonly [string, string])[] {
  return readdirSync(join(home, at), { withFileTypes: true }).flatMap((entry) => {
    const path = join(at, entry.name);
    if (passing.test(path)) return [];
    if (entry.isDirectory()) return treeOf(home, path);
    return [[path, hashOf(join(home, path))] as const];
  });
}

function hashOf(path: string): string {
  if (lstatSync(path).isSymbolicLink()) return `-> ${readlinkSync(path)}`;
  return createHash("sha256").update(readFileSync(path)).digest("hex");
}

/** Accepts a signal with these words, and journals that it did. */
export async function sayInto(state: State, id: string, text: string): Promise<void> {
  await state.accept(sampleSignal({ id, clientId: id, session: "session-1", text }), 50);
  await state.journal.append(
    {
      turn: null,
      session: null,
      kind: "note",
      digest: null,
      effects: [],
      facts: null,
      verdict: null,
      trace: [],
      changes: [],
      detail: { said: id },
    },
    { forced: true },
  );
}

/** One entry of an archive that a test writes: a plain file, or whatever its header says. */
export type Entry = { readonly path: string; readonly bytes: Buffer; readonly header?: Buffer };

/** Takes an archive apart: its manifest and its files. */
export function openArchive(file: string): {
  readonly manifest: Manifest;
  readonly entries: readonly Entry[];
} {
  const bytes = gunzipSync(readFileSync(file));
  const entries: Entry[] = [];
  for (let at = 0; bytes[at] !== 0; ) {
    const path = bytes.toString("utf8", at, at + 100).replace(/\0.*$/s, "");
    const size = Number.parseInt(bytes.toString("latin1", at + 124, at + 135), 8);
    entries.push({ path, bytes: bytes.subarray(at + 512, at + 512 + size) });
    at += 512 + Math.ceil(size / 512) * 512;
  }
  const [first, ...rest] = entries;
  if (first?.path !== manifestName) throw new Error(`${file} does not begin with a manifest`);
  return { manifest: parseManifest(first.bytes), entries: rest };
}

/** Writes an archive of these entries, with a manifest that says what it is told. */
export function writeArchiveOf(file: string, manifest: unknown, entries: readonly Entry[]): void {
  const first = { path: manifestName, bytes: Buffer.from(JSON.stringify(manifest)) };
  const parts = [first, ...entries].flatMap(({ path, bytes, header }: Entry) => [
    header ?? tarHeader(path, bytes.length),
    bytes,
    tarPadding(bytes.length),
  ]);
  writeFileSync(file, gzipSync(Buffer.concat([...parts, tarEnd])));
}
