import { readJsonWithComments } from "../../text/json-with-comments.ts";

/** What is wrong with a text as JSON, in words without any of its contents; null if it is JSON, JSON with comments and trailing commas, or a JSON object on each line. */
export function jsonProblem(text: string): string | null {
  const problem = parseProblem(text);
  return problem === null || isJsonLines(text) ? null : problem;
}

/** Whether a text is a JSON object or list, in any of these forms. */
export function isJson(text: string): boolean {
  return /^\s*[[{]/.test(text) && jsonProblem(text) === null;
}

function parseProblem(text: string): string | null {
  const read = readJsonWithComments(text);
  return read.ok ? null : read.problem;
}

function isJsonLines(text: string): boolean {
  const lines = text.split("\n").filter((line) => line.trim() !== "");
  return lines.length > 1 && lines.every((line) => line.startsWith("{") && parseProblem(line) === null);
}
