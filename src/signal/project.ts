/** What a project says of itself by its files, as commands that anybody knows; null where it says nothing. */
export type Project = {
  readonly isRepository: boolean;
  readonly test: string | null;
  readonly format: string | null;
};
