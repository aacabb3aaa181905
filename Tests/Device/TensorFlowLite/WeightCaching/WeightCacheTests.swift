import Foundation
import HearthModelFile
import HearthTestSupport
import TensorFlowLite
import Testing

struct WeightCacheTests {
    private let temporary: TemporaryFolder
    private let folder: String

    init() throws {
        temporary = try TemporaryFolder()
        folder = temporary.url.appendingPathComponent("weights").path
    }

    private func options(_ modelHash: String? = nil) throws -> Interpreter.Options {
        try .with { $0.weightCache = try WeightCache(directory: folder, modelHash: modelHash) }
    }

    /// The first row's sum for 64 ones: 64 for `dense_1`, 128 for `dense_2`.
    private func sum(_ fixture: EngineFixture, _ options: Interpreter.Options) throws -> Float {
        try fixture.allocated(options).run([Float](repeating: 1, count: 64))[0]
    }

    private func files() throws -> [String] {
        try FileManager.default.contentsOfDirectory(atPath: folder).sorted().map { "\(folder)/\($0)" }
    }

    private func attributes(_ path: String) throws -> [FileAttributeKey: Any] {
        try FileManager.default.attributesOfItem(atPath: path)
    }

    @Test func makesOneFileForItsOwnerAlone() throws {
        #expect(try sum(.dense_1, options()) == 64)
        let file = try #require(try files().first)
        #expect(try files().count == 1)
        #expect(try attributes(folder)[.posixPermissions] as? Int == 0o700)
        #expect(try attributes(file)[.posixPermissions] as? Int == 0o600)
        #expect(try attributes(file)[.size] as? Int ?? 0 > 64 * 16 * 4)
    }

    @Test func leavesTheFileAsItIsInLaterLoads() throws {
        _ = try sum(.dense_1, options())
        let file = try #require(try files().first)
        let before = try attributes(file)
        #expect(try sum(.dense_1, options()) == 64)
        let after = try attributes(file)
        for key in [FileAttributeKey.modificationDate, .size, .systemFileNumber] {
            #expect(before[key] as? NSObject == after[key] as? NSObject)
        }
        #expect(try files() == [file])
    }

    /// That the engine believes the file shows that it reads it, and why nobody else may write there.
    @Test func readsTheWeightsFromTheFile() throws {
        _ = try sum(.dense_1, options())
        let file = try #require(try files().first)
        _ = try sum(.dense_2, options())
        let other = try #require(try files().first { $0 != file })
        let weights = try Data(contentsOf: URL(fileURLWithPath: other))
        try weights.write(to: URL(fileURLWithPath: file))
        #expect(try sum(.dense_1, options()) == 128)
    }

    @Test func keepsModelsOfOneLayoutApart() throws {
        for _ in 0..<2 {
            #expect(try sum(.dense_1, options()) == 64)
            #expect(try sum(.dense_2, options()) == 128)
        }
        #expect(try files().count == 2)
    }

    @Test func takesTheHashFromACallerThatKnowsIt() throws {
        let hash = String(repeating: "0A", count: 32)
        #expect(try sum(.dense_1, options(hash)) == 64)
        #expect(try files().first?.contains(hash.lowercased()) == true)
        #expect(try sum(.dense_1, options(hash)) == 64)
        #expect(try files().count == 1)
    }

