import type { LoopEvent } from "../../signal/loop-event.ts";
import { type Call, type Outcome, outcomeOf } from "../calls/call.ts";
import { type ShownCall, StepCalls } from "../calls/step-calls.ts";
import { withShortHome } from "../screen/short-path.ts";
import { messengers } from "../session/messengers.ts";
import { callLines } from "./reader-lines.ts";

type EventOf<Type extends LoopEvent["type"]> = Extract<LoopEvent, { type: Type }>;

/** The calls of turns: each is read out once something came of it. */
export class ReaderCalls {
  readonly steps = new StepCalls();
  readonly #parts: { readonly home: string; readonly say: (lines: readonly string[]) => void };
  readonly #calls = new Map<string, ShownCall>();

  constructor(parts: { readonly home: string; readonly say: (lines: readonly string[]) => void }) {
    this.#parts = parts;
  }

  /** One that is judged again is still the same. */
  propose({ turn, call: id, action }: EventOf<"proposed">): void {
    const known = this.#calls.get(id);
    if (known !== undefined && this.steps.isOpen(turn, known)) return;
    const unknown = { effects: [], trace: [], gates: null, judgedIn: null, changes: null, outcome: null };
    const say = (call: Call): void => {
      if (call.outcome !== null) this.#parts.say(callLines(call, call.outcome));
    };
    let call: Call = { action, ...unknown };
    const shown: ShownCall = {
      get call() {
        return call;
      },
      update: (more) => {
        call = { ...call, ...more };
        say(call);
      },
    };
    this.#calls.set(id, shown);
    if (!messengers.has(action.target)) this.steps.add(turn, shown);
  }

  judge({ call, turn, effects, verdict, reason }: EventOf<"verdict">): void {
    const shown = this.#calls.get(call);
    if (shown === undefined) return;
    this.steps.judge(turn, shown, verdict);
    const content = withShortHome(reason, this.#parts.home);
    const blocked: Outcome = { state: "blocked", content, code: "", milliseconds: null };
    shown.update(verdict === "block" ? { effects, outcome: blocked } : { effects });
  }

  finish(event: EventOf<"outcome">): void {
    const { call, turn, milliseconds = null, changes = null } = event;
    const shown = this.#calls.get(call);
    if (shown === undefined) return;
    this.steps.finish(turn, shown);
    shown.update({ changes, outcome: outcomeOf(event, milliseconds) });
  }
}
