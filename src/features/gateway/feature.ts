import type { Feature } from "../../kernel/feature.ts";

/** Chat services: set up, linked, and how their doors stand. */
export const gatewayFeature: Feature = {
  commands: [
    {
      name: "gateway",
      group: "Set up",
      spec: async () => (await import("./command-specs.ts")).gatewaySpec,
      load: async () => (await import("./gateway.ts")).gatewayCommand,
    },
  ],
};

/** What sets up a chat service. */
export async function loadGateways() {
  const { askedOf, tryGateway } = await import("./chat-gateways.ts");
  return { askedOf, tryGateway };
}
