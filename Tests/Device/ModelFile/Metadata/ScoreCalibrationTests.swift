import Foundation
import Testing

@testable import HearthModelFile

@Suite struct ScoreCalibrationTests {
    private func calibration(
        _ csv: String, classes: Int, _ transformation: ModelMetadata.ScoreTransformation = .identity,
        defaultScore: Float = 0.25
    ) throws -> ScoreCalibration {
        try ScoreCalibration(
            csv: Array(csv.utf8), classCount: classes, transformation: transformation, defaultScore: defaultScore)
    }

    private func sigmoid(_ scale: Double, _ exponent: Double) -> Float {
        Float(scale / (1 + exp(-exponent)))
    }

    private func expectClose(
        _ found: Float, _ expected: Float, sourceLocation: SourceLocation = #_sourceLocation
    ) {
        #expect(abs(found - expected) <= 1e-6, "\(found) is not \(expected)", sourceLocation: sourceLocation)
    }

    @Test func eachClassHasItsOwnSigmoid() throws {
        let calibration = try calibration("1,2,-0.5\n0.5,-3,1\n", classes: 3)
        expectClose(calibration.score(0.7, classIndex: 0), sigmoid(1, 0.9))
        expectClose(calibration.score(0.7, classIndex: 1), sigmoid(0.5, -1.1))
        // The third line is empty, and there is no fourth.
        for index in [2, 3, -1, .max] { #expect(calibration.score(0.7, classIndex: index) == 0.25) }
    }

    @Test func scoresBelowTheMinimumGetTheDefault() throws {
        let calibration = try calibration("1,1,0,0.5", classes: 1)
        #expect(calibration.score(Float(0.5).nextDown, classIndex: 0) == 0.25)
        expectClose(calibration.score(0.5, classIndex: 0), sigmoid(1, 0.5))
    }

    @Test func transformsLogarithmically() throws {
        let logarithm = try calibration("1,2,1", classes: 1, .log)
        expectClose(logarithm.score(0.3, classIndex: 0), sigmoid(1, 2 * log(0.3) + 1))
        let logit = try calibration("0.9,1.5,-0.25", classes: 1, .inverseLogistic)
        expectClose(logit.score(0.3, classIndex: 0), sigmoid(0.9, 1.5 * log(0.3 / 0.7) - 0.25))
    }

    @Test func staysANumberAtTheEnds() throws {
        for transformation in [.identity, .log, .inverseLogistic] as [ModelMetadata.ScoreTransformation] {
            for slope in ["1", "-1", "1e30", "-1e30"] {
                let calibration = try calibration("1,\(slope),0", classes: 1, transformation)
                for score in [0, 1, -1, 2, 1e-20, 1e30, -1e30] as [Float] {
                    let found = calibration.score(score, classIndex: 0)
                    #expect(found >= 0 && found <= 1, "\(transformation.rawValue) \(slope) \(score)")
                }
            }
        }
        // Below the least score the logarithm goes on without a jump.
        let steep = try calibration("1,0.01,0", classes: 1, .log)
        expectClose(steep.score(Float(1e-16).nextDown, classIndex: 0), steep.score(1e-16, classIndex: 0))
        #expect(steep.score(-1, classIndex: 0) < steep.score(0, classIndex: 0))
        #expect(steep.score(0, classIndex: 0) < steep.score(1e-15, classIndex: 0))
    }

    @Test func readsNumbersAsTheyAreWritten() throws {
        let spaced = try calibration(" 1 , 2e0,\t-0.5 ".replacing("\t", with: ""), classes: 1)
        expectClose(spaced.score(0.7, classIndex: 0), sigmoid(1, 0.9))
        let windows = try calibration("1,2,-0.5\r\n\r\n1,2,-0.5", classes: 3)
        expectClose(windows.score(0.7, classIndex: 2), sigmoid(1, 0.9))
        #expect(windows.score(0.7, classIndex: 1) == 0.25)
        #expect(try calibration("", classes: 1).score(0.7, classIndex: 0) == 0.25)
    }

    @Test(arguments: [
        ("1,2,3\n", 1, "has 2 lines for 1 labels; a line break at the end of the file begins another line"),
        ("1,2,3", 2, "has 1 lines for 2 labels"), ("\n1,2", 2, "line 2 of the score calibration file is not"),
        ("1,2,3,4,5", 1, "line 1"), ("1,2,x", 1, "line 1"), ("1,2,", 1, "line 1"), ("1,2,nan", 1, "line 1"),
        ("1,2,inf", 1, "line 1"), ("1,2,1e99", 1, "line 1"), ("1,2,3 4", 1, "line 1"), ("-1,2,3", 1, "a scale below 0"),
        ("\u{FEFF}1,2,3", 1, "line 1"), ("0x", 1, "line 1"),
    ])
    func refusesWhatIsNoCalibrationFile(csv: String, classes: Int, text: String) {
        let error = #expect(throws: ModelFileError.self) { try calibration(csv, classes: classes) }
        #expect(error?.code == .invalidCalibration)
        #expect(error?.message.contains(text) == true)
    }

    @Test func refusesAnUnknownTransformation() {
        let error = #expect(throws: ModelFileError.self) { try calibration("1,2,3", classes: 1, .init(rawValue: 7)) }
        #expect(error?.message == "the score calibration has the unknown transformation 7")
    }

    @Test func refusesBytesThatAreNoText() throws {
        for bytes in [[0xFF, 0xFE], [0], [0x31, 0x2C, 0x32, 0x2C, 0xC3]] as [[UInt8]] {
            let error = #expect(throws: ModelFileError.self) {
                try ScoreCalibration(csv: bytes, classCount: 1, transformation: .identity, defaultScore: 0)
            }
            #expect(error?.code == .invalidCalibration)
        }
    }
}
