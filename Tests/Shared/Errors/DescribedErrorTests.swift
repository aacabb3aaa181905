import Foundation
import HearthErrors
import Testing

@Suite struct DescribedErrorTests {
    private struct SampleError: DescribedError, Hashable {
        enum Code { case lost, late }

        let code: Code
        let message: String
        let cause: (any Error)?

        init(_ code: Code, _ message: String, cause: (any Error)? = nil) {
            self.code = code
            self.message = message
            self.cause = cause
        }
    }

    @Test("Every way to print the error gives its message")
    func texts() {
        let error: any Error = SampleError(.lost, "the file is lost; send it again")
        #expect("\(error)" == "the file is lost; send it again")
        #expect(error.localizedDescription == "the file is lost; send it again")
    }

    @Test("Errors are equal if code and message are, whatever caused them")
    func equality() {
        let error = SampleError(.lost, "gone")
        let withCause = SampleError(.lost, "gone", cause: CancellationError())
        #expect(error == withCause)
        #expect(Set([error, withCause]).count == 1)
        #expect(error != SampleError(.late, "gone"))
        #expect(error != SampleError(.lost, "away"))
    }
}
