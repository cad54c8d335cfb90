/** What the owner typed in secret into programs, by session: it counts as a key until it is let go. It is in memory alone. */
export type TypedSecrets = {
  readonly hold: (session: string, value: string) => void;
  /** Forgets what was typed in a session. */
  readonly release: (session: string) => void;
  /** All of it; the same list as long as nothing changed. */
  readonly values: () => readonly string[];
};

/** Opens the list, empty. */
export function openTypedSecrets(): TypedSecrets {
  const held = new Map<string, readonly string[]>();
  let all: readonly string[] = [];
  const changed = (): void => {
    all = [...held.values()].flat();
  };
  return {
    hold(session, value) {
      held.set(session, [...(held.get(session) ?? []), value]);
      changed();
    },
    release(session) {
      if (held.delete(session)) changed();
    },
    values: () => all,
  };
}
