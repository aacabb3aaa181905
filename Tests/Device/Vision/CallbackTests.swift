import Dispatch
import Foundation
import HearthModelSource
import HearthVision
import Testing

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

    @Test("many threads with one labeler and one picture get the same answer")
    func threads() throws {
        let labeler = Labeler.make(LocalModel(path: Labeler.bundle("digits-labeler")))
        let image = VisionImage(contentsOfFile: Labeler.bundle("digits-labeler/examples/7-a.png"))
        let other = VisionImage(contentsOfFile: Labeler.bundle("digits-labeler/examples/3-a.png"))
        DispatchQueue.concurrentPerform(iterations: 64) { index in
            let label = try? labeler.results(in: index.isMultiple(of: 2) ? image : other).first
            #expect(label?.text == (index.isMultiple(of: 2) ? "7" : "3"))
        }
    }

    @Test("completions come in the order of the calls, also when a picture is refused at once")
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

    @Test("more threads for one picture change no label")
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
