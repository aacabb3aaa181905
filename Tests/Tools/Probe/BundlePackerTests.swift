import Foundation
import Glibc
import HearthModelFile
import HearthTestSupport
import HearthValidation
import HearthVision
import Testing

/// Real exports and hostile zips, packed by the real sandboxed process.
@Suite struct BundlePackerTests {
    private static let models = TestPaths.package.path + "/Models"

    private struct Stopped: Error {}

    /// Nil for a file that is no zip.
    private func pack(
        _ bytes: [UInt8], program: String = SandboxedProbe.program, isCancelled: Bool = false,
        _ change: (inout PackLimits) -> Void = { _ in }
    ) throws -> [UInt8]? {
        var limits = PackLimits()
        change(&limits)
        let folder = try TemporaryFolder()
        let descriptor = open(try folder.write(bytes, to: "upload"), O_RDONLY | O_CLOEXEC)
        try #require(descriptor >= 0)
        defer { close(descriptor) }
        var packed: [UInt8] = []
        let packer = BundlePacker(executable: program, limits: limits)
        switch try packer.pack(descriptor, isCancelled: { isCancelled }, write: { packed += $0 }) {
        case .isModel: return nil
        case .packed: return packed
        }
    }

    private func reason(_ bytes: [UInt8]) -> String {
        do {
            return "packed \(try pack(bytes)?.count ?? 0)"
        } catch let error as ProbeFailure {
            return error.reason == .model ? error.message : "\(error.reason): \(error.message)"
        } catch {
            return "\(error)"
        }
    }

    @Test(arguments: ["digits-labeler", "digits-labeler-float", "digits-detector"])
    func aFolderThatTheBrowserSentIsPackedAsTheCommandPacksIt(name: String) throws {
        let folder = Self.models + "/" + name
        #expect(try pack(StoredZip(folder: folder).bytes) == ModelPacker(path: folder).packed().bytes)
    }

    @Test(.enabled(if: TestPaths.hasSharedData)) func anAutoMLExportIsPacked() throws {
        let folder = TestPaths.shared.appendingPathComponent("models/flowers_automl").path
        let packed = try #require(try pack(StoredZip(folder: folder).bytes))
        #expect(try packed == ModelPacker(path: folder).packed().bytes)
        let copy = try TemporaryFolder()
        let bundle = try ModelBundle(path: copy.write(packed, to: "flowers.tflite"))
        #expect(bundle.labels?.classNames.count == 5)
    }

    @Test func theConsolesZipWithCompressionAndFoldersIsPacked() throws {
        let path = SandboxedProbe.fixture("ModelFile/export.zip")
        let packed = try pack(Array(Data(contentsOf: URL(fileURLWithPath: path))))
        #expect(try packed == ModelPacker(path: path).packed().bytes)

        var zip = try StoredZip(folder: Self.models + "/digits-labeler")
        for index in zip.files.indices { zip.files[index].name = "Ziffern für alle/" + zip.files[index].name }
        zip.files.append(StoredZip.File("__MACOSX/._model.tflite", [1]))
        #expect(try pack(zip.bytes) == ModelPacker(path: Self.models + "/digits-labeler").packed().bytes)
    }

