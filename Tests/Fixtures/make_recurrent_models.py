"""Makes the small models with state in Tests/Fixtures/recurrent, and what the engine's own interpreter answers.

Run with a Python that has TensorFlow (only its schema of the model file is used) and the engine:

    pip install tensorflow ai-edge-litert==2.3.0
    python Tests/Fixtures/make_recurrent_models.py

Each model has one operator. It is run RUNS times in a row; a reset of its state must bring the first answer back.
Inputs and answers go to expected.json as base64 of the raw bytes. The files are committed, so tests need neither Python nor the engine.
Same script, same models.
"""

import base64
import json
import pathlib

import flatbuffers
import numpy as np
from ai_edge_litert.interpreter import Interpreter
from tensorflow.lite.python import schema_py_generated as schema

Op = schema.BuiltinOperator
Options = schema.BuiltinOptions
Type = schema.TensorType

FOLDER = pathlib.Path(__file__).parent / "recurrent"
RUNS = 3
NONE, RELU, RELU_TO_ONE, RELU6, TANH, SIGN_BIT = range(6)
NUMPY_TYPES = {
    np.dtype(np.float32): Type.FLOAT32,
    np.dtype(np.int32): Type.INT32,
    np.dtype(np.int16): Type.INT16,
    np.dtype(np.int8): Type.INT8,
}

expected = {}


class Graph:
    """A model of one operator, built tensor by tensor."""

    def __init__(self, name):
        self.name = name
        # The name is the seed: a new case changes none of the others.
        self.random = np.random.default_rng(list(name.encode()))
        self.model = schema.ModelT()
        self.model.version = 3
        self.model.description = "Made for Hearth's tests."
        self.model.buffers = [schema.BufferT()]
        self.subgraph = schema.SubGraphT()
        self.subgraph.tensors = []
        self.model.subgraphs = [self.subgraph]

    def tensor(self, name, shape, type=Type.FLOAT32, scale=None, zero_point=0, variable=False):
        tensor = schema.TensorT()
        tensor.name = name
        tensor.shape = list(shape)
        tensor.type = type
        tensor.isVariable = variable
        if scale is not None:
            tensor.quantization = schema.QuantizationParametersT()
            tensor.quantization.scale = [scale]
            tensor.quantization.zeroPoint = [zero_point]
        self.subgraph.tensors.append(tensor)
        return len(self.subgraph.tensors) - 1

    def constant(self, values, scale=None):
        index = self.tensor(None, values.shape, NUMPY_TYPES[values.dtype], scale)
        buffer = schema.BufferT()
        buffer.data = np.frombuffer(values.tobytes(), dtype=np.uint8)
        self.model.buffers.append(buffer)
        self.subgraph.tensors[index].buffer = len(self.model.buffers) - 1
        return index

    def floats(self, *shape, spread=0.5):
        return self.constant(self.random.normal(0, spread, shape).astype(np.float32))

    def weights(self, *shape, spread=0.5, quantized=False):
        """Floats; where `quantized`, as int8 over their own range."""
        if not quantized:
            return self.floats(*shape, spread=spread)
        values = self.random.normal(0, spread, shape)
        scale = abs(values).max() / 127
        return self.constant(np.round(values / scale).astype(np.int8), scale)

    def operator(self, code, inputs, outputs, options, version, intermediates=None):
        operator_code = schema.OperatorCodeT()
        operator_code.builtinCode = code
        operator_code.deprecatedBuiltinCode = code
        operator_code.version = version
        self.model.operatorCodes = [operator_code]
        operator = schema.OperatorT()
        operator.inputs = inputs
        operator.outputs = outputs
        operator.intermediates = intermediates
        operator.builtinOptionsType = getattr(Options, type(options).__name__.removesuffix("T"))
        operator.builtinOptions = options
        self.subgraph.operators = [operator]
        self.subgraph.inputs = [inputs[0]]
        self.subgraph.outputs = outputs

    def save(self):
        builder = flatbuffers.Builder(1024)
        builder.Finish(self.model.Pack(builder), b"TFL3")
        content = bytes(builder.Output())
        (FOLDER / f"{self.name}.tflite").write_bytes(content)
        expected[self.name] = self.answers(content)

    def answers(self, content):
        interpreter = Interpreter(model_content=content)
        interpreter.allocate_tensors()
        source, target = interpreter.get_input_details()[0], interpreter.get_output_details()[0]
        inputs = [self.values(source["shape"], source["dtype"]) for _ in range(RUNS)]

        def run(values):
            interpreter.set_tensor(source["index"], values)
            interpreter.invoke()
            return interpreter.get_tensor(target["index"]).copy()

        outputs = [run(values) for values in inputs]
        interpreter.reset_all_variables()
        assert run(inputs[0]).tobytes() == outputs[0].tobytes(), "a reset does not bring back the first state"
        return {
            "inputShape": source["shape"].tolist(),
            "outputShape": target["shape"].tolist(),
            "isFloat": target["dtype"] == np.float32,
            "inputs": [base64.b64encode(v.tobytes()).decode() for v in inputs],
            "outputs": [base64.b64encode(v.tobytes()).decode() for v in outputs],
        }

    def values(self, shape, type):
        if type == np.int8:
            return self.random.integers(-128, 128, shape, dtype=np.int8)
        return self.random.normal(0, 1, shape).astype(np.float32)


