import type { EffectKind } from "../signal/effect.ts";
import { isTrustedOrigin } from "../signal/facts.ts";

type Fields = { readonly [name: string]: (value: unknown) => boolean };

/** Says in words what is wrong with the shape of an action's effects and facts; null if every gate can rely on their types. Only own properties count. */
export function actionProblem(effects: unknown, facts: unknown): string | null {
  if (!Array.isArray(effects)) return "the effects are not a list";
  if (effects.length === 0) return "the action has no effect to judge";
  if (effects.length > maxEffects) {
    return `the action has ${effects.length} effects, and at most ${maxEffects} can be judged at once`;
  }
  for (let index = 0; index < effects.length; index++) {
    const problem = effectProblem(effects[index]);
    if (problem !== null) return `effect ${index} ${problem}`;
  }
  return factsProblem(facts, effects.length);
}

const maxEffects = 10_000;

function effectProblem(effect: unknown): string | null {
  if (!isRecord(effect)) return "is not an effect";
  const common = wrong(effect, commonFields);
  if (common !== null) return `has no readable ${common}`;
  const fields = effectFields.get(String(Reflect.get(effect, "kind")));
  if (fields === undefined) return "is of an unknown kind";
  const own = wrong(effect, fields);
  return own === null ? null : `has no readable ${own}`;
}

function factsProblem(facts: unknown, effectCount: number): string | null {
  if (!isRecord(facts)) return "there are no facts";
  const field = wrong(facts, factsFields);
  if (field !== null) return `the facts have no readable ${field}`;
  return pointsInside(Reflect.get(facts, "findings"), effectCount)
    ? null
    : "a finding names no effect of the action";
}

/** Whether every finding refers to an effect that exists. */
function pointsInside(findings: unknown, effectCount: number): boolean {
  return (
    Array.isArray(findings) &&
    findings.every((finding) => Number(Reflect.get(finding, "effectIndex")) < effectCount)
  );
}

/** The first field that is missing or has the wrong shape. */
function wrong(record: Record<string, unknown>, fields: Fields): string | null {
  for (const name in fields) {
    const value = Object.hasOwn(record, name) ? record[name] : undefined;
    if (fields[name]?.(value) !== true) return name;
  }
  return null;
}

const isRecord = (value: unknown): value is Record<string, unknown> =>
  typeof value === "object" && value !== null && !Array.isArray(value);
const isText = (value: unknown): boolean => typeof value === "string";
const isName = (value: unknown): boolean => typeof value === "string" && value !== "";
const isNullableText = (value: unknown): boolean => value === null || typeof value === "string";
const isFlag = (value: unknown): boolean => typeof value === "boolean";
const isIndex = (value: unknown): boolean => Number.isSafeInteger(value) && Number(value) >= 0;
const isFolder = (value: unknown): boolean => typeof value === "string" && value.startsWith("/");
const oneOf =
  (...words: readonly string[]) =>
  (value: unknown): boolean =>
    typeof value === "string" && words.includes(value);
const listOf =
  (holds: (value: unknown) => boolean) =>
  (value: unknown): boolean =>
    Array.isArray(value) && everyOne(value, holds);
const record =
  (fields: Fields) =>
  (value: unknown): boolean =>
    isRecord(value) && wrong(value, fields) === null;

/** Like `every`, but a hole in the list counts as a missing value. */
function everyOne(list: readonly unknown[], holds: (value: unknown) => boolean): boolean {
  for (let index = 0; index < list.length; index++) if (!holds(list[index])) return false;
  return true;
}

const isTexts = listOf(isText);
const isIndexes = listOf(isIndex);
const isFolders = listOf(isFolder);
const isPerson = oneOf("owner", "unproved", "other", "nobody");
const isSource = oneOf("cli", "tui", "emacs", "telegram", "signal", "system");

const commonFields: Fields = {
  kind: isName,
  target: isName,
  label: record({
    integrity: oneOf("user", "agent", "untrusted"),
    secrecy: oneOf("public", "private", "secret"),
    sources: Array.isArray,
  }),
  reversal: oneOf("undoable", "compensable", "final"),
};

const extentFields: Fields = {
  kind: isText,
  count: (value) => value === null || isIndex(value),
  shown: isTexts,
  unnamed: isIndex,
  others: isTexts,
  earlier: (value) => value === undefined || isIndex(value),
  shownByTrial: (value) => value === undefined || value === true,
};

const isExtent = (value: unknown): boolean => value === undefined || record(extentFields)(value);

const isPlan = (value: unknown): boolean =>
  value === undefined ||
  record({
    minutes: Number.isFinite,
    steps: listOf(record({ words: isText, command: isNullableText, effects: Array.isArray, times: isIndex })),
  })(value);

