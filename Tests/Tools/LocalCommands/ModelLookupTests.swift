import Foundation
import HearthArguments
import Testing

@testable import HearthLocalCommands

@Suite struct CommandFailureTests {
    private func text(_ path: String, _ name: String, _ reason: String) -> String {
        let error = NSError(domain: "test", code: 1, userInfo: [NSLocalizedDescriptionKey: reason])
        return CommandFailure.model(path, name, error).description
    }

    @Test func thePathOfAHostedModelBecomesItsName() {
        #expect(text("/store/x.tflite", "birds", "'/store/x.tflite' is no model") == "'birds' is no model")
        #expect(text("/store/x", "birds", "there is no '/store/x/dict.txt'") == "there is no 'birds/dict.txt'")
    }

    @Test func aTextThatDoesNotNameTheModelIsPrecededByIt() {
        #expect(text("/store/x.tflite", "birds", "It is damaged.") == "birds: It is damaged.")
    }

    @Test("A failure without a code of its own reports the code of its cause")
    func codeOfTheCause() {
        struct Conflict: CodedError { let reportedCode = "CONFLICT" }
        #expect(CommandFailure.model("m", "m", Conflict()).reportedCode == "CONFLICT")
        #expect(CommandFailure("Wrong.", code: "OTHER", cause: Conflict()).reportedCode == "OTHER")
        #expect(CommandFailure("Wrong.").reportedCode == "FAILED")
    }

    @Test func wordsThatHappenToBeThePathStay() {
        let reason = "The model gives 5 scores."
        #expect(text("model", "model with l.txt", reason) == "model with l.txt: \(reason)")
        #expect(text("l", "l", "there is no label file 'l.txt'") == "l: there is no label file 'l.txt'")
    }
}
