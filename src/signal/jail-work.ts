import type { Label } from "./label.ts";
import type { AcceptedSkill } from "./skill.ts";

/** What a jail is asked to do. The code of `evaluate` is a script; that of `load` is a module, whose exports later calls name by their path. */
export type JailWork =
  /** Gives the JavaScript of a TypeScript text, as a JSON string. It is parsed in the jail's thread, since a hostile text can break the parser of a thread for good. */
  | { readonly kind: "strip"; readonly code: string; readonly file: string }
  | { readonly kind: "evaluate"; readonly code: string }
  | { readonly kind: "load"; readonly code: string; readonly file: string }
  /** Calls an exported function. `values` is a JSON array. With `replies`, a JSON array too, it is a generator, whose yields give these one after the other; the value is its last `{ done, value }`. */
  | {
      readonly kind: "call";
      readonly path: readonly string[];
      readonly values: string;
      readonly replies?: string;
    }
  /** Runs the body of an async function that knows the loaded module as `skill`. */
  | { readonly kind: "test"; readonly code: string; readonly file: string };

/** The limits of one request: time in ms, characters of its value and of its output, and, where the same code has to end at the same place every time, a count of interrupts in the place of the time. An interrupt comes after some 10,000 steps of the interpreter. */
export type WorkLimits = {
  readonly milliseconds: number;
  readonly maxCharacters: number;
  readonly interrupts?: number;
};

/** The reply of a jail. A value is JSON; that of a call is empty where the code gave nothing that JSON has. `code`: why there is none. `thrown` is the code's own error; after any other the jail has ended. */
export type JailReply =
  | { readonly ok: true; readonly json: string; readonly logs: readonly string[] }
  | {
      readonly ok: false;
      readonly code: "thrown" | "time-limit" | "memory-limit" | "jail-failed" | "cancelled";
      readonly message: string;
      readonly logs: readonly string[];
    };

/** A jail: it does one piece of work after the other. After a reply that says that it broke a limit it has ended. */
export type JailPort = {
  readonly request: (work: JailWork, limits: WorkLimits, cancel: AbortSignal) => Promise<JailReply>;
  readonly end: () => Promise<void>;
  readonly ended: boolean;
};

/** The path of an exported function of a skill, and a JSON array of what it is called with; `replies` for a generator. `label` is that of the values: where it is not public, the jail is ended afterwards, so that a later call knows nothing of it. */
export type SkillCall = {
  readonly path: readonly string[];
  readonly values: string;
  readonly replies?: string;
  readonly limits: WorkLimits;
  readonly label: Label;
};

/** Calls an exported function of a skill in its jail. Never throws: what cannot be called says why. */
export type CallSkill = (skill: AcceptedSkill, call: SkillCall, cancel: AbortSignal) => Promise<JailReply>;
