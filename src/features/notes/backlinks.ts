import type { Io } from "../../kernel/io.ts";
import { exitCodes } from "../../program/io.ts";
import { parseCommand } from "../../program/options.ts";
import { makeStartContext } from "../../program/start-context.ts";
import { backlinksSpec } from "./command-specs.ts";
import { listBacklinks } from "./list-backlinks.ts";

/** Lists the notes that link to a note. Exit code 0 if there are some, 1 if there are none, 2 for wrong usage. */
export async function backlinksCommand(io: Io): Promise<number> {
  const { values, words } = parseCommand(io, backlinksSpec);
  const [id = ""] = words;
  const { links, exists } = await listBacklinks(makeStartContext(io), id);
  for (const link of links) {
    io.out(values.json ? `${JSON.stringify(link)}\n` : `${link.id}  ${link.title}  (${link.file})\n`);
    if (!values.json && link.line !== "") io.out(`  ${link.line}\n`);
  }
  if (links.length > 0) return exitCodes.done;
  io.err(
    exists
      ? `No note links to ${id}.\n`
      : `There is no note with the ID ${id}. Find IDs with: passepartout memory search WORDS\n`,
  );
  return exitCodes.failed;
}
