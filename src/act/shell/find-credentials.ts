import type { CredentialBinding } from "../egress/credential.ts";
import { describeHosts } from "../egress/host-port.ts";
import { explainNoSandbox } from "../sandbox/sandbox-lack.ts";
import type { ShellPorts } from "./shell-ports.ts";

/** The owner's values that a proposal names; or why one of them cannot be used, in words. */
export function findCredentials(
  names: readonly string[],
  { network, sandbox, resolve: mayLook }: ShellPorts,
): readonly CredentialBinding[] | string {
  if (names.length === 0) return [];
  if (sandbox === null)
    return `A credential is put in by the proxy of the sandbox, and ${explainNoSandbox().why}. Propose the command without it.`;
  const known = network?.credentials?.list() ?? [];
  const found: CredentialBinding[] = [];
  for (const name of new Set(names)) {
    const binding = known.find((each) => each.name === name);
    if (binding === undefined) return unknownCredential(name, known);
    const value = mayLook === false ? null : network?.credentials?.read(name);
    if (value?.ok === false) return `The credential ${name} cannot be used now. ${value.reason}`;
    found.push(binding);
  }
  return found;
}

/** The credentials in words, for whoever proposes commands. */
export function describeCredentials(known: readonly CredentialBinding[]): string {
  return known
    .map(({ name, host, port, header, variable }) => {
      const place = describeHosts([{ host, port }]).join();
      return `${name} ($${variable}, header ${header}, http://${place})`;
    })
    .join("; ");
}

function unknownCredential(name: string, known: readonly CredentialBinding[]): string {
  return known.length === 0
    ? `There is no credential ${name}: the owner has bound none to a host (passepartout vault bind NAME HOST). Propose the command without it.`
    : `There is no credential ${name}. There are: ${describeCredentials(known)}.`;
}
