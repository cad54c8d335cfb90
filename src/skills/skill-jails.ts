import type { CallSkill, JailPort, JailReply } from "../signal/jail-work.ts";
import type { AcceptedSkill } from "../signal/skill.ts";
import { loadLimits } from "./check-skill.ts";

/** The jails of the skills that are in use: one a skill, started at its first call and ended when it is idle. */
export type SkillJails = {
  readonly call: CallSkill;
  /** Ends the jails of all skills but these, each as it is. A call under way is finished first. */
  readonly keepOnly: (skills: readonly AcceptedSkill[]) => void;
  readonly [Symbol.asyncDispose]: () => Promise<void>;
};

/** Milliseconds after which a jail that nobody called is ended. */
const usualIdleMilliseconds = 60_000;

/** A jail of the pool, or why it did not start. `calls`: how many wait for it or run in it. `isRetired`: no further call begins in it, and it ends after the last. */
type PooledJail = {
  readonly key: string;
  readonly jail: Promise<JailPort | string>;
  last: Promise<unknown>;
  calls: number;
  isRetired: boolean;
  timer: NodeJS.Timeout | null;
};

/** Opens the jails. `openJail` gives one that has run nothing. */
export function openSkillJails(
  openJail: () => Promise<JailPort>,
  idleMilliseconds = usualIdleMilliseconds,
): SkillJails {
  const pool = new JailPool(openJail, idleMilliseconds);
  return {
    call: (skill, asked, cancel) => callIn(pool, skill, asked, cancel),
    keepOnly: (skills) => pool.keepOnly(new Set(skills.map(keyOf))),
    [Symbol.asyncDispose]: () => pool.end(),
  };
}

/** Calls a skill. A call whose jail was ended by one before it has not begun, so it begins in a fresh one. */
async function callIn(pool: JailPool, ...[skill, asked, cancel]: Parameters<CallSkill>): Promise<JailReply> {
  const { limits, label, ...work } = asked;
  for (;;) {
    const held = pool.hold(skill);
    // What comes after private text knows nothing of it: it begins in a jail of its own, and this call cuts off none before it.
    if (label.secrecy !== "public") pool.retire(held);
    const reply = held.last.then(async (): Promise<JailReply | null> => {
      const jail = await held.jail;
      if (typeof jail === "string") return { ok: false, code: "jail-failed", message: jail, logs: [] };
      return jail.ended ? null : jail.request({ kind: "call", ...work }, limits, cancel);
    });
    held.last = reply;
    try {
      const given = await reply;
      if (given !== null) return given;
    } finally {
      await pool.release(held);
    }
  }
}

/** Two skills share no jail, though their files be the same. */
function keyOf({ head, digest }: AcceptedSkill): string {
  return `${head.name} ${digest}`;
}

class JailPool {
  readonly #openJail: () => Promise<JailPort>;
  readonly #idleMilliseconds: number;
  /** Those in which a further call begins. */
  readonly #open = new Map<string, PooledJail>();
  readonly #all = new Set<PooledJail>();

  constructor(openJail: () => Promise<JailPort>, idleMilliseconds: number) {
    this.#openJail = openJail;
    this.#idleMilliseconds = idleMilliseconds;
  }

  /** The jail of a skill, with one more call. */
  hold(skill: AcceptedSkill): PooledJail {
    const key = keyOf(skill);
    const held = this.#open.get(key) ?? this.#make(key, skill);
    held.calls += 1;
    if (held.timer !== null) clearTimeout(held.timer);
    return held;
  }

  /** No further call begins in it. */
  retire(held: PooledJail): void {
    held.isRetired = true;
    if (this.#open.get(held.key) === held) this.#open.delete(held.key);
  }

  /** After a call. */
  async release(held: PooledJail): Promise<void> {
    held.calls -= 1;
    const jail = await held.jail;
    if (typeof jail === "string" || jail.ended) this.retire(held);
    if (held.calls > 0) return;
    if (held.isRetired) return await this.#end(held);
    if (held.timer !== null) clearTimeout(held.timer);
    held.timer = setTimeout(() => void this.#end(held), this.#idleMilliseconds);
    held.timer.unref();
  }

  keepOnly(keys: ReadonlySet<string>): void {
    for (const held of [...this.#open.values()]) {
      if (keys.has(held.key)) continue;
      this.retire(held);
      if (held.calls === 0) void this.#end(held);
    }
  }

  async end(): Promise<void> {
    await Promise.all([...this.#all].map((held) => this.#end(held)));
  }

  #make(key: string, { code, head }: AcceptedSkill): PooledJail {
    const jail = load(this.#openJail, { code, file: `${head.name}.org` });
    const made: PooledJail = { key, jail, last: jail, calls: 0, isRetired: false, timer: null };
    this.#open.set(key, made);
    this.#all.add(made);
    return made;
  }

  async #end(held: PooledJail): Promise<void> {
    this.retire(held);
    this.#all.delete(held);
    if (held.timer !== null) clearTimeout(held.timer);
    const jail = await held.jail;
    if (typeof jail !== "string") await jail.end();
  }
}

/** A jail with the code of a skill, or why there is none. */
async function load(
  openJail: () => Promise<JailPort>,
  { code, file }: { readonly code: string; readonly file: string },
): Promise<JailPort | string> {
  try {
    const jail = await openJail();
    const loaded = await jail.request({ kind: "load", code, file }, loadLimits, new AbortController().signal);
    if (loaded.ok) return jail;
    await jail.end();
    return `${file} could not be loaded: ${loaded.message}`;
  } catch (error) {
    return `${file} could not be loaded: ${error instanceof Error ? error.message : String(error)}`;
  }
}
