/** Loads a module on the first call and gives the same one from then on: every `import()` of a loaded module still costs a walk through the loader. A load that failed is tried again. */
export function loadOnce<Module>(load: () => Promise<Module>): () => Promise<Module> {
  let loading: Promise<Module> | null = null;
  return () => {
    loading ??= load().catch((fault: unknown) => {
      loading = null;
      throw fault;
    });
    return loading;
  };
}
