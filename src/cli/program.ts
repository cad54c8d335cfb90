import manifest from "../../package.json" with { type: "json" };

/** The name that the program shows for itself, and its version. */
export const program = { version: manifest.version, description: manifest.description } as const;
