import type { Label } from "./label.ts";

/** How often, where and with which input a version of a skill failed. */
export type SkillFailure = {
  readonly skill: string;
  /** The SHA-256 of the version that failed. */
  readonly digest: string;
  /** The path of the exported function: `tools.roll.run`. */
  readonly where: readonly string[];
  /** The JSON array that it was called with last; null where it was private, or too long. */
  readonly input: string | null;
  readonly message: string;
  /** Of all inputs that it failed with, with the turns that they came from. */
  readonly label: Label;
  readonly count: number;
};

/** A fix that was proposed for a skill: the SHA-256 of the file as it was, and the file as it would be, which may hold the input that failed. */
export type SkillFix = { readonly before: string; readonly after: string; readonly label: Label };
