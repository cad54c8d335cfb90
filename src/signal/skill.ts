import type { JsonObject } from "../text/json.ts";
import type { EffectKind } from "./effect.ts";
import type { Label } from "./label.ts";
import type { SaidLimits } from "./skill-limits.ts";

/** When a skill takes part in a turn. All conditions that are named have to hold; of the words one is enough. */
export type SkillTrigger = {
  /** Words of the signal, without regard to case. */
  readonly words?: readonly string[] | undefined;
  readonly sensor?: string | undefined;
  /** Tags of a note that the signal is about, as Org compares them. */
  readonly tags?: readonly string[] | undefined;
};

/** What the head of a skill's file says. */
export type SkillHead = {
  /** The name of its file, without `.org`. */
  readonly name: string;
  readonly title: string;
  readonly id: string | null;
  /** Names or ids of the skills that have to be in force. */
  readonly dependsOn: readonly string[];
  /** From 0 to 100; the highest that matches is triggered. */
  readonly priority: number;
  /** The tools that it may call, each with the host, folder or program that it is limited to: `fetch-url:api.example.org`. */
  readonly capabilities: readonly string[];
  /** What it may use in a turn at most; what is left out is as usual. */
  readonly limits?: SaidLimits | undefined;
  /** The effects that its gates guard, so that they stay guarded where the gates cannot be loaded. */
  readonly guards: readonly EffectKind[];
  readonly hooks: readonly string[];
  readonly crons: readonly string[];
  /** What its hooks and times begin once the owner approved it, in words; left out without one. */
  readonly job?: { readonly tier: string | null; readonly text: string } | undefined;
  readonly mandates: readonly string[];
  readonly trigger: SkillTrigger | null;
  /** Text for the prompt of the turns that it takes part in; empty without one. */
  readonly prompt: string;
};

/**
 * A tool or an actuator that a skill brings. `calls`: it says which tools it would call; `runs`: it
 * computes its result; `steps`: it does both in rounds.
 */
export type SkillTool = {
  readonly name: string;
  readonly description: string;
  /** The JSON schema of its arguments. */
  readonly parameters: JsonObject;
  readonly calls: boolean;
  readonly runs: boolean;
  /** Left out where it has none. */
  readonly steps?: true | undefined;
  /** What it may do at most, where it is an actuator; left out where it is none. */
  readonly effects?: readonly EffectKind[] | undefined;
};

export type SkillGate = { readonly name: string; readonly effects: readonly EffectKind[] };

/** What the code of a skill brings. */
export type SkillDeclaration = {
  /** Whether its own function says when it takes part. */
  readonly triggers: boolean;
  /** Whether its own function makes the text for the prompt. */
  readonly prompts: boolean;
  /** Whether its own function makes standing instructions of the context; left out where it has none. */
  readonly mandates?: true | undefined;
  /** Whether its own function says what to do with a turn that got no answer; left out where it has none. */
  readonly recovers?: true | undefined;
  readonly tools: readonly SkillTool[];
  readonly gates: readonly SkillGate[];
  readonly commands: readonly { readonly name: string; readonly help: string }[];
};

/** A version of a skill that is in force, or would be where its dependencies are. */
export type AcceptedSkill = {
  readonly head: SkillHead;
  readonly declared: SkillDeclaration;
  /** The SHA-256 of its file, in hex. */
  readonly digest: string;
  /** Its file, to show what a later version changes; left out where it was accepted before files were kept. */
  readonly text?: string | undefined;
  /** Its JavaScript; empty where it has no code. */
  readonly code: string;
  readonly enabled: boolean;
  /** Where it came from; null for a file that the owner wrote. One from elsewhere is never replaced without a yes. */
  readonly from: string | null;
  /** The label of what its text was made from; left out where all of it counts as its owner's own. */
  readonly label?: Label | undefined;
};

/** Which skill an action comes from, and what that skill may do: a fact about the action. */
export type SkillOrigin = {
  readonly name: string;
  readonly capabilities: readonly string[];
  /** The tools that it calls, each with its effects: the index of the first, and of the first behind them. */
  readonly calls: readonly { readonly tool: string; readonly from: number; readonly to: number }[];
};

/** What a gate of a skill objects to: found before the verdict, recorded with it. */
export type TaughtObjection = {
  readonly skill: string;
  readonly gate: string;
  readonly effectIndex: number;
  readonly result: "ask" | "block";
  readonly reason: string;
  /** The gate could not be asked, which blocks. */
  readonly unanswered?: true;
  /** Of the reason, where the code of the skill made it. */
  readonly label?: Label;
};

/** What the `SKILL.md` of a folder says, by the Agent Skills standard. */
export type SkillMd = {
  /** At most 1,024 characters; empty where there is none. */
  readonly description: string;
  readonly license: string | null;
  readonly compatibility: string | null;
  readonly metadata: Readonly<Record<string, string>>;
  /** The tools that a turn may call while the skill takes part, as they are written: `Bash(git:*)`. Null where it names none, and all may be called. */
  readonly allowedTools: readonly string[] | null;
  /** Keys that are not of the standard: kept and ignored. */
  readonly otherKeys: readonly string[];
  /** Where it differs from the standard and is read all the same, in words. */
  readonly remarks: readonly string[];
  /** The instructions. */
  readonly body: string;
};

/** A file of a skill's folder: its path inside, its SHA-256 in hex and its bytes. */
export type SkillFolderFile = { readonly path: string; readonly digest: string; readonly size: number };

/** A skill that is a folder with a `SKILL.md`. */
export type FolderSkill = SkillMd & {
  /** The name of the folder. */
  readonly name: string;
  /** Its real path. */
  readonly folder: string;
  readonly files: readonly SkillFolderFile[];
  /** Whether it holds a `.git` besides, which is none of its files: no digest counts it, and nobody may read it as a part of the skill. */
  readonly isClone: boolean;
  /** The SHA-256 over the paths and digests of all its files, in hex. */
  readonly digest: string;
};

/** The owner's word on a skill of their `.agents/skills`: this version of the folder may be used, or none. */
export type AcceptedFolder = {
  readonly name: string;
  /** The SHA-256 over all its files, in hex. */
  readonly digest: string;
  /** Where it was installed from; null for a folder that was found there. */
  readonly from: string | null;
  /** Whether the owner said that they wrote it. */
  readonly mine: boolean;
  readonly enabled: boolean;
};

/** A tool that may be called while a skill takes part; of a program only with arguments that begin, or are, like these. */
export type AllowedTool = {
  readonly tool: string;
  readonly argv?: readonly string[];
  /** Whether nothing may follow these arguments. */
  readonly whole?: boolean;
};

/** A skill that takes part in a turn and narrows what it may call. */
export type SkillNarrowing = { readonly skill: string; readonly tools: readonly AllowedTool[] };
