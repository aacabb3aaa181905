import Foundation
import HearthDrawing
import HearthVision
import HearthWire
import Testing

@testable import HearthLocalCommands

@Suite struct ImageAnalyzerTests {
    private struct Failure: Error, CustomStringConvertible {
        let description: String
    }

    private struct FakeReader: ImageAnalyzer {
        func answer(_ path: String) throws -> DetectionResult {
            guard path != "bad" else { throw Failure(description: "it is \"bad\"\nreally") }
            return DetectionResult(
                width: 640, height: 480,
                objects: [
                    .init(
                        text: "cat", index: 3, confidence: 0.5,
                        frame: CGRect(x: 1.5, y: 2, width: 100.25, height: 50))
                ])
        }
    }

    @Test func jsonHasOneLineInTheStatedShape() {
        let outcome = FakeReader().outcome("a.png", asJSON: true)
        #expect(
            outcome.output == """
                {"image":"a.png","width":640,"height":480,"objects":[{"text":"cat","index":3,"confidence":0.5,\
                "box":{"left":1.5,"top":2.0,"right":101.75,"bottom":52.0}}]}

                """)
        #expect(outcome.note == nil && !outcome.isFailure)
    }

    @Test func textHasTheImageAndALineForEachObject() {
        #expect(FakeReader().outcome("a.png", asJSON: false).output == "a.png\n   50.0 %  cat  at 2,2, 100 x 50\n")
        #expect(DetectionResult(width: 1, height: 1, objects: []).lines == ["  no object"])
        #expect(LabelingResult([]).lines == ["  no label"])
        #expect(LabelingResult(labels: [.init(text: "", index: 7, confidence: 1)]).lines == ["  100.0 %  #7"])
    }

    @Test func scoresThatAreNoSharesAreNumbers() {
        let labels = LabelingResult(
            labels: [.init(text: "cat", index: 1, confidence: 8.15), .init(text: "", index: 2, confidence: 0.0001)],
            form: .number)
        #expect(labels.lines == ["     8.15  cat", "     0.00  #2"], "none is left out")
        var json = JSONLine()
        json.object { labels.write(to: &$0) }
        #expect(json.text.hasSuffix("],\"probabilities\":false}\n"))
    }

    @Test func eachOutputWithLabelsHasItsName() {
        let color = OutputLabels(
            name: "color", isMain: true, labels: [.init(text: "red", index: 0, confidence: 0.75)])
        let shape = OutputLabels(
            name: "shape", isMain: false, labels: [.init(text: "round", index: 1, confidence: 0.5)])
        let both = LabelingResult([color, shape])
        #expect(both.lines == ["  color", "     75.0 %  red", "  shape", "     50.0 %  round"])
        var json = JSONLine()
        json.object { both.write(to: &$0) }
        #expect(
            json.text == """
                {"labels":[{"text":"red","confidence":0.75,"index":0}],"outputs":[{"name":"color",\
                "labels":[{"text":"red","confidence":0.75,"index":0}]},{"name":"shape",\
                "labels":[{"text":"round","confidence":0.5,"index":1}]}]}

                """)
    }

    @Test func labelsThatWouldStandThereWithNothingAreLeftOutOfTheText() throws {
        func labels(_ confidences: [Float]) -> LabelingResult {
            LabelingResult(
                labels: confidences.enumerated().map {
                    .init(text: "l\($0.offset)", index: $0.offset, confidence: $0.element)
                })
        }
        #expect(labels([0.996, 0.0006, 0.0004, 0]).lines == ["   99.6 %  l0", "    0.1 %  l1"])
        #expect(labels([0.0004, 0.0003]).lines == ["    0.0 %  l0"], "the best one stays")
        #expect(labels([0.5, .nan]).lines == ["   50.0 %  l0", "      ? %  l1"])
        var json = JSONLine()
        json.object { labels([0.9, 0]).write(to: &$0) }
        #expect(json.text.contains("l0") && json.text.contains("l1"), "JSON has all")
    }

    @Test(arguments: [
        ("gone.jpg", "there is no file at gone.jpg", "error: there is no file at gone.jpg"),
        (
            "a/b.jpg", "a/b.jpg could not be read: Input/output error",
            "error: a/b.jpg could not be read: Input/output error"
        ),
        ("a.jpg", "the image is cut short", "error: a.jpg: the image is cut short"),
        ("the", "the image is cut short", "error: the: the image is cut short"),
        ("b.jpg", "there is no file at bb.jpg", "error: b.jpg: there is no file at bb.jpg"),
    ])
    func anErrorNamesItsImageOnce(path: String, reason: String, text: String) {
        #expect(ImageOutput.failure(path, reason, asJSON: false).note == text)
    }

    @Test func namesThatATerminalWouldObeyAreShownHarmless() {
        let outcome = FakeReader().outcome("a\u{1B}[2J\n.png", asJSON: false)
        #expect(outcome.output == "a?[2J?.png\n   50.0 %  cat  at 2,2, 100 x 50\n")
        let failure = ImageOutput.failure("b\u{7}.png", "no \u{1B}]0;title", asJSON: false)
        #expect(failure.note == "error: b?.png: no ?]0;title")
    }

    @Test func aFailureIsALineWhereItBelongs() {
        let json = FakeReader().outcome("bad", asJSON: true)
        #expect(json.isFailure && json.note == nil)
        #expect(json.output == #"{"image":"bad","error":"it is \"bad\" really"}"# + "\n")
        let text = FakeReader().outcome("bad", asJSON: false)
        #expect(text == ImageOutput(output: "", note: "error: bad: it is \"bad\" really", isFailure: true))
    }

    @Test(arguments: [CGFloat.nan, .infinity, -.infinity, 1e300])
    func framesThatCannotBeDoNoHarm(side: CGFloat) throws {
        let frame = CGRect(x: 0, y: 0, width: side, height: 1)
        let objects = DetectionResult(
            width: 1, height: 1, objects: [.init(text: "", index: 0, confidence: .nan, frame: frame)])
        #expect(objects.lines.count == 1)
        var json = JSONLine()
        json.object { objects.write(to: &$0) }
        #expect(throws: Never.self) { try JSONSerialization.jsonObject(with: Data(json.text.utf8)) }
    }

    @Test func theSummaryGroupsDigits() {
        #expect(
            ImageBatchSummary(done: 1204, failed: 3, elapsed: .milliseconds(14_147)).description
                == "1,204 images, 3 failed, 85.1 images/s")
        #expect(ImageBatchSummary(done: 1, failed: 0, elapsed: .seconds(1)).description == "1 image, 1.0 images/s")
        #expect(ImageBatchSummary(done: 0, failed: 0, elapsed: .zero).description == "0 images")
    }
}

extension LabelingResult {
    /// Of a model with one output.
    fileprivate init(labels: [ImageLabel], form: ConfidenceForm = .percent) {
        self.init([OutputLabels(name: "", isMain: true, labels: labels)], form: form)
    }
}
