import { readFileSync } from "node:fs";
import { z } from "zod";
import type { EffectKind } from "../signal/effect.ts";
import type { AcceptedFolder, AcceptedSkill } from "../signal/skill.ts";
import { describeError } from "../text/describe-error.ts";
import { replaceFile, versionOfFile } from "./replace-file.ts";

/** The versions of skills that the owner accepted, in a file of the configuration folder that no action may write. It is read again whenever it changed. */
export type SkillBook = {
  readonly path: string;
  /** Changes with every change of the file. */
  readonly version: () => string;
  /** Why the file cannot be used, in words; null if it can, or if there is none. */
  readonly fault: () => string | null;
  readonly all: () => readonly AcceptedSkill[];
  /** Keeps a version in the place of the one before. Throws where the file cannot be used or written, or holds as much as it may. */
  readonly keep: (skill: AcceptedSkill) => void;
  readonly folders: () => readonly AcceptedFolder[];
  /** Keeps the owner's word on a folder in the place of the one before. Throws where the file cannot be used or written, or holds as much as it may. */
  readonly keepFolder: (folder: AcceptedFolder) => void;
  /** Forgets a skill. Throws where the file cannot be used or written, or holds as much as it may. */
  readonly drop: (name: string) => void;
};

const text = z.string().max(100_000);
const texts = z.array(text).max(1000);
const effects = z.array(text.transform((kind) => kind as EffectKind)).max(20);
const headSchema = z.strictObject({
  name: text,
  title: text,
  id: text.nullable(),
  dependsOn: texts,
  priority: z.number(),
  capabilities: texts,
  limits: z.strictObject({ calls: z.int().optional(), seconds: z.int().optional() }).optional(),
  guards: effects,
  hooks: texts,
  crons: texts,
  job: z.strictObject({ tier: text.nullable(), text }).optional(),
  mandates: texts,
  trigger: z
    .strictObject({ words: texts.optional(), sensor: text.optional(), tags: texts.optional() })
    .nullable(),
  prompt: text,
});
const declaredSchema = z.strictObject({
  triggers: z.boolean(),
  prompts: z.boolean(),
  mandates: z.literal(true).optional(),
  recovers: z.literal(true).optional(),
  tools: z.array(
    z.strictObject({
      name: text,
      description: text,
      parameters: z.record(z.string(), z.json()),
      calls: z.boolean(),
      runs: z.boolean(),
      steps: z.literal(true).optional(),
      effects: effects.optional(),
    }),
  ),
  gates: z.array(z.strictObject({ name: text, effects })),
  commands: z.array(z.strictObject({ name: text, help: text })),
});
const labelSchema = z.strictObject({
  integrity: z.enum(["user", "agent", "untrusted"]),
  secrecy: z.enum(["public", "private", "secret"]),
  sources: z.array(z.strictObject({ id: text, path: text })).max(1000),
});
const skillSchema = z.strictObject({
  head: headSchema,
  declared: declaredSchema,
  digest: z.string().regex(/^[0-9a-f]{64}$/),
  text: text.optional(),
  code: text,
  enabled: z.boolean(),
  from: text.nullable(),
  label: labelSchema.optional(),
});
const folderSchema = z.strictObject({
  name: text,
  digest: z.string().regex(/^[0-9a-f]{64}$/),
  from: text.nullable(),
  mine: z.boolean(),
  enabled: z.boolean(),
});
/** The most skills, and the most folders, that the file holds. */
const mostEntries = 1000;
const skills = z.array(skillSchema).max(mostEntries);
const presentSchema = z.strictObject({
  version: z.literal(2),
  skills,
  folders: z.array(folderSchema).max(mostEntries),
});
/** Version 1 had no folders. */
const fileSchema = z.union([
  presentSchema,
  z.strictObject({ version: z.literal(1), skills }).transform((file) => ({ ...file, folders: [] })),
]);

type Kept = { readonly skills: readonly AcceptedSkill[]; readonly folders: readonly AcceptedFolder[] };
type Read = Kept & { readonly key: string; readonly fault: string | null };

/** Opens the book of a file, which need not exist. */
export function openSkillBook(path: string): SkillBook {
  const known: { read: Read } = { read: { key: "", skills: [], folders: [], fault: null } };
  const read = (): Read => {
    const key = versionOfFile(path);
    if (key !== known.read.key) known.read = readBook(path, key);
    return known.read;
  };
  const change = (to: (kept: Kept) => Partial<Kept>): void => {
    const { skills, folders, fault } = read();
    if (fault !== null) throw new Error(fault);
    const kept = { version: 2, skills, folders, ...to({ skills, folders }) };
    refuseUnreadable(path, kept);
    replaceFile(path, `${JSON.stringify(kept, null, 1)}\n`);
  };
  const others = (skills: readonly AcceptedSkill[], name: string) =>
    skills.filter(({ head }) => head.name !== name);
  return {
    path,
    version: () => versionOfFile(path),
    fault: () => read().fault,
    all: () => read().skills,
    keep: (skill) => change(({ skills }) => ({ skills: [...others(skills, skill.head.name), skill] })),
    folders: () => read().folders,
    keepFolder: (folder) =>
      change(({ folders }) => ({
        folders: [...folders.filter(({ name }) => name !== folder.name), folder],
      })),
    drop: (name) => change(({ skills }) => ({ skills: others(skills, name) })),
  };
}

/** Throws where the file would be one that `readBook` refuses: then no skill at all would be in force. */
function refuseUnreadable(path: string, kept: Kept): void {
  for (const kind of ["skills", "folders"] as const)
    if (kept[kind].length > mostEntries)
      throw new Error(
        `${path} already holds ${mostEntries} ${kind === "skills" ? "skills" : "folders of skills"}, which is the most. Take out one that you no longer use: remove its file, and its entry in ${path}. Nothing was changed.`,
      );
  const read = presentSchema.safeParse(kept);
  if (!read.success)
    throw new Error(`${path} cannot hold this: ${wordsOf(read.error)}. Nothing was changed.`);
}

function wordsOf(error: z.ZodError): string {
  return z.prettifyError(error).split("\n").slice(0, 2).join(" ");
}

function readBook(path: string, key: string): Read {
  try {
    const { skills, folders } = fileSchema.parse(JSON.parse(readFileSync(path, "utf8")));
    return { key, skills, folders, fault: null };
  } catch (error) {
    if (error instanceof Error && "code" in error && error.code === "ENOENT")
      return { key, skills: [], folders: [], fault: null };
    const why = error instanceof z.ZodError ? wordsOf(error) : describeError(error);
    const fault = `${path} cannot be used, so no skill is in force: ${why}. Mend it, or move it away; then each skill is checked anew.`;
    return { key, skills: [], folders: [], fault };
  }
}
