/** A provider that the owner chose for a session, with the model to ask; null for the provider's own. */
export type ChosenModel = { readonly provider: string; readonly model: string | null };

/** What a session's choice counts as in an order of providers: nothing where its provider is not in it. */
export function choiceIn(order: readonly string[], chosen: ChosenModel | null): ChosenModel | null {
  return chosen !== null && order.includes(chosen.provider) ? chosen : null;
}
