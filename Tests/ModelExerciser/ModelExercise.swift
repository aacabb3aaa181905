import Foundation
import HearthModelFile
import TensorFlowLite

/// What is done to one model: it is checked, and what passes is loaded and run on zeros, twice.
enum ModelExercise {
    /// - Returns: `refused`, `unloadable`, `failed` or `ran`, and why.
    static func run(_ data: Data) -> String {
        let model: ModelFile
        do {
            model = try ModelFile(ModelBytes(copying: data))
            try model.checkForLoading()
        } catch {
            return "refused \(error.code.rawValue) \(oneLine(error.message))"
        }
        let interpreter: Interpreter
        do {
            var options = Interpreter.Options()
            options.threadCount = 1
            interpreter = try Interpreter(model: model, options: options)
            try interpreter.allocateTensors()
        } catch {
            return "unloadable \(oneLine("\(error)"))"
        }
        do {
            for _ in 0..<2 {
                try clearInputs(of: interpreter)
                try interpreter.invoke()
            }
        } catch {
            return "failed \(oneLine("\(error)"))"
        }
        return "ran"
    }

    /// Strings and the like have no memory of a fixed size, and stay as they are.
    private static func clearInputs(of interpreter: Interpreter) throws {
        for place in 0..<interpreter.inputTensorCount {
            do {
                try interpreter.withUnsafeMutableInputBytes(at: place) {
                    _ = $0.initializeMemory(as: UInt8.self, repeating: 0)
                }
            } catch InterpreterError.invalidTensorDataType {
                continue
            }
        }
    }

    static func oneLine(_ text: String) -> String {
        String(text.map { $0.isNewline ? " " : $0 })
    }
}
