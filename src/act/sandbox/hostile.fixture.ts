/** Modules of hostile skills: each exports `run`, which a call of it runs, or does its harm when it is loaded. */
export const hostileModules: ReadonlyMap<string, string> = new Map([
  [
    "allocates buffers without end",
    "export const run = () => { for (const a = [];;) a.push(new Uint8Array(1e6)); };",
  ],
  ["joins a long array", "export const run = () => Array(2 ** 25).join('abcdefgh').length;"],
  ["overflows the stack", "export const run = () => { const f = () => [f(), f()]; return f(); };"],
  [
    "overflows the stack and catches it",
    "export const run = () => { const f = () => { try { f(); } catch { f(); } }; return f(); };",
  ],
  ["loops without end", "export const run = () => { for (;;) {} };"],
  [
    "loops without end, and catches the interrupt",
    "export const run = () => { for (;;) { try { for (;;) {} } catch {} finally { continue; } } };",
  ],
  [
    "makes promises without end",
    "export const run = () => { const f = () => Promise.resolve().then(() => { f(); f(); }); f(); return f(); };",
  ],
  ["awaits without end", "export const run = async () => { for (;;) await 0; };"],
  [
    "matches a regular expression that backtracks",
    "export const run = () => /^(a+)+$/.test('a'.repeat(60) + 'b');",
  ],
  ["returns an object whose getter loops", "export const run = () => ({ get x() { for (;;) {} } });"],
  [
    "returns a proxy that answers without end",
    "export const run = () => new Proxy({}, { ownKeys: () => Array.from({ length: 1e7 }, (_, i) => 'k' + i), getOwnPropertyDescriptor: () => ({ enumerable: true, configurable: true, value: 1 }) });",
  ],
  [
    "returns an object whose toJSON grows",
    "export const run = () => ({ toJSON() { const a = []; for (;;) a.push('x'.repeat(1e6) + a.length); } });",
  ],
  [
    "replaces what the jail itself uses",
    "Array.prototype.map = Array.prototype.join = String.prototype.slice = JSON.stringify = JSON.parse = Reflect.apply = Object.hasOwn = Function.prototype.call = () => { for (;;) {} }; export const run = () => { console.log('x', { a: 1 }); return 'quiet'; };",
  ],
  [
    "gives every object a poisoned prototype",
    "Object.prototype.toJSON = () => { for (;;) {} }; Object.defineProperty(Object.prototype, 'then', { get() { for (;;) {} } }); export const run = async () => ({});",
  ],
  [
    "returns a gigabyte",
    "export const run = () => { let s = 'x'; while (s.length < 1e9) s += s; return s; };",
  ],
  ["returns as much as its memory holds", "export const run = () => 'y'.repeat(2e7);"],
  ["throws a huge string", "export const run = () => { throw 'z'.repeat(2.5e7); };"],
  [
    "throws an error with huge fields",
    "export const run = () => { throw Object.assign(new Error('m'.repeat(1e7)), { name: 'n'.repeat(1e7), stack: 's'.repeat(1e7) }); };",
  ],
  [
    "waits by Atomics",
    "export const run = () => Atomics.wait(new Int32Array(new SharedArrayBuffer(8)), 0, 0);",
  ],
  ["imports a module of the host", "import fs from 'node:fs'; export const run = () => fs.readdirSync('/');"],
  [
    "imports while it runs",
    "export const run = async () => (await import('node:child_process')).execSync('id');",
  ],
  [
    "prints without end",
    "export const run = () => { for (;;) console.log('x'.repeat(1e6), ...Array(60000).fill(1)); };",
  ],
  [
    "does its harm while it is loaded",
    "const a = []; for (;;) a.push(new ArrayBuffer(1e6)); export const run = () => 1;",
  ],
  ["never settles while it is loaded", "await new Promise(() => {}); export const run = () => 1;"],
  [
    "searches what the interpreter does not interrupt",
    "export const run = () => { const s = 'a'.repeat(2 ** 23); return s.indexOf('a'.repeat(2 ** 22) + 'b'); };",
  ],
  [
    "sorts and compiles without end",
    "export const run = () => { for (;;) { new Function('return ' + '[1,'.repeat(1e4) + ']'.repeat(1e4)); } };",
  ],
  ["holds big numbers", "export const run = () => { let n = 3n; for (;;) n *= n; };"],
]);
