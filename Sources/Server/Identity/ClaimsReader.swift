internal import Glibc

/// Reads the claims of a device token in the one form that `InstallationTokens.issue` gives them, which is checked with
/// every call of every device. Claims with escaped characters are left to a full JSON decoder.
struct ClaimsReader {
    private var rest: Slice<UnsafeBufferPointer<UInt8>>

    /// `nil` for any other form, which need not be wrong.
    static func read(_ payload: [UInt8]) -> InstallationTokens.Claims? {
        payload.withUnsafeBufferPointer { payload in
            var reader = ClaimsReader(rest: payload[...])
            return reader.claims()
        }
    }

    private mutating func claims() -> InstallationTokens.Claims? {
        guard skip(#"{"appId":"#), let appID = text(), skip(#","exp":"#), let expires = number(),
            skip(#","fid":"#), let fid = text(), skip(#","projectNumber":"#), let number = number(), skip("}"),
            rest.isEmpty
        else { return nil }
        return InstallationTokens.Claims(appId: appID, exp: expires, fid: fid, projectNumber: number)
    }

    private mutating func skip(_ expected: StaticString) -> Bool {
        let count = expected.utf8CodeUnitCount
        guard rest.count >= count, let found = UnsafeBufferPointer(rebasing: rest.prefix(count)).baseAddress,
            memcmp(found, expected.utf8Start, count) == 0
        else { return false }
        rest = rest.dropFirst(count)
        return true
    }

    /// A string without escapes.
    private mutating func text() -> String? {
        guard skip("\""), let end = rest.firstIndex(where: { $0 == UInt8(ascii: "\"") || $0 == UInt8(ascii: "\\") }),
            rest[end] == UInt8(ascii: "\"")
        else { return nil }
        // The payload was signed by this server, so it is UTF-8.
        let text = String(decoding: UnsafeBufferPointer(rebasing: rest[..<end]), as: UTF8.self)
        rest = rest[(end + 1)...]
        return text
    }

    /// A number that cannot overflow: at most 18 digits are read.
    private mutating func number() -> Int64? {
        var value: Int64 = 0
        let digits = rest.prefix(18).prefix { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }
        for digit in digits { value = value * 10 + Int64(digit - UInt8(ascii: "0")) }
        rest = rest.dropFirst(digits.count)
        return digits.isEmpty ? nil : value
    }
}
