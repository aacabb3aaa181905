/// Reads the claims of a device token in the one form that `InstallationTokens.issue` gives them, which is checked with
/// every call of every device. Claims with escaped characters are left to a full JSON decoder.
struct ClaimsReader {
    private var rest: ArraySlice<UInt8>

    /// `nil` for any other form, which need not be wrong.
    static func read(_ payload: [UInt8]) -> InstallationTokens.Claims? {
        var reader = ClaimsReader(rest: payload[...])
        guard reader.skip(#"{"appId":"#), let appID = reader.text(),
            reader.skip(#","exp":"#), let expires = reader.number(),
            reader.skip(#","fid":"#), let fid = reader.text(),
            reader.skip(#","projectNumber":"#), let number = reader.number(),
            reader.skip("}"), reader.rest.isEmpty
        else { return nil }
        return InstallationTokens.Claims(appId: appID, exp: expires, fid: fid, projectNumber: number)
    }

    private mutating func skip(_ expected: StaticString) -> Bool {
        let expected = UnsafeBufferPointer(start: expected.utf8Start, count: expected.utf8CodeUnitCount)
        guard rest.starts(with: expected) else { return false }
        rest = rest.dropFirst(expected.count)
        return true
    }

    /// A string without escapes.
    private mutating func text() -> String? {
        guard skip("\""), let end = rest.firstIndex(where: { $0 == UInt8(ascii: "\"") || $0 == UInt8(ascii: "\\") }),
            rest[end] == UInt8(ascii: "\""), let text = String(validating: rest[..<end], as: UTF8.self)
        else { return nil }
        rest = rest[(end + 1)...]
        return text
    }

    /// A number that cannot overflow: at most 18 digits.
    private mutating func number() -> Int64? {
        let digits = rest.prefix { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }
        guard (1...18).contains(digits.count) else { return nil }
        rest = rest[digits.endIndex...]
        return digits.reduce(0) { $0 * 10 + Int64($1 - UInt8(ascii: "0")) }
    }
}
