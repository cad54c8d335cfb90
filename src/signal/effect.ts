import type { Label } from "./label.ts";
import type { Person } from "./signal.ts";

/** How far an effect can be reversed. Every question to a person shows it. */
export type Reversal = "undoable" | "compensable" | "final";

type EffectOf<Kind extends string, Detail> = Detail & {
  readonly kind: Kind;
  /** What the effect acts on; its kind says which: a real path, a program, a host, a person, a provider, an object. */
  readonly target: string;
  /** The label of the data that flows into it. */
  readonly label: Label;
  readonly reversal: Reversal;
};

/** Reads the names in a folder or the contents of a file. `tree` includes everything below. */
export type ReadPath = EffectOf<
  "read-path",
  { readonly access: "names" | "contents"; readonly tree: boolean }
>;
/** A heading whose words a change would leave without their privacy tag, their encryption or their origin mark. */
export type LiftedMark = { readonly heading: string; readonly mark: "privacy" | "encryption" | "origin" };
/**
 * `lifts` is left out where a change lifts no mark. `executedLater` says in words why the contents will be
 * executed or obeyed later, wherever the file is; it is left out where nothing is known to do so. `tree`:
 * files below the target change, and not the folder itself. `breaks`: what is wrong with the new contents,
 * in words, where a parser reads the present ones and cannot read these. `extent`: how many files a command
 * that was tried would delete or empty. `ownBranch`: the target is the branch that is checked out, and gets
 * another commit. `repositoryData`: of the repository only what a commit changes would change, and nothing
 * that git obeys; of a file that git keeps there only a trial says so, which looks at what it holds.
 * `opens`: the permissions before and after, where others of the machine gain a right.
 * `gets`: what it gets beside its contents and could hinder its owner, or no undo takes back, as the end of a
 * sentence: permissions by which its owner cannot look into it, a list of access, extended attributes.
 * `editor`: where an editor has unsaved changes of the file, what that means for the change, in words.
 * `isKept`: an undo takes the path from a set of changes that is kept; nobody wrote it. `certificates`: only
 * public certificates are in the file that a trial changed or an undo brings back, before and after.
 */
export type WritePath = EffectOf<
  "write-path",
  {
    readonly change: "create" | "replace";
    readonly lifts?: readonly LiftedMark[];
    readonly executedLater?: string;
    readonly breaks?: string;
    readonly extent?: Extent;
    readonly tree?: true;
    readonly ownBranch?: true;
    readonly repositoryData?: true;
    readonly opens?: string;
    readonly gets?: string;
    readonly editor?: string;
    readonly isKept?: true;
    readonly certificates?: true;
  }
>;
/**
 * `existed`: a command would delete what was there before it. `tracked`: git tracks it, so that no build
 * makes it again, wherever it lies. `isKept`, `certificates`: as of `WritePath`.
 */
export type DeletePath = EffectOf<
  "delete-path",
  {
    readonly existed?: true;
    readonly tracked?: true;
    readonly isKept?: true;
    readonly certificates?: true;
  }
>;
/** How much a command deletes, stops or replaces at once. */
export type Extent = {
  /** What it is: files, branches, services, … */
  readonly kind: string;
  /** Null where nobody knows it before the command runs. */
  readonly count: number | null;
  /** The first of it by name. */
  readonly shown: readonly string[];
  /** How many of it the owner's words of this turn do not name. */
  readonly unnamed: number;
  /** How many of it earlier calls of the turn, or commands before it in its line, took away one by one; left out where there are none. */
  readonly earlier?: number;
  /** What stands beside it and stays. */
  readonly others: readonly string[];
  /** A trial of the command tells what it is: asked about only where the command is not tried. */
  readonly shownByTrial?: true;
};

/** In place of a digest: nobody knows all scripts of a command. No rule holds for it. */
export const unknownScripts = "unknown";

