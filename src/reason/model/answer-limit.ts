import type { ModelPart } from "./model-port.ts";

/** The longest token of any vocabulary, in UTF-16 units. */
const charactersPerToken = 512;
/** Providers send at most a piece for each character of a token of ordinary length. */
const partsPerToken = 8;
/** Parts that no token stands for, such as the ends of calls. */
const freeParts = 1024;

/** Measures one answer: tells of each part whether the answer is still one that so many output tokens can hold. */
export function makeAnswerLimit(maxOutputTokens: number): (part: ModelPart) => boolean {
  let characters = 0;
  let parts = 0;
  return (part) => {
    parts += 1;
    characters += lengthOf(part);
    return (
      characters <= maxOutputTokens * charactersPerToken &&
      parts <= maxOutputTokens * partsPerToken + freeParts
    );
  };
}

function lengthOf(part: ModelPart): number {
  switch (part.kind) {
    case "text":
    case "thinking":
      return part.text.length;
    case "call":
      return part.call.id.length + part.call.name.length + part.call.argumentsText.length;
    case "progress":
    case "withdrawn":
    case "finish":
    case "failed":
      return 0;
  }
}
