import * as z from "zod";
import { parseJson } from "../../text/parse-json.ts";

/** A skill that a site offers: its `SKILL.md`, or an archive of its folder, pinned by the SHA-256 of what lies at the address. */
export type OfferedSkill = {
  readonly name: string;
  readonly type: "skill-md" | "archive";
  readonly description: string;
  readonly url: string;
  /** In hex. */
  readonly digest: string;
};

/** The index of a site, or in words why it cannot be used. */
export type ReadIndex =
  | { readonly ok: true; readonly skills: readonly OfferedSkill[] }
  | { readonly ok: false; readonly problem: string };

/** Where a site has its index (Agent Skills Discovery 0.2.0). */
export const indexPath = "/.well-known/agent-skills/index.json";
const knownSchema = "https://schemas.agentskills.io/discovery/0.2.0/schema.json";
const mostSkills = 1000;

const indexSchema = z.object({
  $schema: z.string().max(500).optional(),
  skills: z.array(z.unknown()).max(mostSkills),
});
const skillSchema = z.object({
  name: z.string().min(1).max(64),
  type: z.enum(["skill-md", "archive"]),
  description: z.string().max(4000),
  url: z.string().min(1).max(2000),
  digest: z.string().regex(/^sha256:[0-9a-f]{64}$/),
});

/** Reads the index of a site. Entries of another form are left out; so is one without a digest, since nothing pins it. */
export function readIndex(text: string): ReadIndex {
  const parsed = indexSchema.safeParse(parseJson(text));
  if (!parsed.success) return { ok: false, problem: "its index of skills cannot be read" };
  const { $schema, skills } = parsed.data;
  if ($schema !== knownSchema)
    return {
      ok: false,
      problem: `its index is of a version that is not known (${JSON.stringify($schema ?? "none")})`,
    };
  return {
    ok: true,
    skills: skills.flatMap((given) => {
      const read = skillSchema.safeParse(given);
      return read.success ? [{ ...read.data, digest: read.data.digest.slice("sha256:".length) }] : [];
    }),
  };
}
