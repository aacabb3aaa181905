import Foundation
import HearthCrypto
import HearthTestSupport
import HearthWire
import Testing

@testable import HearthModelFile
@testable import HearthProbe

/// Two versions have the same labels if and only if their contracts have the same digest.
@Suite struct LabelDigestTests {
    private func contract(_ labelFile: String?) throws -> ModelContract {
        let labels = try labelFile.map { try LabelMap(file: Array($0.utf8)) }
        return ContractBuilder(graph: ModelGraph(), metadata: nil, labels: labels).contract
    }

    @Test func itIsOfTheLinesEachWithALineFeed() throws {
        #expect(try contract("cat\ndog\n").labelsSHA256 == SHA256Hasher.hash("cat\ndog\n".utf8).hex)
        #expect(try contract(nil).labelsSHA256 == nil)
    }

    @Test(arguments: ["cat\ndog", "cat\r\ndog\r\n", "\u{FEFF}cat\ndog\n"])
    func howLinesEndDoesNotMatter(file: String) throws {
        #expect(try contract(file).labelsSHA256 == contract("cat\ndog\n").labelsSHA256)
    }

    @Test(arguments: [
        "dog\ncat\n", "cat\nDog\n", "cat\n", "cat\ndog\nbird\n", "catdog\n", "cat\ndog \n", "cat\n\ndog\n",
    ])
    func whatTheySayDoes(file: String) throws {
        #expect(try contract(file).labelsSHA256 != contract("cat\ndog\n").labelsSHA256)
    }

    /// As bundles are read. The file of the first output describes the model, and names no class.
    @Test func aDescriptionDoesNotHideTheLabelsOfTheNextOutput() throws {
        let model = TestPaths.fixtures.appendingPathComponent("metadata/classes_first.tflite").path
        var metadata = try #require(try ModelMetadata(of: ModelFile(contentsOfFile: model)))
        metadata.subgraphs[0].outputs[1].associatedFiles[0].name = "colours.txt"
        var zip = ZipWriter()
        try zip.add("classes.txt", Array("{'task': 'classify'}\n".utf8))
        try zip.add("colours.txt", Array("red\ngreen\nblue\n".utf8))
        let bytes = try ModelBytes(copying: zip.appended(to: []))
        #expect(EmbeddedLabels(bytes: bytes, metadata: metadata).labels?.classNames == ["red", "green", "blue"])
    }

    /// As the sandboxed process finds them in the model file.
    @Test func aRealModelHasTheDigestOfItsLabels() throws {
        let folder = TestPaths.package.path + "/Models/digits-labeler-float"
        let read = try #require(try SandboxedProbe.report(folder + "/model.tflite").contract)
        let file = try String(contentsOfFile: folder + "/dict.txt", encoding: .utf8)
        #expect(read.labelCount == 10)
        #expect(read.labelsSHA256 == (try contract(file).labelsSHA256))
    }
}
