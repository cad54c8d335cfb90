import { basename } from "node:path";
import type { State } from "../memory/state/state.ts";
import { commandOf, pathOf } from "../shown/action-text.ts";
import type { Action, Call } from "../signal/action.ts";
import type { Project } from "../signal/project.ts";
import type { Turn } from "../signal/turn.ts";
import { isInside } from "../text/is-inside.ts";
import { isJsonArray, isJsonObject } from "../text/json.ts";
import { callsWithResults } from "./count-repeats.ts";
import { type JudgeCallParts, journalFields, judgeCall, type PreparedCall } from "./judge-call.ts";
import type { AppendToJournal, ClientPorts, StepPorts } from "./step-ports.ts";

/** What the standards of code need to know of a project. */
export type ProjectPort = {
  /** How the project of a session's folder is tested; null where it has no folder. */
  readonly projectOf: (session: string) => Promise<Project | null>;
};

/** What looking at a work tree needs. */
export type CleanTreeParts = ProjectPort &
  JudgeCallParts &
  ClientPorts &
  Pick<StepPorts, "newId"> & {
    readonly journal: AppendToJournal;
    readonly state: { readonly changes: Pick<State["changes"], "latestTurnWithChanges"> };
  };

/** Milliseconds that git gets to list the work tree. */
const patience = 5000;
/** Names of files that are told. */
const mostNames = 3;

/**
 * Tells the owner, before the first change of a session, that the work tree had changes which are not committed: what the agent changes then stands between
 * them. It asks git by a call that is judged like any other; where that does not pass, or the folder is no repository, it tells nothing.
 */
export async function tellUncleanTree(
  parts: CleanTreeParts,
  turn: Turn,
  { prepared, cancel }: { readonly prepared: PreparedCall; readonly cancel: AbortSignal },
): Promise<void> {
  const { workspace } = prepared.facts.folders;
  const isInside = prepared.changes.some(
    ({ path }) => workspace !== null && path.startsWith(`${workspace}/`),
  );
  if (!isInside || turn.signal.person !== "owner") return;
  if ((await parts.state.changes.latestTurnWithChanges(turn.session)) !== null) return;
  if ((await parts.projectOf(turn.session))?.isRepository !== true) return;
  const changed = await changedFiles(parts, turn, cancel);
  if (changed.length === 0) return;
  const names = changed.slice(0, mostNames).join(", ");
  const more = changed.length > mostNames ? ` and ${changed.length - mostNames} more` : "";
  const text = `The work tree has changes that are not committed (${names}${more}). Mine come on top of them; /undo takes back mine alone.`;
  parts.emit({
    type: "thinking",
    session: turn.session,
    turn: turn.id,
    depth: turn.depth,
    text: parts.filter(text),
  });
}

async function changedFiles(
  parts: CleanTreeParts,
  turn: Turn,
  cancel: AbortSignal,
): Promise<readonly string[]> {
  const call: Call = {
    id: parts.newId(),
    action: {
      target: "shell",
      payload: { cmd: "git status --porcelain" },
      explanation: "Looks whether the work tree is clean before the first change",
    },
  };
  const judged = await judgeCall(parts, turn, call);
  if (judged.verdict === null || judged.verdict.decision !== "pass") return [];
  await parts.journal({ kind: "intent", ...journalFields(turn, judged.prepared, judged.verdict) });
  const outcome = await judged.prepared.run(AbortSignal.any([cancel, AbortSignal.timeout(patience)]));
  const code = outcome.status === "error" ? outcome.code : "";
  const { digest, effects } = judged.prepared;
  await parts.journal({
    kind: "outcome",
    turn: turn.id,
    session: turn.session,
    digest,
    effects,
    detail: { status: outcome.status, code },
  });
  if (outcome.status === "error" || !isJsonObject(outcome.content)) return [];
  const { stdout, exitCode, hidden } = outcome.content;
  if (typeof stdout !== "string" || exitCode !== 0) return [];
  const unseen = isJsonArray(hidden) ? hidden.map(String) : [];
  return stdout.split("\n").flatMap((line) => {
    const name = line.slice(3);
    return name === "" || unseen.some((one) => isInside(one, name)) ? [] : [name];
  });
}

/** What the end of a turn needs to tell of tests. */
export type UntestedParts = ProjectPort & {
  readonly state: { readonly changes: Pick<State["changes"], "ofTurn"> };
};

/** Endings of files of code. */
const codeEndings = new Set(
  (
    "ts tsx mts cts js jsx mjs cjs py rs go c h cc cpp hpp cs java kt kts rb php swift scala el lisp lsp scm clj cljs hs ml ex exs erl " +
    "lua zig dart vue svelte sh bash"
  ).split(" "),
);

/** Commands that run tests, as projects name them. */
const testCommand =
  /\b(?:npm|pnpm|yarn|bun|deno)\s+(?:run\s+|task\s+)?(?:t|test|tests|check|verify)\b|--test\b|\b(?:vitest|jest|mocha|ava|pytest|tox|nox|ctest|rspec|phpunit)\b|\bunittest\b|\b(?:make|ninja|just|rake|mix|mvn|gradle|gradlew|go|cargo|swift|dotnet|zig|dune|stack|cabal|sbt)\s+(?:\S+\s+)*?(?:test|tests|check|nextest|verify)\b|\bert-run|\btests?\.(?:sh|ts|js|mjs|py|el)\b|\.test\.[cm]?[jt]sx?\b/;

/** A sentence for the end of an answer whose turn changed code and ran no tests after it, with the project's own commands; null where there is nothing to say. */
export async function untestedNotice(parts: UntestedParts, turn: Turn): Promise<string | null> {
  const changed = await changedCode(parts, turn);
  if (changed.length === 0) return null;
  const project = await parts.projectOf(turn.session);
  if (project === null || project.test === null || ranTests(turn, project.test)) return null;
  const names = changed.slice(0, mostNames).map((path) => basename(path));
  const more = changed.length > mostNames ? ` and ${changed.length - mostNames} more` : "";
  const format = project.format === null ? "" : `, its formatter \`${project.format}\``;
  return `Changed without running tests: ${names.join(", ")}${more}. The project's own are run by \`${project.test}\`${format}.`;
}

/** The files of code that are other than before the turn. */
async function changedCode({ state }: UntestedParts, turn: Turn): Promise<readonly string[]> {
  if (!turn.messages.some((message) => message.role === "result")) return [];
  const first = new Map<string, string | null>();
  const last = new Map<string, string | null>();
  for (const { kind, path, before, after, undone } of await state.changes.ofTurn(turn.id)) {
    if (kind !== "file" || undone || !codeEndings.has(/\.([a-z]+)$/i.exec(path)?.[1]?.toLowerCase() ?? ""))
      continue;
    if (!first.has(path)) first.set(path, before);
    last.set(path, after);
  }
  return [...last].flatMap(([path, after]) => (after === (first.get(path) ?? null) ? [] : [path]));
}

/**
 * Whether a command that runs tests ran after the last call that changed a file of code by name: one that
 * projects name so, or the project's own.
 */
function ranTests(turn: Turn, own: string): boolean {
  const done = callsWithResults(turn).flatMap(({ action, outcome }) =>
    outcome.status === "success" ? [action] : [],
  );
  const isChange = (action: Action): boolean =>
    /^(?:write|edit)-|^tangle$/.test(String(action.payload["tool"])) && pathOf(action) !== null;
  return done
    .slice(done.findLastIndex(isChange) + 1)
    .map((action) => commandOf(action) ?? "")
    .some((command) => testCommand.test(command) || command.includes(own));
}
