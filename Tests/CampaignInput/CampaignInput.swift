package import Foundation

/// What the programs have in common that campaigns of `scripts/soak` give inputs to.
///
/// With arguments: exercises these files and says what came of each. Without: reads inputs from standard input, each behind its
/// length (32 bits, little-endian), and answers a line to each.
package enum CampaignInput {
    /// Until the arguments, or standard input, are at their end.
    package static func forEach(_ exercise: (Data) -> String) throws {
        let paths = CommandLine.arguments.dropFirst()
        for path in paths {
            print("\(path): \(exercise(try Data(contentsOf: URL(fileURLWithPath: path))))")
        }
        guard paths.isEmpty else { return }
        while let data = try next() {
            try FileHandle.standardOutput.write(contentsOf: Data((exercise(data) + "\n").utf8))
        }
    }

    /// nil at the end of standard input.
    private static func next() throws -> Data? {
        guard let head = try read(4) else { return nil }
        let length = head.withUnsafeBytes { Int(UInt32(littleEndian: $0.loadUnaligned(as: UInt32.self))) }
        return try read(length)
    }

    /// A pipe may give less at a time than is asked for.
    private static func read(_ count: Int) throws -> Data? {
        var data = Data(capacity: count)
        while data.count < count {
            guard let more = try FileHandle.standardInput.read(upToCount: count - data.count), !more.isEmpty else {
                return nil
            }
            data += more
        }
        return data
    }
}
