import type { ActionFacts } from "./action.ts";
import type { Person, Source } from "./signal.ts";

/** Something that a person allowed. It discharges the named asks on the effects that it is bound to, and no block. */
export type Licence = {
  readonly kind: "approval" | "flight-plan" | "rule" | "endorsement" | "intent";
  readonly name: string;
  /** Codes of the asks that it answers. */
  readonly discharges: readonly string[];
  readonly effectIndexes: readonly number[];
};

/** What the secret scanner saw in something that would leave or be kept: never the secret itself. */
export type Finding = {
  readonly rule: string;
  /** The effect whose content it was found in. */
  readonly effectIndex: number;
  /** JSON pointer into the action's payload, or a name such as `prompt`. */
  readonly where: string;
};

/** Folders as real absolute paths, without a slash at the end. */
export type Folders = {
  readonly workspace: string | null;
  readonly notes: string;
  readonly home: string;
  /** State, configuration, rules, runtime folder and the installation: never writable, approval or not. */
  readonly own: readonly string[];
  /** Those of `own` that hold no secret and may be read like any other folder: the installation. None where it is not given. */
  readonly readable?: readonly string[];
};

export type Permission = "allow" | "ask" | "deny";

/** All that a verdict may depend on besides the effects. Gathered before judging, recorded in the journal; holds no contents and no keys. */
export type Facts = {
  readonly action: ActionFacts;
  readonly origin: {
    readonly person: Person;
    readonly source: Source;
    readonly session: string;
    /** Whether a person started the chain; where nobody did, nobody can approve. */
    readonly startedBy: "person" | "nobody";
  };
  readonly permission: Permission;
  readonly folders: Folders;
  /** Whether a sandbox is there to run programs in. */
  readonly sandbox: boolean;
  readonly findings: readonly Finding[];
  readonly licences: readonly Licence[];
  /** False after a gate canary failed: the agent then answers but does not act. */
  readonly healthy: boolean;
};
