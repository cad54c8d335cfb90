import type { State } from "../../memory/state/state.ts";
import type { Policy } from "../../settings/policy.ts";
import type { AppendToJournal } from "../../turn/step-ports.ts";
import type { CommandReply } from "./command-reply.ts";
import type { FolderOrders } from "./folder-orders.ts";
import { makeFolderTrust } from "./folder-trust.ts";
import { offerServers } from "./offered-servers.ts";

/** What trusting a folder needs. */
export type TrustFolderParts = {
  readonly state: Pick<State, "trustedFolders">;
  readonly journal: AppendToJournal;
  readonly orders: Pick<FolderOrders, "offer" | "drop">;
  readonly policy: Pick<Policy, "projectServers">;
};

/**
 * Only the owner does this. It counts for this folder, wherever a session works in it. What would be obeyed
 * there is shown first; `isShown` is the yes to it.
 */
export async function trustFolder(
  { state, journal, orders, policy }: TrustFolderParts,
  {
    session,
    workspace,
    on,
    isShown,
  }: {
    readonly session: string;
    readonly workspace: string | null;
    readonly on: boolean;
    readonly isShown: boolean;
  },
): Promise<CommandReply> {
  if (workspace === null)
    return { code: "not-done", text: "This session has no workspace. Start in the folder that you trust." };
  if (!on) {
    await state.trustedFolders.distrust(workspace);
    await orders.drop(workspace);
    await journal({ kind: "note", session, detail: { event: "folder-not-trusted", folder: workspace } });
    return { code: "not-trusted", text: `The files in ${workspace} count as words of others from now on.` };
  }
  const { servers } = policy.projectServers(workspace);
  const offered = await orders.offer(workspace, offerServers(workspace, servers));
  if (!offered.isObeyed && !(offered.isShown && isShown))
    return {
      code: "shown",
      text: [offered.isTrusted ? nowToo : notYet, offered.text ?? "", howToTrust].join("\n"),
    };
  const problem = await makeFolderTrust(state.trustedFolders).trust(workspace);
  if (problem !== null)
    return { code: "not-done", text: `${problemWords[problem](workspace)} Nothing was done.` };
  await journal({ kind: "note", session, detail: { event: "folder-trusted", folder: workspace } });
  const text = `The files in ${workspace} count as your own words from now on, except those of repositories inside it. /trust-folder off takes that back.`;
  await offered.obey();
  return { code: "trusted", text: offered.text === null ? text : `${text}\n${offered.text}` };
}

const problemWords = {
  "no-folder": (folder: string) => `There is no folder ${folder}.`,
  "no-identity": (folder: string) =>
    `The file system of ${folder} says neither when a folder was made nor which disk it is on, so another disk at that place would be trusted, too. Copy it to a disk of this computer, and trust it there.`,
};

const notYet = "Nothing is trusted yet. This is what trusting the folder puts in force:";
const nowToo = "The folder is trusted. This is what your trust puts in force once you say so:";
const howToTrust =
  "To trust the folder, and have it so as it is shown here: /trust-folder yes. Its files count as your own words then, except those of repositories inside it.";
