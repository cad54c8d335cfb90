/**
 * The modules of Python's own library, as `sys.stdlib_module_names` of 3.11 has them with those that came
 * since, without what no program imports.
 */
const modules: ReadonlySet<string> = new Set(
  (
    "abc aifc annotationlib argparse array ast asynchat asyncio asyncore atexit audioop base64 bdb " +
    "binascii bisect builtins bz2 cProfile calendar cgi cgitb chunk cmath cmd code codecs codeop " +
    "collections colorsys compileall compression concurrent configparser contextlib contextvars copy " +
    "copyreg crypt csv ctypes curses dataclasses datetime dbm decimal difflib dis distutils doctest " +
    "email encodings enum errno faulthandler fcntl filecmp fileinput fnmatch fractions ftplib functools " +
    "gc genericpath getopt getpass gettext glob graphlib grp gzip hashlib heapq hmac html http imaplib " +
    "imghdr imp importlib inspect io ipaddress itertools json keyword linecache locale logging lzma " +
    "mailbox mailcap marshal math mimetypes mmap modulefinder multiprocessing netrc nis nntplib ntpath " +
    "nturl2path numbers opcode operator optparse os pathlib pdb pickle pickletools pipes pkgutil " +
    "platform plistlib poplib posix posixpath pprint profile pstats pty pwd py_compile pyclbr pydoc " +
    "pyexpat queue quopri random re readline reprlib resource rlcompleter runpy sched secrets select " +
    "selectors shelve shlex shutil signal site smtpd smtplib sndhdr socket socketserver spwd sqlite3 " +
    "sre_compile sre_constants sre_parse ssl stat statistics string stringprep struct subprocess sunau " +
    "symtable sys sysconfig syslog tabnanny tarfile telnetlib tempfile termios textwrap threading time " +
    "timeit tkinter token tokenize tomllib trace traceback tracemalloc tty turtle types typing " +
    "unicodedata unittest urllib uu uuid warnings wave weakref webbrowser wsgiref xdrlib xml xmlrpc " +
    "zipapp zipfile zipimport zlib zoneinfo"
  ).split(" "),
);

/**
 * Says that a file takes the place of a module of Python's own library: Python looks into the folder of a
 * script, or the one that it starts in, first. Null for any other file, and below that folder.
 */
export function shadowedModule(path: string, folder: string): string | null {
  if (!path.startsWith(`${folder}/`)) return null;
  const [, name = ""] =
    /^([a-z0-9_]+)(?:\.(?:py|pyc|pyd|so|[\w-]+\.so)|\/__init__\.pyc?)$/i.exec(
      path.slice(folder.length + 1),
    ) ?? [];
  if (!modules.has(name.toLowerCase())) return null;
  return `Python takes it for its own module ${name.toLowerCase()}`;
}

/** The same of a link, which may lead to a folder with the code of the module, now or later. */
export function shadowedByLink(path: string, folder: string): string | null {
  return shadowedModule(path, folder) ?? shadowedModule(`${path}/__init__.py`, folder);
}
