import Foundation
import HearthLocalCommands

/// Pictures of one digit each, and which digit that is.
struct DigitExamples {
    struct Example {
        var path: String
        var digit: String
    }

    let examples: [Example]

    /// Reads `labels.csv`: a header, then `file,label` lines.
    init(folder: String) throws {
        examples = try ExampleTable.rows(folder + "/labels.csv", columns: 2).map { fields in
            Example(path: folder + "/" + fields[0], digit: fields[1])
        }
        guard !examples.isEmpty else { throw CommandFailure("There are no example pictures in \(folder).") }
    }
}
