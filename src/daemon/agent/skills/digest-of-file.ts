import { readWholeFile } from "../../../act/files/contents.ts";

/** The SHA-256 of a file, in hex; null where there is none. Throws where it cannot be read. */
export async function digestOfFile(path: string): Promise<string | null> {
  const whole = await readWholeFile(path);
  if (!whole.ok) throw new Error(whole.message);
  return whole.value?.digest ?? null;
}
