import Foundation
import HearthImaging
import Testing

@Suite("Mutated files give a picture or an error")
struct MutationTests {
    @Test("bit flips, overwritten runs and cuts", arguments: ImageFixtures.names)
    func mutate(name: String) throws {
        let original = try ImageFixtures.data(name)
        var random = SeededGenerator(seed: UInt64(original.count))
        let writer = try ImageTensorWriter(width: 5, height: 5, format: .uint8)
        for _ in 0..<60 {
            let mutant = Self.mutant(of: original, &random)
            for allowPartial in [false, true] {
                let limits = ImageLimits(maxPixels: 1 << 20)
                let options = ImageDecodeOptions(limits: limits, allowPartial: allowPartial)
                _ = imageErrorCode {
                    let image = try ImageDecoder.decode(mutant, options: options)
                    #expect(image.pixels.width * image.pixels.height <= limits.maxPixels)
                    #expect(allowPartial || !image.isPartial)
                    #expect(try writer.bytes(image).count == 75)
                }
            }
        }
    }

    private static func mutant(of original: Data, _ random: inout SeededGenerator) -> Data {
        var bytes = [UInt8](original)
        switch Int.random(in: 0..<4, using: &random) {
        case 0: bytes.removeLast(Int.random(in: 0...bytes.count, using: &random))
        case 1:
            let start = Int.random(in: 0..<bytes.count, using: &random)
            for index in start..<min(start + 4, bytes.count) {
                bytes[index] = UInt8.random(in: 0...255, using: &random)
            }
        default:
            for _ in 0..<Int.random(in: 1...3, using: &random) {
                bytes[Int.random(in: 0..<bytes.count, using: &random)] ^= 1 << UInt8.random(in: 0...7, using: &random)
            }
        }
        return Data(bytes)
    }
}

/// SplitMix64: the same sequence for the same seed.
struct SeededGenerator: RandomNumberGenerator {
    private var state: UInt64

    init(seed: UInt64) {
        state = seed
    }

    mutating func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        var value = state
        value = (value ^ (value >> 30)) &* 0xBF58_476D_1CE4_E5B9
        value = (value ^ (value >> 27)) &* 0x94D0_49BB_1331_11EB
        return value ^ (value >> 31)
    }
}
