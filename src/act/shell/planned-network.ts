import { dirname, join } from "node:path";
import { isInside } from "../../text/is-inside.ts";
import { formatHostPort, type HostPort, readHosts } from "../egress/host-port.ts";
import { networkUse } from "./programs/network-programs.ts";
import { textOfFile } from "./text-of-file.ts";

/** Where a command runs, and the hosts that the proposal names; null where it leaves that to the command's own words. */
export type NetworkPlace = {
  readonly cwd: string;
  readonly workspace: string | null;
  readonly mayLook: boolean;
  readonly network: readonly HostPort[] | null;
  /** The places of the owner's values that are put in. */
  readonly credentials: readonly HostPort[];
};

/** The hosts of one command at most. */
export const maxHosts = 10;
/** Bytes of a repository's settings above which they are not read. */
const longestSettings = 200_000;

/** The places that an unproved command would reach: those that the proposal names, else those that its words name; and those of its credentials. */
export async function planNetwork(
  argv: readonly string[],
  place: NetworkPlace,
): Promise<readonly HostPort[]> {
  const bound = place.credentials.map(({ host, port }) => ({ host, port }));
  return uniqueHosts([...(await placesOf(argv, place)), ...bound]);
}

async function placesOf(
  argv: readonly string[],
  { cwd, workspace, mayLook, network }: NetworkPlace,
): Promise<readonly HostPort[]> {
  if (network !== null) return network;
  const { hosts, remotes } = networkUse(argv);
  const urls =
    mayLook && workspace !== null && remotes.length > 0 ? await urlsOfRemotes(remotes, cwd, workspace) : [];
  return uniqueHosts([...hosts, ...urls].flatMap((text) => readHosts(text) ?? [])).slice(0, maxHosts);
}

/** Each place once. */
export function uniqueHosts(hosts: readonly HostPort[]): readonly HostPort[] {
  return [...new Map(hosts.map((host) => [formatHostPort(host), host])).values()];
}

/** The URLs of remotes in the settings of the repository around a folder, if it is in the workspace. */
async function urlsOfRemotes(
  remotes: readonly string[],
  cwd: string,
  workspace: string,
): Promise<readonly string[]> {
  for (let folder = cwd; isInside(workspace, folder); folder = dirname(folder)) {
    const text = await textOfFile(join(folder, ".git", "config"));
    if (text !== null && text.length <= longestSettings) {
      const known = readRemotes(text);
      const named = known.filter(({ remote }) => remotes.includes(remote));
      const usual = known.filter(({ remote }) => remote === "origin");
      return [...named, ...(remotes.includes("") ? (usual.length > 0 ? usual : known) : [])].map(
        ({ url }) => url,
      );
    }
    if (folder === "/") break;
  }
  return [];
}

function readRemotes(settings: string): readonly { readonly remote: string; readonly url: string }[] {
  let remote: string | null = null;
  return settings.split(/\r?\n/).flatMap((line) => {
    const section = /^\s*\[\s*([^\]"]*?)\s*(?:"([^"]*)")?\s*\]/.exec(line);
    if (section !== null) remote = section[1]?.toLowerCase() === "remote" ? (section[2] ?? null) : null;
    const url = /^\s*(?:push)?url\s*=\s*"?([^\s"]+)/i.exec(line)?.[1];
    return remote === null || url === undefined ? [] : [{ remote, url }];
  });
}
