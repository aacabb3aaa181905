import Dispatch
import Foundation
import HearthImaging
import HearthModelSource
import HearthVision
import Testing

/// Over labelers that pass the image's one pixel on: what goes in must come out, through every type.
@Suite("Scores of every type")
struct ScoreTests {
    @Test(
        "a pixel of 64, 192, 192 through the model and back",
        arguments: [
            ("uint8", [192.0 / 256, 192.0 / 256, 64.0 / 256]), ("uint8_rank4", [0.75, 0.75, 0.25]),
            ("int8", [0.75, 0.75, 0.25]),
            ("uint8_offset", [92.0 / 256, 92.0 / 256]), ("float", [192.0 / 255, 192.0 / 255, 64.0 / 255]),
            ("float_channels", [0.92, 64.0 / 255]),
        ] as [(String, [Float])])
    func types(model: String, expected: [Float]) throws {
        let labels = try Labeler.fixture(model).results(in: Labeler.pixel)
        #expect(labels.count == expected.count, "negative scores are dropped")
        for (label, score) in zip(labels, expected) { #expect(abs(label.confidence - score) < 1e-6) }
    }

    @Test("of equal scores the lower index comes first; without labels the text is empty")
    func ties() throws {
        let labels = try Labeler.fixture("uint8").results(in: Labeler.pixel)
        #expect(labels.map(\.index) == [1, 2, 0])
        #expect(labels.map(\.text) == ["", "", ""])
        #expect(labels[0].description == "#1 0.75")
    }

    @Test("the threshold: what equals it stays", arguments: [(0.75, 2), (0.7501, 0), (0.25, 3), (0, 3), (1, 0)])
    func threshold(value: Double, count: Int) throws {
        let labels = try Labeler.fixture("uint8", threshold: value as NSNumber).results(in: Labeler.pixel)
        #expect(labels.count == count)
    }

    @Test(
        "the model's own threshold, unless the app gives a valid one",
        arguments: [
            (nil, 2), (0.1, 3), (-0.1, 2), (1.5, 2), (Double.nan, 2),
        ] as [(Double?, Int)])
    func modelThreshold(value: Double?, count: Int) throws {
        let labeler = Labeler.fixture("uint8_threshold", threshold: value.map { $0 as NSNumber })
        #expect(try labeler.results(in: Labeler.pixel).count == count)
    }

    @Test("at most so many; a count that is not positive means ten", arguments: [(1, 1), (2, 2), (0, 3), (-5, 3)])
    func maxCount(value: Int, count: Int) throws {
        #expect(try Labeler.fixture("uint8", maxCount: value).results(in: Labeler.pixel).count == count)
        let digits = Labeler.make(LocalModel(path: Labeler.bundle("digits-labeler-2")), maxCount: value)
        #expect(try digits.results(in: Labeler.pixel).count == (value > 0 ? value : 10))
    }

    @Test("label texts from a file beside the model, in its order")
    func texts() throws {
        let folder = try LabelFile("red\ngreen\nblue\n")
        let labeler = Labeler.make(LocalModel(path: Labeler.path("uint8.tflite"), labelsPath: folder.path))
        let labels = try labeler.results(in: Labeler.pixel)
        #expect(labels.map(\.summary) == ["1 green 0.75", "2 blue 0.75", "0 red 0.25"])
        #expect(labels[0].description == "green 0.75")
    }
}

@Suite("Labels of a part of an image")
struct RegionTests {
    /// Left half red, right half blue, 8 x 4.
    private func picture() throws -> VisionImage {
        let row = Data((0..<8).flatMap { $0 < 4 ? [255, 0, 0] : [0, 0, 255] as [UInt8] })
        return VisionImage(
            pixels: try PixelImage(
                format: .rgb, width: 8, height: 4,
                planes: [.init((0..<4).reduce(into: Data()) { bytes, _ in bytes += row }, bytesPerRow: 24)]))
    }

    @Test("only the region is looked at", arguments: [(0, 0), (4, 2)])
    func region(x: Int, index: Int) async throws {
        let labeler = Labeler.fixture("uint8")
        let region = PixelRect(x: x, y: 1, width: 4, height: 2)
        #expect(try labeler.results(in: picture(), region: region).first?.index == index)
        #expect(try await labeler.process(picture(), region: region).first?.index == index)
    }

