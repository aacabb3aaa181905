import TensorFlowLite

let interpreter = try Interpreter(modelPath: CommandLine.arguments[1])
try interpreter.allocateTensors()
let input = try interpreter.inputDescription(at: 0)
print("takes", input.name, input.dataType, input.shape.dimensions)

let count = input.shape.dimensions.reduce(1, *)
try interpreter.copy(quantizing: Array(repeating: 0.5, count: count), toInputAt: 0)
try await interpreter.invokeInBackground()

print("gives", try interpreter.output(at: 0).dequantizedValues().prefix(10))
