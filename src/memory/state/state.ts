import type { AttachmentMessage } from "../../signal/attachment.ts";
import type { FlightPlans } from "../../signal/flight-plan.ts";
import type { KeptGuards } from "../../signal/kept-guard.ts";
import type { ProviderRests } from "../../signal/provider-rest.ts";
import type { RefusedContents } from "../../signal/refused-content.ts";
import type { SentPrefixes } from "../../signal/sent-prefix.ts";
import type { Signal } from "../../signal/signal.ts";
import type { KeptWrites } from "../../signal/unlabelled-writes.ts";
import type { Journal } from "../journal/journal.ts";
import type { PrivateTexts } from "../private-text/private-texts.ts";
import type { DiskReserve } from "../storage/disk-reserve.ts";
import type { Approvals } from "./approvals.ts";
import type { Attachments } from "./attachments.ts";
import type { Changes } from "./changes.ts";
import type { ChatStore } from "./chat-store.ts";
import type { ChosenModels } from "./chosen-models.ts";
import type { CountedCalls } from "./counted-calls.ts";
import type { DeferredEdits } from "./deferred-edits.ts";
import type { ForgetRequest, ForgetResult, ForgottenSession } from "./forget.ts";
import type { GrownRequest } from "./forget-grown.ts";
import type { GrownTexts } from "./forget-turn.ts";
import type { JobShadows } from "./job-shadows.ts";
import type { Jobs } from "./jobs.ts";
import type { KeptValue } from "./kept-value.ts";
import type { Ledger } from "./ledger.ts";
import type { Author } from "./memory-object.ts";
import type { MemoryObjects } from "./objects.ts";
import type { TextOrigins } from "./origins.ts";
import type { Outbox } from "./outbox.ts";
import type { Proposals } from "./proposals.ts";
import type { Requests } from "./requests.ts";
import type { Results } from "./results.ts";
import type { PruneResult } from "./retention.ts";
import type { Rewindings } from "./rewindings.ts";
import type { SessionMemory } from "./session-memory.ts";
import type { Sessions } from "./sessions.ts";
import type { SkillTroubles } from "./skill-troubles.ts";
import type { Acceptance, TurnStep } from "./steps.ts";
import type { SubTasks } from "./sub-tasks.ts";
import type { TrustedFolders } from "./trusted-folders.ts";
import type { Turns } from "./turns.ts";

/** Everything that the agent remembers of its own work. Every port is asynchronous and narrow, so that a server could stand behind it. */
export type State = AsyncDisposable & {
  /** Sentences for the owner on what the opening repaired. */
  readonly reports: readonly string[];
  /** Space on the disk of the state that is held back for ending what was begun, and for the owner's commands. */
  readonly diskReserve: DiskReserve;
  /** False once the lock of the folder is gone or another process's. */
  readonly isLocked: () => boolean;
  /** Accepts a signal as a queued turn, which is forced to disk when this resolves. Throws `full-disk` where there is no room for new work. */
  readonly accept: (
    signal: Signal,
    depthLimit: number,
    attached?: readonly AttachmentMessage[],
  ) => Promise<Acceptance>;
  /** Commits a step with the durability that it names. Throws, and changes nothing, if the turn may not take the step. */
  readonly commit: (step: TurnStep) => Promise<void>;
  readonly attachments: Attachments;
  readonly turns: Turns;
  readonly subTasks: SubTasks;
  readonly countedCalls: CountedCalls;
  readonly outbox: Outbox;
  readonly sessions: Sessions;
  readonly approvals: Approvals;
  readonly flightPlans: FlightPlans;
  readonly ledger: Ledger;
  readonly results: Results;
  readonly changes: Changes;
  readonly rewindings: Rewindings;
  readonly objects: MemoryObjects;
  readonly sessionMemory: SessionMemory;
  readonly origins: TextOrigins;
  readonly trustedFolders: TrustedFolders;
  /** What is allowed, as the journal knows it. Where nothing is kept, all that is allowed is journalled once more. */
  readonly recordedPolicy: KeptValue;
  /** By how much the owner raised the caps of a day, for `raisedBy`. */
  readonly raisedBudget: KeptValue;
  /** The rules that run in shadow. Where nothing is kept, shadows begin anew. */
  readonly shadowRules: KeptValue;
  /** The orders for agents that the owner was shown, by folder. Where nothing is kept, none is obeyed. */
  readonly folderOrders: KeptValue;
  /** The orders for agents as they were shown, by folder. Where nothing is kept, no change is shown. */
  readonly trustedCopies: KeptValue;
  /** The folder whose orders the owner was shown last, with their digests: a yes is to these. */
  readonly offeredOrders: KeptValue;
  /** Up to where the scribe looked at what was said. Where nothing is kept, it looks at the latest. */
  readonly scribe: KeptValue;
  readonly skillTroubles: SkillTroubles;
  /** When the gardener looked through the notes last, and what they were. */
  readonly gardened: KeptValue;
  /** The identities of the folders of sessions, by the path that each had last. */
  readonly sessionFolders: KeptValue;
  /** The folder of each session and its disk, as they were when it was opened. */
  readonly sessionPlaces: KeptValue;
  /** What became of work that a process was killed in, in words that no client was told yet. */
  readonly untold: KeptValue;
  /** The undo, redo, rewinding or rollback that is under way. */
  readonly begunUndo: KeptValue;
  /** True from the restore of a backup until what was unfinished in it is ended. */
  readonly restored: KeptValue;
  /**
   * Ends what was unfinished when the backup was made that was restored here. Gives it in words; nothing
   * where none was restored.
   */
  readonly endRestored: () => Promise<readonly string[]>;
  /** The version of the program that started last. */
  readonly startedVersion: KeptValue;
  readonly providerRests: ProviderRests;
  readonly refusedContents: RefusedContents;
  readonly sentPrefixes: SentPrefixes;
  readonly chosenModels: ChosenModels;
  /** What workspaces held before the command lines that run. */
  readonly keptGuards: KeptGuards;
  /** What command lines that run may make and that has no label yet. */
  readonly unlabelledWrites: KeptWrites;
  readonly privateTexts: PrivateTexts;
  readonly deferredEdits: DeferredEdits;
  readonly jobs: Jobs;
  readonly jobShadows: JobShadows;
  readonly proposals: Proposals;
  readonly requests: Requests;
  readonly chats: ChatStore;
  readonly journal: Journal;
  /** Compacts the past of idle sessions as later turns see it; returns how many turns went to the next stage. */
  readonly compact: () => Promise<number>;
  /** Removes texts for good; their hashes and the journal stay. */
  readonly forget: (what: ForgetRequest, author: Author) => Promise<ForgetResult>;
  /** The same for all that grew from a source. */
  readonly forgetGrown: (what: GrownRequest, author: Author) => Promise<ForgetResult>;
  /** Begins a session with the finished turns of another one as its past; gives its id. */
  readonly forkSession: (id: string) => Promise<string>;
  /** Forgets a session without running turns: its texts go for good. Gives the number of its turns. */
  readonly forgetSession: (what: {
    readonly session: string;
    readonly grown: GrownTexts | null;
  }) => Promise<ForgottenSession>;
  /** Removes what exceeds the quotas. */
  readonly prune: () => Promise<PruneResult>;
  /** Checks the database and every hash of memory, and describes each problem; empty if there is none. The journal has its own check. */
  readonly verify: () => Promise<readonly string[]>;
};
