import type { ActionFacts } from "./action.ts";
import type { Person, Source } from "./signal.ts";
import type { TaughtObjection } from "./skill.ts";
import type { SubTask } from "./sub-task.ts";

/** A permission that a person gave. It discharges the named asks on the effects that it is bound to. It never discharges a block. */
export type Licence = {
  readonly kind: "approval" | "flight-plan" | "rule" | "endorsement" | "intent";
  readonly name: string;
  /** The codes of the asks that it discharges. */
  readonly discharges: readonly string[];
  readonly effectIndexes: readonly number[];
};

/** The rule of a finding for a passage that stands in a text that is or was private. All other rules are the secret scanner's. */
export const privateTextRule = "private-text";

/** The rule of a finding that is a configured key. */
export const configuredKeyRule = "configured-key";

/** A secret that the scanner found in data that would leave or be kept. It never holds the secret itself. */
export type Finding = {
  readonly rule: string;
  /** The effect whose content holds it. */
  readonly effectIndex: number;
  /** JSON pointer into the action's payload, or a name such as `prompt`. */
  readonly where: string;
};

/** Folders as real absolute paths without a trailing slash. */
export type Folders = {
  readonly workspace: string | null;
  /** The notes folder that new notes go into. */
  readonly notes: string;
  /** The other notes folders. Default: none. */
  readonly otherNotes?: readonly string[];
  readonly home: string;
  /** State, configuration, rules, runtime folder and the installation. Never writable, even with an approval. */
  readonly own: readonly string[];
  /** The folders of `own` that hold no secret and may be read like any other: the installation. Default: none. */
  readonly readable?: readonly string[];
  /** Secret paths that the owner took off the list, each with everything below it. Default: none. */
  readonly notSecret?: readonly string[];
  /**
   * Folders outside of the system whose programs the owner runs by name, or declared as programs. Default:
   * none.
   */
  readonly programs?: readonly string[];
  /**
   * Those of them that the owner declared: what is written there is executed later also where the workspace
   * holds them. Default: none.
   */
  readonly declared?: readonly string[];
  /** Folders of the skills that the owner accepted, whose files may be read. Default: none. */
  readonly skills?: readonly string[];
  /** The notes folders that the action would write into and that are gone or empty now, each with the number of note files that were known in it. Default: none. */
  readonly lostFolders?: readonly LostFolder[];
};

/** A notes folder that is gone or empty now, with the number of note files that were known in it. */
export type LostFolder = { readonly folder: string; readonly files: number };

/** All notes folders, the one for new notes first. */
export function notesFolders({ notes, otherNotes = [] }: Omit<Folders, "workspace">): readonly string[] {
  return [notes, ...otherNotes];
}

/**
 * Where a value that decides over an effect comes from. `words`: the owner's words of this turn name it in its place. `contact`: the owner's
 * own contacts have it under a name that the words say. `approved`: the owner approved it in this turn. `made`: an act of this turn made it.
 * `endorsed`: the owner said in this turn that the value counts as theirs. `record`: a structured field of a result, in a record that the words name. `link`: a link in a source that the words name. `confirmation`:
 * a code for an act of this turn that asked for one. `foreign`: content of others. `pasted`: words that the
 * owner pasted and did not type. `agent`: the model alone.
 */
export type FlowOrigin = keyof typeof isTrustedOrigin;

/** Each origin, and whether a value of it may decide. */
export const isTrustedOrigin = {
  words: true,
  contact: true,
  approved: true,
  endorsed: true,
  made: true,
  record: true,
  link: true,
  confirmation: true,
  foreign: false,
  pasted: false,
  agent: false,
} as const;

/** A value of an action that decides over an effect, with where it comes from. */
export type Flow = {
  readonly effectIndex: number;
  /** JSON pointer into the arguments. */
  readonly argument: string;
  /** `destination`: where the effect goes. `critical`: what it acts on or how. `link`: an address inside a text that others get. */
  readonly role: "destination" | "critical" | "link";
  readonly origin: FlowOrigin;
};

export type Permission = "allow" | "ask" | "deny";

/** Everything besides the effects that a verdict may depend on. Gathered before judging and recorded in the journal. Holds no contents and no keys. */
export type Facts = {
  readonly action: ActionFacts;
  readonly origin: {
    readonly person: Person;
    readonly source: Source;
    readonly session: string;
    /** Whether a person started the chain of turns. In a chain that nobody started, nobody can approve. */
    readonly startedBy: "person" | "nobody";
  };
  readonly permission: Permission;
  readonly folders: Folders;
  /** Whether this machine has a sandbox for programs. */
  readonly sandbox: boolean;
  readonly findings: readonly Finding[];
  /** The values that decide over the effects; left out where no effect depends on one. */
  readonly flows?: readonly Flow[];
  readonly licences: readonly Licence[];
  /** What a sub-task may at most; left out where the turn is none. */
  readonly subTask?: Pick<SubTask, "tools" | "folder" | "workspace">;
  /** What the gates of skills object to; left out where they object to nothing. */
  readonly taught?: readonly TaughtObjection[];
  /** False after a canary was not blocked. The agent then answers but does not act. */
  readonly healthy: boolean;
  /** What models that were asked about the call would do otherwise; left out where they agree, and where none was asked. */
  readonly disagreement?: string;
  /**
   * True where the act would not pass without what the owner said, and they said more that no model has read
   * yet.
   */
  readonly unreadWords?: boolean;
  /** How often this turn did the same before and got the same result, the last time included; left out where it did not. */
  readonly repeats?: number;
  /** How often it may, where that is not the usual number. */
  readonly mostRepeats?: number;
};

/**
 * How often a turn may do the same and get the same. Below it stand what people and tests repeat on purpose:
 * look, wait, look again.
 */
export const usualRepeats = 4;
