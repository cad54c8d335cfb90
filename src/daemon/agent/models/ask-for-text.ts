import { randomUUID } from "node:crypto";
import type { State } from "../../../memory/state/state.ts";
import type { ChosenModel } from "../../../signal/chosen-model.ts";
import { joinAll, type Label } from "../../../signal/label.ts";
import type { Clock } from "../../../text/clock.ts";
import type { Loop } from "../../../turn/turn-loop.ts";
import { sessionNameOf } from "../resources/cap-of-job.ts";

/** What asking needs. */
export type AskForTextParts = {
  readonly state: Pick<State, "sessions" | "turns" | "chosenModels">;
  readonly loop: Pick<Loop, "submit" | "whenSettled">;
  readonly clock: Clock;
};

/** What the program itself wants of a model. `job` is what the call is booked on; `tier` decides the model, unless `model` says which one is asked (null: as the settings say). */
export type TextRequest = {
  readonly job: string;
  readonly tier: "reasoning" | "cognition";
  readonly text: string;
  /** Of what stands in `text`. */
  readonly label: Label;
  readonly model?: ChosenModel | null;
  /** Whether words of the owner stand in `text`: they are told where a part of it is private and no local model is asked. */
  readonly ownWords?: true;
  /** What the owner is told where the program ends before the model answered; left out where whoever asks does so again. */
  readonly ifCutOff?: string;
};

/** A model's text with the label of all that it was made of, or why there is none. */
export type GivenText =
  | { readonly ok: true; readonly text: string; readonly label: Label }
  | { readonly ok: false; readonly code: string; readonly reason: string };

/** Asks a model for a text, as a turn that nobody started: routed, priced and journalled like any, without tools, notes, skills or past. */
export async function askForText(
  { state, loop, clock }: AskForTextParts,
  { job, tier, text, label, model, ...more }: TextRequest,
): Promise<GivenText> {
  const session = await state.sessions.open({ name: sessionNameOf(job), workspace: null, source: "cli" });
  if (model !== undefined) await state.chosenModels.choose(session.id, model);
  const id = randomUUID();
  const submitted = await loop.submit({
    id,
    clientId: `${job}/${id}`,
    sensor: "cron",
    session: session.id,
    source: "cli",
    person: "nobody",
    text,
    payload: { text, tier, job, textOnly: true, ...more },
    depth: 0,
    label,
    at: clock(),
  });
  if (submitted.kind !== "turn") return { ok: false, code: submitted.code, reason: submitted.text };
  await loop.whenSettled(submitted.turn);
  const turn = await state.turns.get(submitted.turn);
  if (turn === null) return { ok: false, code: "forgotten", reason: "Its turn was forgotten." };
  if (turn.state !== "answered") return { ok: false, code: turn.code, reason: turn.text };
  const labels = turn.messages.flatMap((message) => (message.role === "assistant" ? [message.label] : []));
  return { ok: true, text: turn.text, label: joinAll([label, ...labels]) };
}
