/** The result of a look at the file system; null where the system refuses. */
export function orNull<T>(look: () => T): T | null {
  try {
    return look();
  } catch (error) {
    if (error instanceof Error && "code" in error) return null;
    throw error;
  }
}
