import { existsSync, mkdirSync, readFileSync, renameSync, statSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import { sha256 } from "../../machine/digest.ts";
import { createPrivateFile } from "../storage/private-file.ts";
import { genesisHash, repairEvent } from "./journal-chain.ts";
import { describeDamage, rotatedFiles } from "./journal-files.ts";
import { dropIntents, emptyHead, moveHead, readHead } from "./journal-head.ts";
import { checkJournal } from "./journal-reading.ts";
import { openJournalWriter, type WriterParts } from "./journal-writer.ts";

/** What a repair found and did. `asideTo` is the folder that holds the files as they were. */
export type JournalRepair =
  | { readonly repaired: false; readonly entries: number }
  | { readonly repaired: true; readonly damage: string; readonly asideTo: string };

/**
 * Sets the files of a damaged journal aside, as they are, and begins a new chain. Its first entry names them with their SHA-256 and what was damaged. An
 * intact journal stays.
 */
export async function repairJournal(
  file: string,
  given: Omit<WriterParts, "fileBytes">,
): Promise<JournalRepair> {
  const { database } = given;
  const head = readHead(database);
  const check = await checkJournal(file, head ?? emptyHead);
  if (check.ok && head !== null) return { repaired: false, entries: check.entries };
  const damage = check.ok ? "the database does not know where it ends" : describeDamage(check.problem);
  const asideTo = makeFolder(dirname(file));
  const files = [...rotatedFiles(file), file].filter(existsSync).map((path) => {
    const aside = join(asideTo, basename(path));
    renameSync(path, aside);
    return { file: basename(path), bytes: statSync(aside).size, sha256: sha256(readFileSync(aside)) };
  });
  createPrivateFile(file);
  const begin = { sequence: head?.sequence ?? 0, hash: genesisHash, start: 0, end: 0 };
  const intents = database.transaction("forced", () => {
    database.run("INSERT OR IGNORE INTO meta (key, value) VALUES ('journal-head', '')");
    moveHead(database, begin);
    return dropIntents(database);
  });
  const writer = await openJournalWriter(file, begin, { ...given, fileBytes: Number.POSITIVE_INFINITY });
  try {
    const detail = { event: repairEvent, damage, folder: basename(asideTo), files, openIntents: intents };
    await writer.append(
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
        detail,
      },
      { forced: true },
    );
  } finally {
    await writer.close();
  }
  return { repaired: true, damage, asideTo };
}

function makeFolder(folder: string): string {
  let count = 1;
  while (existsSync(join(folder, `journal.damaged-${count}`))) count += 1;
  const made = join(folder, `journal.damaged-${count}`);
  mkdirSync(made, { mode: 0o700 });
  return made;
}
