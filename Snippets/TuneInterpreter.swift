import TensorFlowLite

var options = Interpreter.Options()
options.threadCount = 2
options.weightCache = try WeightCache(directory: "weights")  // later loads are faster
options.isProfilingEnabled = true
options.logLevel = .warning
options.logHandler = LogHandler { print($0.level, $0.text) }

let interpreter = try Interpreter(modelPath: CommandLine.arguments[1], options: options)
try interpreter.allocateTensors()

// Memory of the tensor itself, without a copy.
try interpreter.withUnsafeMutableInputBytes(at: 0) { bytes in
    for index in bytes.indices { bytes[index] = UInt8(truncatingIfNeeded: index) }
}
let profile = try interpreter.profile {
    for _ in 0..<20 { try interpreter.invoke() }
}
for timing in profile.operators.prefix(5) {
    print(timing.name, timing.total)
}
