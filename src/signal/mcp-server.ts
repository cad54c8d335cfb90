import type { JsonObject } from "../text/json.ts";
import type { McpClient } from "./mcp-login.ts";
import type { DeclaredEffect } from "./service-effect.ts";

/** How a server of the Model Context Protocol is reached. `${NAME}` in a text stands for a variable, `${vault:NAME}` for a value of the vault; both are filled in when the server is started, and never before. */
export type McpTransport =
  | {
      readonly kind: "stdio";
      readonly command: string;
      readonly args: readonly string[];
      readonly environment: Readonly<Record<string, string>>;
      /** The folder that it starts in, as an absolute path; left out where the entry does not say. */
      readonly cwd?: string;
    }
  | { readonly kind: "http"; readonly url: string; readonly headers: Readonly<Record<string, string>> };

/** What a server that runs on this machine may use: real paths with everything below, and `HOST` or `HOST:PORT`. */
export type McpGrants = {
  readonly read: readonly string[];
  readonly write: readonly string[];
  readonly hosts: readonly string[];
};

/** A server as its owner, or a project that the owner trusts, has set it up. */
export type McpServer = {
  readonly name: string;
  /** The folder whose `.mcp.json` names it; null for the owner's own. */
  readonly project: string | null;
  readonly transport: McpTransport;
  readonly grants: McpGrants;
  /** By the server's own names of its tools. */
  readonly declared: ReadonlyMap<string, DeclaredEffect>;
  /** Milliseconds that one call may take. */
  readonly callTimeout: number;
  /** Keys of its entry that are not used, each with what to write in its place. */
  readonly ignored: readonly string[];
  /** How its owner signs in to it; left out where the entry does not say. */
  readonly client?: McpClient;
};

/** A tool of a server as it is shown to a model, without what a terminal or a prompt could take for more than text. */
export type ListedTool = {
  readonly name: string;
  readonly description: string;
  readonly parameters: JsonObject;
  /** The SHA-256 of all that the server said of it. */
  readonly digest: string;
};

/** The tools of a server at one time. `digest` is the SHA-256 of all that the server said of all of them. */
export type ToolList = {
  readonly digest: string;
  readonly tools: readonly ListedTool[];
  /** Tools that cannot be offered to a model, with the reason. */
  readonly unusable: readonly { readonly name: string; readonly reason: string }[];
};

/** A file that a server of this machine is executed from, by its real path, and what its bytes were. */
export type ProgramFile = { readonly path: string; readonly digest: string };

/** What the owner accepted of a server: its entry and its list, by their hashes. */
export type AcceptedServer = {
  /** The SHA-256 of the entry. Another entry has to be accepted anew. */
  readonly entry: string;
  readonly list: ToolList;
  /** The revision of the protocol that was agreed upon. */
  readonly revision: string;
  /** What it is executed from outside of the system's folders; left out for a server of the network. */
  readonly program?: readonly ProgramFile[];
  /** Unix milliseconds. */
  readonly acceptedAt: number;
  /** A list that the server gave since, and that nobody accepted. */
  readonly offered?: ToolList;
};
