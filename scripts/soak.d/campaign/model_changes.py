"""Small changes to what a model says, each of which leaves a file that can be read: see `model_format.py`."""

import copy

from campaign import model_format, small_models

LENGTHS = (0, 1, 1, 2, 3, 4, 5, 8, 16, 255, 65536, -1)
NUMBERS = (0, 1, -1, 2, 3, 4, 7, 127, -128, 255, 32767, 65536, 1 << 20, (1 << 31) - 1, -(1 << 31))
SCALES = (0.0, 1e-30, 1e-9, 0.001, 0.00390625, 0.1, 0.5, 1.0, 2.0, 300.0, 1e5)
# The types that kernels know come up more often than the others.
COMMON_TYPES = [0, 0, 2, 2, 3, 4, 4, 5, 6, 7, 7, 9, 9, 1, 17]
ALL_TYPES = list(range(20))


def mutate(chance, model, others):
    """A copy of `model` with a few changes; `others` are models to take pieces from."""
    model = copy.deepcopy(model)
    for _ in range(chance.choice((1, 1, 1, 2, 2, 3, 5))):
        chance.choice(CHANGES)(Place(chance, model, others))
    return model


class Place:
    """Somewhere in a model: an operator, its subgraph, and one of its tensors."""

    def __init__(self, chance, model, others):
        self.chance, self.model, self.others = chance, model, others
        self.graph = chance.choice(model.get(2) or [{}])
        self.operator = chance.choice(self.graph.get(3) or [{}])
        self.tensors = self.graph.setdefault(0, [])
        used = [
            number for number in self.operator.get(1, []) + self.operator.get(2, []) if 0 <= number < len(self.tensors)]
        self.number = chance.choice(used) if used else 0
        self.tensor = self.tensors[self.number] if self.tensors else {}

    @property
    def code(self):
        codes = self.model.setdefault(1, [{}])
        return codes[min(self.operator.get(0, 0), len(codes) - 1)]

    def buffer(self, tensor):
        """The constant of a tensor, or None."""
        buffers = self.model.get(4, [])
        number = tensor.get(2, 0)
        return buffers[number] if number < len(buffers) and buffers[number].get(0) else None

    def fit(self, tensor):
        """Gives a constant as many bytes as the type and shape of its tensor ask for."""
        buffer = self.buffer(tensor)
        size = byte_count(tensor)
        if buffer and size is not None and size < 1 << 20 and self.chance.random() < 0.85:
            data = buffer[0]
            tensor[2] = len(self.model[4])
            self.model[4].append({0: (data * (size // len(data) + 1))[:size]})


def byte_count(tensor):
    names = {number: name for name, number in small_models.TYPES.items()}
    bits = small_models.BITS.get(names.get(tensor.get(1, 0)))
    if bits is None:
        return None
    for length in tensor.get(0, []):
        bits *= max(length, 0)
    return (bits + 7) // 8


# Operators.

def change_code(place):
    number = place.chance.randrange(len(small_models.OPERATORS))
    place.code.update({0: min(number, 127), 3: number})


def change_version(place):
    place.code[2] = place.chance.choice((0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 12))


def take_operator(place):
    """The code and options of an operator of another model, with these operands."""
    other = place.chance.choice(place.others)
    operator = place.chance.choice(other[2][0].get(3) or [{}])
    if 0 not in operator and not other.get(1):
        return
    place.model[1].append(copy.deepcopy(other[1][operator.get(0, 0)]))
    for field in (3, 4, 5, 11, 12):
        place.operator.pop(field, None)
        if field in operator:
            place.operator[field] = copy.deepcopy(operator[field])
    place.operator[0] = len(place.model[1]) - 1


def _operands(place):
    return place.operator.setdefault(place.chance.choice((1, 1, 2)), [])


def drop_operand(place):
    operands = _operands(place)
    if operands:
        del operands[place.chance.choice((-1, place.chance.randrange(len(operands))))]


def leave_out(place):
    inputs = place.operator.get(1)
    if inputs:
        inputs[place.chance.randrange(len(inputs))] = -1


def add_input(place):
    place.operator.setdefault(1, []).append(place.chance.randrange(-1, len(place.tensors)))


def add_new_input(place):
    place.tensors.append(copy.deepcopy(place.tensor) | {3: b"more"})
    place.graph.setdefault(1, []).append(len(place.tensors) - 1)
    place.operator.setdefault(1, []).append(len(place.tensors) - 1)


def add_output(place):
    place.tensors.append(copy.deepcopy(place.tensor) | {2: 0, 3: b"more", 5: False})
    place.graph.setdefault(2, []).append(len(place.tensors) - 1)
    place.operator.setdefault(2, []).append(len(place.tensors) - 1)


def swap_operands(place):
    operands = _operands(place)
    if len(operands) > 1:
        first, second = place.chance.sample(range(len(operands)), 2)
        operands[first], operands[second] = operands[second], operands[first]


def repeat_operand(place):
    operands = place.operator.get(1, [])
    if len(operands) > 1:
        operands[place.chance.randrange(len(operands))] = place.chance.choice(operands)


def drop_operator(place):
    operators = place.graph.get(3)
    if operators and len(operators) > 1:
        operators.remove(place.operator)


def change_intermediates(place):
    place.operator[8] = [place.chance.randrange(-1, len(place.tensors)) for _ in range(place.chance.choice((1, 5)))]


def change_mutating(place):
    place.operator[7] = [place.chance.random() < 0.5 for _ in place.operator.get(1, [])]


# Options.

def _options(place):
    """The operator's options and their kind."""
    field = 12 if 12 in place.operator else 4
    union = "Options2" if field == 12 else "Options"
    kind = (union, place.operator.get(field - 1, 0))
    return place.operator.get(field), model_format.members(kind, None)


def change_option(place):
    options, fields = _options(place)
    if options is None or not fields:
        return
    number = place.chance.randrange(len(fields))
    if place.chance.random() < 0.1:
        options.pop(number, None)
    else:
        options[number] = _option(place.chance, fields[number], options.get(number))


def _option(chance, kind, old):
    if kind == "s":
        return bytes(chance.choice((0, 1, 30)))
    if kind == "[B":
        return bytes(chance.randrange(256) for _ in range(chance.choice((0, 3, 9))))
    if kind[0] == "[":
        values = list(old or [])
        change = chance.randrange(4)
        if change == 0 and values:
            values.pop()
        elif change == 1 or not values:
            values.append(_option(chance, kind[1], None))
        elif change == 2:
            values = []
        else:
            values[chance.randrange(len(values))] = _option(chance, kind[1], None)
        return values
    if kind == "?":
        return chance.random() < 0.5
    if kind in "fd":
        return chance.choice((0.0, 1.0, -1.0, 0.5, 1e-30, 1e30, float("inf"), float("nan")))
    if kind in "bB":
        return chance.choice((0, 1, 2, 3, 4, 5, 6, 7, 9, 17))
    number = chance.choice(NUMBERS)
    return abs(number) if kind in "IQH" else number


def drop_options(place):
    for field in (3, 4, 11, 12):
        place.operator.pop(field, None)


def change_options_kind(place):
    place.operator[3] = place.chance.randrange(127)


def change_custom_options(place):
    old = bytearray(place.operator.get(5, b""))
    if old and place.chance.random() < 0.9:
        for _ in range(place.chance.choice((1, 1, 2, 4))):
            old[place.chance.randrange(len(old))] = place.chance.choice((0, 1, 2, 4, 8, 36, 127, 128, 255))
        place.operator[5] = bytes(old)
        return
    place.operator[5] = bytes(place.chance.randrange(256) for _ in range(place.chance.choice((1, 4, 20))))


# Tensors.

def change_type(place):
    place.tensor[1] = place.chance.choice(place.chance.choice((COMMON_TYPES, ALL_TYPES)))
    place.fit(place.tensor)


def change_all_types(place):
    """Every tensor of one type gets another, so that operands still agree."""
    old, new = place.tensor.get(1, 0), place.chance.choice(place.chance.choice((COMMON_TYPES, ALL_TYPES)))
    for tensor in place.tensors:
        if tensor.get(1, 0) == old:
            tensor[1] = new
            place.fit(tensor)


def swap_types(place):
    other = place.chance.choice(place.tensors or [{}])
    place.tensor[1], other[1] = other.get(1, 0), place.tensor.get(1, 0)
    place.fit(place.tensor)
    place.fit(other)


def change_length(place):
    shape = list(place.tensor.get(0, []))
    if shape:
        shape[place.chance.randrange(len(shape))] = place.chance.choice(LENGTHS)
        place.tensor[0] = shape
        place.fit(place.tensor)


def change_rank(place):
    shape = list(place.tensor.get(0, []))
    change = place.chance.randrange(5)
    if change == 0:
        shape = []
    elif change == 1 and shape:
        del shape[place.chance.randrange(len(shape))]
    elif change == 2:
        shape.insert(place.chance.randrange(len(shape) + 1), place.chance.choice(LENGTHS))
    elif change == 3:
        shape = [1] * place.chance.choice((1, 2, 3, 4, 5, 6, 7, 8, 9))
    else:
        shape.insert(0, 1)
    place.tensor[0] = shape
    place.tensor.pop(7, None)
    place.fit(place.tensor)


def change_every_rank(place):
    """One more dimension, or one fewer, for all tensors."""
    adds = place.chance.random() < 0.5
    length = place.chance.choice((0, 1, 1, 2))
    for tensor in place.tensors:
        shape = tensor.get(0, [])
        tensor[0] = [length, *shape] if adds else shape[1:]
        tensor.pop(7, None)
        place.fit(tensor)


def scale_lengths(place):
    """One length becomes another wherever it stands, so that shapes still fit."""
    lengths = [length for tensor in place.tensors for length in tensor.get(0, [])]
    if lengths:
        old, new = place.chance.choice(lengths), place.chance.choice(LENGTHS)
        for tensor in place.tensors:
            tensor[0] = [new if length == old else length for length in tensor.get(0, [])]
            place.fit(tensor)


def change_shape_signature(place):
    shape = place.tensor.get(0, [])
    place.tensor[7] = [place.chance.choice((-1, length)) for length in shape]


def change_variable(place):
    place.tensor[5] = not place.tensor.get(5, False)


def change_quantization(place):
    chance, tensor = place.chance, place.tensor
    change = chance.randrange(7)
    quantization = tensor.setdefault(4, {2: [0.1], 3: [0]})
    if change == 0:
        tensor.pop(4)
    elif change == 1:
        quantization[2] = [chance.choice(SCALES)] * len(quantization.get(2) or [0])
        quantization[3] = [0] * len(quantization[2])
    elif change == 2:
        quantization[3] = [chance.choice((0, 1, -1, 3, 127, -128, 128, 255, 32767))] * len(quantization.get(2) or [0])
    elif change == 3 and tensor.get(0):
        dimension = chance.randrange(len(tensor[0]))
        count = min(max(tensor[0][dimension], 0), 1 << 12)
        quantization.update({2: [chance.choice(SCALES[1:])] * count, 3: [0] * count, 6: dimension})
    elif change == 4:
        quantization[6] = chance.choice((0, 1, 2, 3, -1))
    elif change == 5:
        kinds = {5: 2, 6: {0: chance.randrange(len(place.tensors)), 1: chance.randrange(-1, 2), 2: chance.choice(NUMBERS)}}
        quantization.update({4: kinds[5], 5: kinds[6]})
    else:
        for key in (2, 3):
            quantization[key] = list(quantization.get(key) or [])[:chance.choice((0, 1, 2))]


def quantize_all(place):
    """All tensors of small integers get the same scale, or lose theirs."""
    chance = place.chance
    new = None if chance.random() < 0.3 else {2: [chance.choice(SCALES[1:])], 3: [0]}
    for tensor in place.tensors:
        tensor.pop(4, None)
        if new and tensor.get(1, 0) in (2, 3, 4, 7, 9, 17):
            tensor[4] = copy.deepcopy(new)


def change_sparsity(place):
    chance, shape = place.chance, place.tensor.get(0, [])
    if 6 in place.tensor and chance.random() < 0.8:
        _change_one_of_sparsity(chance, place.tensor[6], len(shape))
        return
    if chance.random() < 0.3:
        place.tensor.pop(6, None)
        return
    place.tensor[6] = {
        0: [chance.choice((number, number, 0, -1, 9)) for number in range(len(shape))],
        2: [{0: chance.choice((0, 0, 1)), 1: length} for length in shape],
    }


def _change_one_of_sparsity(chance, sparsity, rank):
    levels = sparsity.setdefault(2, [])
    lists = [sparsity.setdefault(0, []), sparsity.setdefault(1, [])]
    for level in levels:
        lists += [level[field][0] for field in (3, 5) if level.get(field, {}).get(0)]
    change = chance.randrange(6)
    if change == 0:
        # One block more.
        sparsity[1].append(chance.randrange(max(rank, 1)))
        sparsity[0].append(rank + len(sparsity[1]) - 1)
        levels.append({0: 0, 1: chance.choice((1, 2, 2, 4, 16, 0))})
    elif change == 1 and levels:
        chance.choice(levels)[1] = chance.choice(LENGTHS)
    elif change == 2 and levels:
        chance.choice(levels)[0] = chance.choice((0, 1, 1, 2))
    elif change == 3 and levels:
        length = chance.choice((1, 2, 4, 255))
        chance.choice(levels).update({0: 1, 2: 1, 3: {0: list(range(length + 1))}, 4: 1, 5: {0: [0] * length}})
    else:
        numbers = chance.choice(lists)
        if change == 4:
            chance.shuffle(numbers)
        elif numbers:
            numbers[chance.randrange(len(numbers))] = chance.choice((0, 1, 2, 3, 4, 8, 255, -1))


# Values.

def change_constant(place):
    buffer = place.buffer(place.tensor)
    if not buffer:
        return
    data = bytearray(buffer[0])
    width = {2: 4, 4: 8, 0: 4, 7: 2}.get(place.tensor.get(1, 0), 1)
    for _ in range(place.chance.choice((1, 1, 2, 4))):
        position = place.chance.randrange(len(data)) // width * width
        value = place.chance.choice(NUMBERS) & ((1 << 8 * width) - 1)
        data[position:position + width] = value.to_bytes(width, "little")[:len(data) - position]
    buffer[0] = bytes(data)


def change_constant_length(place):
    buffer = place.buffer(place.tensor)
    if buffer:
        buffer[0] = buffer[0][:place.chance.randrange(len(buffer[0]) + 1)] + bytes(place.chance.choice((0, 0, 4, 64)))


def make_constant(place):
    """An input becomes a constant of zeros or of small numbers."""
    inputs = place.graph.get(1, [])
    size = byte_count(place.tensor)
    if place.number in inputs and size and size < 1 << 20:
        inputs.remove(place.number)
        place.tensor[2] = len(place.model[4])
        place.model[4].append({0: bytes(size) if place.chance.random() < 0.5 else bytes([1, 0, 0, 0] * size)[:size]})


def make_input(place):
    """A constant becomes an input."""
    if place.buffer(place.tensor) and place.number not in place.graph.get(1, []):
        place.tensor[2] = 0
        place.graph.setdefault(1, []).append(place.number)


def share_constant(place):
    if place.model.get(4):
        place.tensor[2] = place.chance.randrange(len(place.model[4]))


# The whole.

def change_graph_list(place):
    numbers = place.graph.setdefault(place.chance.choice((1, 2)), [])
    if numbers and place.chance.random() < 0.5:
        numbers.pop(place.chance.randrange(len(numbers)))
    elif place.tensors:
        numbers.append(place.chance.randrange(len(place.tensors)))


def give_out(place):
    """Another tensor among the outputs."""
    if place.number not in place.graph.get(2, []):
        place.graph.setdefault(2, []).append(place.number)


def change_signature(place):
    signatures = place.model.get(7)
    if not signatures:
        place.model[7] = [{
            0: [{0: f"i{number}".encode(), 1: tensor} for number, tensor in enumerate(place.graph.get(1, []))],
            1: [{0: f"o{number}".encode(), 1: tensor} for number, tensor in enumerate(place.graph.get(2, []))],
            2: b"serving_default", 4: place.model[2].index(place.graph)}]
        return
    signature = place.chance.choice(signatures)
    change = place.chance.randrange(3)
    if change == 0:
        signature[4] = place.chance.randrange(len(place.model[2]) + 1)
    elif change == 1 and signature.get(0):
        place.chance.choice(signature[0])[1] = place.chance.randrange(max(len(place.tensors), 1))
    else:
        signatures.append(copy.deepcopy(signature) | {2: b"again"})


def swap_subgraphs(place):
    graphs = place.model[2]
    if len(graphs) > 1:
        first, second = place.chance.sample(range(len(graphs)), 2)
        graphs[first], graphs[second] = graphs[second], graphs[first]


def join(place):
    """The operators of another model run behind those of this one, on tensors and constants of their own."""
    other = copy.deepcopy(place.chance.choice(place.others))
    if len(other[2]) > 1 or len(other[2][0].get(0, [])) > 40 or len(place.tensors) > 200 or place.graph is not place.model[2][0]:
        return
    graph, first, codes, buffers = other[2][0], len(place.tensors), len(place.model[1]), len(place.model[4])
    shift = lambda numbers: [number if number < 0 else number + first for number in numbers]
    place.model[1] += other.get(1, [])
    place.model[4] += other.get(4, [])
    for number, tensor in enumerate(graph.get(0, [])):
        place.tensors.append(tensor | {2: tensor.get(2, 0) + buffers if tensor.get(2, 0) else 0, 3: f"j{first + number}".encode()})
    for operator in graph.get(3, []):
        place.graph[3].append(
            operator | {0: operator.get(0, 0) + codes, 1: shift(operator.get(1, [])), 2: shift(operator.get(2, []))})
    place.model.pop(7, None)
    # What the second one takes comes from the first one where it may.
    taken = shift(graph.get(1, []))
    given = place.graph.get(2, [])
    if taken and given and place.chance.random() < 0.7:
        for operator in place.graph[3]:
            operator[1] = [given[0] if number == taken[0] else number for number in operator.get(1, [])]
        taken = taken[1:]
    place.graph[1] = place.graph.get(1, []) + taken
    place.graph[2] = given + shift(graph.get(2, []))


CHANGES = (
    change_code, change_version, take_operator, take_operator, drop_operand, drop_operand, leave_out, add_input,
    add_new_input, add_output, swap_operands, swap_operands, repeat_operand, drop_operator, change_intermediates,
    change_mutating, change_option, change_option, change_option, drop_options, change_options_kind,
    change_custom_options, change_type, change_type, change_all_types, change_all_types, swap_types, change_length,
    change_length, change_length, change_rank, change_rank, change_every_rank, scale_lengths, scale_lengths,
    change_shape_signature, change_variable, change_quantization, change_quantization, quantize_all, change_sparsity,
    change_constant, change_constant, change_constant, change_constant_length, make_constant, make_constant, make_input,
    make_input, share_constant, change_graph_list, give_out, change_signature, swap_subgraphs, join,
)
