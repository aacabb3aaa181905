import Foundation
import Testing

@testable import TensorFlowLite

extension OriginalBehaviorTests {
    struct OptionsDeclarations {
        @Test func beginWithTheOriginalsDefaults() {
            let options = Interpreter.Options()
            #expect(options.threadCount == nil)
            #expect(options.isXNNPackEnabled == false)
        }

        @Test func areEqualAndHashableByValue() {
            let two = Interpreter.Options.with { $0.threadCount = 2 }
            #expect(two == .with { $0.threadCount = 2 })
            #expect(two != Interpreter.Options())
            #expect(Set([two, two, .with { $0.isXNNPackEnabled = true }, .init()]).count == 3)
        }

        @Test(arguments: [nil, 0, -1, .min] as [Int?])
        func threadCountOfZeroOrLessIsIgnored(threadCount: Int?) {
            #expect(CompileOptions.threads(threadCount) == 1)
        }

        @Test func threadCountIsTheNumberOfThreads() {
            let processors = ProcessInfo.processInfo.activeProcessorCount
            #expect((1...processors).map { CompileOptions.threads($0) } == Array(1...processors))
            #expect(CompileOptions.threads(.max) == processors)
        }

        @available(*, deprecated, message: "Uses the deprecated name.")
        @Test func haveTheirFormerName() {
            var options = InterpreterOptions()
            options.threadCount = 2
            #expect(options == Interpreter.Options.with { $0.threadCount = 2 })
        }
    }
}
