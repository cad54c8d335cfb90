import { randomUUID } from "node:crypto";
import { mkdir, readFile, rename, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import * as z from "zod";

/** The digests of files as they were tangled, by real path. */
export type TangledRecord = {
  /** Null for a file that was never tangled, or where nothing is known. */
  readonly digestOf: (path: string) => Promise<string | null>;
  readonly keep: (digests: ReadonlyMap<string, string>) => Promise<void>;
};

const schema = z.strictObject({ version: z.literal(1), files: z.record(z.string(), z.string()) });

/** The record keeps the files that were tangled last. */
const mostFiles = 5000;

/** Opens the record in a state folder. A record that cannot be read, or has another version, counts as empty: then every file that differs counts as edited, and is not replaced unasked. */
export function openTangledRecord(stateFolder: string): TangledRecord {
  const path = join(stateFolder, "tangled.json");
  const read = async (): Promise<ReadonlyMap<string, string>> => {
    try {
      return new Map(Object.entries(schema.parse(JSON.parse(await readFile(path, "utf8"))).files));
    } catch (error) {
      if (error instanceof Error) return new Map();
      throw error;
    }
  };
  return {
    digestOf: async (file) => (await read()).get(file) ?? null,
    async keep(digests) {
      const older = [...(await read())].filter(([file]) => !digests.has(file));
      const files = Object.fromEntries([...older, ...digests].slice(-mostFiles));
      await mkdir(dirname(path), { recursive: true, mode: 0o700 });
      const partial = `${path}.${randomUUID()}`;
      await writeFile(partial, JSON.stringify({ version: 1, files }), { mode: 0o600 });
      await rename(partial, path);
    },
  };
}
