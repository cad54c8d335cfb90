import { PassepartoutError } from "../../signal/failure.ts";

/** Thrown where a backup cannot be made, is not what was written, or cannot be restored. The message says what was found and what to do next; nothing was changed. */
export class BackupProblem extends PassepartoutError {
  override readonly name = "BackupProblem";
}
