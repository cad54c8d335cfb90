/**
 * Lists the models that are asked; with a name, the session asks that one from now on: `default`, a number of
 * the list, a provider, or PROVIDER/MODEL.
 * `order`: providers are asked in this order, in every session and for good.
 */
export type ModelCommand = {
  readonly kind: "model";
  readonly name: string | null;
  readonly order?: readonly string[];
};

/** The command whose words follow `/model`: none, one word, or `order a,b`; null for others. */
export function modelCommand(rest: string): ModelCommand | null {
  const words = rest.split(/[\s,]+/).filter((word) => word !== "");
  const [first, ...order] = words;
  if (first?.toLowerCase() === "order" && order.length > 0) return { kind: "model", name: null, order };
  const name = rest.trim();
  if (name === "") return { kind: "model", name: null };
  return /\s/.test(name) ? null : { kind: "model", name };
}
