/** What a jail runs before anything else: the functions that load, call, render and compare, over built-ins that no later code can replace. A script whose value has them. */
export const prelude = `(() => {
  const { stringify, parse } = JSON, text = String, { call } = Function.prototype, { apply } = Reflect, { hasOwn } = Object;
  const cut = call.bind(text.prototype.slice), list = call.bind(Array.prototype.map), glue = call.bind(Array.prototype.join);
  const render = (value, most) => {
    let json;
    try { json = stringify(value); } catch (error) { json = undefined; }
    try { json ??= stringify(value === undefined ? null : text(value)); } catch { json = '"[object that has no text]"'; }
    return cut(json, 0, most);
  };
  // Empty where JSON would say null of what is none: undefined, a function, a number that is none.
  const encode = (value, most) => {
    const json = stringify(value) ?? "null";
    return json === "null" && value !== null ? "" : cut(json, 0, most);
  };
  const describe = (value, most) => cut(stringify(value, (_, part) => typeof part === "function" ? "[function]" : part) ?? "null", 0, most);
  const invoke = (root, path, values) => {
    let self, found = root;
    for (const name of parse(path)) {
      if (found === null || typeof found !== "object" || !hasOwn(found, name)) throw new TypeError("nothing is exported as " + path);
      self = found;
      found = found[name];
    }
    return apply(found, self, parse(values));
  };
  const drive = (root, path, values, replies) => {
    const steps = invoke(root, path, values), next = steps === null || typeof steps !== "object" ? undefined : steps.next;
    if (typeof next !== "function") throw new TypeError(path + " is no generator");
    const given = parse(replies);
    let step = apply(next, steps, []);
    for (let at = 0; at < given.length && step.done === false; at++) step = apply(next, steps, [given[at]]);
    return { done: step.done, value: step.value };
  };
  const show = (value, most) => typeof value === "string" ? cut(value, 0, most) : render(value, most);
  const line = (values, most) => cut(glue(list(values, (value) => show(value, most)), " "), 0, most);
  const isText = (value) => typeof value !== "object" && typeof value !== "function" && value !== undefined;
  const start = (value, most) => isText(value) ? cut(text(value), 0, most) : "";
  const assert = (value, message = "the assertion does not hold") => { if (!value) throw new Error(message); };
  const equal = (actual, expected) => {
    const got = stringify(actual), wanted = stringify(expected);
    if (got !== wanted) throw new Error("got " + got + ", expected " + wanted);
  };
  const { getOwnPropertyDescriptor, defineProperty, getPrototypeOf, freeze } = Object, { ownKeys } = Reflect;
  const isShared = (value) => typeof value === "function" || (typeof value === "object" && value !== null);
  // What is inherited from something frozen cannot be assigned to. Names that objects often have of their own can be.
  const letInherit = (shared) => {
    for (const key of ownKeys(shared)) {
      const { value, configurable, enumerable } = getOwnPropertyDescriptor(shared, key);
      if (value === undefined || !configurable) continue;
      const get = () => value;
      const set = function (own) {
        if (this === shared) throw new TypeError(text(key) + " is read-only");
        defineProperty(this, key, { value: own, writable: true, enumerable: true, configurable: true });
      };
      defineProperty(shared, key, { get, set, enumerable, configurable: false });
    }
  };
  // All that the language brings. Finding it takes longer than freezing it, and is done before there is work.
  const brought = [];
  const survey = () => {
    const makers = [function* () {}, async function () {}, async function* () {}];
    const made = [[].values(), new Map().values(), new Set().values(), ""[Symbol.iterator](), "".matchAll(/a/g), makers[0]()];
    const left = [globalThis, ...makers, ...made], seen = new Set(left);
    const add = (part) => {
      if (!isShared(part) || seen.has(part)) return;
      seen.add(part);
      left.push(part);
    };
    while (left.length > 0) {
      const shared = left.pop(), keys = ownKeys(shared);
      add(getPrototypeOf(shared));
      // Most are functions with a length and a name. A getter of a prototype throws here.
      for (let at = 0; at < keys.length && (keys.length > 2 || typeof shared !== "function"); at++)
        try { add(shared[keys[at]]); } catch { continue; }
      brought.push(shared);
    }
  };
  const errors = [Error, EvalError, RangeError, ReferenceError, SyntaxError, TypeError, URIError, AggregateError];
  const inherited = [Object, Function, ...errors].map((shared) => shared.prototype);
  const harden = () => {
    for (let at = 0; at < inherited.length; at++) letInherit(inherited[at]);
    for (let at = 0; at < brought.length; at++) freeze(brought[at]);
  };
  return { assert, equal, survey, harden, render, encode, describe, invoke, drive, line, start };
})()`;
