import { canonicalJson, type JsonObject } from "../../text/json.ts";
import { identify } from "../files/identify.ts";

/** A command line: the arguments of its call, and where it runs. */
type Line = { readonly workspace: string | null; readonly args: JsonObject };

const maxLines = 200;

/** The files that each command line wrote, as it left them: stamps by paths, known until the agent ends. */
export class OwnOutputs {
  readonly #left = new Map<string, ReadonlyMap<string, string>>();

  of({ workspace, args }: Line): ReadonlyMap<string, string> | undefined {
    return this.#left.get(canonicalJson([workspace, args]));
  }

  async keep({ workspace, args }: Line, paths: readonly string[]): Promise<void> {
    const line = canonicalJson([workspace, args]);
    const left = new Map(this.#left.get(line));
    for (const path of paths) {
      const found = await identify(path, { mayRead: true });
      if (found?.kind === "file") left.set(path, found.stamp);
    }
    this.#left.delete(line);
    this.#left.set(line, left);
    const [oldest] = this.#left.keys();
    if (this.#left.size > maxLines && oldest !== undefined) this.#left.delete(oldest);
  }
}
