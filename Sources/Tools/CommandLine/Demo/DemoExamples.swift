import Foundation
import HearthLocalCommands

/// The example pictures and the digit that each shows.
struct DemoExamples {
    struct Example {
        var path: String
        var digit: String
    }

    let examples: [Example]

    /// Reads `labels.csv`: a header, then `file,label` lines.
    init(folder: String) throws {
        let lines = try TextFile.read(folder + "/labels.csv").split(whereSeparator: \.isNewline).dropFirst()
        examples = lines.compactMap { line in
            let fields = line.split(separator: ",").map { $0.trimmingCharacters(in: .whitespaces) }
            return fields.count == 2 ? Example(path: folder + "/" + fields[0], digit: fields[1]) : nil
        }
        guard !examples.isEmpty else { throw CommandFailure("There are no example pictures in \(folder).") }
    }
}
