import { makeStandIns } from "../../../act/sandbox/process-folders.ts";
import type { ShellPorts } from "../../../act/shell/shell-ports.ts";
import type { HiddenObjects } from "../../../memory/private-text/hidden-objects.ts";
import type { Policy } from "../../../settings/policy.ts";

type SecretObjects = Required<Pick<ShellPorts, "secretObjects" | "isCovered" | "holdsStandIn">>;

/** What git keeps of secret files. What is needed for it is loaded with the first repository. */
export function openSecretObjects({ isSecretPath, searchPath }: Policy): SecretObjects {
  let loading: Promise<HiddenObjects> | null = null;
  return {
    async secretObjects(asked) {
      loading ??= import("../../../memory/private-text/hidden-objects.ts").then(
        ({ HiddenObjects: Objects }) => new Objects({ isSecretPath, searchPath, makeFolder: makeStandIns }),
      );
      return (await loading).masksOf(asked);
    },
    isCovered: async (repository) => (await loading)?.isCovered(repository) === true,
    holdsStandIn: async (bytes) =>
      (await import("../../../memory/private-text/stand-in-objects.ts")).holdsStandIn(bytes),
  };
}
