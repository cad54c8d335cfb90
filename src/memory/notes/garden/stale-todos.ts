import type { Finding } from "./finding.ts";
import { lineAt } from "./line-at.ts";
import type { OpenTodo } from "./read-file-facts.ts";

/**
 * Finds open TODOs without a schedule, a deadline or another active timestamp, whose newest day (of the log, a clock, `CREATED`, any timestamp) is older than
 * `staleAfter` days (0: none is stale). For a TODO without any day, the day of the file's last change counts.
 * There is no repair: the owner decides.
 */
export function findStaleTodos(
  {
    file,
    text,
    todos,
  }: { readonly file: string; readonly text: string; readonly todos: readonly OpenTodo[] },
  {
    today,
    modified,
    staleAfter,
  }: { readonly today: string; readonly modified: string; readonly staleAfter: number },
): readonly Finding[] {
  if (staleAfter === 0) return [];
  const oldest = new Date(Date.parse(today) - staleAfter * 86_400_000).toISOString().slice(0, 10);
  return todos.flatMap(({ title, begin, newest, planned }) => {
    const since = newest ?? modified;
    if (planned || since >= oldest) return [];
    const message = `the TODO '${title}' has no day, and nothing happened to it since ${since}. Schedule it, finish it, or drop it.`;
    return [{ code: "stale-todo", file, line: lineAt(text, begin), message, repairable: false }];
  });
}
