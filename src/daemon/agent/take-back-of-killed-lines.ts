import type { State } from "../../memory/state/state.ts";

/** Takes back what command lines made that is executed later, where a former process was killed before it could. Gives what was done. */
export async function takeBackOfKilledLines({ keptGuards }: State): Promise<readonly string[]> {
  if ((await keptGuards.all()).length === 0) return [];
  const { closeKeptGuards } = await import("../../act/shell/kept-guard.ts");
  return closeKeptGuards(keptGuards);
}
