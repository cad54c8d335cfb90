import type { Effect, Reversal, RunProgram, ServiceAct, SettingLines, WritePath } from "../signal/effect.ts";
import { codeBlanks, escapeInvisible } from "../text/escape-invisible.ts";

const serviceActs: Readonly<Record<ServiceAct, string>> = {
  read: "read with",
  fetch: "fetch with",
  change: "change something with",
  send: "send to others with",
  delete: "delete with",
  pay: "pay with",
  credential: "sign in or change credentials with",
  grant: "give or take rights with",
  unknown: "do something that is not declared with",
};

/** How far an effect can be reversed, in words. */
export const reversalWords: Readonly<Record<Reversal, string>> = {
  undoable: "can be undone",
  compensable: "can be compensated, not undone",
  final: "cannot be undone",
};

/** Describes an effect in words. */
export function describeEffect(effect: Effect): string {
  switch (effect.kind) {
    case "read-path":
      return `read the ${effect.access} of ${escapeInvisible(effect.target)}${effect.tree ? " and below" : ""}`;
    case "write-path":
      return describeWrite(effect);
    case "delete-path":
      return `delete ${escapeInvisible(effect.target)}`;
    case "run-program":
      return `run ${escapeInvisible(quoteProgram(effect), codeBlanks)}${effect.confined ? ", sandboxed" : " WITHOUT a sandbox"}`;
    case "reach-host":
      return `reach ${effect.scheme}://${escapeInvisible(effect.target)}:${effect.port}`;
    case "tell-person":
      return `tell ${effect.person} over ${effect.channel}`;
    case "call-model":
      return `ask ${escapeInvisible(effect.target)} (${escapeInvisible(effect.model)})`;
    case "change-memory":
      if (effect.setting !== undefined) return describeSetting(effect.setting);
      return `${escapeInvisible(effect.operation)} in memory`;
    case "use-service":
      return `${serviceActs[effect.act]} ${escapeInvisible(effect.service)}: ${escapeInvisible(effect.target)}`;
    case "evaluate":
      return `evaluate ${effect.language}${effect.jailed ? " in the jail" : " OUTSIDE the jail"}`;
  }
}

/** Names of what a command acts on that a step of a plan shows. */
const mostNames = 10;

/**
 * How much a command of a plan deletes, stops or replaces by itself, with the first names. Empty for a single
 * thing, which another effect names.
 */
export function extentWords(effect: Effect): readonly string[] {
  if (effect.kind !== "run-program" || effect.extent === undefined) return [];
  const { kind, count, shown, earlier = 0 } = effect.extent;
  const own = shown.slice(earlier);
  const named = own.slice(0, mostNames);
  const names = named.map((name) => escapeInvisible(name)).join(", ");
  if (count === null) {
    const most = own.length > named.length ? ", …" : "";
    const list = names === "" ? "" : `, of these at most: ${names}${most}`;
    return [`acts on ${escapeInvisible(kind)} that are not known before it runs${list}`];
  }
  const size = count - earlier;
  if (size < 2) return [];
  const more = size > named.length ? `, and ${size - named.length} more` : "";
  return [`acts on ${size} ${escapeInvisible(kind)}${names === "" ? "" : `: ${names}${more}`}`];
}

function describeWrite({ target, tree, change, opens, editor }: WritePath): string {
  const path = escapeInvisible(target);
  const rights = opens === undefined ? "" : `, permissions ${escapeInvisible(opens)}`;
  const where = editor === undefined ? "" : `, ${escapeInvisible(editor)}`;
  return tree === true ? `change files in ${path}` : `${change} ${path}${rights}${where}`;
}

function describeSetting({ name, before, after }: SettingLines): string {
  const becomes = after === null ? "its default" : `${name}=${after}`;
  return escapeInvisible(`change a setting: ${name}=${before} becomes ${becomes}`);
}

/**
 * The words of a program. Those by which a proved git leaves out secret files are hundreds, and are told by
 * three.
 */
function quoteProgram({ argv, proof }: RunProgram): string {
  const isLeavingOut = (word: string): boolean =>
    proof !== null && /^:\((?:top,exclude,icase,glob|exclude,literal)\)/.test(word);
  const words = argv.filter((word) => !isLeavingOut(word));
  return `${quoteWords(words)}${words.length < argv.length ? ", leaving out secret files" : ""}`;
}

/** The words of a command, each quoted as a shell needs it, so that their borders are visible. */
export function quoteWords(argv: readonly string[]): string {
  return argv
    .map((word) => (/^[\w@%+=:,./-]+$/.test(word) ? word : `'${word.replaceAll("'", "'\\''")}'`))
    .join(" ");
}
