import TensorFlowLite

let interpreter = try Interpreter(modelPath: CommandLine.arguments[1])

for key in interpreter.signatureKeys {
    let runner = try interpreter.signatureRunner(with: key)
    for name in runner.inputs {
        print(key, "takes", name, try runner.inputDescription(named: name).shape.dimensions)
    }
    try runner.invoke(with: [:])  // inputs keep their values, which are zeros at first
    for name in runner.outputs {
        print(key, "gives", name, try runner.output(named: name).shape.dimensions)
    }
}
