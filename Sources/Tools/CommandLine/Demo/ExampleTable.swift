import Foundation

/// The tables that come with example pictures: a header, then lines of fields with commas between them.
enum ExampleTable {
    /// The lines below the header that have as many fields as there are columns.
    static func rows(_ path: String, columns: Int) throws -> [[String]] {
        try TextFile.read(path).split(whereSeparator: \.isNewline).dropFirst().compactMap { line in
            let fields = line.split(separator: ",").map { $0.trimmingCharacters(in: .whitespaces) }
            return fields.count == columns ? fields : nil
        }
    }
}
