import CEngineLoop
import TensorFlowLite

/// Hearth's `Interpreter`, called as its documentation says.
final class HearthContestant: Contestant {
    private let interpreter: Interpreter
    private let inputs: [CallerBytes]
    private let outputs: [CallerBytes]

    init(modelPath: String, threads: Int) throws {
        var options = Interpreter.Options()
        options.threadCount = threads
        interpreter = try Interpreter(modelPath: modelPath, options: options)
        try interpreter.allocateTensors()
        var inputs: [CallerBytes] = []
        for index in 0..<interpreter.inputTensorCount {
            inputs.append(CallerBytes(count: try interpreter.withUnsafeMutableInputBytes(at: index) { $0.count }))
            inputs[index].fill()
        }
        var outputs: [CallerBytes] = []
        for index in 0..<interpreter.outputTensorCount {
            outputs.append(CallerBytes(count: try interpreter.withUnsafeOutputBytes(at: index) { $0.count }))
        }
        self.inputs = inputs
        self.outputs = outputs
    }

    func runWithCopies(_ count: Int) throws {
        for _ in 0..<count {
            for index in inputs.indices {
                let bytes = inputs[index].bytes
                try interpreter.withUnsafeMutableInputBytes(at: index) { $0.copyMemory(from: .init(bytes)) }
            }
            try interpreter.invoke()
            for index in outputs.indices {
                let bytes = outputs[index].bytes
                try interpreter.withUnsafeOutputBytes(at: index) { bytes.copyMemory(from: $0) }
            }
        }
    }

    func run(_ count: Int) throws {
        for _ in 0..<count {
            try interpreter.invoke()
        }
    }

    var output: [UInt8] { Array(outputs[0].bytes) }
}

/// Bytes of a caller, who has them elsewhere than the interpreter does.
private final class CallerBytes {
    let bytes: UnsafeMutableRawBufferPointer

    init(count: Int) {
        bytes = .allocate(byteCount: count, alignment: 16)
    }

    deinit {
        bytes.deallocate()
    }

    func fill() {
        fill_input(bytes.baseAddress, bytes.count)
    }
}
