"""Reads and writes TensorFlow Lite models as trees of Python lists and dictionaries, to change them.

A table is a dictionary from the number of a field to its value; fields that a file lacks are absent. Only what
`TABLES` names is read. Offsets, vtables and padding are those of the writer.
"""

import struct

# Kinds of fields: the letters of `struct` for numbers, `?` for truth values, `s` for texts, `*NAME` for a table, `[` before
# the kind of a vector's elements, `|NAME` for the table of a union whose type is the field before.
TABLES = {
    "Model": "I [*Code [*Graph s [*Buffer [i [*Metadata [*Signature",
    "Code": "b s i i",
    "Graph": "[*Tensor [i [i [*Operator s i",
    "Tensor": "[i b I s *Quantization ? *Sparsity [i ? - I",
    "Quantization": "[f [f [f [q B |Details i",
    "Operator": "I [i [i B |Options [B b [? [i Q Q B |Options2 i",
    "Buffer": "[B Q Q",
    "Metadata": "s I",
    "Signature": "[*Name [*Name s - I",
    "Name": "s I",
    "Sparsity": "[i [i [*Dimension",
    "Dimension": "b i B |Indices B |Indices",
}
UNIONS = {
    "Details": {1: "[B", 2: "i i i"},
    "Indices": {1: "[i", 2: "[H", 3: "[B"},
    # By the number of the options' type; types that are not here have no fields.
    "Options": {
        1: "b i i b i i b", 2: "b i i i b i i", 3: "i [i [i", 4: "b", 5: "b i i i i b", 6: "i b ?", 7: "b ?",
        8: "b b ? ? b", 9: "f", 10: "i b", 11: "b ?", 12: "b", 13: "i f f f", 14: "b f f b ?", 15: "i i ? ?", 16: "I",
        17: "[i", 18: "i i ?", 19: "i", 20: "b", 21: "b", 23: "i i", 27: "?", 28: "b ?", 29: "b", 30: "[i", 31: "? b ?",
        32: "i i i i i ?", 35: "i", 37: "b b", 40: "b", 49: "b i i b b", 50: "?", 55: "b", 57: "b", 58: "f f i ?",
        59: "i i", 61: "i", 64: "i i", 69: "b f f ? ? ?", 70: "? b ? ?", 71: "b f f ? ? ?", 74: "? ?", 75: "f", 77: "b",
        79: "i", 80: "b", 87: "i i", 92: "i i", 93: "i i", 94: "i", 101: "? ? ?", 102: "? ?", 103: "i",
        106: "b i i i b i i i", 107: "i b b", 111: "s s", 114: "q q", 115: "[f", 116: "?",
    },
    "Options2": {
        1: "q", 2: "[q", 3: "[q [q [q",
        4: "[q [q [q [q [? q q [q q q [q q q [q q q [I", 5: "s ? s i [i [B", 6: "[q i", 7: "? [q [q [q q ? i", 8: "I I",
        9: "[q", 10: "[q [q [q", 11: "q", 12: "[q [q [q [q [I", 13: "[q [q [q [q [q i", 14: "q ? i", 15: "i i",
        16: "[q [q [q q [q ?", 17: "[q", 19: "b", 20: "i", 21: "s i [B b i", 23: "[i",
    },
}
WIDTHS = {kind: struct.calcsize("<" + kind) for kind in "bBhHiIqQfd?"}
_FIELDS = {name: fields.split() for name, fields in TABLES.items()}
_UNION_FIELDS = {
    name: {number: fields.split() for number, fields in members.items()} for name, members in UNIONS.items()
}


def members(kind, table):
    """The kinds of the fields of a table. `kind` is a name, or that of a union with the number of its type."""
    return _FIELDS[kind] if isinstance(kind, str) else _UNION_FIELDS[kind[0]].get(kind[1], [])


def kind_of(kind, table, number):
    """What stands in field `number`: a kind of `TABLES`, the type of a union filled in."""
    field = members(kind, table)[number]
    return ("|", (field[1:], table.get(number - 1, 0))) if field[0] == "|" else field


