import Foundation
import Glibc
import HearthCatalog
import HearthTestSupport
import HearthValidation
import HearthWire
import Testing

/// Real models on real and hostile images, run by the real sandboxed process.
@Suite struct ImageRunnerTests {
    private static let models = TestPaths.package.appendingPathComponent("Models")

    private func run(
        _ model: String, _ images: [[UInt8]], program: String = SandboxedProbe.program,
        threshold: Double? = nil, _ change: (inout RehearsalLimits) -> Void = { _ in }
    ) throws -> [ImageProbeReport.Image] {
        var limits = RehearsalLimits()
        change(&limits)
        let descriptor = open(model, O_RDONLY | O_CLOEXEC)
        try #require(descriptor >= 0, "\(model)")
        defer { close(descriptor) }
        return try ImageRunner(executable: program, limits: limits, options: ImageRunOptions(threshold: threshold)).run(
            model: descriptor, on: ImageRunner.Source(count: images.count, bytes: { images[$0] }))
    }

    private func image(_ name: String) throws -> [UInt8] {
        Array(try Data(contentsOf: Self.models.appendingPathComponent(name)))
    }

    @Test func aLabelerAnswersEachImage() throws {
        let names = ["7-a.png", "5-b.jpg", "0-a.png"]
        let images = try names.map { try image("digits-labeler/examples/\($0)") }
        let reports = try run(Self.models.path + "/digits-labeler/model.tflite", images)
        // The file alone has no labels, so the indices are the answers.
        #expect(reports.map { $0.answers?.first?.index } == [7, 5, 0])
        #expect(reports.allSatisfy { $0.answers?.count == 10 && ($0.microseconds ?? 0) > 0 })
        #expect(reports.allSatisfy { $0.width == 192 && $0.height == 192 && ($0.peakMemoryBytes ?? 0) > 1 << 20 })
    }

    @Test func aDetectorAnswersWithBoxesInsideTheImage() throws {
        let report = try run(
            Self.models.path + "/digits-detector/model.tflite", [image("digits-detector/examples/ruled.jpg")])[0]
        let answers = try #require(report.answers)
        #expect(!answers.isEmpty)
        for answer in answers {
            let box = try #require(answer.box)
            #expect(box[0] >= 0 && box[1] >= 0 && box[0] + box[2] <= Double(report.width ?? 0) + 0.01)
            #expect(answer.confidence > 0.5)
        }
    }

    @Test func aThresholdDecidesWhatIsAnswered() throws {
        let photo = try image("digits-detector/examples/ruled.jpg")
        let detector = Self.models.path + "/digits-detector/model.tflite"
        let usual = try #require(try run(detector, [photo])[0].answers)
        let low = try #require(try run(detector, [photo], threshold: 0.01) { $0.answers = 100 }[0].answers)
        #expect(low.count > usual.count && low.allSatisfy { $0.confidence > 0.01 })
        #expect(Array(low.prefix(usual.count)) == usual, "the best ones are the same")
        #expect(try run(detector, [photo], threshold: 1)[0].answers == [])

        let digit = try image("digits-labeler/examples/7-a.png")
        let labels = try run(Self.models.path + "/digits-labeler/model.tflite", [digit], threshold: 0.5)[0].answers
        #expect(labels?.map(\.index) == [7], "without one, all ten are answered")
    }

