import type { Action } from "./action.ts";
import type { Effect } from "./effect.ts";
import type { TraceLine } from "./verdict.ts";

/** An open question to the owner. The token itself is shown once and kept only as a hash. */
export type Approval = {
  readonly tokenHash: string;
  readonly turn: string;
  readonly session: string;
  /** What is approved, byte for byte. */
  readonly digest: string;
  readonly action: Action;
  readonly effects: readonly Effect[];
  readonly trace: readonly TraceLine[];
  /** Codes of the asks that a yes discharges. */
  readonly codes: readonly string[];
  readonly state: "open" | "approved" | "denied" | "expired" | "void";
  readonly createdAt: number;
  /** Unix milliseconds; past it the answer is no. */
  readonly expiresAt: number;
};
