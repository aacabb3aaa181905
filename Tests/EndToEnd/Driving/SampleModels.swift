import Foundation
import HearthTestSupport

/// The models that the package ships, whole and damaged.
package enum SampleModels {
    package static let bundle = TestPaths.package.appendingPathComponent("Models/digits-labeler").path
    package static let secondBundle = TestPaths.package.appendingPathComponent("Models/digits-labeler-2").path
    package static let file = bundle + "/model.tflite"
    package static let secondFile = secondBundle + "/model.tflite"
    package static let image = bundle + "/examples/7-a.png"
    package static let labels = bundle + "/dict.txt"

    package static func bytes(_ path: String = file) throws -> [UInt8] {
        Array(try Data(contentsOf: URL(fileURLWithPath: path)))
    }

    package struct Damaged {
        package var name: String
        package var bytes: [UInt8]
    }

    /// Truncated, bit-flipped and random variants; the same on every run.
    package static func damaged() throws -> [Damaged] {
        let whole = try bytes()
        var generator = SplitMix64(seed: 20_261_120)
        var variants = [1, 8, whole.count / 2, whole.count - 1].map {
            Damaged(name: "truncated-\($0).tflite", bytes: Array(whole.prefix($0)))
        }
        for flips in [1, 16, 4096] {
            var bytes = whole
            for _ in 0..<flips {
                bytes[Int.random(in: bytes.indices, using: &generator)] ^=
                    1 << UInt8.random(in: 0..<8, using: &generator)
            }
            variants.append(Damaged(name: "flipped-\(flips).tflite", bytes: bytes))
        }
        var random = (0..<20_000).map { _ in UInt8.random(in: 0...255, using: &generator) }
        variants.append(Damaged(name: "random.tflite", bytes: random))
        random.replaceSubrange(4..<8, with: Array("TFL3".utf8))
        variants.append(Damaged(name: "random-identified.tflite", bytes: random))
        return variants
    }
}

/// A small, seeded generator (Steele, Lea and Flood 2014).
package struct SplitMix64: RandomNumberGenerator {
    private var state: UInt64

    package init(seed: UInt64) { state = seed }

    package mutating func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        var mixed = state
        mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
        mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
        return mixed ^ (mixed >> 31)
    }
}
