import Foundation
import Glibc
import HearthTestSupport
import HearthValidation
import HearthWire
import Testing

@testable import HearthModelFile

/// What the sandboxed process finds about images, of real models.
@Suite struct VisionInspectorTests {
    private func vision(_ path: String) throws -> ModelContract.Vision? {
        let report = try SandboxedProbe.report(path) { $0.measuredRuns = 0 }
        #expect(report.verdict == .ok, "\(report.message ?? "")")
        return report.contract?.vision
    }

    @Test func aDetectorThatSaysNothingIsFoundByItsShapes() throws {
        let vision = try #require(try vision(SandboxedProbe.fixture("vision/yolov8.tflite")))
        #expect(vision.task == "boxes" && vision.problem == nil)
        #expect(vision.images?.hasPrefix("RGB, 4 x 4; byte / 255") == true, "\(vision.images ?? "")")
        #expect(
            vision.answers?.count == 1 && vision.answers?[0].hasSuffix("layout: shapes, checked in each run") == true)
        #expect(vision.isGuess == true)
        var processing = ImageProcessingBody()
        (processing.channels, processing.mean, processing.standardDeviation) = ("rgb", [0], [255])
        (processing.resize, processing.layout, processing.overlapThreshold) = ("letterbox", "yolov8", 0.45)
        #expect(vision.processing == processing)
    }

    @Test func eachOutputOfALabelerIsNamed() throws {
        let vision = try #require(try vision(SandboxedProbe.fixture("vision/gray.tflite")))
        #expect(vision.task == "labels")
        #expect(vision.processing?.channels == "gray" && vision.processing?.mean == [127.5])
        #expect(
            vision.answers == [
                "brightness: logits of 2 labels, by softmax", "corner: logits of 4 labels, by softmax",
            ])
    }

    @Test(arguments: [
        ("vision/gray_plain.tflite", "normalization", "--normalize"),
        ("detection/undescribed.tflite", "layout", "Name the layout"),
    ])
    func whatTheFileDoesNotSayIsAsked(name: String, missing: String, text: String) throws {
        let vision = try #require(try vision(SandboxedProbe.fixture(name)))
        #expect(vision.missing == [missing] && vision.task == nil && vision.processing == nil)
        #expect(vision.problem?.contains(text) == true, "\(vision.problem ?? "")")
    }

    @Test(arguments: ["models/strings", "engine/counting_loop", "probe/large", "models/add_batch"])
    func aModelThatTakesNoImageHasNone(name: String) throws {
        #expect(try vision(SandboxedProbe.fixture("\(name).tflite")) == nil)
    }

    // MARK: Both sides of the wire

    /// The server has no code of the library, so it has its own list of each member's words.
    @Test func theServerKnowsTheWordsOfTheLibrary() {
        #expect(ImageProcessingBody.knownChannels == ImageProcessing.Channels.allCases.map(\.rawValue))
        #expect(ImageProcessingBody.knownResizes == ImageProcessing.Resize.allCases.map(\.rawValue))
        #expect(ImageProcessingBody.knownActivations == ImageProcessing.Activation.allCases.map(\.rawValue))
        #expect(ImageProcessingBody.knownLayouts == BoxLayout.allCases.map(\.rawValue))
    }

    @Test(arguments: [
        ("{}", true), (#"{"mean":[1]}"#, true), (#"{"standardDeviation":[-255],"mean":[255]}"#, true),
        (#"{"mean":[1,2,3],"standardDeviation":[1,2,3]}"#, true),
        (#"{"mean":[1,2,3],"standardDeviation":[1,2,3],"channels":"bgr"}"#, true),
        (#"{"mean":[1,2,3,4],"standardDeviation":[1,2,3,4],"channels":"rgba"}"#, true),
        (#"{"mean":[1,2,3,4],"standardDeviation":[1,2,3,4],"channels":"rgb"}"#, false),
        (#"{"mean":[1,2,3],"standardDeviation":[1,2,3],"channels":"gray"}"#, false),
        (#"{"mean":[1,2],"standardDeviation":[1,2]}"#, false), (#"{"mean":[]}"#, false),
        (#"{"mean":[1,2,3]}"#, false), (#"{"standardDeviation":[0]}"#, false),
        (#"{"standardDeviation":[1e-20]}"#, false), (#"{"mean":[1e39]}"#, false),
        (#"{"scoreThreshold":0,"overlapThreshold":1}"#, true), (#"{"scoreThreshold":1.01}"#, false),
        (#"{"overlapThreshold":-0.01}"#, false), (#"{"resize":"crop"}"#, true), (#"{"resize":""}"#, false),
        (#"{"layout":"fomo","activation":"none"}"#, true), (#"{"activation":"Softmax"}"#, false),
    ])
    func theServerAndTheLibraryRefuseTheSame(json: String, isTaken: Bool) throws {
        let library = try? ImageProcessing(json: Array(json.utf8))
        let server = try? WireJSON.decode(ImageProcessingBody.self, from: json.utf8)
        #expect((library != nil) == isTaken)
        #expect((server.map { $0.refusal == nil } ?? false) == isTaken)
    }
}

/// Tries in another way than the file says, by the real sandboxed process.
@Suite struct StatedProcessingTests {
    private func run(
        _ model: String, _ image: String, threshold: Double? = nil,
        _ state: (inout ImageProcessingBody) -> Void = { _ in }
    ) throws -> (report: ImageProbeReport.Image, vision: ModelContract.Vision?) {
        var options = ImageRunOptions(threshold: threshold)
        state(&options.processing)
        options.showsDetails = true
        let descriptor = open(SandboxedProbe.fixture("vision/\(model).tflite"), O_RDONLY | O_CLOEXEC)
        try #require(descriptor >= 0)
        defer { close(descriptor) }
        let bytes = Array(try Data(contentsOf: TestPaths.fixtures.appendingPathComponent("vision/\(image).png")))
        var vision: ModelContract.Vision?
        let reports = try ImageRunner(executable: SandboxedProbe.program, options: options).run(
            model: descriptor, on: ImageRunner.Source(count: 1, bytes: { _ in bytes }, started: { vision = $0 }))
        return (try #require(reports.first), vision)
    }

    @Test func theOutputsOfALabelerAreAnsweredWithTheirNames() throws {
        let (report, vision) = try run("gray", "bright_corner")
        #expect(report.answers?.first?.text == "bright")
        #expect(report.outputs?.map(\.name) == ["brightness", "corner"])
        #expect(report.outputs?.map { $0.answers.first?.text } == ["bright", "top right"])
        #expect(report.outputs?.first?.answers == report.answers)
        #expect(vision?.processing?.activation == "softmax")
    }

    @Test func whatIsStatedTakesPrecedenceOverTheFile() throws {
        let logits = try run("gray", "bright_corner") { $0.activation = "none" }
        #expect((logits.report.answers?.first?.confidence ?? 0) > 1, "a logit is no share")
        let inverse = try run("gray", "bright_corner") { ($0.mean, $0.standardDeviation) = ([127.5], [-127.5]) }
        #expect(inverse.report.answers?.first?.text == "dark")
        #expect(inverse.vision?.images?.contains("as stated") == true)
    }

    @Test func aModelThatSaysNothingRunsOnceItIsStated() throws {
        let error = #expect(throws: ProbeFailure.self) { try run("gray_plain", "bright_corner") }
        #expect(error?.reason == .model && error?.message.contains("--normalize") == true)
        let stated = try run("gray_plain", "bright_corner") { ($0.mean, $0.standardDeviation) = ([127.5], [127.5]) }
        #expect(stated.report.answers?.first?.index == 1)
    }

    @Test func aDetectorFindsItsBox() throws {
        let report = try run("yolov8", "green_spot").report
        #expect(report.answers?.map(\.text) == ["green"])
        #expect(report.answers?.first?.box == [1, 2, 1, 1])
        #expect(report.outputs == nil)
        let blind = try run("yolov8", "green_spot") { ($0.mean, $0.standardDeviation) = ([0], [2550]) }.report
        #expect(blind.answers == [], "a tenth of each score")
        let less = try run("yolov8", "green_spot") { $0.scoreThreshold = 0.95 }.report
        #expect(less.answers == [])
        let more = try run("yolov8", "green_spot", threshold: 0.01) { $0.scoreThreshold = 0.95 }.report
        #expect(more.answers?.isEmpty == false, "the threshold of the call counts")
    }

    @Test func whatDoesNotFitTheModelIsSaid() throws {
        for state: (inout ImageProcessingBody) -> Void in [
            { $0.channels = "rgb" }, { $0.layout = "ssd" },
            { ($0.mean, $0.standardDeviation) = ([1, 2, 3], [1, 2, 3]) },
        ] {
            let error = #expect(throws: ProbeFailure.self) { try run("gray", "bright_corner", state) }
            #expect(error?.reason == .model && (error?.message.count ?? 0) > 30, "\(error?.message ?? "")")
        }
        let label = #expect(throws: ProbeFailure.self) { try run("yolov8", "green_spot") { $0.activation = "softmax" } }
        #expect(label?.reason == .model)
    }

    /// What the server never sends, because it checks first.
    @Test(arguments: ["x", "[]", #"{"layout":"none"}"#, #"{"a":1}"#, String(repeating: " ", count: 20_000)])
    func theProbeRefusesWhatItCannotRead(text: String) throws {
        var limits = SandboxedArguments(["probe", "--images", "--processing", text])
        #expect(try limits.exitCode() == 2)
    }
}

/// The program with these arguments, without a model.
private struct SandboxedArguments {
    private let process = Process()

    init(_ arguments: [String]) {
        process.executableURL = URL(fileURLWithPath: SandboxedProbe.program)
        process.arguments = arguments
        process.standardError = FileHandle.nullDevice
        process.standardOutput = FileHandle.nullDevice
        process.standardInput = FileHandle.nullDevice
    }

    mutating func exitCode() throws -> Int32 {
        try process.run()
        process.waitUntilExit()
        return process.terminationStatus
    }
}
