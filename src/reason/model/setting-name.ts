/** The variable of one setting of a provider, such as `GROQ_MODEL`. A hyphen in a name is an underscore in its variables. */
export function variableOf(provider: string, suffix: string): string {
  return `${provider.toUpperCase().replaceAll("-", "_")}_${suffix}`;
}
