import type { Json, JsonObject } from "../text/json.ts";
import type { Action } from "./action.ts";
import type { DeclaredEffects } from "./actuator.ts";
import type { EndorsableValue } from "./approval.ts";
import type { CallRound } from "./call-round.ts";
import type { ApprovedCall, CallsOfTurn, OtherTurn, WrittenFiles } from "./called-result.ts";
import type { Contact } from "./contact.ts";
import type { ChangeCount } from "./count-diffs.ts";
import type { EarlierChanges } from "./earlier-changes.ts";
import type { Effect } from "./effect.ts";
import type { Facts, Flow, Licence, Permission } from "./facts.ts";
import type { ChangePreview } from "./file-diff.ts";
import type { FieldLabel, Label, LabelledValue } from "./label.ts";
import type { Person, Source } from "./signal.ts";
import type { SkillNarrowing, SkillOrigin } from "./skill.ts";
import type { SubTask } from "./sub-task.ts";
import type { WaitedFor } from "./waiting.ts";

/**
 * The outcome of a run: always a value, never an exception. The `code` of an error is a kebab-case word. `label`: what only the run came to know of
 * where its words come from; it joins the label that its preparation gave. `changed`: the paths that it
 * changed, where these may be fewer than its preparation said. `further`: the content is what the tools gave
 * that it called, one after the other; it is prepared again with that, and goes on.
 */
export type Outcome =
  | {
      readonly status: "success";
      readonly content: Json;
      readonly label?: Label;
      readonly changed?: readonly string[];
      readonly further?: true;
    }
  | {
      readonly status: "error";
      readonly code: string;
      readonly message: string;
      readonly label?: Label;
      readonly changed?: readonly string[];
      /**
       * Of a call that a job may not make: the step that would allow it, as a line of the job's entry. Left
       * out where none would.
       */
      readonly step?: string;
      /** The gates that blocked it; left out where none did. */
      readonly gates?: readonly string[];
    };

/** Shows what a run prints while it goes on. */
export type OutputView = {
  /** Adds a piece to what is shown. */
  readonly add: (piece: string) => void;
  /** Shows the whole of a screen in the place of what was shown. */
  readonly replace: (screen: () => string) => void;
};

/** A stored tool result. Labels refer to parts of it by its id and a JSON pointer. */
export type ToolResult = {
  readonly id: string;
  readonly tool: string;
  readonly outcome: Outcome;
  readonly label: Label;
  /** The labels of fields that came from different places; left out where all have that of the result. */
  readonly fields?: readonly FieldLabel[];
  /**
   * The real paths of the files that the call read, or that the outcome names; left out where there are none.
   */
  readonly read?: readonly string[];
  /** Numbers of the changes that the run made, by which an undo of them is told beside the call. */
  readonly changes?: readonly number[];
  /** How much it changed in files; left out where nothing is known of that. */
  readonly changed?: ChangeCount;
  /** Its number in the session, where a model gets it: it is not kept. */
  readonly number?: number;
};

/** A tool as it is declared to a model. `parameters` is a JSON schema that includes the required `explanation`. */
export type ToolDeclaration = {
  readonly name: string;
  readonly description: string;
  readonly parameters: JsonObject;
  /** The label of these words where they are not this program's own: it is a part of what a model reads. */
  readonly label?: Label;
};

/** What the values of a turn's proposals can come from, besides the model. */
export type TurnSources = CallsOfTurn & {
  /** What the owner typed in this turn. Empty where nobody or another person spoke. */
  readonly words: readonly string[];
  /**
   * What the owner pasted in this turn, or gave by a pipe: it is shown, and licenses nothing. Left out
   * where there is none.
   */
  readonly pasted?: readonly string[];
  /** The day on which the owner typed them, by their clock: "2026-06-03". Left out where nobody knows. */
  readonly today?: string;
  /** Why the owner denied something in this turn: it may forbid, and licenses nothing, since it tells what is wrong. */
  readonly reasons?: readonly string[];
  /**
   * The calls of the turns that work for the same request: of the sub-tasks of this turn, or of the turn that
   * began this sub-task and its other ones. Read when a call first needs them.
   */
  readonly otherTurns?: () => Promise<readonly OtherTurn[]>;
  /** The owner's contacts: each address or account with the names that it goes by. Read when a call first needs them. */
  readonly contacts: () => Promise<readonly Contact[]>;
  /** The calls that the owner approved in this turn. */
  readonly approved: readonly ApprovedCall[];
  /** The values that the owner endorsed for this turn; left out where there are none. */
  readonly endorsed?: readonly EndorsableValue[];
  /**
   * What the agent itself wrote, in this turn or before, into the files that results show, by the id of each
   * result. Read when a call first needs it.
   */
  readonly writtenFiles?: () => Promise<WrittenFiles>;
  /** What earlier calls of this turn changed in files. Read when a call first needs it. */
  readonly changed?: () => Promise<EarlierChanges>;
};