def sequence_shape(sequence, time_major, batch, steps, depth):
    if not sequence:
        return [batch, depth]
    return [steps, batch, depth] if time_major else [batch, steps, depth]


def lstm_options(sequence, activation, cell_clip, projection_clip, time_major):
    options = schema.UnidirectionalSequenceLSTMOptionsT() if sequence else schema.LSTMOptionsT()
    options.fusedActivationFunction = activation
    options.cellClip = cell_clip
    options.projClip = projection_clip
    if sequence:
        options.timeMajor = time_major
    return options


def lstm(
    name, sequence=True, time_major=False, batch=2, steps=3, depth=5, cells=6, activation=TANH, coupled=False,
    peephole=False, projection=0, projection_bias=False, layer_norm=False, cell_clip=0.0, projection_clip=0.0,
    slots=24, shared_bias=False, spread=0.5, hybrid=None,
):
    """`coupled` leaves the input gate out; `projection` is the number of outputs, 0 for none.

    `hybrid`: None for float weights, else int8 weights and whether inputs are quantized asymmetrically.
    """
    graph = Graph(name)
    int8 = hybrid is not None
    outputs = projection or cells
    gates = range(1 if coupled else 0, 4)
    inputs = [-1] * slots
    inputs[0] = graph.tensor("input", sequence_shape(sequence, time_major, batch, steps, depth))
    for gate in gates:
        inputs[1 + gate] = graph.weights(cells, depth, spread=spread, quantized=int8)
        inputs[5 + gate] = graph.weights(cells, outputs, spread=spread, quantized=int8)
        shares = shared_bias and gate == 2
        inputs[12 + gate] = inputs[13] if shares else graph.floats(cells)
        if layer_norm:
            inputs[20 + gate] = graph.floats(cells)
        if peephole and gate != 2:
            inputs[{0: 9, 1: 10, 3: 11}[gate]] = graph.weights(cells, quantized=int8)
    if projection:
        inputs[16] = graph.weights(outputs, cells, quantized=int8)
        if projection_bias:
            inputs[17] = graph.floats(outputs)
    inputs[18] = graph.tensor("hidden state", [batch, outputs], variable=True)
    inputs[19] = graph.tensor("cell state", [batch, cells], variable=True)
    output = graph.tensor("output", sequence_shape(sequence, time_major, batch, steps, outputs))
    options = lstm_options(sequence, activation, cell_clip, projection_clip, time_major)
    options.asymmetricQuantizeInputs = bool(hybrid)
    graph.operator(
        Op.UNIDIRECTIONAL_SEQUENCE_LSTM if sequence else Op.LSTM, inputs, [output], options, 1)
    graph.save()


