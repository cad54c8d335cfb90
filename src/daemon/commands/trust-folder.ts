import type { State } from "../../memory/state/state.ts";
import type { AppendToJournal } from "../../turn/step-ports.ts";
import type { CommandReply } from "./command-reply.ts";
import type { FolderOrders } from "./folder-orders.ts";
import { makeFolderTrust } from "./folder-trust.ts";

/** What trusting a folder needs. */
export type TrustFolderParts = {
  readonly state: Pick<State, "trustedFolders">;
  readonly journal: AppendToJournal;
  readonly orders: Pick<FolderOrders, "obey" | "drop">;
};

/** Only the owner does this. It counts for this folder, wherever a session works in it. */
export async function trustFolder(
  { state, journal, orders }: TrustFolderParts,
  {
    session,
    workspace,
    on,
  }: { readonly session: string; readonly workspace: string | null; readonly on: boolean },
): Promise<CommandReply> {
  if (workspace === null)
    return { code: "not-done", text: "This session has no workspace. Start in the folder that you trust." };
  if (!on) {
    await state.trustedFolders.distrust(workspace);
    await orders.drop(workspace);
    await journal({ kind: "note", session, detail: { event: "folder-not-trusted", folder: workspace } });
    return { code: "not-trusted", text: `The files in ${workspace} count as words of others from now on.` };
  }
  if (!(await makeFolderTrust(state.trustedFolders).trust(workspace)))
    return { code: "not-done", text: `There is no folder ${workspace}. Nothing was done.` };
  await journal({ kind: "note", session, detail: { event: "folder-trusted", folder: workspace } });
  const text = `The files in ${workspace} count as your own words from now on, except those of repositories inside it. /trust-folder off takes that back.`;
  const shown = await orders.obey(workspace);
  return { code: "trusted", text: shown === null ? text : `${text}\n${shown}` };
}
