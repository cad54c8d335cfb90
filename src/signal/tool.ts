import type { Action } from "./action.ts";
import type { Effect } from "./effect.ts";
import type { Facts, Permission } from "./facts.ts";
import type { Json, JsonObject } from "./json.ts";
import type { Label, LabelledValue } from "./label.ts";
import type { Person, Source } from "./signal.ts";

/** What became of an action that was run: a value, never a throw. `code` of an error is a kebab-case word. */
export type Outcome =
  | { readonly status: "success"; readonly content: Json }
  | { readonly status: "error"; readonly code: string; readonly message: string };

/** A tool's result as it is kept: structured, with an id that labels can point into. */
export type ToolResult = {
  readonly id: string;
  readonly tool: string;
  readonly outcome: Outcome;
  readonly label: Label;
};

/** What a model is told of a tool. `parameters` is a JSON schema, the required `explanation` included. */
export type ToolDeclaration = {
  readonly name: string;
  readonly description: string;
  readonly parameters: JsonObject;
};

/** Who asks, from where, and the values that the turn knows, to label arguments by. */
export type Caller = {
  readonly turn: string;
  readonly session: string;
  readonly person: Person;
  readonly source: Source;
  readonly startedBy: "person" | "nobody";
  /** Real absolute path of the session's workspace; null where it has none. */
  readonly workspace: string | null;
  /** The owner's words and the results so far, each under its id. */
  readonly known: ReadonlyMap<string, LabelledValue<Json>>;
  /** What files held when an action that had to wait was put off, by real path; null bytes where that was not kept. */
  readonly bases?: ReadonlyMap<string, { readonly digest: string | null; readonly bytes: Uint8Array | null }>;
  /** The join of all that was in the prompt. */
  readonly promptLabel: Label;
};

/** What a file held before and is to hold after; digests are SHA-256 in hex, null where there is no file. */
export type FileChange = {
  readonly path: string;
  readonly before: string | null;
  readonly after: string | null;
};

/** What a tool's `prepare` found out: what running these arguments would do, and the way to do it. */
export type Preparation =
  | {
      readonly ok: true;
      readonly effects: readonly Effect[];
      /** The JSON value that will really run: resolved paths, argvs, digests of contents. The action's digest is over it. */
      readonly plan: Json;
      /** File changes that running would make, for the journal's intent. */
      readonly changes: readonly FileChange[];
      /** The label that the result will have. */
      readonly resultLabel: Label;
      readonly run: (cancel: AbortSignal) => Promise<Outcome>;
    }
  | { readonly ok: false; readonly code: string; readonly message: string };

/** A function that the model may propose to call. */
export type Tool = {
  readonly name: string;
  readonly description: string;
  readonly permission: Permission;
  /** JSON schema of the arguments, without the explanation. */
  readonly parameters: JsonObject;
  /** Parses the arguments by the tool's own schema, looks at the world, and does nothing to it. */
  readonly prepare: (args: JsonObject, caller: Caller, labelOf: LabelArgument) => Promise<Preparation>;
};

/** The label of one argument's value: that of the known value that it matches, else `agent` joined with the prompt's. */
export type LabelArgument = (text: string) => Label;

/** An action that was looked at and can be judged, then run. */
export type PreparedAction =
  | {
      readonly ok: true;
      readonly action: Action;
      readonly tool: string | null;
      readonly effects: readonly Effect[];
      readonly facts: Facts;
      /** SHA-256 in hex over the canonical JSON of what will run. An approval is bound to it. */
      readonly digest: string;
      readonly changes: readonly FileChange[];
      readonly resultLabel: Label;
      readonly run: (cancel: AbortSignal) => Promise<Outcome>;
    }
  | { readonly ok: false; readonly action: Action; readonly code: string; readonly message: string };

/** An outcome that went well. */
export function success(content: JsonObject): Outcome {
  return { status: "success", content };
}

/** An outcome that says what could not be done. */
export function failure({ code, message }: { readonly code: string; readonly message: string }): Outcome {
  return { status: "error", code, message };
}
