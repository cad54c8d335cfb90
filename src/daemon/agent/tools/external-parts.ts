import { startPortsOf } from "../../../act/mcp/start-ports.ts";
import { describeError } from "../../../text/describe-error.ts";
import { makeFolderTrust } from "../../commands/folder-trust.ts";
import { makeJournalPort } from "../resources/journal-port.ts";
import type { LoopResources } from "../resources/loop-resources.ts";
import type { ExternalToolsParts } from "./external-tools.ts";
import type { FileLabels } from "./join-external.ts";
import { makeLabelOfGrants, makeLabelServerWrites } from "./label-of-grants.ts";
import { openSecretObjects } from "./open-secret-objects.ts";

/** What the tools of servers need, from what the loop is built from. */
export function externalParts(
  resources: LoopResources,
  builtIn: readonly string[],
  { labelOfTree, labelWritten }: FileLabels,
): ExternalToolsParts {
  const { policy, state, sandbox, clock, version, report } = resources;
  const { config } = policy;
  const journal = makeJournalPort(state);
  return {
    builtIn,
    own: config.mcpServers,
    projectServers: (folder) => policy.projectServers(folder).servers,
    isTrusted: makeFolderTrust(state.trustedFolders).isTrusted,
    ports: {
      ...startPortsOf(policy, sandbox, labelOfTree),
      secretObjects: openSecretObjects(policy).secretObjects,
      recordConnection: (server, { host, port, sent, received, refused }) => {
        const about = { server, host: policy.mask(host), port, sent, received, refused };
        journal({ kind: "note", detail: { event: "network-connection", ...about } }).catch((error: unknown) =>
          report(`A connection could not be journalled: ${describeError(error)}`),
        );
      },
      acceptances: policy.mcpAcceptances,
      hasEntry: config.hasMcpEntry,
      permissionOf: (tool) =>
        config.permissions.get(tool.toLowerCase()) ?? config.permissions.get("*") ?? "allow",
      clock,
      version,
      labelOfGrants: makeLabelOfGrants(labelOfTree),
      labelWritten: makeLabelServerWrites(labelWritten),
    },
  };
}
