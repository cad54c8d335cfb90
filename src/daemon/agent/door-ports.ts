import type { LocalAgent } from "./local-agent.ts";
import type { LoopResources } from "./resources/loop-resources.ts";

/** What an agent offers to doors alone. */
type DoorPorts = Pick<
  LocalAgent,
  "doorChannels" | "holdsPrivate" | "hidePrivateNames" | "attachBytes" | "transcribe" | "turnOf"
>;

/** Joins what doors need to the parts of an agent. */
export function doorPorts(resources: LoopResources): DoorPorts {
  const { privateText, state, doors } = resources;
  return {
    doorChannels: doors,
    async holdsPrivate(text) {
      await privateText.ready();
      return privateText.holdsPrivate(text);
    },
    hidePrivateNames: async (text) =>
      (await import("./tools/hide-private-names.ts")).hidePrivateNames(resources, text),
    attachBytes: async (file) => (await import("./tools/attach-bytes.ts")).attachBytes(resources, file),
    transcribe: async (bytes, cancel) =>
      (await import("./tools/transcribe.ts")).transcribe(resources, bytes, cancel),
    turnOf: async (session, clientId) => (await state.turns.ofClient(session, clientId))?.id ?? null,
  };
}