/** The contents of a file before and after a change. */
export type FileRewrite = {
  readonly path: string;
  readonly before: Uint8Array;
  readonly after: Uint8Array;
};

/** Who calls a tool and from where, with the values of the turn that arguments are labelled by. */
export type Caller = {
  readonly turn: string;
  readonly session: string;
  readonly person: Person;
  readonly source: Source;
  readonly startedBy: "person" | "nobody";
  /** The place of the call in its turn, the same when it is prepared again. Left out where no turn calls. */
  readonly call?: string;
  /** What the call got so far, where it is made in rounds; left out before the first. */
  readonly rounds?: readonly CallRound[];
  /** What its turn may at most, where it is a sub-task. */
  readonly subTask?: SubTask;
  /** The real absolute path of the session's workspace, or of the folder of a sub-task; null without one. */
  readonly workspace: string | null;
  /** The owner's words and the results so far, by id. */
  readonly known: ReadonlyMap<string, LabelledValue<Json>>;
  /** The contents of files when an edit was deferred, by real path; `bytes` is null if they were not kept. */
  readonly bases?: ReadonlyMap<string, { readonly digest: string | null; readonly bytes: Uint8Array | null }>;
  /** Left out where nothing of the turn is known: then every value is the model's. */
  readonly sources?: TurnSources;
  /** The folders of the skills that may be used, and what those that take part narrow; left out where there are none. */
  readonly skills?: {
    /**
     * Real paths. `label`: of all that the skill holds, which what is read there has too. `written`: the
     * same place by the name that its owner gave it.
     */
    readonly folders: readonly { readonly path: string; readonly label: Label; readonly written?: string }[];
    readonly narrowed: readonly SkillNarrowing[];
  };
  /** The join of the labels of everything in the prompt. */
  readonly promptLabel: Label;
} & WaitedFor;

/** A change of one file: the SHA-256 of its contents before and after, in hex; null where there is no file. */
export type FileChange = {
  readonly path: string;
  readonly before: string | null;
  readonly after: string | null;
  /** The ID of the note that it adds, whatever else the file holds by then; left out where it adds none. */
  readonly adds?: string;
  /**
   * It is made in the buffer of an editor, which is not saved, while the file has contents of that digest;
   * null where there is no file. Left out of a change of the file.
   */
  readonly inBuffer?: { readonly onDisk: string | null };
};