    @Test(
        "a region outside of the image, or an empty one",
        arguments: [(7, 0, 2, 1), (0, 0, 0, 1), (-1, 0, 2, 2), (.max, 0, .max, 1), (0, 4, 1, 1)])
    func outside(x: Int, y: Int, width: Int, height: Int) throws {
        let labeler = Labeler.fixture("uint8")
        let error = #expect(throws: NSError.self) {
            try labeler.results(in: picture(), region: PixelRect(x: x, y: y, width: width, height: height))
        }
        #expect(error?.code == 3)
        #expect(error?.domain == "com.google.mlkit")
    }
}

@Suite("Labeling off the calling thread")
struct CallbackTests {
    private let labeler = Labeler.fixture("uint8")

    @Test("the completion comes on the callback queue, with labels or an error")
    func completion() async {
        let queue = DispatchQueue(label: "callbacks")
        let key = DispatchSpecificKey<Bool>()
        queue.setSpecific(key: key, value: true)
        labeler.callbackQueue = queue
        for (image, expected) in [(Labeler.pixel, 3), (VisionImage(data: Data()), nil)] as [(VisionImage, Int?)] {
            let count: Int? = await withCheckedContinuation { continuation in
                labeler.process(image) { labels, error in
                    #expect(DispatchQueue.getSpecific(key: key) == true)
                    #expect((labels == nil) != (error == nil))
                    #expect(error == nil || type(of: error!) == NSError.self)
                    continuation.resume(returning: labels?.count)
                }
            }
            #expect(count == expected)
        }
    }

    @Test("async code gets labels, or the error thrown")
    func async() async throws {
        #expect(try await labeler.process(Labeler.pixel).map(\.index) == [1, 2, 0])
        await #expect(throws: NSError.self) { try await labeler.process(VisionImage(data: Data())) }
    }

    @Test("the callback queue is the main one until it is set")
    func mainQueue() {
        #expect(labeler.callbackQueue.label == DispatchQueue.main.label)
    }

    @Test("the label-free factory and the plain one make the same labeler")
    func factories() throws {
        let options = CustomImageLabelerOptions(localModel: LocalModel(path: Labeler.path("uint8.tflite")))
        #expect(try ImageLabeler.imageLabeler(options).results(in: Labeler.pixel).count == 3)
        options.maxResultCount = 1
        #expect(try ImageLabeler.imageLabeler(options: options).results(in: Labeler.pixel).count == 1)
    }

    @Test("many threads with one labeler and one image get the same answer")
    func threads() throws {
        let labeler = Labeler.make(LocalModel(path: Labeler.bundle("digits-labeler")))
        let image = VisionImage(contentsOfFile: Labeler.bundle("digits-labeler/examples/7-a.png"))
        let other = VisionImage(contentsOfFile: Labeler.bundle("digits-labeler/examples/3-a.png"))
        DispatchQueue.concurrentPerform(iterations: 64) { index in
            let label = try? labeler.results(in: index.isMultiple(of: 2) ? image : other).first
            #expect(label?.text == (index.isMultiple(of: 2) ? "7" : "3"))
        }
    }

    @Test("completions come in the order of the calls, also when an image is refused at once")
    func order() async {
        let (answers, answer) = AsyncStream.makeStream(of: Int.self)
        labeler.callbackQueue = DispatchQueue(label: "callbacks")
        let images = (0..<20).map { $0.isMultiple(of: 3) ? VisionImage(data: Data()) : Labeler.pixel }
        for (number, image) in images.enumerated() {
            labeler.process(image) { labels, _ in
                #expect((labels == nil) == number.isMultiple(of: 3))
                answer.yield(number)
            }
        }
        var found: [Int] = []
        for await number in answers {
            found.append(number)
            if found.count == images.count { break }
        }
        #expect(found == Array(0..<20))
    }

    @Test("more threads for one image change no label")
    func threadCount() throws {
        let options = CustomImageLabelerOptions(localModel: LocalModel(path: Labeler.bundle("digits-labeler")))
        let image = VisionImage(contentsOfFile: Labeler.bundle("digits-labeler/examples/7-a.png"))
        let expected = try ImageLabeler.imageLabeler(options: options).results(in: image).map(\.summary)
        for count in [0, 1, 2, -1, .max] {
            options.threadCount = count
            #expect(try ImageLabeler.imageLabeler(options: options).results(in: image).map(\.summary) == expected)
        }
    }
}
