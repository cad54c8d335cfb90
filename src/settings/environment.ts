/** Variables by name: those of the process, or of the settings file. */
export type Environment = Readonly<Record<string, string | undefined>>;
