import Foundation
import HearthModelFile
import Testing

@Suite("What is stated about a model's images and answers")
struct ImageProcessingTests {
    private func read(_ json: String) throws -> ImageProcessing { try ImageProcessing(json: Array(json.utf8)) }

    @Test("every value is read as it was written, and equal values are equal text")
    func roundTrip() throws {
        for channels in [nil, .gray, .bgr] as [ImageProcessing.Channels?] {
            for layout in [nil] + BoxLayout.allCases.map(Optional.some) {
                let value = ImageProcessing(
                    channels: channels, normalization: .minusOneToOne, resize: .crop, activation: .sigmoid,
                    layout: layout, scoreThreshold: 0.25, overlapThreshold: 1)
                #expect(try ImageProcessing(json: value.json()) == value)
                #expect(try value.json() == value.json())
            }
        }
        #expect(try read("{}") == ImageProcessing())
        #expect(try read("{}").isEmpty)
    }

    @Test("the form on this page of the guide")
    func form() throws {
        let value = try read(
            #"{"channels": "rgb", "mean": [0], "standardDeviation": [255], "resize": "letterbox", "layout": "yolov8"}"#)
        #expect(
            value == ImageProcessing(channels: .rgb, normalization: .zeroToOne, resize: .letterbox, layout: .yolov8))
    }

    @Test(
        "each wrong member is named",
        arguments: [
            (#"{"colour": 1}"#, "'colour' is not known"), (#"{"channels": "cmyk"}"#, "channels"),
            (#"{"mean": "a"}"#, "mean"), (#"{"mean": [1, 2], "standardDeviation": [1]}"#, "standard deviation"),
            (#"{"standardDeviation": [0]}"#, "deviation zero"), (#"{"mean": [1, 2]}"#, "standard deviation"),
            (#"{"resize": 3}"#, "resize"), (#"{"layout": "yolo99"}"#, "layout"), (#"{"activation": ""}"#, "activation"),
            (#"{"scoreThreshold": 1.5}"#, "score threshold"), (#"{"overlapThreshold": -1}"#, "overlap threshold"),
            (#"{"mean": [1e60]}"#, "cannot be read"), ("[]", "cannot be read"), ("", "cannot be read"),
            ("{", "cannot be read"), ("nothing", "cannot be read"),
        ])
    func wrong(json: String, text: String) {
        let error = #expect(throws: ModelFileError.self) { try read(json) }
        #expect(error?.code == .invalidProcessing)
        #expect(error?.message.contains(text) == true, "\(error?.message ?? "")")
        #expect(error?.message.contains("\n") == false)
    }

    @Test("a text that is too long is not read")
    func long() {
        let error = #expect(throws: ModelFileError.self) {
            try read("{\"mean\": [\(String(repeating: "0,", count: 20_000))0]}")
        }
        #expect(error?.code == .tooLarge)
    }

    @Test("ranges become means and deviations")
    func ranges() {
        #expect(ImageProcessing.Normalization(low: 0, high: 1) == .zeroToOne)
        #expect(ImageProcessing.Normalization(low: -1, high: 1) == .minusOneToOne)
        #expect(ImageProcessing.Normalization(low: 0, high: 255) == .bytes)
        let largest = Float.greatestFiniteMagnitude
        let ends: [(Float, Float)] = [(0, 0), (.nan, 1), (0, .infinity), (-largest, largest)]
        for (low, high) in ends {
            #expect(ImageProcessing.Normalization(low: low, high: high) == nil)
        }
    }

    @Test("what one value leaves open, another completes")
    func completed() {
        let stated = ImageProcessing(normalization: .bytes, layout: .fomo)
        let file = ImageProcessing(channels: .gray, normalization: .zeroToOne, scoreThreshold: 0.5)
        #expect(
            stated.completed(by: file)
                == ImageProcessing(channels: .gray, normalization: .bytes, layout: .fomo, scoreThreshold: 0.5))
    }
}
