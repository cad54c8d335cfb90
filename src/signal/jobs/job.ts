import type { PlannedStep } from "../effect.ts";
import type { Label } from "../label.ts";
import type { CallCaps } from "./call-caps.ts";
import type { Hook } from "./job-event.ts";

/** Who does the work of a job: the reflex engine or an action of the program, a small model, or the models that answer the owner. */
export type JobTier = "reflex" | "cognition" | "reasoning";

/** What becomes due: instants of a cron expression in a zone (null: the machine's), each heartbeat, the start of the daemon, or nothing but its events. */
export type JobTrigger =
  | { readonly kind: "cron"; readonly expression: string; readonly zone: string | null }
  | { readonly kind: "beat" | "start" | "events" };

/** What a job does: an action of the program, or words that a turn of its own follows. */
export type JobWork =
  | { readonly kind: "built-in"; readonly does: string }
  | {
      readonly kind: "words";
      readonly tier: JobTier;
      readonly text: string;
      /** Where its words came from; left out where they are the owner's own. */
      readonly label?: Label;
      /** The session of its turns. */
      readonly session: string;
      /** The tags of its entry; left out without any. */
      readonly tags?: readonly string[];
      /** The skill that brings it; left out for an entry of the owner's own. */
      readonly skill?: string;
      /** SHA-256 of the entry that the owner approved. */
      readonly digest: string;
      /** The real path of the folder that it works in; null for a job without one. */
      readonly workspace: string | null;
      /** What the owner allowed beforehand, for each run anew. */
      readonly steps: readonly PlannedStep[];
      /** The most that one run may spend on models, in millionths of a dollar; null where the budget alone limits that. */
      readonly spendingCap: number | null;
      /** How often one run may call; left out where an older version kept it, which limited nothing. */
      readonly calls?: CallCaps;
      /** What it says at its end is for nobody; left out where its owner reads that. */
      readonly answer?: "unread";
    };

/** What is run of instants that passed while nothing could run: none, the latest, or each. */
export type CatchUp = "skip" | "once" | "all";

/** What happens to an instant that comes while a run goes on: it is missed, or waits. */
export type Overlap = "skip" | "wait";

/** A job: when it runs, what it does, and what holds when something comes between. */
export type Job = {
  readonly name: string;
  readonly trigger: JobTrigger;
  /** The events that begin it, from a time on (Unix milliseconds); left out without any. */
  readonly hooks?: { readonly on: readonly Hook[]; readonly since: number };
  readonly work: JobWork;
  readonly catchUp: CatchUp;
  /** Milliseconds after its instant in which a run may still begin. */
  readonly grace: number;
  readonly overlap: Overlap;
  /** How often a run that fails is begun at most. */
  readonly attempts: number;
  /** Milliseconds that a run may take. */
  readonly limit: number;
};

/** A job as it is kept. */
export type KeptJob = Job & {
  readonly paused: boolean;
  /** Unix milliseconds. Each instant up to this one has its run. */
  readonly last: number;
  /** Unix milliseconds of the next instant after `last`; null where none comes. */
  readonly next: number | null;
  /** The zone in which `next` was computed. */
  readonly zone: string;
};

/** How a run stands. `put-off`: it needed the owner's yes, and nobody was there to give it. */
export const runStates = ["queued", "running", "done", "failed", "missed", "put-off"] as const;
export type RunState = (typeof runStates)[number];
/** How a run ended. */
export type FinalRunState = Exclude<RunState, "queued" | "running">;

/** A run of a job: one for each instant that was scheduled. Several instants that were missed for the same reason are one row. */
export type JobRun = {
  readonly job: string;
  /** Unix milliseconds: the first instant that this row stands for. */
  readonly scheduled: number;
  /** The last instant that it stands for, and how many there are. */
  readonly until: number;
  readonly count: number;
  readonly state: RunState;
  /** Why it ended as it did; what it came to where it was done. */
  readonly reason: string;
  /** Counts how often it was begun. A result counts only under the fence of the last beginning. */
  readonly fence: number;
  /** Counts how often it failed. */
  readonly attempt: number;
  /** Unix milliseconds; null before it began, and before it ended. */
  readonly startedAt: number | null;
  readonly endedAt: number | null;
  /** The turn that does it; null before it began, and for an action of the program. */
  readonly turn: string | null;
};