def int8_lstm(
    name, sequence=True, time_major=False, batch=2, steps=3, depth=5, cells=6, coupled=False, cell_clip=0.0,
    cell_power=-11, weight_scale=0.01, hidden_scale=0.0078125, hidden_zero_point=-5, intermediate=None,
):
    """int8 activations and weights, int16 cell state. `intermediate`: scale and zero point other than the state's."""
    graph = Graph(name)
    input_scale = 0.02
    inputs = [-1] * 24
    shape = sequence_shape(sequence, time_major, batch, steps, depth)
    inputs[0] = graph.tensor("input", shape, Type.INT8, input_scale, 3)

    def weights(*shape):
        scale = weight_scale * graph.random.uniform(0.8, 1.2)
        return graph.constant(graph.random.integers(-127, 128, shape, dtype=np.int8), scale)

    for gate in range(1 if coupled else 0, 4):
        inputs[1 + gate] = weights(cells, depth)
        inputs[5 + gate] = weights(cells, cells)
        bias = graph.random.integers(-2000, 2001, cells, dtype=np.int32)
        inputs[12 + gate] = graph.constant(bias, input_scale * weight_scale)
    inputs[18] = graph.tensor("hidden state", [batch, cells], Type.INT8, hidden_scale, hidden_zero_point, True)
    inputs[19] = graph.tensor("cell state", [batch, cells], Type.INT16, 2.0**cell_power, 0, True)
    shape = sequence_shape(sequence, time_major, batch, steps, cells)
    output = graph.tensor("output", shape, Type.INT8, hidden_scale, hidden_zero_point)
    intermediates = [graph.tensor(f"intermediate {gate}", [], Type.INT16, 2.0**-12) for gate in range(4)]
    scale, zero_point = intermediate or (hidden_scale, hidden_zero_point)
    intermediates.append(graph.tensor("intermediate output", [], Type.INT8, scale, zero_point))
    options = lstm_options(sequence, TANH, cell_clip, 0.0, time_major)
    code = Op.UNIDIRECTIONAL_SEQUENCE_LSTM if sequence else Op.LSTM
    graph.operator(code, inputs, [output], options, 1, intermediates)
    graph.save()


def rnn(name, sequence=True, time_major=False, batch=2, steps=3, depth=5, units=6, activation=TANH, hybrid=None):
    graph = Graph(name)
    int8 = hybrid is not None
    inputs = [
        graph.tensor("input", sequence_shape(sequence, time_major, batch, steps, depth)),
        graph.weights(units, depth, quantized=int8),
        graph.weights(units, units, spread=0.3, quantized=int8),
        graph.floats(units),
        graph.tensor("hidden state", [batch, units], variable=True),
    ]
    output = graph.tensor("output", sequence_shape(sequence, time_major, batch, steps, units))
    options = schema.SequenceRNNOptionsT() if sequence else schema.RNNOptionsT()
    options.fusedActivationFunction = activation
    options.asymmetricQuantizeInputs = bool(hybrid)
    if sequence:
        options.timeMajor = time_major
    graph.operator(Op.UNIDIRECTIONAL_SEQUENCE_RNN if sequence else Op.RNN, inputs, [output], options, 1)
    graph.save()


def svdf(name, batch=2, depth=5, units=3, rank=2, memory=4, bias=True, activation=NONE, hybrid=None):
    graph = Graph(name)
    int8 = hybrid is not None
    filters = units * rank
    inputs = [
        graph.tensor("input", [batch, depth]),
        graph.weights(filters, depth, quantized=int8),
        graph.weights(filters, memory, quantized=int8),
        graph.floats(units) if bias else -1,
        graph.tensor("state", [batch, filters * memory], variable=True),
    ]
    output = graph.tensor("output", [batch, units])
    options = schema.SVDFOptionsT()
    options.rank = rank
    options.fusedActivationFunction = activation
    options.asymmetricQuantizeInputs = bool(hybrid)
    graph.operator(Op.SVDF, inputs, [output], options, 1)
    graph.save()


