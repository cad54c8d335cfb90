import type { Sessions } from "./sessions.ts";

/**
 * How a person is told of a session: by its name, or the first characters of its id, which find it as well.
 */
export async function nameOfSession(sessions: Pick<Sessions, "get">, id: string): Promise<string> {
  return (await sessions.get(id))?.name ?? id.slice(0, 8);
}