    @Test(arguments: [0, 1, 10, 31, 32, 100, 4000, -1, -2])
    func replacesADamagedFile(length: Int) throws {
        _ = try sum(.dense_1, options())
        let file = URL(fileURLWithPath: try #require(try files().first))
        let whole = try Data(contentsOf: file)
        var damaged = whole.prefix(max(length, 0))
        if length == -1 { damaged = Data((0..<whole.count).map { UInt8(truncatingIfNeeded: $0 &* 151) }) }
        if length == -2 { damaged = whole.prefix(32) + Data(repeating: 0xA7, count: whole.count - 32) }
        try damaged.write(to: file)
        for _ in 0..<2 { #expect(try sum(.dense_1, options()) == 64) }
        #expect(try files() == [file.path])
        if length >= -1 { #expect(try Data(contentsOf: file).count == whole.count) }
    }

    @Test func neverWritesToAFileInUse() throws {
        _ = try sum(.dense_1, options())
        let file = URL(fileURLWithPath: try #require(try files().first))
        let whole = try Data(contentsOf: file)
        // As it looks while another program is building it in place: no header yet.
        let unfinished = Data(count: 32) + whole.dropFirst(32)
        try unfinished.write(to: file)
        let inUse = temporary.url.appendingPathComponent("in use")
        try FileManager.default.linkItem(at: file, to: inUse)
        #expect(try sum(.dense_1, options()) == 64)
        #expect(try Data(contentsOf: inUse) == unfinished)
        #expect(try Data(contentsOf: file) == whole)
    }

    @Test func isUsedByManyThreadsAtOnce() throws {
        let options = try options()
        DispatchQueue.concurrentPerform(iterations: 8) { thread in
            for _ in 0..<5 {
                let sum = try? sum(thread % 2 == 0 ? .dense_1 : .dense_2, options)
                #expect(sum == (thread % 2 == 0 ? 64 : 128))
            }
        }
        #expect(try files().count == 2)
    }

    @Test func isLeftAloneByOtherKernels() throws {
        for kernelMode in [Interpreter.Options.KernelMode.builtIn, .reference] {
            var options = try options()
            options.kernelMode = kernelMode
            #expect(try sum(.dense_1, options) == 64)
        }
        #expect(!FileManager.default.fileExists(atPath: folder))
    }

    @Test(arguments: ["/proc/nowhere/weights", "/dev/null", "/dev/null/weights"])
    func loadsWithoutAFolder(directory: String) throws {
        let warnings = MessageList()
        let options = try Interpreter.Options.with {
            $0.weightCache = try WeightCache(directory: directory)
            $0.logLevel = .warning
            $0.logHandler = warnings.handler
        }
        #expect(try sum(.dense_1, options) == 64)
        #expect(warnings.texts.contains { $0.contains("not used") && $0.contains(directory) }, "\(warnings.texts)")
    }

    @Test func doesNotTrustAFolderThatOthersMayWriteTo() throws {
        try FileManager.default.createDirectory(
            atPath: folder, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
        try FileManager.default.setAttributes([.posixPermissions: 0o777], ofItemAtPath: folder)
        #expect(try sum(.dense_1, options()) == 64)
        #expect(try files().isEmpty)
    }

    @Test func keepsItsFolderAndHash() throws {
        let hash = String(repeating: "0A", count: 32)
        let url = temporary.url.appendingPathComponent("weights")
        #expect(try WeightCache(directory: folder).directory == folder)
        #expect(try WeightCache(directory: folder).modelHash == nil)
        #expect(try WeightCache(directory: url, modelHash: hash).directory == folder)
        #expect(try WeightCache(directory: url, modelHash: hash).modelHash == hash.lowercased())
        let different = try [
            WeightCache(directory: folder), WeightCache(directory: "/nowhere"),
            WeightCache(directory: folder, modelHash: hash),
        ]
        #expect(Set(different + different).count == different.count)
    }

    @Test(arguments: ["", "a\"b", "a\nb", "a\0b", "\r"])
    func refusesPathsThatTheEngineCannotBeTold(path: String) {
        #expect(reason(#expect(throws: InterpreterError.self) { try WeightCache(directory: path) }).contains("path"))
    }

    @Test func refusesOtherURLs() throws {
        let url = try #require(URL(string: "https://example.com/weights"))
        #expect(throws: InterpreterError.self) { try WeightCache(directory: url) }
    }

    @Test(arguments: ["", "abc", String(repeating: "g", count: 64), "../" + String(repeating: "0", count: 61)])
    func refusesWhatIsNoHash(hash: String) {
        #expect(throws: InterpreterError.self) { try WeightCache(directory: folder, modelHash: hash) }
    }

    @Test(arguments: ["with space", "hash#tag", "a = b", "b\\a", "größe", "it's"])
    func worksInFoldersOfAnyOtherName(name: String) throws {
        let directory = temporary.url.appendingPathComponent(name)
        let options = try Interpreter.Options.with { $0.weightCache = try WeightCache(directory: directory) }
        #expect(try sum(.dense_1, options) == 64)
        #expect(try FileManager.default.contentsOfDirectory(atPath: directory.path).count == 1)
    }

    @Test func removesLeftoversAfterADay() throws {
        _ = try sum(.dense_1, options())
        let file = try #require(try files().first)
        for name in ["\(file).1-1", "\(file).abc", "\(folder)/other.weights.abc"] {
            try Data().write(to: URL(fileURLWithPath: name))
            if name.hasSuffix("-1") { continue }
            let old = Date(timeIntervalSinceNow: -2 * 24 * 60 * 60)
            try FileManager.default.setAttributes([.modificationDate: old], ofItemAtPath: name)
        }
        _ = try sum(.dense_1, options())
        #expect(try files() == [file, "\(file).1-1", "\(folder)/other.weights.abc"].sorted())
    }

    @Test func loadsWhenTheFileCannotBeWritten() throws {
        _ = try sum(.dense_1, options())
        let file = try #require(try files().first)
        try FileManager.default.removeItem(atPath: file)
        try FileManager.default.createDirectory(atPath: file, withIntermediateDirectories: false)
        let warnings = MessageList()
        var options = try options()
        options.logLevel = .warning
        options.logHandler = warnings.handler
        #expect(try sum(.dense_1, options) == 64)
        #expect(warnings.texts.contains { $0.contains("cannot be written") }, "\(warnings.texts)")
        #expect(try files() == [file])
    }
}

/// Real models, some in several pieces and some resized, give the same bytes whether their weights come from a cache.
struct WeightCacheGoldenTests {
    @Test(
        .enabled(if: TestPaths.hasSharedData, "the shared data is absent"),
        arguments: try GoldenRun.all().filter { !$0.fails && !$0.needsBuiltInKernels })
    func matchesBuildingAndReadingTheCache(golden: GoldenRun) throws {
        let folder = try TemporaryFolder()
        let cached = try Interpreter.Options.with { $0.weightCache = try WeightCache(directory: folder.path) }
        try FileManager.default.setAttributes([.posixPermissions: 0o700], ofItemAtPath: folder.path)
        let expected = try outputs(of: golden, Interpreter.Options())
        for _ in 0..<2 { #expect(try outputs(of: golden, cached) == expected) }
        #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path).count <= 1)
    }

    private func outputs(of golden: GoldenRun, _ options: Interpreter.Options) throws -> [Tensor] {
        let interpreter = try Interpreter(modelPath: golden.modelURL.path, options: options)
        // With the file's shapes first, so that a resize comes after the cache was made.
        try? interpreter.allocateTensors()
        let run = try golden.runner(interpreter)
        try run.prepare(golden)
        return try run.outputs()
    }
}