FOLDER.mkdir(exist_ok=True)

lstm("lstm_step", sequence=False)
lstm("lstm_20_slots", sequence=False, slots=20, peephole=True)
lstm("lstm_step_everything", sequence=False, peephole=True, projection=4, projection_bias=True, layer_norm=True)
lstm("sequence_lstm")
lstm("sequence_lstm_wide", depth=11, cells=10)
lstm("sequence_lstm_time_major", time_major=True, batch=3, steps=5)
lstm("sequence_lstm_coupled", coupled=True)
lstm("sequence_lstm_peephole", peephole=True)
lstm("sequence_lstm_coupled_peephole", coupled=True, peephole=True)
lstm("sequence_lstm_projection", projection=4)
lstm("sequence_lstm_projection_bias", projection=4, projection_bias=True)
lstm("sequence_lstm_projection_clip", projection=4, projection_clip=0.25)
lstm("sequence_lstm_layer_norm", layer_norm=True)
lstm("sequence_lstm_cell_clip", cell_clip=0.4, spread=1)
lstm("sequence_lstm_shared_bias", shared_bias=True)
lstm("sequence_lstm_relu", activation=RELU)
lstm("sequence_lstm_relu_to_one", activation=RELU_TO_ONE, spread=1)
lstm("sequence_lstm_relu6", activation=RELU6, spread=2)
lstm("sequence_lstm_sign_bit", activation=SIGN_BIT)
lstm(
    "sequence_lstm_everything", time_major=True, coupled=True, peephole=True, projection=3, projection_bias=True,
    layer_norm=True, cell_clip=1.5, projection_clip=0.5)

rnn("rnn_step", sequence=False)
rnn("rnn_step_linear", sequence=False, activation=NONE)
rnn("rnn_step_relu", sequence=False, activation=RELU)
rnn("sequence_rnn", depth=9, units=10)
rnn("sequence_rnn_time_major", time_major=True, batch=3)
rnn("sequence_rnn_relu6", activation=RELU6)

svdf("svdf")
svdf("svdf_no_bias", bias=False)
svdf("svdf_rank_one", rank=1, memory=9)
svdf("svdf_relu", activation=RELU)
svdf("svdf_one_memory", memory=1, activation=TANH)

int8_lstm("int8_lstm_step", sequence=False)
int8_lstm("int8_sequence_lstm", batch=3, steps=6, depth=9, cells=10)
int8_lstm("int8_sequence_lstm_time_major", time_major=True)
int8_lstm("int8_sequence_lstm_coupled", coupled=True)
int8_lstm("int8_sequence_lstm_cell_clip", cell_clip=0.7, cell_power=-12)
int8_lstm("int8_sequence_lstm_large_weights", weight_scale=0.1, cell_power=-9)
int8_lstm("int8_sequence_lstm_fine_cell", cell_power=-15)
int8_lstm("int8_sequence_lstm_intermediate", intermediate=(0.009, 11))

lstm("hybrid_lstm_step", sequence=False, hybrid=False)
lstm("hybrid_lstm_step_asymmetric", sequence=False, hybrid=True)
lstm("hybrid_sequence_lstm", hybrid=False, depth=9, cells=10)
lstm("hybrid_sequence_lstm_asymmetric", hybrid=True, depth=9, cells=10)
lstm(
    "hybrid_sequence_lstm_everything", hybrid=True, time_major=True, peephole=True, projection=3,
    projection_bias=True, layer_norm=True, cell_clip=1.5, projection_clip=0.5)
lstm("hybrid_sequence_lstm_coupled_peephole", hybrid=False, coupled=True, peephole=True, projection=4)
rnn("hybrid_rnn_step", sequence=False, hybrid=False)
rnn("hybrid_sequence_rnn_asymmetric", hybrid=True)
svdf("hybrid_svdf", hybrid=False)
svdf("hybrid_svdf_asymmetric", hybrid=True)

(FOLDER / "expected.json").write_text(json.dumps(expected, indent=1) + "\n")
