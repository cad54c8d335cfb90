/** A provider that the owner chose for a session, with the model to ask; null for the provider's own. */
export type ChosenModel = { readonly provider: string; readonly model: string | null };