const isSetting = (value: unknown): boolean =>
  value === undefined || record({ name: isName, before: isText, after: isNullableText })(value);

const fieldsByKind: Readonly<Record<EffectKind, Fields>> = {
  "read-path": { access: oneOf("names", "contents"), tree: isFlag },
  "write-path": {
    change: oneOf("create", "replace"),
    executedLater: (value) => value === undefined || isText(value),
    breaks: (value) => value === undefined || isText(value),
    extent: isExtent,
    tree: (value) => value === undefined || value === true,
    repositoryData: (value) => value === undefined || value === true,
    opens: (value) => value === undefined || isText(value),
    gets: (value) => value === undefined || isText(value),
    editor: (value) => value === undefined || isText(value),
    isKept: (value) => value === undefined || value === true,
  },
  "delete-path": {
    existed: (value) => value === undefined || value === true,
    tracked: (value) => value === undefined || value === true,
    isKept: (value) => value === undefined || value === true,
  },
  "run-program": {
    argv: isTexts,
    binary: isNullableText,
    proof: isNullableText,
    doubt: isText,
    identity: (value) => value === undefined || oneOf("trusted", "shadowed", "absent")(value),
    confined: isFlag,
    extent: isExtent,
    untried: (value) => value === undefined || isText(value),
    triable: (value) => value === undefined || value === true,
    network: (value) => value === undefined || isTexts(value),
    missed: (value) => value === undefined || value === true,
  },
  "reach-host": { scheme: isText, port: Number.isFinite, addresses: isTexts },
  "tell-person": { person: isPerson, channel: isName, session: isText, ownSession: isFlag },
  "call-model": {
    model: isText,
    local: isFlag,
    reservedMicrodollars: (value) => value === null || Number.isFinite(value),
  },
  "change-memory": { realm: oneOf("own", "files"), operation: isText, plan: isPlan, setting: isSetting },
  evaluate: { language: isText, jailed: isFlag },
  "use-service": {
    service: isText,
    act: oneOf("read", "fetch", "change", "send", "delete", "pay", "credential", "grant", "unknown"),
    decides: (value) => value === undefined || isText(value),
    changed: (value) => value === undefined || isTexts(value),
    answers: (value) => value === undefined || isTexts(value),
  },
};
const effectFields: ReadonlyMap<string, Fields> = new Map(Object.entries(fieldsByKind));

const findingFields: Fields = { rule: isText, effectIndex: isIndex, where: isText };
const flowFields: Fields = {
  effectIndex: isIndex,
  argument: isText,
  role: oneOf("destination", "critical", "link"),
  origin: oneOf(...Object.keys(isTrustedOrigin)),
};
const licenceFields: Fields = {
  kind: oneOf("approval", "flight-plan", "rule", "endorsement", "intent"),
  name: isText,
  discharges: isTexts,
  effectIndexes: isIndexes,
};

const factsFields: Fields = {
  action: record({
    kind: oneOf("proposal", "reply", "model-call", "command"),
    target: isText,
    tool: isNullableText,
    explanation: isText,
    problems: isTexts,
    renamed: (value) => value === undefined || isTexts(value),
    references: (value) => value === undefined || isTexts(value),
  }),
  origin: record({
    person: isPerson,
    source: isSource,
    session: isText,
    startedBy: oneOf("person", "nobody"),
  }),
  permission: oneOf("allow", "ask", "deny"),
  folders: (value) =>
    record({
      workspace: (folder) => folder === null || isFolder(folder),
      notes: isFolder,
      home: isFolder,
      own: isFolders,
    })(value) &&
    isFolders(Reflect.get(Object(value), "readable") ?? []) &&
    isFolders(Reflect.get(Object(value), "notSecret") ?? []) &&
    isFolders(Reflect.get(Object(value), "programs") ?? []) &&
    isFolders(Reflect.get(Object(value), "otherNotes") ?? []),
  sandbox: isFlag,
  findings: listOf(record(findingFields)),
  flows: (value) => value === undefined || listOf(record(flowFields))(value),
  licences: listOf(record(licenceFields)),
  healthy: isFlag,
  subTask: (value) =>
    value === undefined ||
    record({
      tools: isTexts,
      folder: (folder) => folder === null || isFolder(folder),
      workspace: (folder) => folder === null || isFolder(folder),
    })(value),
  disagreement: (value) => value === undefined || typeof value === "string",
  unreadWords: (value) => value === undefined || isFlag(value),
  repeats: (value) => value === undefined || isIndex(value),
  mostRepeats: (value) => value === undefined || isIndex(value),
};
