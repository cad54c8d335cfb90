/** The part of the settings that says where keys come from. */
export type KeyPlaces = {
  readonly providers: readonly { readonly name: string; readonly vaultKey?: unknown }[];
  readonly cascade: readonly string[];
  readonly embedding: { readonly provider: { readonly vaultKey?: unknown } } | null;
};

/** Whether a provider in use has its key in the vault. */
export function needsVault({ providers, cascade, embedding }: KeyPlaces): boolean {
  return (
    providers.some(({ name, vaultKey }) => vaultKey !== undefined && cascade.includes(name)) ||
    embedding?.provider.vaultKey !== undefined
  );
}
