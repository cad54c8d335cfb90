/** Whoever waits for what is prepared: `cancel` ends it, and `notice` tells them how a long work goes on. */
export type Waiting = { readonly cancel: AbortSignal; readonly notice: (text: string) => void };

/** Left out where nobody waits. */
export type WaitedFor = { readonly waiting?: Waiting };
