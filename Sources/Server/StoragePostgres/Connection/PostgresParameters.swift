import Glibc
import HearthStorage
import HearthStorageSQL

/// The parameters of one statement, as libpq takes them.
struct PostgresParameters {
    private let values: [[UInt8]?]
    private let areBytes: [Bool]

    /// - Throws: `.invalidText` if a text contains NUL, which PostgreSQL's texts cannot.
    init(_ parameters: [SQLValue]) throws(StorageError) {
        var values: [[UInt8]?] = []
        values.reserveCapacity(parameters.count)
        for parameter in parameters {
            switch parameter {
            case .integer(let number): values.append(Self.terminated(String(number)))
            case .real(let number): values.append(Self.terminated("\(number)"))
            case .bytes(let bytes): values.append(bytes)
            case .null: values.append(nil)
            case .text(let text):
                guard !text.utf8.contains(0) else {
                    throw StorageError(.invalidText, "A text with the character NUL cannot be stored")
                }
                values.append(Self.terminated(text))
            }
        }
        self.values = values
        areBytes = parameters.map { if case .bytes = $0 { true } else { false } }
    }

    private static func terminated(_ text: String) -> [UInt8] {
        var bytes = [UInt8]()
        bytes.reserveCapacity(text.utf8.count + 1)
        bytes.append(contentsOf: text.utf8)
        bytes.append(0)
        return bytes
    }

    /// Gives `body` the values, their lengths and their formats. They end with the call.
    func withPointers<Result>(
        _ body: (UnsafePointer<UnsafePointer<CChar>?>?, UnsafePointer<Int32>?, UnsafePointer<Int32>?) -> Result
    ) -> Result {
        let total = values.reduce(0) { $0 + ($1?.count ?? 0) }
        return withUnsafeTemporaryAllocation(byteCount: max(total, 1), alignment: 1) { buffer in
            var offset = 0
            let pointers = values.map { bytes -> UnsafePointer<CChar>? in
                guard let bytes, let base = buffer.baseAddress else { return nil }
                let start = base + offset
                bytes.withUnsafeBytes { if let source = $0.baseAddress { memcpy(start, source, $0.count) } }
                offset += bytes.count
                return UnsafePointer(start.assumingMemoryBound(to: CChar.self))
            }
            return body(pointers, values.map { Int32($0?.count ?? 0) }, areBytes.map { $0 ? 1 : 0 })
        }
    }

    /// The statement with PostgreSQL's names for parameters: `$1` for the first `?` and for `?1`.
    static func numbered(_ sql: String) -> String {
        var text = ""
        var next = 1
        var rest = sql[...]
        while let mark = rest.firstIndex(of: "?") {
            text += rest[..<mark] + "$"
            rest = rest[rest.index(after: mark)...]
            let digits = rest.prefix { $0.isASCII && $0.isNumber }
            if digits.isEmpty {
                text += String(next)
                next += 1
            } else {
                text += digits
                rest = rest[digits.endIndex...]
            }
        }
        return text + rest
    }
}
