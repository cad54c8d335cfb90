/** What is wrong with a text as JSON, in words without any of its contents; null if it is JSON, JSON with comments and trailing commas, or a JSON object on each line. */
export function jsonProblem(text: string): string | null {
  const problem = parseProblem(withoutComments(text));
  return problem === null || isJsonLines(text) ? null : problem;
}

/** Whether a text is a JSON object or list, in any of these forms. */
export function isJson(text: string): boolean {
  return /^\s*[[{]/.test(text) && jsonProblem(text) === null;
}

function parseProblem(text: string): string | null {
  try {
    JSON.parse(text);
    return null;
  } catch (error) {
    const place = /line (\d+) column (\d+)/.exec(error instanceof Error ? error.message : "");
    return place === null ? "it is no JSON" : `it is no JSON at line ${place[1]}, column ${place[2]}`;
  }
}

function isJsonLines(text: string): boolean {
  const lines = text.split("\n").filter((line) => line.trim() !== "");
  return lines.length > 1 && lines.every((line) => line.startsWith("{") && parseProblem(line) === null);
}

/** The text with blanks in the place of comments and trailing commas, so that places stay. */
function withoutComments(text: string): string {
  const token = /"(?:[^"\\\n]|\\.)*"|\/\/[^\n]*|\/\*[^*]*\*+(?:[^/*][^*]*\*+)*\/|,(?=\s*[\]}])/g;
  return text.replaceAll(token, (found) => (found.startsWith('"') ? found : found.replaceAll(/\S/g, " ")));
}
