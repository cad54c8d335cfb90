/** What takes over what another agent kept, or takes that back. */
export async function loadImport() {
  return (await import("./import-agent.ts")).importAgent;
}
