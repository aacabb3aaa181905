import Foundation
import HearthWire

/// The text of a JSON object. Single values can be replaced; every other byte stays.
struct JSONObjectText {
    private(set) var bytes: [UInt8]

    /// - Parameter bytes: valid JSON.
    init(_ bytes: [UInt8]) { self.bytes = bytes }

    /// Replaces the string value of a member.
    ///
    /// - Returns: false, without a change, if the object has no such member, or one of another type.
    mutating func replace(_ member: String, with value: String) -> Bool {
        guard let range = place(of: Array(member.utf8)) else { return false }
        var text: [UInt8] = []
        JSONText.append(value, to: &text)
        bytes.replaceSubrange(range, with: text)
        return true
    }

    /// The place of the string, including its quotes.
    private func place(of member: [UInt8]) -> Range<Int>? {
        var (depth, position) = (0, 0)
        while position < bytes.count {
            switch bytes[position] {
            case UInt8(ascii: "{"), UInt8(ascii: "["): depth += 1
            case UInt8(ascii: "}"), UInt8(ascii: "]"): depth -= 1
            case UInt8(ascii: "\""):
                let end = end(ofStringAt: position)
                if depth == 1, Array(bytes[position + 1..<max(end - 1, position + 1)]) == member,
                    let colon = next(from: end), bytes[colon] == UInt8(ascii: ":"),
                    let start = next(from: colon + 1), bytes[start] == UInt8(ascii: "\"")
                {
                    return start..<self.end(ofStringAt: start)
                }
                position = end
                continue
            default: break
            }
            position += 1
        }
        return nil
    }

    private func next(from position: Int) -> Int? {
        bytes[min(position, bytes.count)...].firstIndex { ![0x20, 0x09, 0x0A, 0x0D].contains($0) }
    }

    /// The position behind the closing quote.
    private func end(ofStringAt start: Int) -> Int {
        var position = start + 1
        while position < bytes.count, bytes[position] != UInt8(ascii: "\"") {
            position += bytes[position] == UInt8(ascii: "\\") ? 2 : 1
        }
        return min(position + 1, bytes.count)
    }
}
