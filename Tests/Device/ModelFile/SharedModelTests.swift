import Foundation
import HearthModelFile
import HearthTestSupport
import Testing

/// Real models of many origins: no false alarm on what engines run, a clear refusal of what is damaged.
@Suite(.enabled(if: TestPaths.hasSharedData, "the shared data is absent"))
struct SharedModelTests {
    static let models = TestPaths.shared.appendingPathComponent("models")

    static var usable: [String] {
        let all = FileManager.default.enumerator(atPath: models.path)?.allObjects as? [String] ?? []
        return all.filter { name in
            (name.hasSuffix(".tflite") || name.hasSuffix(".bin")) && !name.hasPrefix("invalid/")
        }
    }

    @Test func everyUsableModelPassesTheCheck() throws {
        #expect(Self.usable.count >= 40)
        for name in Self.usable {
            let path = Self.models.appendingPathComponent(name).path
            #expect(throws: Never.self, "\(name)") {
                try ModelFile(ModelBytes(contentsOfFile: path)).checkForLoading()
            }
        }
    }

    @Test func invalidFilesAreRefusedEachInItsOwnWords() throws {
        let expected: [(String, ModelFileError.Code)] = [
            ("empty.tflite", .empty), ("invalid_model.bin", .notAModel), ("no_subgraphs.bin", .malformed),
            ("test_model_broken.bin", .notAModel), ("truncated_half.tflite", .malformed),
        ]
        var texts: Set<String> = []
        for (name, code) in expected {
            let error = #expect(throws: ModelFileError.self, "\(name)") {
                try ModelFile(ModelBytes(contentsOfFile: Self.models.path + "/invalid/" + name)).checkForLoading()
            }
            #expect(error?.code == code, "\(name): \(error?.message ?? "")")
            texts.insert(error?.message ?? "")
        }
        #expect(texts.allSatisfy { !$0.contains("\n") && $0.count < 200 })
        #expect(texts.count == expected.count)
    }
}
