import * as z from "zod";
import { sha256 } from "../../machine/digest.ts";
import { parseJson } from "../../text/parse-json.ts";
import { cleanText } from "./clean-text.ts";

/** A file of a skill that a server gave. */
export type ServedFile = { readonly path: string; readonly bytes: Buffer };

/** A skill of a server, or the reason why it cannot be got, in words. */
export type ServedSkill =
  | { readonly ok: true; readonly uri: string; readonly files: readonly ServedFile[] }
  | { readonly ok: false; readonly problem: string };

/** What getting a skill needs of a connection. `declaresSkills`: the server declares the extension. */
export type SkillsOfServer = {
  readonly declaresSkills: boolean;
  readonly request: (method: "skills/list", params: { readonly cursor?: string }) => Promise<unknown>;
  readonly readResource: (uri: string) => Promise<unknown>;
};

/** The name of the extension (SEP-2640). */
export const skillsExtension = "io.modelcontextprotocol/skills";
/** The index that older servers have instead of `skills/list`. */
const oldIndex = "skill://index.json";
const limits = { files: 512, bytes: 16 * 1024 * 1024, pages: 20 };

const fileSchema = z.object({
  uri: z.string().min(1).max(1000),
  digest: z.string().regex(/^sha256:[0-9a-f]{64}$/),
  size: z.number().int().nonnegative(),
});
const entrySchema = z.object({
  uri: z.string().min(1).max(1000),
  frontmatter: z.object({ name: z.string().min(1).max(64) }),
  resources: z.union([z.array(fileSchema).min(1), z.literal("dynamic")]),
});
type Entry = z.infer<typeof entrySchema>;
const listSchema = z.object({ skills: z.array(z.unknown()).max(10_000), nextCursor: z.string().optional() });
const oldEntrySchema = z.object({
  name: z.string().min(1).max(64),
  type: z.literal("skill-md"),
  url: z.string().min(1).max(1000),
});
const contentSchema = z.object({
  contents: z.array(z.union([z.object({ text: z.string() }), z.object({ blob: z.base64() })])).length(1),
});

/** Gets a skill of a server with all its files, each as the entry of the skill pins it. Throws where the server fails. */
export async function getServedSkill(server: SkillsOfServer, name: string): Promise<ServedSkill> {
  return server.declaresSkills ? getListed(server, name) : getFromOldIndex(server, name);
}

async function getListed(server: SkillsOfServer, name: string): Promise<ServedSkill> {
  const entries = await listEntries(server);
  const found = entries.filter((entry) => entry.frontmatter.name === name || entry.uri === name);
  const [entry] = found;
  if (entry === undefined) return none(entries.map((one) => one.frontmatter.name));
  if (found.length > 1)
    return wrong(
      `it has several skills of this name; name one by its address: ${found.map(({ uri }) => cleanText(uri, 200)).join(", ")}`,
    );
  if (entry.resources === "dynamic")
    return wrong("it generates this skill at each request, so its digest cannot be pinned");
  const total = entry.resources.reduce((sum, { size }) => sum + size, 0);
  if (entry.resources.length > limits.files || total > limits.bytes)
    return wrong(`the skill has more than ${limits.files} files or ${limits.bytes / 1024 / 1024} MB`);
  const root = entry.uri.replace(/SKILL\.md$/, "");
  const files: ServedFile[] = [];
  for (const { uri, digest, size } of entry.resources) {
    const path = uri.startsWith(root) ? decodePath(uri.slice(root.length)) : null;
    if (!entry.uri.endsWith("/SKILL.md") || path === null)
      return wrong(`it lists a file outside of the skill's folder: ${cleanText(uri, 200)}`);
    const bytes = await readBytes(server, uri);
    if (bytes === null || bytes.length !== size || `sha256:${sha256(bytes)}` !== digest)
      return wrong(`${cleanText(uri, 200)} is not what its list says`);
    files.push({ path, bytes });
  }
  return { ok: true, uri: entry.uri, files };
}

/** Null where it is no percent-encoded text. */
function decodePath(path: string): string | null {
  try {
    return decodeURIComponent(path);
  } catch (error) {
    if (error instanceof URIError) return null;
    throw error;
  }
}

async function listEntries(server: SkillsOfServer): Promise<readonly Entry[]> {
  const entries: Entry[] = [];
  let cursor: string | undefined;
  for (let page = 0; page < limits.pages; page++) {
    const list = listSchema.parse(
      await server.request("skills/list", cursor === undefined ? {} : { cursor }),
    );
    for (const given of list.skills) {
      const read = entrySchema.safeParse(given);
      if (read.success) entries.push(read.data);
    }
    cursor = list.nextCursor;
    if (cursor === undefined) break;
  }
  return entries;
}

async function getFromOldIndex(server: SkillsOfServer, name: string): Promise<ServedSkill> {
  const index = await readBytes(server, oldIndex);
  const list = z
    .object({ skills: z.array(z.unknown()).max(10_000) })
    .safeParse(parseJson(index?.toString("utf8") ?? ""));
  if (!list.success) return wrong("it offers no skills");
  const entries = list.data.skills.flatMap((given) => {
    const read = oldEntrySchema.safeParse(given);
    return read.success ? [read.data] : [];
  });
  const entry = entries.find((one) => one.name === name);
  if (entry === undefined) return none(entries.map((one) => one.name));
  const bytes = await readBytes(server, entry.url);
  return bytes === null
    ? wrong(`${cleanText(entry.url, 200)} cannot be read`)
    : { ok: true, uri: entry.url, files: [{ path: "SKILL.md", bytes }] };
}

async function readBytes(server: SkillsOfServer, uri: string): Promise<Buffer | null> {
  const read = contentSchema.safeParse(await server.readResource(uri));
  const [content] = read.success ? read.data.contents : [];
  if (content === undefined) return null;
  return "text" in content ? Buffer.from(content.text, "utf8") : Buffer.from(content.blob, "base64");
}

function none(names: readonly string[]): ServedSkill {
  const known = names.slice(0, 50).map((one) => cleanText(one, 64));
  return wrong(
    known.length === 0 ? "it offers no skills" : `it has no such skill; it has ${known.join(", ")}`,
  );
}

function wrong(problem: string): ServedSkill {
  return { ok: false, problem };
}
