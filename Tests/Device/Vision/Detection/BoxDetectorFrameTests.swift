import Dispatch
import Foundation
import HearthVision
import Synchronization
import Testing

/// Pictures that follow one another.
@Suite("Boxes from frame to frame")
struct BoxDetectorFrameTests {
    @Test("a video model gets its state back with the next picture, until it is reset")
    func state() throws {
        let detector = try Detector.fixture("video.tflite")
        func score() throws -> Float { try #require(try detector.boxes(in: Detector.spots).first).confidence }
        #expect(abs(try score() - 0.1) < 1e-5)
        #expect(abs(try score() - 0.4) < 1e-5)
        #expect(abs(try score() - 0.7) < 1e-5)
        try detector.resetState()
        #expect(abs(try score() - 0.1) < 1e-5)
    }

    @Test("tracking ids stay with the things, and are absent unless asked for")
    func tracking() throws {
        let detector = try Detector.fixture("ssd.tflite") { $0.tracksObjects = true }
        let first = try detector.boxes(in: Detector.spots)
        #expect(first.map(\.trackingID) == [0, 1])
        #expect(try detector.boxes(in: Detector.spots).map(\.trackingID) == [0, 1])
        #expect(try detector.boxes(in: Detector.picture("neighbours.png")).allSatisfy { ($0.trackingID ?? 0) > 1 })
        try detector.resetState()
        #expect(try detector.boxes(in: Detector.spots).allSatisfy { ($0.trackingID ?? 0) > 1 })
        #expect(try Detector.fixture("ssd.tflite").boxes(in: Detector.spots).allSatisfy { $0.trackingID == nil })
    }

    @Test("completions come in the order of the calls, on the callback queue")
    func completions() async throws {
        let detector = try Detector.fixture("video.tflite")
        let queue = DispatchQueue(label: "callbacks")
        detector.callbackQueue = queue
        let scores: [Float] = await withCheckedContinuation { continuation in
            let scores = Mutex<[Float]>([])
            for _ in 0..<8 {
                detector.process(Detector.spots) { boxes, error in
                    dispatchPrecondition(condition: .onQueue(queue))
                    #expect((boxes == nil) != (error == nil))
                    let all = scores.withLock { scores in
                        scores.append(boxes?.first?.confidence ?? 0)
                        return scores
                    }
                    if all.count == 8 { continuation.resume(returning: all) }
                }
            }
        }
        #expect(scores == scores.sorted())
        #expect(Set(scores).count == 8)
    }

    @Test("many threads with one detector get the same answer")
    func threads() throws {
        let detector = try Detector.fixture("ssd.tflite")
        let expected = try detector.boxes(in: Detector.spots)
        DispatchQueue.concurrentPerform(iterations: 32) { _ in
            #expect((try? detector.boxes(in: Detector.spots)) == expected)
        }
    }

    @Test("async code gets boxes")
    func async() async throws {
        #expect(try await Detector.fixture("ssd.tflite").process(Detector.spots).count == 2)
    }
}
