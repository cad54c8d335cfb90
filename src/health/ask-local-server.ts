import type { z } from "zod";
import { makeSingleRequest } from "../reason/providers/single-request.ts";

/** Milliseconds that a server on this machine may take. */
const patience = 1_000;

/** Gets a page of a server on this machine. Null where the server has no such page: it is another one. */
export async function askLocalServer<T>(url: URL, path: string, schema: z.ZodType<T>): Promise<T | null> {
  try {
    const signal = AbortSignal.timeout(patience);
    const response = await makeSingleRequest(url.href).fetch(`${url.origin}${path}`, { signal });
    const parsed = schema.safeParse(response.ok ? await response.json() : null);
    return parsed.success ? parsed.data : null;
  } catch (error) {
    if (error instanceof Error) return null;
    throw error;
  }
}
