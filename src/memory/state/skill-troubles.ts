import { joinLabels, type Label } from "../../signal/label.ts";
import type { SkillFailure, SkillFix } from "../../signal/skill-failure.ts";
import type { Database } from "../storage/database.ts";
import { json } from "../storage/rows.ts";

/** What is kept of skills that fail, over restarts. Each entry has the label of the inputs that it may hold, so that forgetting finds it. */
export type SkillTroubles = {
  readonly failures: () => Promise<readonly SkillFailure[]>;
  /** Counts one more failure of a function of a version. The latest input stands for all. */
  readonly fail: (failure: Omit<SkillFailure, "count">) => Promise<void>;
  /** The fix that was proposed last for a skill; null where there is none. */
  readonly fixOf: (skill: string) => Promise<SkillFix | null>;
  /** Forced to disk. */
  readonly keepFix: (skill: string, fix: SkillFix) => Promise<void>;
};

/** Failures that are kept; the oldest go first. */
const mostKept = 200;

type Kept = {
  readonly failures: readonly SkillFailure[];
  readonly fixes: Readonly<Record<string, SkillFix>>;
};
const nothing: Kept = { failures: [], fixes: {} };
/** The key and the version of what is kept. Fixes of version 1 had a key of their own and no label, so nobody can tell what they hold. */
const [key, version, oldKey] = ["skill-troubles", 1, "skill-fixes"];

/** What is kept of skills that fail, beside the tables. */
export function openSkillTroubles(database: Database): SkillTroubles {
  const change = (to: (kept: Kept) => Kept): void => write(database, to(read(database)));
  return {
    failures: async () => read(database).failures,
    async fail(failure) {
      database.transaction("unforced", () =>
        change(({ failures, fixes }) => {
          const isSame = (one: SkillFailure): boolean =>
            one.digest === failure.digest && one.where.join(".") === failure.where.join(".");
          const before = failures.find(isSame);
          const label = before === undefined ? failure.label : joinLabels(before.label, failure.label);
          const counted = { ...failure, label, count: (before?.count ?? 0) + 1 };
          return { fixes, failures: [...failures.filter((one) => !isSame(one)), counted].slice(-mostKept) };
        }),
      );
    },
    fixOf: async (skill) => new Map(Object.entries(read(database).fixes)).get(skill) ?? null,
    async keepFix(skill, fix) {
      await database.forced(() =>
        change(({ failures, fixes }) => ({ failures, fixes: { ...fixes, [skill]: fix } })),
      );
    },
  };
}

/** Removes what may hold texts with such a label, as a part of the caller's transaction. */
export function forgetSkillTroubles(database: Database, isMeant: (label: Label) => boolean): void {
  database.run("DELETE FROM meta WHERE key = ?", oldKey);
  const { failures, fixes } = read(database);
  const stays = ({ label }: { readonly label: Label }): boolean => !isMeant(label);
  const kept = {
    failures: failures.filter(stays),
    fixes: Object.fromEntries(Object.entries(fixes).filter(([, fix]) => stays(fix))),
  };
  if (JSON.stringify(kept) !== JSON.stringify({ failures, fixes })) write(database, kept);
}

function read(database: Database): Kept {
  const row = database.get("SELECT value FROM meta WHERE key = ?", key);
  const kept =
    row === undefined ? null : json<{ readonly version: number; readonly value: Kept }>(row, "value");
  return kept?.version === version ? kept.value : nothing;
}

function write(database: Database, value: Kept): void {
  database.run("INSERT OR REPLACE INTO meta VALUES (?, ?)", key, JSON.stringify({ version, value }));
}
