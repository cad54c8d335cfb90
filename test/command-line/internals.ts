/** What no person should have to read: a stack, an object of Node, an internal error. */
export const internals =
  /\n\s+at |node:internal|\[Symbol|\[object|AggregateError|suppressed|errno|code: '|ERR_[A-Z]|undefined/;
