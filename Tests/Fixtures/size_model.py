"""Builds the models of make_size_models.py, make_shape_models.py and make_scale_models.py."""

import pathlib

import flatbuffers
import numpy as np
from tensorflow.lite.python import schema_py_generated as schema

Op = schema.BuiltinOperator
Options = schema.BuiltinOptions
Type = schema.TensorType

FOLDER = pathlib.Path(__file__).parent / "sizes"
TYPES = {
    np.dtype(np.float32): Type.FLOAT32,
    np.dtype(np.int32): Type.INT32,
    np.dtype(np.int64): Type.INT64,
    np.dtype(np.uint64): Type.UINT64,
    np.dtype(np.uint8): Type.UINT8,
    np.dtype(np.int8): Type.INT8,
    np.dtype(np.bool_): Type.BOOL,
    np.dtype(np.complex64): Type.COMPLEX64,
}


class Model:
    """Subgraphs, built one after the other. Equal constants and operator codes are stored once."""

    def __init__(self):
        self.table = schema.ModelT()
        self.table.version = 3
        self.table.description = "Made for Hearth's tests."
        self.table.operatorCodes = []
        self.table.buffers = [schema.BufferT()]
        self.table.subgraphs = []
        self.table.signatureDefs = []
        self.codes, self.buffers = {}, {}

    def code(self, name):
        if name not in self.codes:
            code = schema.OperatorCodeT()
            code.builtinCode = getattr(Op, name, Op.CUSTOM)
            code.customCode = None if hasattr(Op, name) else name
            code.deprecatedBuiltinCode = min(code.builtinCode, 127)
            code.version = VERSIONS.get(name, 1)
            self.codes[name] = len(self.table.operatorCodes)
            self.table.operatorCodes.append(code)
        return self.codes[name]

    def buffer(self, data):
        if data not in self.buffers:
            buffer = schema.BufferT()
            buffer.data = np.frombuffer(data, dtype=np.uint8)
            self.buffers[data] = len(self.table.buffers)
            self.table.buffers.append(buffer)
        return self.buffers[data]

    def save(self, name, folder=FOLDER):
        builder = flatbuffers.Builder(1024)
        builder.Finish(self.table.Pack(builder), b"TFL3")
        folder.mkdir(exist_ok=True)
        (folder / name).write_bytes(bytes(builder.Output()))


class Graph:
    """A subgraph with a signature of the same name."""

    def __init__(self, model, name):
        self.model, self.name = model, name
        self.table = schema.SubGraphT()
        self.table.name, self.table.tensors, self.table.operators = name, [], []
        self.inputs, self.zeros = [], {}
        model.table.subgraphs.append(self.table)

    def tensor(self, name, shape, type=Type.FLOAT32, is_open=False):
        """`is_open` leaves all sizes open."""
        tensor = schema.TensorT()
        tensor.name, tensor.shape, tensor.type = name, list(shape), type
        if is_open:
            tensor.shapeSignature = [-1] * len(tensor.shape)
        self.table.tensors.append(tensor)
        return len(self.table.tensors) - 1

    def input(self, name, shape, type=Type.FLOAT32, is_open=False):
        self.inputs.append(self.tensor(name, shape, type, is_open))
        return self.inputs[-1]

    def constant(self, values):
        index = self.tensor("constant", values.shape, TYPES[values.dtype])
        self.table.tensors[index].buffer = self.model.buffer(values.tobytes())
        return index

    def operator(self, name, inputs, outputs, /, **options):
        operator = schema.OperatorT()
        operator.opcodeIndex = self.model.code(name)
        operator.inputs, operator.outputs = inputs, outputs
        kind = OPTION_NAMES.get(name, "".join(part.capitalize() for part in name.split("_"))) + "Options"
        if hasattr(schema, kind + "T"):
            table = getattr(schema, kind + "T")()
            for key, value in options.items():
                assert hasattr(table, key), (name, key)
                setattr(table, key, value)
            if hasattr(schema.BuiltinOptions2, kind):
                operator.builtinOptions2Type = getattr(schema.BuiltinOptions2, kind)
                operator.builtinOptions2 = table
            else:
                operator.builtinOptionsType = getattr(Options, kind)
                operator.builtinOptions = table
        else:
            assert not options, name
        self.table.operators.append(operator)

    def zero(self, dtype, is_scalar):
        """0 from an input, which tests leave as it is."""
        if (dtype, is_scalar) not in self.zeros:
            if is_scalar:
                zero = self.tensor("zero", [], TYPES[dtype])
                self.operator("SUM", [self.zero(dtype, False), self.constant(np.zeros(1, np.int32))], [zero])
            else:
                zero = self.input(f"zero {dtype.name}", [1], TYPES[dtype])
            self.zeros[dtype, is_scalar] = zero
        return self.zeros[dtype, is_scalar]

    def computed(self, values):
        """The same as a constant, but the engine does not know the values before a run."""
        plain = values.dtype if values.dtype in (np.float32, np.int32) else np.dtype(np.int32)
        sum = self.tensor("sum", values.shape, TYPES[plain])
        self.operator("ADD", [self.constant(values.real.astype(plain)), self.zero(plain, values.ndim == 0)], [sum])
        if plain == values.dtype:
            return sum
        cast = self.tensor("cast", values.shape, TYPES[values.dtype])
        self.operator("CAST", [sum], [cast])
        return cast

    def finish(self, outputs, is_called=False):
        """A subgraph that an operator calls has no signature."""
        self.table.inputs, self.table.outputs = self.inputs, outputs
        if is_called:
            return
        signature = schema.SignatureDefT()
        signature.signatureKey = self.name
        signature.subgraphIndex = len(self.model.table.subgraphs) - 1
        signature.inputs = [self.entry(self.table.tensors[index].name, index) for index in self.inputs]
        signature.outputs = [self.entry(f"y{place}", index) for place, index in enumerate(outputs)]
        self.model.table.signatureDefs.append(signature)

    @staticmethod
    def entry(name, index):
        entry = schema.TensorMapT()
        entry.name, entry.tensorIndex = name, index
        return entry


# Where the engine has no version 1.
VERSIONS = {"BROADCAST_TO": 2}

# Where the name of the options does not follow from the operator's.
OPTION_NAMES = {
    "AVERAGE_POOL_2D": "Pool2D", "MAX_POOL_2D": "Pool2D", "L2_POOL_2D": "Pool2D", "CONV_2D": "Conv2D",
    "CONV_3D": "Conv3D", "CONV_3D_TRANSPOSE": "Conv3D", "DEPTHWISE_CONV_2D": "DepthwiseConv2D", "L2_NORMALIZATION": "L2Norm",
    "PADV2": "PadV2", "TOPK_V2": "TopKV2", "RFFT2D": "Rfft2d", "MEAN": "Reducer", "SUM": "Reducer", "REDUCE_ALL": "Reducer",
    "REDUCE_ANY": "Reducer", "REDUCE_MAX": "Reducer", "REDUCE_MIN": "Reducer", "REDUCE_PROD": "Reducer",
    "SPACE_TO_BATCH_ND": "SpaceToBatchND", "BATCH_TO_SPACE_ND": "BatchToSpaceND", "MAXIMUM": "MaximumMinimum",
    "MINIMUM": "MaximumMinimum", "RANDOM_STANDARD_NORMAL": "Random", "RANDOM_UNIFORM": "Random", "MULTINOMIAL": "Random",
    "LSH_PROJECTION": "LSHProjection", "STABLEHLO_COMPOSITE": "StableHLOComposite",
}
