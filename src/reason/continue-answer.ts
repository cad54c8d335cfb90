import { bottomLabel, joinLabels } from "../signal/label.ts";
import type { Message } from "../signal/message.ts";
import type { ModelCallRequest, ModelOutcome } from "./model/model-call.ts";

type Answer = Extract<ModelOutcome, { readonly ok: true }>;

/** How often an answer that was cut at its limit is continued. */
const mostContinuations = 3;
const goOn =
  "The program: your answer was cut at its limit of output tokens. Go on exactly where it stopped, with the next character; repeat nothing and do not mention this.";

/**
 * Calls a model, and again while its reply was cut at the limit of output tokens; the pieces are one answer. If it is still cut after that, or the model cannot be
 * asked again, the text says so to the person. A cut call, and a form that was begun, are left to the parser.
 */
export async function callToTheEnd(
  call: (request: ModelCallRequest) => Promise<ModelOutcome>,
  request: ModelCallRequest,
): Promise<ModelOutcome> {
  const first = await call(request);
  if (!first.ok) return first;
  let answer = first;
  let { messages, keepLast } = request;
  let part = first;
  for (let count = 0; isCutReply(part); count += 1) {
    if (count === mostContinuations) return { ...answer, text: answer.text + noteOf(answer) };
    messages = [...messages, ...continuation(part)];
    keepLast += 2;
    const next = await call({ ...request, messages, keepLast });
    if (!next.ok)
      return { ...answer, text: `${answer.text}\n\n[The answer breaks off here. ${next.reason}]` };
    answer = joinAnswers(answer, next);
    part = next;
  }
  return answer;
}

function isCutReply({ finishReason, text, calls, callsTools }: Answer): boolean {
  const maybeForm = !callsTools && /^\s*[({`]/.test(text);
  return finishReason === "length" && calls.length === 0 && text.trim() !== "" && !maybeForm;
}

/** The cut piece and the program's request to go on, in the place of messages. */
function continuation({ text, provider, sentLabel }: Answer): readonly Message[] {
  const label = joinLabels(sentLabel, { ...bottomLabel, integrity: "agent" });
  return [
    { role: "assistant", text, calls: [], native: false, provider, raw: null, label },
    { role: "rejection", text: goOn, label: bottomLabel },
  ];
}

function joinAnswers(before: Answer, next: Answer): Answer {
  return {
    ...next,
    text: before.text + next.text,
    raw: null,
    sentLabel: joinLabels(before.sentLabel, next.sentLabel),
    microdollars: before.microdollars + next.microdollars,
    priced: before.priced && next.priced,
    tries: [...before.tries, ...next.tries],
  };
}

function noteOf({ provider, maxOutputTokens }: Answer): string {
  const setting = `${provider.toUpperCase().replaceAll("-", "_")}_MAX_OUTPUT`;
  return `\n\n[The answer was cut ${mostContinuations + 1} times at its limit of ${maxOutputTokens} tokens and breaks off here. Say \`continue\` for the rest, or raise ${setting}.]`;
}
