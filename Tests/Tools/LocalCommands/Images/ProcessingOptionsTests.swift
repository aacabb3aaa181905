import HearthArguments
import HearthModelFile
import Testing

@testable import HearthLocalCommands

private struct SampleCommand: ParsableCommand {
    @OptionGroup var stated: StatedProcessingOptions

    static func stated(_ arguments: String...) throws -> ImageProcessing { try parse(arguments).stated.processing }
}

@Suite struct ProcessingOptionsTests {
    @Test func rangesAndMeansStateTheSame() throws {
        let values = try SampleCommand.stated("--normalize", "127.5,127.5").normalization
        #expect(values == .minusOneToOne)
        #expect(try SampleCommand.stated("--normalize", "-1..1").normalization == values)
        #expect(try SampleCommand.stated("--normalize", "0..1").normalization == .zeroToOne)
    }

    @Test func optionsOfAllKindsAreStatedTogether() throws {
        let stated = try SampleCommand.stated(
            "--channels", "bgr", "--resize", "letterbox-top-left", "--layout", "yolox", "--overlap", "0.4", "--softmax")
        #expect(
            stated
                == ImageProcessing(
                    channels: .bgr, resize: .letterboxTopLeft, activation: .softmax, layout: .yolox,
                    overlapThreshold: 0.4))
        #expect(try SampleCommand.stated().isEmpty)
    }

    @Test(arguments: ["abc", "0,0", "1", "0..0", "1/255", "0-1", "[0,1]", ""])
    func aWrongRangeIsToldTheForms(text: String) {
        let error = #expect(throws: (any Error).self) { try SampleCommand.stated("--normalize=\(text)") }
        let message = error.map { SampleCommand.message(for: $0) } ?? ""
        #expect(message.contains("'127.5,127.5'") && message.contains("'0..1'"), "\(message)")
    }
}
