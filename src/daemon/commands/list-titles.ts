import type { Policy } from "../../settings/policy.ts";
import type { CommandReply } from "./command-reply.ts";
import type { NoteLookups } from "./note-lookups.ts";

/** Titles that are listed. */
const mostTitles = 20;

/** The notes whose title holds the words, for a client that completes them. */
export async function listTitles(
  { titled, policy: { filter } }: Pick<NoteLookups, "titled"> & { readonly policy: Pick<Policy, "filter"> },
  words: string,
): Promise<CommandReply> {
  const found = words.trim() === "" ? [] : await titled(words.trim(), mostTitles);
  const data = found.map(({ id, title, file, path }) => ({
    id,
    title: filter(title),
    file,
    path: path.map(filter),
  }));
  return { code: "titles", text: data.map(({ title, file }) => `${title} (${file})`).join("\n"), data };
}
