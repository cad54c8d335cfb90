import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { TestContext } from "node:test";
import { startEmbeddingServer } from "../../../../test/embedding-server.ts";
import { openOwnNotes } from "../../../memory/notes/open-own-notes.ts";
import { searchMemory } from "../../../memory/recall/search-memory.ts";
import { openState } from "../../../memory/state/open-state.ts";
import { loadPolicy } from "../../../settings/policy.ts";
import { makeJournalPort } from "../resources/journal-port.ts";
import { openKnownPrivateText } from "../resources/private-passages.ts";
import { openOwnSemanticIndex } from "./open-own-semantic-index.ts";

/** What the notes hold at first. */
export const notesText = `* A blue sedan
The vehicle is in the garage.
* Recipe for soup
Leeks and potatoes.
* Diary :@personal:
My surgeon said PRIVATE-WORDS about the cottage.
* Letter :crypt:
SECRET-WORDS
`;

/** The environment of a home whose notes are embedded by the server at an address. */
function embeddingSettings(home: string, url: string): Readonly<Record<string, string>> {
  return {
    HOME: home,
    EMBEDDING_PROVIDER: "ollama",
    OLLAMA_BASE_URL: url,
    REMOTE_BASE_URL: url,
    REMOTE_API_KEY: "remote-key-4711-c0ffee",
  };
}

/** A temporary home with a notes folder that holds one file. */
function makeHome() {
  const home = mkdtempSync(join(tmpdir(), "vectors-"));
  const folder = join(home, "memex");
  mkdirSync(folder);
  const file = join(folder, "notes.org");
  writeFileSync(file, notesText);
  return { home, folder, file };
}

/** Notes, state and an embedding server; `settings` are added to the environment. */
export async function makeSemanticWorld(test: TestContext, settings: Readonly<Record<string, string>> = {}) {
  const { home, folder, file } = makeHome();
  const server = await startEmbeddingServer();
  const opened = new AsyncDisposableStack();
  test.after(async () => {
    await opened.disposeAsync();
    await server[Symbol.asyncDispose]();
    rmSync(home, { recursive: true, force: true });
  });
  const policy = loadPolicy({ ...embeddingSettings(home, server.url), ...settings });
  const reports: string[] = [];
  const time = { now: 1_800_000_000_000 };
  const clock = () => time.now;
  const report = (message: string) => void reports.push(message);
  const places = policy.config.places.state;
  const parts = { folder: places, clock, gates: policy.gatesHash, access: "write" } as const;
  const state = opened.use(await openState(parts));
  const notes = opened.use(
    openOwnNotes({
      folder,
      variables: [],
      stateFolder: places,
      privacyTags: policy.config.privacyTags,
      originsOf: state.origins.of,
      report,
      serving: false,
    }),
  );
  const privateText = openKnownPrivateText({ state, notes, policy, report: () => undefined });
  const semanticIndex = await openOwnSemanticIndex({
    policy,
    privateText,
    state,
    notes,
    clock,
    report,
    journal: makeJournalPort(state),
  });
  if (semanticIndex !== null) opened.use(semanticIndex);
  await notes.ready();
  return {
    policy,
    privateText,
    server,
    state,
    notes,
    semanticIndex,
    reports,
    time,
    file,
    sent: () => server.requests.flatMap(({ input }) => input),
    journal: () => readFileSync(join(places, "journal.jsonl"), "utf8"),
    beat: async () => {
      semanticIndex?.startFilling();
      await semanticIndex?.idle();
    },
    find: async (text: string) =>
      (await searchMemory({ notes, state, semanticIndex }, { text, limit: 5 })).map(({ title }) => title),
  };
}
