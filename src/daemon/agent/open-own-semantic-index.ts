import { join } from "node:path";
import { removeIndexFile } from "../../memory/notes/index/open-index-file.ts";
import type { Notes } from "../../memory/notes/open-notes.ts";
import type { EmbeddingPort } from "../../memory/recall/embedding-port.ts";
import { openSemanticIndex, type SemanticIndex } from "../../memory/recall/semantic-index.ts";
import type { State } from "../../memory/state/state.ts";
import type { AppendRecord } from "../../reason/model/attempt-call.ts";
import { type Embedder, type EmbedParts, embed } from "../../reason/model/embed.ts";
import { buildEmbedder } from "../../reason/providers/embedding.ts";
import type { Policy } from "../../settings/policy.ts";
import type { Facts } from "../../signal/facts.ts";

/** What the owner's semantic index is opened with. Milliseconds. */
export type OwnSemanticIndexParts = {
  readonly policy: Policy;
  readonly state: Pick<State, "ledger">;
  readonly notes: Notes;
  readonly journal: AppendRecord;
  readonly clock: () => number;
  readonly report: (message: string) => void;
};

/**
 * Opens the semantic index where an embedding provider is set up. Null where none is set up, which removes the vectors that were kept, and where the
 * provider or the file of the vectors cannot be used, which is reported.
 */
export function openOwnSemanticIndex(parts: OwnSemanticIndexParts): SemanticIndex | null {
  const { policy, notes, clock, report } = parts;
  const { embedding, places } = policy.config;
  const file = join(places.state, "vectors.db");
  if (embedding === null) {
    removeIndexFile(file);
    return null;
  }
  const embedder = buildEmbedder(embedding, clock);
  if (typeof embedder === "string") {
    report(`${embedder} Notes are found by their words alone.`);
    return null;
  }
  return openSemanticIndex({ file, embedder: makeEmbeddingPort(parts, embedder), notes, clock, report });
}

/** The origin of embedding requests: no session, no person. */
const origin: Facts["origin"] = {
  person: "nobody",
  source: "system",
  session: "vectors",
  startedBy: "nobody",
};

function makeEmbeddingPort(parts: OwnSemanticIndexParts, embedder: Embedder): EmbeddingPort {
  const { policy, state, journal, clock } = parts;
  const limits = { perDay: policy.config.budgetPerDay * 1e6, perSession: null };
  const action = { kind: "model-call", target: "model", tool: null, explanation: "", problems: [] } as const;
  const checked: EmbedParts = {
    embedder,
    judge: policy.judge,
    facts: (from) => policy.makeFacts({ action, origin: from, workspace: null }),
    ledger: {
      ...state.ledger,
      reserve: (wanted) => state.ledger.reserve({ ...wanted, limits }),
    },
    journal,
    secrets: { scan: policy.scan, mask: policy.mask },
    clock,
  };
  return {
    name: embedder.name,
    model: `${embedder.name}/${embedder.model}`,
    local: embedder.local,
    embed: ({ texts, timeoutMs }, cancel) => embed(checked, { origin, texts, timeoutMs }, cancel),
  };
}
