import { endOfCall } from "../../shown/call-end.ts";
import type { Action } from "../../signal/action.ts";
import { actionOf, type PastStep, pastStepOf, wordsOfUndone } from "../../signal/past-step.ts";
import { isJsonArray, isJsonObject, type Json, type JsonObject } from "../../text/json.ts";
import { messengers } from "../session/messengers.ts";
import { type Call, outcomeOf } from "./call.ts";

/** A turn of the past, as the daemon tells it. */
export type PastTurn = {
  readonly id: string;
  /** Whether a job said the words, and not the owner. */
  readonly isJob: boolean;
  readonly words: string;
  /**
   * Whether the words are all that was said: no job said them, nothing in them is cut or masked, and no file
   * came with them.
   */
  readonly whole: boolean;
  readonly answer: string;
  /** Characters of the answer that are left out. */
  readonly left: number;
  /** Whether the answer is no Markdown, but what tools gave. */
  readonly plain: boolean;
  readonly ended: boolean;
  /** Whether it has not begun. */
  readonly waits: boolean;
  /** What it does now; null where it does not run. */
  readonly work: PastWork | null;
  /** The names of the files that came with the words. */
  readonly attached: readonly string[];
  /** What was done, and how many calls before that are left out. */
  readonly steps: readonly PastStep[];
  readonly stepsLeft: number;
};

/**
 * What a turn of the past is doing that still runs: since when, in Unix milliseconds, and the calls without
 * an outcome.
 */
export type PastWork = {
  readonly since: number;
  readonly calls: readonly { readonly call: string; readonly action: Action }[];
};

/** Reads a turn of the past. */
export function pastOf(turn: JsonObject): PastTurn {
  const text = (key: string): string => {
    const value: Json | undefined = turn[key];
    return typeof value === "string" ? value : "";
  };
  const number = (key: string): number => (typeof turn[key] === "number" ? turn[key] : 0);
  const list = (key: string): readonly Json[] => (isJsonArray(turn[key]) ? turn[key] : []);
  return {
    id: text("id"),
    isJob: turn["job"] === true,
    words: text("words"),
    whole: turn["whole"] === true,
    answer: text("answer"),
    left: number("answer-left"),
    plain: turn["plain"] === true,
    ended: ["answered", "blocked", "failed", "stopped"].includes(text("state")),
    waits: text("state") === "queued",
    work:
      typeof turn["working-since-ms"] === "number"
        ? { since: turn["working-since-ms"], calls: list("open-calls").flatMap(openCallOf) }
        : null,
    attached: list("attached").filter((name) => typeof name === "string"),
    steps: list("steps").flatMap((step) => pastStepOf(step) ?? []),
    stepsLeft: number("steps-left"),
  };
}

function openCallOf(open: Json): PastWork["calls"] {
  const { call, action } = isJsonObject(open) ? open : {};
  return typeof call === "string" && isJsonObject(action) ? [{ call, action: actionOf(action) }] : [];
}

/** What stands between the words of a past turn and its answer, in order. */
export type PastPiece =
  | { readonly kind: "said"; readonly text: string }
  | { readonly kind: "note"; readonly text: string }
  | { readonly kind: "call"; readonly id: string; readonly call: Call };

/** What stands below words that files go with. */
export function withFiles(names: readonly string[]): string {
  return `with ${names.join(", ")}`;
}

/** The pieces of a past turn. */
export function piecesOf({ attached, steps, stepsLeft }: PastTurn): readonly PastPiece[] {
  const note = (text: string): PastPiece => ({ kind: "note", text });
  return [
    ...(attached.length === 0 ? [] : [note(withFiles(attached))]),
    ...(stepsLeft === 0 ? [] : [note(`… ${stepsLeft} calls before`)]),
    ...steps
      .filter(({ action }) => !messengers.has(action?.target ?? ""))
      .flatMap((step): readonly PastPiece[] => {
        const call = callOf(step);
        const shown: PastPiece =
          call === null ? note(outlineOf(step)) : { kind: "call", id: step.call, call };
        return step.said === "" ? [shown] : [{ kind: "said", text: step.said }, shown];
      }),
  ];
}

function outlineOf(step: PastStep): string {
  const { tool, undone } = step;
  return `${tool}: ${endOfCall(step)}${undone === null ? "" : `, ${wordsOfUndone(undone)}`}`;
}

/** A call of a past turn; null where only its outcome is known. */
function callOf(step: PastStep): Call | null {
  const { action, gates, changed, undone } = step;
  const changes = step.changes ?? (changed?.files === 0 ? [] : null);
  if (action === null) return null;
  const trace = gates.map((gate) => ({ gate, result: "blocked", reason: "", effects: [] }) as const);
  const outcome = outcomeOf(step, null);
  return { action, effects: [], trace, gates: null, judgedIn: null, changed, changes, outcome, undone };
}
