import { jobsOfCodex, jobsOfHermes, jobsOfOpenClaw, type ReadJobs } from "./foreign-jobs.ts";
import { type ReadServers, serversOfCodex, serversOfJson, serversOfYaml } from "./foreign-servers.ts";

/** Where another agent keeps what it knows. Paths are relative to its folder; `*` stands for any one name. */
export type ForeignAgent = {
  readonly title: string;
  /** Its folder, relative to the home folder; the first that is there counts. */
  readonly folders: readonly string[];
  /** A folder that its settings name in place of `workspace`. */
  readonly workspace?: { readonly file: string; readonly keys: readonly (readonly string[])[] };
  readonly texts: readonly string[];
  /** Each is the file that says what a skill is. */
  readonly skills: readonly string[];
  readonly servers: readonly { readonly file: string; readonly read: ReadServers }[];
  readonly jobs: readonly { readonly files: string; readonly read: ReadJobs }[];
  /** Files that hold keys: they are named and never opened. */
  readonly keys: readonly string[];
  /** What is left, with the reason. */
  readonly leaves: readonly (readonly [path: string, why: string])[];
};

const bootstrapTexts = [
  "IDENTITY.md",
  "SOUL.md",
  "USER.md",
  "AGENTS.md",
  "TOOLS.md",
  "HEARTBEAT.md",
  "MEMORY.md",
];
const conversations = "what was said is not taken over";
const rights = "its permissions and hooks mean nothing here; questions and rules take their place";

/**
 * The agents, by name. Sources: docs/concepts/agent-workspace.md and docs/automation of openclaw/openclaw; cron/jobs.py and hermes_cli of
 * NousResearch/hermes-agent; the pages on memory, settings and MCP of Claude Code; the configuration reference of Codex.
 */
export const foreignAgents = {
  openclaw: {
    title: "OpenClaw",
    folders: [".openclaw", ".clawdbot"],
    workspace: {
      file: "openclaw.json",
      keys: [
        ["agents", "defaults", "workspace"],
        ["agent", "workspace"],
      ],
    },
    texts: [...bootstrapTexts.map((name) => `workspace/${name}`), "workspace/memory/*.md"],
    skills: ["skills/*/SKILL.md", "workspace/skills/*/SKILL.md"],
    servers: [{ file: "openclaw.json", read: serversOfYaml(["mcp", "servers"]) }],
    jobs: [{ files: "cron/jobs.json", read: jobsOfOpenClaw }],
    keys: [".env", "credentials", "agents/*/agent/auth-profiles.json"],
    leaves: [["agents", conversations]],
  },
  hermes: {
    title: "Hermes",
    folders: [".hermes"],
    texts: ["SOUL.md", "memories/MEMORY.md", "memories/USER.md"],
    skills: ["skills/*/SKILL.md", "skills/*/*/SKILL.md"],
    servers: [{ file: "config.yaml", read: serversOfYaml(["mcp_servers"]) }],
    jobs: [{ files: "cron/jobs.json", read: jobsOfHermes }],
    keys: [".env", "auth.json"],
    leaves: [
      ["sessions", conversations],
      ["state.db", conversations],
    ],
  },
  claude: {
    title: "Claude Code",
    folders: [".claude"],
    texts: ["CLAUDE.md", "rules/*.md", "projects/*/memory/*.md"],
    skills: ["skills/*/SKILL.md"],
    servers: [{ file: "../.claude.json", read: serversOfJson(["mcpServers"]) }],
    jobs: [],
    keys: [".credentials.json"],
    leaves: [
      ["settings.json", rights],
      ["agents", "its sub-agents have no counterpart here"],
      ["commands", "write commands of your own into commands.org"],
      ["history.jsonl", conversations],
    ],
  },
  codex: {
    title: "Codex",
    folders: [".codex"],
    texts: ["AGENTS.md", "memories/*.md"],
    skills: ["skills/*/SKILL.md"],
    servers: [{ file: "config.toml", read: serversOfCodex }],
    jobs: [{ files: "automations/*/automation.toml", read: jobsOfCodex }],
    keys: ["auth.json"],
    leaves: [
      ["prompts", "write commands of your own into commands.org"],
      ["sessions", conversations],
      ["rules", rights],
    ],
  },
} as const satisfies Readonly<Record<string, ForeignAgent>>;

/** The name of an agent that something can be taken over from. */
export type ForeignName = keyof typeof foreignAgents;
