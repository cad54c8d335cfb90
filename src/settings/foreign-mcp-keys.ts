import { beginOf } from "../text/cut-text.ts";

const stdioTypes: ReadonlySet<string> = new Set(["stdio", "local"]);
const httpTypes: ReadonlySet<string> = new Set([
  "http",
  "streamable-http",
  "streamableHttp",
  "streamable_http",
  "remote",
]);

const filterAdvice = "deny a tool with TOOL_PERMISSIONS=SERVER__TOOL=deny in .env";
const loginAdvice = 'write "passepartout": {"login": {…}}, as docs/mcp.md says';

/** Keys of other programs without which an entry would be another server, with what to write in their place. */
const refusedKeys: ReadonlyMap<string, string> = new Map([
  ["httpUrl", 'write it as "url"'],
  ["serverUrl", 'write it as "url"'],
  ["environment", 'write it as "env"'],
  ["http_headers", 'write it as "headers"'],
  ["envFile", `write its variables into "env", keys as "\${vault:NAME}"`],
  ["env_http_headers", `write "headers": {"NAME": "\${VARIABLE}"}`],
  ["bearer_token_env_var", `write "headers": {"Authorization": "Bearer \${VARIABLE}"}`],
  ["headersHelper", `write "headers": {"NAME": "\${vault:NAME}"}`],
  ["oauth", loginAdvice],
  ["auth", loginAdvice],
  ...[
    "disabledTools",
    "disabled_tools",
    "excludeTools",
    "includeTools",
    "enabledTools",
    "enabled_tools",
    "allowedTools",
    "tools",
  ].map((key) => [key, filterAdvice] as const),
]);

/** Keys of other programs that are passed over, with how the same is said here. */
const advice: ReadonlyMap<string, string> = new Map([
  ...["alwaysAllow", "autoApprove", "trust"].map(
    (key) => [key, 'write "passepartout": {"tools": {…}}, which says what each tool does'] as const,
  ),
  ["timeout", 'write "passepartout": {"timeout": SECONDS}'],
]);

/** Why an entry as another program writes it cannot be used, with what to do; null where nothing of it would be lost. */
export function problemOfForeignEntry(entry: Readonly<Record<string, unknown>>): string | null {
  const { type, command, url } = entry;
  if (command !== undefined && url !== undefined) return "it has a command and a url. Keep one of them.";
  if (type === "sse") return "the transport sse is not built. Use the server's address for streamable HTTP.";
  if (type !== undefined) {
    const isKnown = typeof type === "string" && (command === undefined ? httpTypes : stdioTypes).has(type);
    if (!isKnown)
      return `its type ${JSON.stringify(type).slice(0, 60)} does not fit. Write "stdio" beside a command, "http" beside a url.`;
  }
  for (const [key, what] of refusedKeys)
    if (entry[key] !== undefined && !saysNothing(entry[key]))
      return `${key} is not used here: ${what} instead.`;
  return null;
}

/** Whether a value is what would be without it: an empty list or object, or all tools. */
function saysNothing(value: unknown): boolean {
  return ["[]", "{}", '["*"]', "null"].includes(JSON.stringify(value));
}

/** The keys of an entry that are not used. */
export function ignoredKeys(keys: readonly string[], used: readonly string[]): readonly string[] {
  return keys
    .filter((key) => !used.includes(key))
    .slice(0, 20)
    .map((key) => {
      const what = advice.get(key);
      return what === undefined ? beginOf(key, 60) : `${key} (${what})`;
    });
}
