/** Milliseconds for which a question must have stood before a key, a mark or a line answers it: what was typed before was meant for something else. */
export const answerGuard = 300;
