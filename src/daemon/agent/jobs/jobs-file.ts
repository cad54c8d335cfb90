import { join } from "node:path";
import { readOwnFile } from "../../../act/files/read-own-file.ts";
import type { Policy } from "../../../settings/policy.ts";

/** The path of the owner's jobs, `jobs.org` of the configuration folder. */
export function jobsFile({ policy }: { readonly policy: Pick<Policy, "config"> }): string {
  return join(policy.config.places.configuration, "jobs.org");
}

/** The text of the owner's jobs, with its byte order mark; empty where there is no such file. Throws where it cannot be read. */
export async function readJobs(path: string): Promise<string> {
  const read = await readOwnFile(path);
  if (!read.ok) throw new Error(`${path} could not be read: ${read.message}`);
  return read.value === null ? "" : new TextDecoder("utf-8", { ignoreBOM: true }).decode(read.value.bytes);
}