    @Test func whatIsNoZipIsLeftAlone() throws {
        let model = Array(try Data(contentsOf: URL(fileURLWithPath: Self.models + "/digits-labeler/model.tflite")))
        for bytes in [model, Array("nonsense".utf8), [UInt8(ascii: "P")]] { #expect(try pack(bytes) == nil) }
    }

    @Test func aZipThatIsNoBundleSaysWhy() throws {
        let model = Array(try Data(contentsOf: URL(fileURLWithPath: Self.models + "/digits-labeler/model.tflite")))
        let manifest = Array(#"{"modelFile": "model.tflite", "labelsFile": "dict.txt"}"#.utf8)
        let labels = Array("a\nb\n".utf8)
        func zip(_ files: StoredZip.File..., method: UInt64 = 0) -> [UInt8] {
            var zip = StoredZip(files)
            zip.method = method
            return zip.bytes
        }
        let whole = zip(.init("model.tflite", model), .init("manifest.json", manifest))
        var flipped = whole
        flipped[5000] ^= 1
        let outside = Array(#"{"modelFile": "../model.tflite"}"#.utf8)
        for (bytes, text) in [
            (zip(.init("readme.txt", labels)), "at its top level"),
            (zip(.init("a.tflite", model), .init("b.tflite", model)), "more than one .tflite model"),
            (zip(.init("a/a.tflite", model), .init("b/b.tflite", model)), "no other folder"),
            (zip(.init("manifest.json", manifest)), "which is not beside it"),
            (whole, "dict.txt"),
            (zip(.init("model.tflite", model), .init("manifest.json", outside)), "model.tflite"),
            (zip(.init("../../etc/model.tflite", model)), "etc/model.tflite"),
            (zip(.init("/model.tflite", model)), "/model.tflite"),
            (zip(.init("model.tflite", labels)), "model"),
            (flipped, "checksum does not match"),
            (Array(whole.dropLast(30)), "damaged or cut short"),
            (zip(.init("model.tflite", [3, 0], announcedBytes: 1 << 31), method: 8), "damaged"),
            (zip(.init("model.tflite", [3, 0], announcedBytes: 1 << 28), method: 8), "damaged"),
            (Array("PK".utf8), "damaged or cut short"),
        ] {
            let reason = reason(bytes)
            #expect(reason.contains(text) && !reason.contains("crash"), "\(text): \(reason)")
        }
        let many = (0..<2000).map { StoredZip.File("\($0).txt", []) }
        #expect(reason(StoredZip(many).bytes).contains("1000"))
    }

    @Test func twoHundredDamagedZipsArePackedOrRefusedAndNoneIsTheMachinesFault() throws {
        let whole = try StoredZip(folder: Self.models + "/digits-labeler").bytes
        let directory = whole.count - 400
        for seed in 0..<200 {
            var random = SeededGenerator(seed: UInt64(seed))
            var bytes = whole
            for _ in 0..<(1 + seed % 8) {
                // Mostly where names and sizes are.
                let range = seed % 4 == 0 ? bytes.indices : directory..<bytes.count
                bytes[Int.random(in: range, using: &random)] = UInt8.random(in: 0...255, using: &random)
            }
            if seed % 10 == 9 { bytes.removeLast(Int.random(in: 1..<bytes.count - 2, using: &random)) }
            do {
                _ = try pack(bytes)
            } catch let error as ProbeFailure {
                #expect(error.reason == .model && !error.message.contains("crash"), "\(seed): \(error.message)")
            }
        }
    }

    /// A process that its file took over, played by a shell.
    @Test(arguments: [
        (#"printf '{"sizeBytes":4}\nabc'"#, "no readable result"),
        (#"printf '{"sizeBytes":2}\nabc'"#, "no readable result"),
        (#"printf '{"sizeBytes":0}\n'"#, "no readable result"),
        (#"printf '{"sizeBytes":-1}\nabc'"#, "no readable result"),
        (#"printf '{"sizeBytes":3}\nab'; kill -SEGV $$"#, "crashed (signal 11"),
        (#"printf '{"sizeBytes":3}\nabc'; exit 7"#, "exit code 7"),
        (#"printf '{"sizeBytes":1001}\nabc'"#, "at most 1000"),
        (#"printf '{"sizeBytes":3'"#, "no readable result"),
        (#"printf '{"failure":"first\nsecond"}\n'"#, "no readable result"),
        (#"echo '{"failure":"no manifest"}'"#, "no manifest"),
        ("yes | tr -d '\\n' | head -c 200000", "no readable result"),
        (#"printf '{"sizeBytes":3}\n'; yes"#, "no readable result"),
        ("kill -KILL $$", "too much memory"), ("exec sleep 60", "longer than 1 s"),
        (#"printf '{"sizeBytes":3}\nabc'; exec >/dev/null; exec sleep 60"#, "longer than 1 s"),
    ])
    func whatTheProcessDoesIsNotTrusted(commands: String, text: String) throws {
        let error = #expect(throws: ProbeFailure.self) {
            try pack(Array(commands.utf8), program: SandboxedProbe.fixture("Validation/probe")) {
                ($0.wallSeconds, $0.packedBytes) = (1, 1000)
            }
        }
        #expect(error?.reason == .model && error?.message.contains(text) == true, "\(error?.message ?? "")")
    }

    @Test func whatTheMachineLacksIsNotTheFilesFault() throws {
        let error = #expect(throws: ProbeFailure.self) {
            try pack(Array("exit 127".utf8), program: SandboxedProbe.fixture("Validation/probe"))
        }
        #expect(error?.reason == .machine)
        let stopped = #expect(throws: ProbeFailure.self) {
            try pack(
                Array("exec sleep 60".utf8), program: SandboxedProbe.fixture("Validation/probe"), isCancelled: true)
        }
        #expect(stopped?.reason == .stop)
    }

    @Test func aTargetThatTakesNoMoreEndsTheProcess() throws {
        let folder = try TemporaryFolder()
        let file = try folder.write(
            Array(#"printf '{"sizeBytes":999}\nabc'; exec sleep 60"#.utf8), to: "upload")
        let descriptor = open(file, O_RDONLY | O_CLOEXEC)
        defer { close(descriptor) }
        let packer = BundlePacker(executable: SandboxedProbe.fixture("Validation/probe"))
        #expect(throws: Stopped.self) {
            try packer.pack(descriptor, isCancelled: { false }, write: { _ in throw Stopped() })
        }
    }
}
