import Foundation
import HearthModelFile
import TensorFlowLite

/// Loads and runs models for `scripts/soak mutated-models`, in this process and without a cage: what passes the check must not
/// end it.
///
/// With arguments: does so with these files and says what came of each. Without: reads models from standard input, each
/// behind its length (32 bits, little-endian), and answers a line to each.
@main
struct ExerciserProgram {
    static func main() throws {
        let paths = CommandLine.arguments.dropFirst()
        for path in paths {
            print("\(path): \(ModelExercise.run(try Data(contentsOf: URL(fileURLWithPath: path))))")
        }
        guard paths.isEmpty else { return }
        while let data = try nextInput() {
            try FileHandle.standardOutput.write(contentsOf: Data((ModelExercise.run(data) + "\n").utf8))
        }
    }

    /// nil at the end of standard input.
    private static func nextInput() throws -> Data? {
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
