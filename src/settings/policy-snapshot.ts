import { digestOf } from "../machine/digest.ts";
import { escapeInvisible } from "../text/escape-invisible.ts";
import type { JsonObject } from "../text/json.ts";
import type { ChatLinks } from "./chat-links.ts";
import type { Config } from "./config.ts";
import type { McpAcceptances } from "./mcp-acceptances.ts";
import { versionOfFile } from "./replace-file.ts";
import type { RuleBook } from "./rule-book.ts";
import type { SecretExceptions } from "./secret-exceptions.ts";
import type { SkillBook } from "./skill-book.ts";

/** What is allowed now, by names and what they stand for: the gates, and whatever an owner's command, setting or edit of a file changes. Vault values are named, with the hosts that they are bound to, and never shown. */
export function policySnapshot({
  config,
  rules,
  secretExceptions,
  skillBook,
  mcpAcceptances,
  chatLinks,
  gatesHash,
}: {
  readonly config: Config;
  readonly rules: RuleBook;
  readonly secretExceptions: SecretExceptions;
  readonly skillBook: SkillBook;
  readonly mcpAcceptances: McpAcceptances;
  readonly chatLinks: ChatLinks;
  readonly gatesHash: string;
}): JsonObject {
  const { vault } = config;
  const sealed = digestOf(versionOfFile(vault.path));
  const { names, bindings } = vault.status();
  return {
    rules: Object.fromEntries(
      rules
        .all()
        .map(({ rule, problem }) => [
          rule.name,
          [...rules.describe(rule), problem ?? ""].map((text) => escapeInvisible(text)),
        ]),
    ),
    "secret-paths": Object.fromEntries(secretExceptions.all().map((path) => [path, "allowed"])),
    skills: Object.fromEntries(
      skillBook
        .all()
        .map(({ head, digest, enabled }) => [head.name, [digest, enabled, ...head.capabilities]]),
    ),
    "skill-folders": Object.fromEntries(
      skillBook.folders().map(({ name, digest, enabled, mine }) => [name, [digest, enabled, mine]]),
    ),
    "mcp-servers": mcpAcceptances.digests(),
    chats: Object.fromEntries(
      chatLinks.all().map(({ service, chat, sender, kind }) => [`${service} ${chat} ${sender}`, kind]),
    ),
    vault: Object.fromEntries(names.map((name) => [name, { ...bindings.get(name) }])),
    "vault-file": names.length === 0 ? {} : { [vault.path]: sealed },
    settings: {
      GATES: gatesHash,
      TOOL_PERMISSIONS: Object.fromEntries(config.permissions),
      PRIVACY_FILTER_TAGS: config.privacyTags,
      TRIALS: config.trials,
      PROGRAM_FOLDERS: config.programFolders,
      MANDATORY_SKILLS: config.mandatorySkills,
    },
  };
}
