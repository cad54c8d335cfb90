/** Says that nothing can be changed in the folder of a conversation. */
export const folderIsGone = (folder: string): string =>
  `The folder of this conversation, ${folder}, is not there: it was renamed, moved or deleted, or its disk is not mounted. Nothing was done. If it has another name now, the owner starts passepartout there with --continue.`;