    /// What the server never sends, because it checks first.
    @Test func theProbeRefusesAThresholdThatIsNone() throws {
        for threshold in [-0.1, 1.5, .nan, .infinity] {
            let error = #expect(throws: ProbeFailure.self) {
                try run(
                    Self.models.path + "/digits-detector/model.tflite",
                    [image("digits-detector/examples/ruled.jpg")], threshold: threshold)
            }
            #expect(error?.message.contains("exit code") == true, "\(threshold): \(error?.message ?? "")")
        }
    }

    @Test func aModelThatTakesNoImagesSaysSo() throws {
        let error = #expect(throws: ProbeFailure.self) {
            try run(SandboxedProbe.fixture("models/strings.tflite"), [[1]])
        }
        #expect(error?.message.contains("does not take images") == true)
        #expect(error?.reason == .model)
    }

    /// Made here: cut, changed, huge by their headers, random, no image at all.
    @Test func fiveHundredHostileImagesFailOneByOne() throws {
        let whole = try image("digits-labeler/examples/7-a.png")
        let photo = try image("digits-labeler/examples/5-b.jpg")
        let images = HostileImages(seed: 36, whole: [whole, photo]).images(500) + [whole]
        let reports = try run(Self.models.path + "/digits-labeler/model.tflite", images)
        #expect(reports.count == 501)
        #expect(reports[500].answers?.first?.index == 7, "the images before it leave no trace")
        #expect(reports.allSatisfy { ($0.answers == nil) != ($0.failure == nil) })
        #expect(reports.count { $0.failure != nil } > 250)
        #expect(reports.allSatisfy { ($0.isUnreadable == true) == ($0.failure != nil) }, "the images are to blame")
        #expect(reports.contains { $0.failure?.contains("the limit") == true }, "bombs are refused by their size")
        #expect(reports.contains { $0.failure?.contains("ends too early") == true })
    }

    /// A probe that an image takes over, played by a shell.
    @Test(arguments: [
        ("kill -SEGV $$", "crashed the engine (signal 11"), ("exit 3", "exit code 3"),
        ("exec sleep 60", "took longer than 3.0 seconds"), ("while :; do :; done", "0.1 seconds of processor time"),
        ("kill -KILL $$", "too much memory"), ("yes | tr -d '\\n' | head -c 200000", "more than"),
        ("echo '{}'", "no readable report"),
        ("echo '{\"answers\":[],\"width\":1,\"height\":1,\"microseconds\":0}'", "no readable"),
    ])
    func anImageThatEndsTheProbeIsSkipped(commands: String, text: String) throws {
        let folder = try TemporaryFolder()
        // It takes the two images that it is sent as it likes: the second one of each process is answered.
        let model = try folder.write(
            Array(
                """
                echo '{"isDetector":false}'
                head -c 5 >/dev/null
                \(commands)
                """.utf8), to: "model.tflite")
        let reports = try run(model, [[1], [2]], program: SandboxedProbe.fixture("Validation/probe")) {
            ($0.answerProcessorSeconds, $0.answerWallSeconds) = (0.1, 3)
        }
        #expect(reports.count == 2)
        #expect(reports.first?.failure?.contains(text) == true, "\(reports.first?.failure ?? "")")
    }

    @Test func theProbeIsStartedAgainALimitedNumberOfTimes() throws {
        let folder = try TemporaryFolder()
        let model = try folder.write(
            Array("echo '{\"isDetector\":false}'; head -c 5 >/dev/null; exit 3".utf8), to: "model.tflite")
        let reports = try run(
            model, Array(repeating: [1], count: 5), program: SandboxedProbe.fixture("Validation/probe")
        ) { $0.restarts = 2 }
        #expect(reports.map { $0.failure?.hasPrefix("Not run") } == [false, false, false, true, true])
    }
}

/// Bytes that claim to be images; the same on every run.
private struct HostileImages {
    private var random: SystemSeed
    private let whole: [[UInt8]]

    init(seed: UInt64, whole: [[UInt8]]) {
        random = SystemSeed(state: seed)
        self.whole = whole
    }

    func images(_ count: Int) -> [[UInt8]] {
        var random = random
        return (0..<count).map { index in
            let base = whole[index / 5 % whole.count]
            switch index % 5 {
            case 0: return Array(base.prefix(Int.random(in: 1..<base.count, using: &random)))
            case 1: return bomb(index, &random)
            case 2, 3:
                var bytes = base
                for _ in 0..<[1, 8, 64, 512][index / 5 % 4] {
                    bytes[Int.random(in: bytes.indices, using: &random)] ^= 1 << UInt8.random(in: 0..<8, using: &random)
                }
                return bytes
            default: return (0..<2000).map { _ in UInt8.random(in: 0...255, using: &random) }
            }
        }
    }

    /// A BMP or GIF of billions of pixels in a few bytes.
    private func bomb(_ index: Int, _ random: inout SystemSeed) -> [UInt8] {
        let side = UInt32.random(in: 60_000...65_535, using: &random)
        func bytes(_ value: UInt32, _ count: Int) -> [UInt8] {
            (0..<count).map { UInt8(truncatingIfNeeded: value >> (8 * UInt32($0))) }
        }
        guard index % 2 == 0 else {
            return Array("GIF89a".utf8) + bytes(side, 2) + bytes(side, 2) + [0x80, 0, 0, 0, 0, 0, 255, 255, 255, 0x2C]
                + bytes(0, 4) + bytes(side, 2) + bytes(side, 2) + [0, 2, 2, 0x44, 1, 0, 0x3B]
        }
        return Array("BM".utf8) + bytes(54, 4) + bytes(0, 4) + bytes(54, 4) + bytes(40, 4) + bytes(side, 4)
            + bytes(side, 4)
            + bytes(1, 2) + bytes(24, 2) + bytes(0, 24)
    }
}

/// A small, seeded generator (Steele, Lea and Flood 2014).
private struct SystemSeed: RandomNumberGenerator {
    var state: UInt64

    mutating func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        var mixed = state
        mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
        mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
        return mixed ^ (mixed >> 31)
    }
}