/** Runs a program. `proof` says in words why it is harmless; null where nothing proves it. Keys in `argv` are masked. */
export type RunProgram = EffectOf<
  "run-program",
  {
    readonly argv: readonly string[];
    /** The real path of the binary; null if it is not installed or was not looked up. */
    readonly binary: string | null;
    /** Whether it is the system's own program of its name; left out where that was not asked. */
    readonly identity?: "trusted" | "shadowed" | "absent";
    readonly proof: string | null;
    /** Why there is no proof, in words; empty if there is a proof. */
    readonly doubt: string;
    /** Whether the program runs in the sandbox: no network of its own, no state, no secret paths. */
    readonly confined: boolean;
    /** Why a trial of it in the sandbox would show nothing, in words; left out for a proved command and where it may be tried. */
    readonly untried?: string;
    /** Where it runs over an overlay, so that it can be tried: what it changes is judged before it is kept. Left out elsewhere. */
    readonly triable?: true;
    /** The hosts that it may reach through the proxy; left out where there is none. Each of them is an effect of its own. */
    readonly network?: readonly string[];
    /**
     * A digest of the files that its line names or runs as scripts, and of all code that these could load, as
     * they are now; left out where it reaches no host, and where its programs obey no file; `unknownScripts`
     * where they are too many.
     */
    readonly scripts?: string;
    /** Whether these hosts were named by nobody: it tried to reach them when it was tried without network, and failed. */
    readonly missed?: true;
    /** The owner's values that it may use there without knowing them, each with its place; left out where there is none. */
    readonly credentials?: readonly string[];
    /** How much it destroys at once; left out for a single thing, and where it is not known to destroy anything. */
    readonly extent?: Extent;
  }
>;
export type ReachHost = EffectOf<
  "reach-host",
  { readonly scheme: string; readonly port: number; readonly addresses: readonly string[] }
>;
export type TellPerson = EffectOf<
  "tell-person",
  {
    readonly person: Person;
    /** The name of the actuator that tells. */
    readonly channel: string;
    readonly session: string;
    readonly ownSession: boolean;
  }
>;
export type CallModel = EffectOf<
  "call-model",
  {
    readonly model: string;
    /** A property of the provider's record. Private text goes to local providers only. */
    readonly local: boolean;
    /** The sum reserved in the ledger for this call, in millionths of a dollar; null if the reservation failed. */
    readonly reservedMicrodollars: number | null;
  }
>;
/** A change of one setting, as its lines in the settings file; null takes it out. */
export type SettingLines = { readonly name: string; readonly before: string; readonly after: string | null };
/** `plan` is left out where no flight plan is proposed, `setting` where no setting is changed. */
export type ChangeMemory = EffectOf<
  "change-memory",
  {
    readonly realm: "own" | "files";
    readonly operation: string;
    readonly plan?: ProposedPlan;
    readonly setting?: SettingLines;
  }
>;
/**
 * One step of a flight plan: what was proposed, its command line (null for a step without one), what it
 * would do, and how often it may be done. `keeps`: what the command changes or deletes in the folder of the
 * plan is allowed too, where it can be undone; the owner wrote this command line. `sources`: the words of
 * others that its values stand in, left out where all are the owner's.
 */
export type PlannedStep = {
  readonly words: string;
  readonly command: string | null;
  readonly effects: readonly Effect[];
  readonly times: number;
  readonly keeps?: true;
  readonly sources?: readonly string[];
};
/** A flight plan before its approval: what a job of several steps needs, how many minutes it would be in force, and the most that its session may spend on models meanwhile (left out where the budget alone limits that). */
export type ProposedPlan = {
  readonly steps: readonly PlannedStep[];
  readonly minutes: number;
  readonly dollars?: number;
};
export type Evaluate = EffectOf<"evaluate", { readonly language: string; readonly jailed: boolean }>;

/** What a call of an external service does: reads, fetches an address, changes what is the owner's, sends to others, deletes, pays, signs in or changes credentials, grants or takes rights; `unknown` where its tool declares nothing. */
export type ServiceAct =
  | "read"
  | "fetch"
  | "change"
  | "send"
  | "delete"
  | "pay"
  | "credential"
  | "grant"
  | "unknown";
/** Calls a tool of an external service. The target is where it goes or what it acts on, in words; `decides` is the SHA-256 of all arguments that decide over it, left out where nothing depends on them. `changed`: what its server changed in its tools since the owner accepted them. `answers`: what the server asked the owner about the same call before, with the answers that it would get. */
export type UseService = EffectOf<
  "use-service",
  {
    readonly service: string;
    readonly act: ServiceAct;
    readonly decides?: string;
    readonly changed?: readonly string[];
    readonly answers?: readonly string[];
  }
>;

/** One thing that an action would do. */
export type Effect =
  | ReadPath
  | WritePath
  | DeletePath
  | RunProgram
  | ReachHost
  | TellPerson
  | CallModel
  | ChangeMemory
  | Evaluate
  | UseService;

export type EffectKind = Effect["kind"];

/** True if the journal must hold the intent on disk before this effect happens. Reads, answers to the owner and model calls that cost nothing do not need that. */
export function requiresForcedIntent(effect: Effect): boolean {
  if (effect.kind === "tell-person") return effect.person !== "owner";
  if (effect.kind === "call-model") return effect.reservedMicrodollars !== 0;
  if (effect.kind === "use-service") return effect.act !== "read";
  return effect.kind !== "read-path" && effect.kind !== "evaluate";
}
