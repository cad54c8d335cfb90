/** Masks secrets, also across pieces, and makes control characters visible. */
export type TextFilter = { readonly push: (piece: string) => string; readonly end: () => string };

/** The filter holds back an unfinished word, which may become a secret. Pieces inside of one are collected, so that it is not scanned for each. */
const insideWord = /^[\w.+/=-]*$/;
const mostWaiting = 1024;
/** A call that the model writes as marked text, at the beginning of a line; or what may become one. */
const markedCall = /^\s*<(?:tool_call>|｜tool)/mu;
const markedCallBegins = /(?:^|\n)\s*<[a-z_｜]{0,9}$/u;

/** Streams a model's answer to the owner while it arrives. */
export type ReplyStream = {
  readonly push: (piece: string) => void;
  /** Shows the text that the filter held back. */
  readonly end: () => void;
};

/**
 * Streams an answer only if its first character shows that it is not a proposal: nothing that begins like a form, a JSON object or a
 * code fence is streamed, nor what begins like a call that is written as marked text. The final message always carries the whole text.
 */
function openReplyStream(filter: TextFilter, show: (text: string) => void): ReplyStream {
  let decided: "open" | "held" | "streaming" = "open";
  let waiting = "";
  const emit = (text: string): void => {
    if (text !== "") show(text);
  };
  return {
    push(piece) {
      if (decided === "held") return;
      waiting += piece;
      const first = waiting.trimStart().charAt(0);
      if (decided === "open") {
        if (first === "") return;
        decided = "({[`\uFEFF".includes(first) ? "held" : "streaming";
      }
      if (waiting.length < mostWaiting && markedCallBegins.test(waiting)) return;
      const call = markedCall.exec(waiting);
      if (call !== null) {
        if (decided === "streaming") emit(filter.push(waiting.slice(0, call.index)) + filter.end());
        decided = "held";
        return;
      }
      if (decided === "streaming" && waiting.length < mostWaiting && insideWord.test(piece)) return;
      if (decided === "streaming") emit(filter.push(waiting));
      waiting = "";
    },
    end() {
      if (decided === "streaming") emit(filter.push(waiting) + filter.end());
      decided = "held";
    },
  };
}

/** Shows an answer as it comes, also where it is withdrawn and begins anew. */
export type RestartableStream = ReplyStream & { readonly reset: (reason: string) => void };

/** The stream of an answer that may not be shown before it is whole. */
export const noStream: RestartableStream = {
  push: () => undefined,
  reset: () => undefined,
  end: () => undefined,
};

/** Opens the stream of an answer to an owner who may be told it. */
export function openAnswerStream(
  {
    makeFilter,
    filter,
  }: { readonly makeFilter: () => TextFilter; readonly filter: (text: string) => string },
  {
    onText,
    onReset,
  }: { readonly onText: (text: string) => void; readonly onReset: (reason: string) => void },
): RestartableStream {
  let stream = openReplyStream(makeFilter(), onText);
  return {
    push: (text) => stream.push(text),
    reset(reason) {
      stream = openReplyStream(makeFilter(), onText);
      onReset(filter(reason));
    },
    end: () => stream.end(),
  };
}
