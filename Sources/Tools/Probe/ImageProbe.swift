import Foundation
import Glibc
import HearthFiles
import HearthImaging
import HearthModelFile
import HearthVision
import HearthWire

/// What `hearth probe --images` may use. The server has its own limits for what it sends and reads.
package struct ImageProbeLimits: Sendable {
    /// The largest image file.
    package var imageBytes = 32 << 20
    /// The largest `width * height` of an image.
    package var imagePixels = 50_000_000
    /// The most labels or boxes of one image.
    package var answers = 20
    /// The most outputs of a labeler that has several, and the most labels of each.
    package var outputs = 8
    package var answersOfOutput = 10
    /// The least confidence of an answer; nil for the usual one.
    package private(set) var threshold: Float?
    /// What takes precedence over the model's file.
    private(set) var processing = ImageProcessing()
    /// Whether the first line also says how images go in, and the others have the labels of each output.
    package var showsDetails = false
    /// The processor time of the whole process.
    package var cpuSeconds: UInt64 = 1800

    package init() {}

    /// With a threshold, an image has up to 100 answers.
    /// - Returns: nil unless `threshold` is 0 to 1.
    package init?(threshold: Double) {
        guard (0...1).contains(threshold) else { return nil }
        self.threshold = Float(threshold)
        answers = 100
    }

    /// Runs the model in another way than its file says.
    /// - Parameter json: the JSON of an `ImageProcessing`.
    /// - Returns: why this cannot be done; nil if it can.
    package mutating func state(processing json: String) -> String? {
        do throws(ModelFileError) {
            processing = try ImageProcessing(json: Array(json.utf8))
            return nil
        } catch {
            return error.message
        }
    }
}

/// Runs a model on the images of a stream, inside the sandbox, and prints one line of JSON for each (`ImageProbeReport`).
///
/// In the stream, each image begins with its length in 4 bytes, the lowest first. An image that cannot be decoded, or a
/// run that fails, becomes a line with the reason. If an image ends the process, the parent starts it again after that
/// image.
struct ImageProbe {
    let limits: ImageProbeLimits
    let memory: PeakMemoryReader

    /// Ends at the end of the stream.
    /// - Returns: the exit code.
    func run(modelDescriptor: Int32) -> Int32 {
        let model: InMemoryImageModel
        do {
            model = try InMemoryImageModel(
                bytes: ModelBytes(descriptor: modelDescriptor), answerCount: limits.answers,
                threshold: limits.threshold,
                processing: limits.processing)
        } catch {
            return print(ImageProbeReport.Start(failure: error.probeText)) ? 0 : 1
        }
        var start = ImageProbeReport.Start(isDetector: model.isDetector)
        if limits.showsDetails { start.vision = ModelContract.Vision(model.description) }
        guard print(start) else { return 1 }
        while let length = readLength() {
            guard length <= limits.imageBytes, let bytes = read(length) else { return 1 }
            guard print(line(for: bytes, model)) else { return 1 }
        }
        return 0
    }

    private func line(for bytes: Data, _ model: InMemoryImageModel) -> ImageProbeReport.Image {
        var options = ImageDecodeOptions()
        options.limits.maxFileBytes = limits.imageBytes
        options.limits.maxPixels = limits.imagePixels
        do {
            let result = try model.result(for: bytes, options: options)
            var line = ImageProbeReport.Image(
                answers: Self.answers(result.answers), width: result.width, height: result.height,
                microseconds: Int(max(1, result.runTime / .microseconds(1))), peakMemoryBytes: memory.peakBytes)
            if limits.showsDetails, !result.outputs.isEmpty {
                line.outputs = result.outputs.prefix(limits.outputs).map { output in
                    ImageProbeReport.Output(
                        name: output.name, answers: Self.answers(output.answers.prefix(limits.answersOfOutput)))
                }
            }
            return line
        } catch {
            let isImageError = (error as NSError).userInfo[NSUnderlyingErrorKey] is ImageError
            return ImageProbeReport.Image(failure: error.probeText, isUnreadable: isImageError ? true : nil)
        }
    }

    private static func answers(_ answers: some Sequence<InMemoryImageModel.Answer>) -> [ImageProbeReport.Answer] {
        answers.filter { $0.confidence.isFinite }.map(answer)
    }

    private static func answer(_ answer: InMemoryImageModel.Answer) -> ImageProbeReport.Answer {
        let box = answer.frame.map { [$0.minX, $0.minY, $0.width, $0.height].map { Double($0) } }
        return ImageProbeReport.Answer(
            text: answer.text, index: answer.index, confidence: Double(answer.confidence), box: box)
    }

    private func print(_ line: some Encodable) -> Bool {
        guard let json = try? WireJSON.encode(line) else { return false }
        return Descriptor.write(json + [UInt8(ascii: "\n")], to: STDOUT_FILENO) == nil
    }

    /// Nil at the end of the stream.
    private func readLength() -> Int? {
        read(4).map { $0.reversed().reduce(0) { $0 << 8 | Int($1) } }
    }

    /// Nil if the stream ends before `count` bytes.
    private func read(_ count: Int) -> Data? {
        var data = Data(count: count)
        var filled = 0
        while filled < count {
            let got = data.withUnsafeMutableBytes { Glibc.read(STDIN_FILENO, $0.baseAddress! + filled, count - filled) }
            if got < 0, errno == EINTR { continue }
            guard got > 0 else { return nil }
            filled += got
        }
        return data
    }
}
