import type { EmbeddingPort } from "../../../memory/recall/embedding-port.ts";
import type { State } from "../../../memory/state/state.ts";
import type { AppendRecord } from "../../../reason/model/attempt-call.ts";
import { type Embedder, type EmbedParts, embed } from "../../../reason/model/embed.ts";
import type { PrivatePassages } from "../../../reason/model/render.ts";
import type { Policy } from "../../../settings/policy.ts";
import type { Facts } from "../../../signal/facts.ts";

/** What embedding requests are judged, paid and journalled with. */
export type EmbeddingPortParts = {
  readonly policy: Policy;
  readonly privateText: PrivatePassages;
  readonly state: Pick<State, "ledger">;
  readonly journal: AppendRecord;
  readonly clock: () => number;
};

/** The origin of embedding requests: no session, no person. */
const origin: Facts["origin"] = {
  person: "nobody",
  source: "system",
  session: "vectors",
  startedBy: "nobody",
};

/** The upkeep job that makes the vectors of notes. */
const embeddingJob = "embed-texts";

/** The embedder as memory calls it: every request is judged, paid from the budget of the day and journalled. */
export function makeEmbeddingPort(parts: EmbeddingPortParts, embedder: Embedder): EmbeddingPort {
  const { policy, privateText, state, journal, clock } = parts;
  const limits = { perDay: policy.config.budgetPerDay * 1e6, perSession: null, perTurn: null };
  const action = { kind: "model-call", target: "model", tool: null, explanation: "", problems: [] } as const;
  const checked: EmbedParts = {
    embedder,
    judge: policy.judge,
    facts: (from) => policy.makeFacts({ action, origin: from, workspace: null }),
    ledger: {
      ...state.ledger,
      reserve: ({ route, ...wanted }) =>
        state.ledger.reserve({ ...wanted, limits, purpose: { job: embeddingJob, skill: null, route } }),
    },
    journal,
    secrets: { scan: policy.scan, mask: policy.mask },
    privatePassages: privateText,
    clock,
  };
  return {
    name: embedder.name,
    model: `${embedder.name}/${embedder.model}`,
    local: embedder.local,
    embed: ({ texts, timeoutMs }, cancel) => embed(checked, { origin, texts, timeoutMs }, cancel),
  };
}
