import type { Label } from "./label.ts";
import type { Person, Source } from "./signal.ts";

/** How far the world allows an effect to be taken back. Shown with every question put to a person. */
export type Reversal = "undoable" | "compensable" | "final";

type EffectOf<Kind extends string, Detail> = Detail & {
  readonly kind: Kind;
  /** What it is done to, in the words of its kind: a real path, a program, a host, a person, a provider, an object. */
  readonly target: string;
  /** The label of what flows into it. */
  readonly label: Label;
  readonly reversal: Reversal;
};

/** Reading the names of a folder, or the contents of a file. `tree` reads everything below. */
export type ReadPath = EffectOf<
  "read-path",
  { readonly access: "names" | "contents"; readonly tree: boolean }
>;
export type WritePath = EffectOf<"write-path", { readonly change: "create" | "replace" }>;
export type DeletePath = EffectOf<"delete-path", object>;
/** `proof` says why the program is harmless, in words; null where nothing proves it. Keys in `argv` are masked. */
export type RunProgram = EffectOf<
  "run-program",
  {
    readonly argv: readonly string[];
    /** The real path of the binary; null where it is not installed or was not resolved. */
    readonly binary: string | null;
    readonly proof: string | null;
    /** Why there is no proof, in words; empty where there is one. */
    readonly doubt: string;
    /** Whether it runs inside the sandbox: no network, no state, no secret paths. */
    readonly confined: boolean;
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
    readonly channel: Source;
    readonly session: string;
    readonly ownSession: boolean;
  }
>;
export type CallModel = EffectOf<
  "call-model",
  {
    readonly model: string;
    /** A property of the provider's record: private text goes to no provider that is not local. */
    readonly local: boolean;
    /** Reserved in the ledger for this call, in millionths of a dollar; null where the reservation failed. */
    readonly reservedMicrodollars: number | null;
  }
>;
export type ChangeMemory = EffectOf<
  "change-memory",
  { readonly realm: "own" | "files"; readonly operation: string }
>;
export type Evaluate = EffectOf<"evaluate", { readonly language: string; readonly jailed: boolean }>;

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
  | Evaluate;

export type EffectKind = Effect["kind"];

/** True where doing this must be on disk in the journal before it happens; what only reads or answers the owner need not. */
export function requiresForcedIntent(effect: Effect): boolean {
  if (effect.kind === "tell-person") return effect.person !== "owner";
  return effect.kind !== "read-path" && effect.kind !== "evaluate";
}
