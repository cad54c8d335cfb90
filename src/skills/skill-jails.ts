import type { CallSkill, JailPort } from "../signal/jail-work.ts";
import type { AcceptedSkill } from "../signal/skill.ts";
import { loadLimits } from "./check-skill.ts";

/** The jails of the skills that are in use: one a skill, started at its first call and ended when it is idle. */
export type SkillJails = {
  readonly call: CallSkill;
  /** Ends the jails of all skills but these, each as it is. */
  readonly keepOnly: (skills: readonly AcceptedSkill[]) => void;
  readonly [Symbol.asyncDispose]: () => Promise<void>;
};

/** Milliseconds after which a jail that nobody called is ended. */
const usualPatience = 60_000;

type Held = { readonly jail: Promise<JailPort | string>; timer: NodeJS.Timeout | null };

/** Opens the jails. `openJail` gives one that has run nothing. */
export function openSkillJails(
  openJail: () => Promise<JailPort>,
  idleMilliseconds = usualPatience,
): SkillJails {
  const held = new Map<string, Held>();
  const end = async (digest: string): Promise<void> => {
    const found = held.get(digest);
    if (found === undefined) return;
    held.delete(digest);
    if (found.timer !== null) clearTimeout(found.timer);
    const jail = await found.jail;
    if (typeof jail !== "string") await jail.end();
  };
  const hold = ({ digest, code, head }: AcceptedSkill): Held => {
    const known = held.get(digest);
    if (known !== undefined) return known;
    const made: Held = { jail: load(openJail, { code, file: `${head.name}.org` }), timer: null };
    held.set(digest, made);
    return made;
  };
  return {
    async call(skill, { limits, label, ...work }, cancel) {
      const { digest } = skill;
      const found = hold(skill);
      if (found.timer !== null) clearTimeout(found.timer);
      const jail = await found.jail;
      if (typeof jail === "string") {
        held.delete(digest);
        return { ok: false, code: "jail-failed", message: jail, logs: [] };
      }
      const reply = await jail.request({ kind: "call", ...work }, limits, cancel);
      if (label.secrecy !== "public") await jail.end();
      if (jail.ended) {
        if (held.get(digest) === found) held.delete(digest);
        return reply;
      }
      if (found.timer !== null) clearTimeout(found.timer);
      found.timer = setTimeout(() => void end(digest), idleMilliseconds);
      found.timer.unref();
      return reply;
    },
    keepOnly(skills) {
      const kept = new Set(skills.map(({ digest }) => digest));
      for (const digest of held.keys()) if (!kept.has(digest)) void end(digest);
    },
    async [Symbol.asyncDispose]() {
      await Promise.all([...held.keys()].map(end));
    },
  };
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