/** The result of a tool's `prepare`: the effects that a run would have, and the function that runs it. */
export type Preparation =
  | {
      readonly ok: true;
      readonly effects: readonly Effect[];
      /** What will run, as JSON: resolved paths, argvs, digests of contents. The action's digest covers it. */
      readonly plan: Json;
      /** What would be done, step by step, to be compared with what another model proposes; left out where the plan and the changes say it. */
      readonly comparable?: readonly Json[];
      /** The file changes that a run would make, for the journal's intent. */
      readonly changes: readonly FileChange[];
      /** The contents of existing files that these changes replace; left out where there are none. */
      readonly rewrites?: readonly FileRewrite[];
      /** Shows these changes to a person. Left out where nothing is known of them. */
      readonly preview?: ChangePreview;
      /** The label of the result. */
      readonly resultLabel: Label;
      /**
       * The label of what its effects tell besides the words of the call and the data in them, such as names
       * that were found on the disk; left out where they tell nothing else.
       */
      readonly toldByEffects?: Label;
      /** The labels of its fields, where they come from different places. */
      readonly resultFields?: readonly FieldLabel[];
      /** The values that decide over the effects, and what the owner's words of this turn license. */
      readonly flows?: readonly Flow[];
      readonly licences?: readonly Licence[];
      /**
       * What is private, by its label, and not the owner's word is told to a service; left out where
       * nothing is.
       */
      readonly tellsPrivate?: true;
      /** Of a tool of a skill: what the tools that it calls are called with, which is looked through like the action's own payload, and the strictest permission of these tools. */
      readonly skill?: {
        readonly origin: SkillOrigin;
        readonly carries: Json;
        readonly permission: Permission;
      };
      readonly run: Run;
      /**
       * Milliseconds that it ran already, in its trial: its run only keeps what it changed there. Left out
       * where it was not tried.
       */
      readonly ranFor?: number;
      /** True where a run that is begun again after a crash finds what it began, and goes on. */
      readonly resumes?: true;
      readonly trial?: Trial;
    }
  /** `label`: of a message that is not this program's own words. */
  | { readonly ok: false; readonly code: string; readonly message: string; readonly label?: Label };

/** Runs an action. What it prints meanwhile may be shown. */
export type Run = (cancel: AbortSignal, view?: OutputView) => Promise<Outcome>;

/** Tries an action where nothing that it does lasts. Where it changed something, the same action is prepared as what it changed. */
export type Trial = (
  cancel: AbortSignal,
  view?: OutputView,
) => Promise<{
  readonly outcome: Outcome;
  readonly changed: boolean;
  /** What it failed for want of; left out where that is not known. */
  readonly lacks?: LackOfTrial;
}>;

/** What a trial that failed lacked: the arguments that ask for it, and a function that drops what the trial changed. */
export type LackOfTrial = { readonly args: JsonObject; readonly drop: () => Promise<void> };

/** A function that a model may propose to call. */
export type Tool = {
  readonly name: string;
  readonly description: string;
  readonly permission: Permission;
  /** Only the program itself proposes it: no model is told of it. */
  readonly internal?: true;
  /** The JSON schema of the arguments, without `explanation`. */
  readonly parameters: JsonObject;
  /** The label of the words that declare it; left out where they are this program's own. */
  readonly label?: Label;
  /** What it may do at most; left out where only its judged effects say so. */
  readonly declares?: DeclaredEffects;
  /** Parses the arguments with the tool's own schema and reads the world. It changes nothing. */
  readonly prepare: (args: JsonObject, caller: Caller, labelOf: LabelArgument) => Promise<Preparation>;
};

/** Labels the value of an argument: with the label of the known value that it matches, else with `agent` joined with the prompt's label. */
export type LabelArgument = (text: string) => Label;

/** An action that can be judged and then run, or the reason why it cannot. */
export type PreparedAction =
  | {
      readonly ok: true;
      readonly action: Action;
      readonly tool: string | null;
      readonly effects: readonly Effect[];
      readonly facts: Facts;
      /** The SHA-256 of the canonical JSON of what will run, in hex. An approval is bound to it. */
      readonly digest: string;
      /** What it would do besides reading, step by step and without how it was written, to be compared with what another model proposes. */
      readonly comparable: readonly Json[];
      readonly changes: readonly FileChange[];
      readonly preview?: ChangePreview;
      readonly resultLabel: Label;
      /** How secret a reason for or against it is, which names what it would do; left out for public. */
      readonly reasonLabel?: Label;
      readonly resultFields?: readonly FieldLabel[];
      readonly run: Run;
      readonly ranFor?: number;
      readonly resumes?: true;
      readonly trial?: Trial;
    }
  | {
      readonly ok: false;
      readonly action: Action;
      readonly code: string;
      readonly message: string;
      readonly label?: Label;
    };

/** A successful outcome. */
export function success(content: JsonObject): Outcome {
  return { status: "success", content };
}

/** A failed outcome. */
export function failure({ code, message }: { readonly code: string; readonly message: string }): Outcome {
  return { status: "error", code, message };
}