# Reading.

def read(data):
    """The model in `data`. Raises struct.error, IndexError or ValueError where it is none."""
    return _read_table(data, struct.unpack_from("<I", data)[0], "Model")


def _read_table(data, position, kind):
    vtable = position - struct.unpack_from("<i", data, position)[0]
    count = (struct.unpack_from("<H", data, vtable)[0] - 4) // 2
    offsets = struct.unpack_from(f"<{count}H", data, vtable + 4)
    table = {}
    for number in range(min(count, len(members(kind, table)))):
        field = kind_of(kind, table, number)
        if offsets[number] and field != "-":
            table[number] = _read_field(data, position + offsets[number], field)
    return table


def _read_field(data, position, kind):
    if kind[0] in WIDTHS:
        return struct.unpack_from("<" + kind[0], data, position)[0]
    position += struct.unpack_from("<I", data, position)[0]
    if kind[0] == "*":
        return _read_table(data, position, kind[1:])
    if kind[0] == "|":
        return _read_table(data, position, kind[1])
    count = struct.unpack_from("<I", data, position)[0]
    if count > len(data):
        raise ValueError("a vector is longer than its file")
    position += 4
    if kind in ("s", "[B"):
        return bytes(data[position:position + count])
    if kind[1] == "*":
        return [_read_field(data, position + 4 * number, kind[1:]) for number in range(count)]
    return list(struct.unpack_from(f"<{count}{kind[1]}", data, position))


# Writing.

def write(model):
    """The bytes of a file that holds `model`."""
    out = bytearray(8)
    out[4:8] = b"TFL3"
    struct.pack_into("<I", out, 0, _write_table(out, model, "Model"))
    return bytes(out)


def _align(out, width, beyond=0):
    out.extend(bytes(-(len(out) + beyond) % width))


def _write_table(out, table, kind):
    """Where the table begins. What it refers to comes behind it."""
    kinds = {
        number: kind_of(kind, table, number)
        for number in sorted(table) if number < len(members(kind, table)) and members(kind, table)[number] != "-"
    }
    size, places = 4, {}
    for number, field in kinds.items():
        width = WIDTHS.get(field[0], 4)
        size += -size % width
        places[number] = size
        size += width
    count = max(kinds, default=-1) + 1
    _align(out, 8, 4 + 2 * count)
    vtable = len(out)
    out += struct.pack("<HH", 4 + 2 * count, size)
    out += struct.pack(f"<{count}H", *(places.get(number, 0) for number in range(count)))
    start = len(out)
    out += struct.pack("<i", start - vtable) + bytes(size - 4)
    for number, field in kinds.items():
        place = start + places[number]
        if field[0] in WIDTHS:
            struct.pack_into("<" + field[0], out, place, table[number])
        else:
            target = _write_target(out, table[number], field)
            struct.pack_into("<I", out, place, target - place)
    return start


def _write_target(out, value, kind):
    if kind[0] == "*":
        return _write_table(out, value, kind[1:])
    if kind[0] == "|":
        return _write_table(out, value, kind[1])
    if kind in ("s", "[B"):
        # Constants lie at multiples of 16; names end with a zero.
        _align(out, 4 if kind == "s" else 16, 4)
        start = len(out)
        out += struct.pack("<I", len(value)) + value + (b"\0" if kind == "s" else b"")
        return start
    width = 4 if kind[1] == "*" else WIDTHS[kind[1]]
    _align(out, max(width, 4), 4)
    start = len(out)
    out += struct.pack("<I", len(value))
    if kind[1] != "*":
        out += struct.pack(f"<{len(value)}{kind[1]}", *value)
        return start
    places = len(out)
    out += bytes(4 * len(value))
    for number, element in enumerate(value):
        place = places + 4 * number
        struct.pack_into("<I", out, place, _write_table(out, element, kind[2:]) - place)
    return start
