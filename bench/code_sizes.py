"""Says how much code of a program belongs to which part: functions by the module whose name they carry, before wasm-opt.

usage: python3 bench/code_sizes.py [target/wasm32-unknown-unknown/release/reader.wasm]     (after make dist)
What a part alone needs of a library, or inlines, is not counted with it.
"""

import collections
import re
import sys

OWN = re.compile(r"evalglass(?:::|\.\.|\d+)([a-z_]+)(?:(?:::|\.\.|\d+)([a-z_]+))?")
IMPORTS, CODE, CUSTOM = 2, 10, 0
FUNCTION, TABLE, MEMORY = 0, 1, 2


class Module:
    """A WebAssembly module, read from its start to its end."""

    def __init__(self, data):
        self.data, self.at = data, 8

    def byte(self):
        self.at += 1
        return self.data[self.at - 1]

    def number(self):
        value = shift = 0
        while True:
            byte = self.byte()
            value |= (byte & 127) << shift
            if byte < 128:
                return value
            shift += 7

    def skip(self):
        """A run of bytes with its length before it."""
        n_bytes = self.number()
        self.at += n_bytes
        return self.data[self.at - n_bytes : self.at]

    def limits(self):
        has_max = self.byte() & 1
        self.number()
        if has_max:
            self.number()

    def imported_functions(self):
        n_functions = 0
        for _ in range(self.number()):
            self.skip(), self.skip()
            kind = self.byte()
            if kind == FUNCTION:
                self.number()
                n_functions += 1
            elif kind == TABLE:
                self.byte(), self.limits()
            elif kind == MEMORY:
                self.limits()
            else:
                self.at += 2
        return n_functions

    def functions(self):
        """Bytes and name of every function of its own."""
        n_imported, sizes, names = 0, [], {}
        while self.at < len(self.data):
            section, n_bytes = self.byte(), self.number()
            end = self.at + n_bytes
            if section == IMPORTS:
                n_imported = self.imported_functions()
            elif section == CODE:
                sizes = [len(self.skip()) for _ in range(self.number())]
            elif section == CUSTOM and self.skip() == b"name":
                while self.at < end:
                    kind, part = self.byte(), self.number()
                    after = self.at + part
                    if kind == 1:
                        for _ in range(self.number()):
                            place = self.number()
                            names[place] = self.skip().decode("utf8", "replace")
                    self.at = after
            self.at = end
        if not names:
            sys.exit("its functions have no names: give what cargo has built, not what lies in dist/")
        return [(size, names.get(place, "")) for place, size in enumerate(sizes, n_imported)]


def part(name):
    found = OWN.search(name)
    if not found:
        return "libraries"
    module, inner = found.groups()
    return f"readers::{inner}" if module == "readers" and inner else module


def main():
    path = sys.argv[1] if len(sys.argv) > 1 else "target/wasm32-unknown-unknown/release/reader.wasm"
    with open(path, "rb") as file:
        functions = Module(file.read()).functions()
    sums = collections.Counter()
    for size, name in functions:
        sums[part(name)] += size
    for name, size in sums.most_common():
        print(f"{size / 1000:9.1f} KB  {name}")
    print(f"{sum(sums.values()) / 1000:9.1f} KB  all")


if __name__ == "__main__":
    main()
