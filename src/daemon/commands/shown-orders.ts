import type { KeptValue } from "../../memory/state/kept-value.ts";
import { isJsonObject, type JsonObject } from "../../text/json.ts";
import type { SkillOrder } from "./project-skills.ts";
import { moveOrders } from "./trusted-copies.ts";

type Order = Pick<SkillOrder, "path" | "digest">;

/** The digests of the orders that the owner was shown, by workspace and path. */
export class ShownOrders {
  readonly #kept: KeptValue;

  constructor(kept: KeptValue) {
    this.#kept = kept;
  }

  async of(workspace: string): Promise<JsonObject> {
    const all = await this.#kept.get();
    const shown = isJsonObject(all) ? all[workspace] : undefined;
    return shown !== undefined && isJsonObject(shown) ? shown : {};
  }

  async keep(workspace: string, orders: readonly Order[]): Promise<void> {
    const before = await this.#kept.get();
    const { [workspace]: _, ...others } = isJsonObject(before) ? before : {};
    const digests = digestsOf(orders);
    await this.#kept.set(orders.length === 0 ? others : { ...others, [workspace]: digests });
  }

  /** Those of the folders above stay behind: there are others above it now. */
  async move(from: string, to: string): Promise<void> {
    const all = await this.#kept.get();
    if (isJsonObject(all)) await this.#kept.set(moveOrders(all, from, to));
  }
}

export function digestsOf(orders: readonly Order[]): JsonObject {
  return Object.fromEntries(orders.map(({ path, digest }) => [path, digest]));
}
