/** The result of a look at the file system; null where the system refuses. */
export function orNull<T>(look: () => T): T | null {
  try {
    return look();
  } catch (error) {
    if (error instanceof Error && "code" in error) return null;
    throw error;
  }
}

/**
 * The result of a look at the file system that other tasks do not wait for; null where the system refuses.
 */
export async function refusedAsNull<T>(look: Promise<T>): Promise<T | null> {
  try {
    return await look;
  } catch (error) {
    if (error instanceof Error && "code" in error) return null;
    throw error;
  }
}
