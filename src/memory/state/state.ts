import type { Signal } from "../../signal/signal.ts";
import type { Journal } from "../journal/journal.ts";
import type { Approvals } from "./approvals.ts";
import type { Changes } from "./changes.ts";
import type { DeferredEdits } from "./deferred-edits.ts";
import type { ForgetRequest, ForgetResult } from "./forget.ts";
import type { Ledger } from "./ledger.ts";
import type { Author } from "./memory-object.ts";
import type { MemoryObjects } from "./objects.ts";
import type { TextOrigins } from "./origins.ts";
import type { Outbox } from "./outbox.ts";
import type { Requests } from "./requests.ts";
import type { Results } from "./results.ts";
import type { PruneResult } from "./retention.ts";
import type { SessionMemory } from "./session-memory.ts";
import type { Sessions } from "./sessions.ts";
import type { Acceptance, TurnStep } from "./steps.ts";
import type { Turns } from "./turns.ts";

/** All that is remembered. Every port is asynchronous and narrow, so that a server can stand behind it. */
export type State = AsyncDisposable & {
  /** What opening repaired or settled, in words for the owner. */
  readonly reports: readonly string[];
  /** Durable when it resolves. */
  readonly accept: (signal: Signal, depthLimit: number) => Promise<Acceptance>;
  /** Durable when it resolves; throws, and changes nothing, where the turn may not take the step. */
  readonly commit: (step: TurnStep) => Promise<void>;
  readonly turns: Turns;
  readonly outbox: Outbox;
  readonly sessions: Sessions;
  readonly approvals: Approvals;
  readonly ledger: Ledger;
  readonly results: Results;
  readonly changes: Changes;
  readonly objects: MemoryObjects;
  readonly sessionMemory: SessionMemory;
  readonly origins: TextOrigins;
  readonly deferredEdits: DeferredEdits;
  readonly requests: Requests;
  readonly journal: Journal;
  /** Compacts the past of idle sessions as later turns see it; returns how many turns went to a further stage. */
  readonly compact: () => Promise<number>;
  /** Forgets the texts of something for good; the hashes and the journal stay. */
  readonly forget: (what: ForgetRequest, author: Author) => Promise<ForgetResult>;
  /** Drops what the quotas say. */
  readonly prune: () => Promise<PruneResult>;
  /** The database's own check and every hash of memory; what is wrong, in words; empty if nothing is. The journal has its own. */
  readonly verify: () => Promise<readonly string[]>;
};
