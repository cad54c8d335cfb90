import type { ActuatorTarget, DeclaredEffects, Delivery } from "../signal/actuator.ts";
import type { Caller, Tool } from "../signal/tool.ts";
import { foldName } from "../text/fold-name.ts";
import type { JsonObject } from "../text/json.ts";
import type { ActProblem } from "./files/fallible.ts";

/** The port that delivers text to the person of a session. */
export type DeliverMessage = (session: string, text: string) => Promise<Delivery>;

/**
 * What performs an action: a tool with its arguments, or the delivery of a message. Either is prepared and
 * judged before it runs.
 */
export type Work =
  | { readonly kind: "tool"; readonly tool: Tool; readonly args: JsonObject }
  | {
      readonly kind: "tell";
      readonly channel: string;
      readonly tell: DeliverMessage;
      /** Whom it reaches in turns that came by another channel. */
      readonly reaches: "owner" | "other";
      readonly text: string;
    };

/** A part that performs actions. This program, doors and skills register the same shape. */
export type Actuator = ActuatorTarget & {
  /** What its actions may do and how that is undone; null where the tools that it calls say so. */
  readonly declares: DeclaredEffects | null;
  /** Whether it can be reached in the turns of this caller. Default: in all. */
  readonly serves?: (caller: Pick<Caller, "source">) => boolean;
  /** The tool that it offers to models; left out where it has none of its own. */
  readonly tool?: Tool;
  /** Finds what performs a payload. It performs nothing. */
  readonly perform: (payload: JsonObject, caller: Caller, names: ActionNames) => PerformResult;
};

export type PerformResult = ({ readonly ok: true } & Work) | ActProblem;

/** The tools and actuators as they are now. */
export type ActionNames = {
  readonly actuators: Pick<NameRegistry<Actuator>, "find" | "names">;
  readonly tools: NameRegistry<Tool>;
  readonly defaultActuator: string;
};

/** Named entries, found in any case. No two names may differ only in case, dashes or underscores. */
export type NameRegistry<T> = {
  readonly names: readonly string[];
  readonly find: (name: string) => T | undefined;
};

/** The actuators as they are now: they can register and leave at any time. */
export type ActuatorRegistry = {
  /** The same list as long as nothing changed. */
  readonly all: () => readonly Actuator[];
  readonly find: (name: string) => Actuator | undefined;
  /**
   * Registers what a part has at any time, the same list as long as that does not change, and returns the
   * function that takes it away. Throws if a name clashes, and names both. A name that clashes only later is
   * left out.
   */
  readonly register: (actuatorsOf: () => readonly Actuator[]) => () => void;
};

/**
 * Opens the registry with the actuators that never leave. `taken`: names that no further one may have.
 * Throws if two names clash.
 */
export function openActuatorRegistry(
  constant: readonly Actuator[],
  taken: readonly string[] = [],
): ActuatorRegistry {
  return new Registry(constant, taken);
}

class Registry implements ActuatorRegistry {
  readonly #constant: readonly Actuator[];
  /** The names of tools. */
  readonly #taken: readonly string[];
  readonly #registered = new Set<() => readonly Actuator[]>();
  #made: { readonly of: readonly (readonly Actuator[])[]; readonly all: readonly Actuator[] };
  #byName: NameRegistry<Actuator>;

  constructor(constant: readonly Actuator[], taken: readonly string[]) {
    this.#constant = constant;
    this.#taken = [...new Set([...constant.map(({ name }) => name), ...taken])];
    this.#made = { of: [], all: constant };
    this.#byName = makeNameRegistry("actuator", constant);
  }

  all(): readonly Actuator[] {
    const of = [...this.#registered].map((actuatorsOf) => actuatorsOf());
    const { of: before } = this.#made;
    if (of.length !== before.length || of.some((list, index) => list !== before[index])) {
      this.#made = { of, all: [...this.#constant, ...withoutClashes(of.flat(), this.#taken)] };
      this.#byName = makeNameRegistry("actuator", this.#made.all);
    }
    return this.#made.all;
  }

  find(name: string): Actuator | undefined {
    this.all();
    return this.#byName.find(name);
  }

  register(actuatorsOf: () => readonly Actuator[]): () => void {
    const others = this.all().slice(this.#constant.length);
    const names = [...others, ...actuatorsOf()].map(({ name }) => name);
    refuseClash("actuator", [...this.#taken, ...names]);
    // A function of its own, so that two parts that share one leave one by one.
    const own = () => actuatorsOf();
    this.#registered.add(own);
    return () => void this.#registered.delete(own);
  }
}

/** The entries without those whose name is taken, or that of an entry before them. */
export function withoutClashes<T extends { readonly name: string }>(
  entries: readonly T[],
  taken: readonly string[],
): readonly T[] {
  const known = new Set(taken.map(foldName));
  return entries.filter(({ name }) => {
    const isFree = !known.has(foldName(name));
    known.add(foldName(name));
    return isFree;
  });
}

/** Makes a registry. Throws if two names clash, and names both. */
export function makeNameRegistry<T extends { readonly name: string }>(
  what: string,
  entries: readonly T[],
): NameRegistry<T> {
  refuseClash(
    what,
    entries.map(({ name }) => name),
  );
  const byName = new Map(entries.map((entry) => [entry.name.toLowerCase(), entry]));
  return { names: entries.map((entry) => entry.name), find: (name) => byName.get(name.toLowerCase()) };
}

function refuseClash(what: string, names: readonly string[]): void {
  const clash = findClash(names);
  if (clash !== null) {
    throw new Error(
      `Two ${what}s are called '${clash[0]}' and '${clash[1]}', which mean the same. Rename one of them.`,
    );
  }
}

/** The first two names that fold to the same name, or null. */
export function findClash(names: readonly string[]): readonly [string, string] | null {
  const folded = new Map<string, string>();
  for (const name of names) {
    const other = folded.get(foldName(name));
    if (other !== undefined) return [other, name];
    folded.set(foldName(name), name);
  }
  return null;
}
