/** The pure filter that masks keys across pieces and makes control characters visible. */
export type TextFilter = { readonly push: (piece: string) => string; readonly end: () => string };

/** What is streamed to the owner while a model answers. */
export type ReplyStream = {
  readonly push: (piece: string) => void;
  /** Lets go of what the filter held back; the final message replaces it all anyway. */
  readonly end: () => void;
};

/**
 * Streams an answer that clearly is not a proposal: nothing is shown that begins like a form, a JSON object or a
 * fence, nor before its first character is known. The final message always carries the whole text.
 */
export function openReplyStream(filter: TextFilter, show: (text: string) => void): ReplyStream {
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
      if (decided === "streaming") emit(filter.push(waiting));
      waiting = "";
    },
    end() {
      if (decided === "streaming") emit(filter.end());
      decided = "held";
    },
  };
}
