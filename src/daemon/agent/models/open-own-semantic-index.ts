import { join } from "node:path";
import { removeIndexFile } from "../../../memory/notes/index/open-index-file.ts";
import type { Notes } from "../../../memory/notes/open-notes.ts";
import type { SemanticIndex } from "../../../memory/recall/semantic-index.ts";
import type { State } from "../../../memory/state/state.ts";
import type { AppendRecord } from "../../../reason/model/attempt-call.ts";
import type { PrivatePassages } from "../../../reason/model/render.ts";
import type { Policy } from "../../../settings/policy.ts";
import { bottomLabel } from "../../../signal/label.ts";

/** What the owner's semantic index is opened with. Milliseconds. */
export type OwnSemanticIndexParts = {
  readonly policy: Policy;
  readonly privateText: PrivatePassages;
  readonly state: Pick<State, "ledger" | "sessionMemory">;
  readonly notes: Notes;
  readonly journal: AppendRecord;
  readonly clock: () => number;
  readonly report: (message: string) => void;
};

/**
 * Opens the semantic index where an embedding provider is set up. Null where none is set up, which removes the vectors that were kept, and where the
 * provider or the file of the vectors cannot be used, which is reported.
 */
export async function openOwnSemanticIndex(parts: OwnSemanticIndexParts): Promise<SemanticIndex | null> {
  const { policy, notes, state, clock, report } = parts;
  const { embedding, places } = policy.config;
  const file = join(places.state, "vectors.db");
  if (embedding === null) {
    await removeIndexFile(file);
    return null;
  }
  const [{ buildEmbedder }, { makeEmbeddingPort }, { openSemanticIndex }] = await Promise.all([
    import("../../../reason/providers/embedding.ts"),
    import("./make-embedding-port.ts"),
    import("../../../memory/recall/semantic-index.ts"),
  ]);
  const embedder = buildEmbedder(embedding, clock);
  if (typeof embedder === "string") {
    report(`${embedder} Notes are found by their words alone.`);
    return null;
  }
  return openSemanticIndex({
    file,
    embedder: makeEmbeddingPort(parts, embedder),
    notes,
    sessionMemory: state.sessionMemory,
    clock,
    report,
  });
}

/** The search by meaning as clients are given it; it finds nothing where no index is open. */
export function nearestIn({ semanticIndex }: { readonly semanticIndex: SemanticIndex | null }) {
  return async (text: string, limit: number) => {
    const near = await semanticIndex?.nearest(text, bottomLabel, limit);
    return { notes: [], said: [], ...near, problem: semanticIndex?.problem() ?? null };
  };
}
