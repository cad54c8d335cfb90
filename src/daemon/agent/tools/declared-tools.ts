import { declareTool } from "../../../act/declare-tool.ts";
import { guardDeclaration } from "../../../reason/prompt/guard-declaration.ts";
import type { ThinkParts } from "../../../reason/think.ts";
import { isTextRequest } from "../../../signal/signal.ts";
import { subTaskOf } from "../../../signal/sub-task.ts";
import type { Tool } from "../../../signal/tool.ts";
import type { Turn } from "../../../signal/turn.ts";
import type { FolderSkills } from "../resources/folder-skills.ts";
import type { AssembledTools } from "./assemble-tools.ts";
import { fitDeclarations, haveRoom } from "./fit-declarations.ts";
import { needOf } from "./need-of-turn.ts";

/** What the tools of a turn are declared from. */
export type DeclaringParts = {
  readonly tools: AssembledTools;
  readonly workspaceOf: (session: string) => Promise<string | null>;
  /** What was declared in the session by a process before this one. */
  readonly declaredBefore: (session: string) => Promise<readonly string[]>;
  readonly folderSkills: Pick<FolderSkills, "inForce">;
};

/** Of how many sessions it is known what was declared; the oldest go first. */
const mostSessions = 200;
/** How many tools of servers and folders are declared at most. */
const mostOthers = 24;

/**
 * Declares the tools that a turn needs, in the order in which they joined its session. Tools stand first in what providers cache, so one that joins changes all
 * behind it: it comes behind the others, once, and stays for as long as it may be declared. Where those of
 * servers become too many, they begin anew. A small window
 * gets some of them in short words, and a search for the others.
 */
export function makeToolDeclarations(parts: DeclaringParts): ThinkParts["toolDeclarations"] {
  const { acting, builtIn, leftOut } = parts.tools;
  const bySession = new Map<string, readonly string[]>();
  const fitted = new Map<string, ReadonlySet<string>>();
  return async (turn, contextWindow) => {
    if (isTextRequest(turn.signal)) return [];
    const { needed, others } = await toolsOfOthers(parts, turn);
    const own = new Map(acting.declarations().map((tool) => [tool.name, tool]));
    const subTask = subTaskOf(turn.signal);
    const declares =
      subTask === null
        ? builtIn.declaresIn({ ...turn, ...needOf(turn), sensor: turn.signal.sensor })
        : (name: string) => subTask.tools.includes(name);
    const before = bySession.get(turn.session) ?? (await parts.declaredBefore(turn.session));
    const kept = before.filter((name) => own.has(name) || others.has(name));
    const names = joinedBy(kept, [...own.keys()].filter(declares), needed);
    remember(bySession, turn.session, names);
    const whole = names.flatMap((name) => {
      const other = others.get(name);
      return own.get(name) ?? (other === undefined ? [] : guardDeclaration(declareTool(other)));
    });
    if (subTask !== null || haveRoom(whole, contextWindow)) {
      leftOut.set(turn.session, []);
      return whole;
    }
    const need = { ...needOf(turn), before: fitted.get(turn.session) ?? new Set<string>() };
    const fitting = fitDeclarations(whole, declareTool(leftOut.search), need, contextWindow);
    const shown = new Set(fitting.map(({ name }) => name));
    remember(fitted, turn.session, shown);
    leftOut.set(
      turn.session,
      whole.filter(({ name }) => !shown.has(name)),
    );
    return fitting;
  };
}

function remember<T>(bySession: Map<string, T>, session: string, value: T): void {
  bySession.delete(session);
  bySession.set(session, value);
  const [oldest] = bySession.keys();
  if (bySession.size > mostSessions && oldest !== undefined) bySession.delete(oldest);
}

function joinedBy(
  before: readonly string[],
  own: readonly string[],
  others: ReadonlySet<string>,
): readonly string[] {
  const all = [...new Set([...before, ...own, ...others])];
  const isOwn = new Set(own);
  return all.filter((name) => !isOwn.has(name)).length <= mostOthers
    ? all
    : all.filter((name) => isOwn.has(name) || others.has(name));
}

/** The tools of servers and the one that gives skills, by name, and which of them a turn needs. */
async function toolsOfOthers(
  { tools: { external, useSkill }, workspaceOf, folderSkills }: DeclaringParts,
  turn: Turn,
): Promise<{ readonly others: ReadonlyMap<string, Tool>; readonly needed: ReadonlySet<string> }> {
  const workspace = await workspaceOf(turn.session);
  const all = ((await external?.in(workspace)) ?? []).filter(({ permission }) => permission !== "deny");
  const hasSkills = (await folderSkills.inForce(workspace)).length > 0;
  const needed = [
    ...((await external?.neededBy(turn, workspace)) ?? []),
    // Its prompt names them all, so that each is in reach.
    ...(hasSkills && subTaskOf(turn.signal) === null ? [useSkill] : []),
  ];
  return {
    others: new Map([...all, ...(hasSkills ? [useSkill] : [])].map((tool) => [tool.name, tool])),
    needed: new Set(needed.map(({ name }) => name)),
  };
}
