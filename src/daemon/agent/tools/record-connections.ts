import { describeError } from "../../../text/describe-error.ts";
import { makeJournalPort } from "../resources/journal-port.ts";
import type { LoopResources } from "../resources/loop-resources.ts";
import type { ToolPorts } from "./assemble-tools.ts";

/** Journals each connection of a command: where to, how many bytes, whether it was refused, and which credentials were put in. Never what was sent. */
export function recordConnections({ state, policy, report }: LoopResources): ToolPorts["recordConnection"] {
  const journal = makeJournalPort(state);
  return ({ turn, session }, { host, port, sent, received, refused, credentials }) => {
    const used = credentials.length === 0 ? {} : { credentials };
    const about = { host: policy.mask(host), port, sent, received, refused, ...used };
    journal({
      kind: "note",
      turn,
      session,
      detail: { event: "network-connection", ...about },
    }).catch((error: unknown) => report(`A connection could not be journalled: ${describeError(error)}`));
  };
}
