import Foundation
import TensorFlowLite

extension Interpreter {
    /// Copies `elements` to input 0, runs, and returns output 0.
    func run<Element: BitwiseCopyable>(_ elements: [Element]) throws -> [Element] {
        try copy(Data(elements: elements), toInputAt: 0)
        try invoke()
        return try output(at: 0).data.elements(Element.self)
    }

    /// Copies the limit to the second input of `counting_loop` and sets the counter to 0.
    func setLimit(_ limit: Float) throws {
        try copy(Data(elements: [Float(0)]), toInputAt: 0)
        try copy(Data(elements: [limit]), toInputAt: 1)
    }
}

extension Interpreter.Options {
    /// Options with some of them set.
    static func with(_ change: (inout Self) throws -> Void) rethrows -> Self {
        var options = Self()
        try change(&options)
        return options
    }
}

/// The text of a `tensorFlowLiteError`; empty for anything else.
func reason(_ error: (any Error)?) -> String {
    guard case .tensorFlowLiteError(let text)? = error as? InterpreterError else { return "" }
    return text
}
