/// Installations that exist only as numbers: who asks on which day, and what they say. All of it follows from the seed.
struct Fleet {
    static let versionCount = 4
    /// Names bytes that no version has.
    static let unknownVersion = -1
    /// Names no version.
    static let noVersion = 0

    let count: Int
    let seed: UInt64

    /// A number from 0 to 2^64 that belongs to the installation, the topic and the day.
    private func chance(_ installation: Int, _ topic: UInt64, _ day: Int = 0) -> Double {
        var z = seed &* 0x9E37_79B9_7F4A_7C15 &+ UInt64(installation) &* 0xBF58_476D_1CE4_E5B9
        z = z &+ topic &* 0x94D0_49BB_1331_11EB &+ UInt64(day) &* 0xD6E8_FEB8_6659_FD93
        z = (z ^ (z >> 30)) &* 0xBF58_476D_1CE4_E5B9
        z = (z ^ (z >> 27)) &* 0x94D0_49BB_1331_11EB
        return Double((z ^ (z >> 31)) >> 11) / Double(1 << 53)
    }

    /// A fifth asks nearly every day, half only now and then.
    func asks(_ installation: Int, on day: Int) -> Bool {
        let kind = chance(installation, 1)
        return chance(installation, 2, day) < (kind < 0.2 ? 0.9 : kind < 0.5 ? 0.4 : 0.08)
    }

    /// What it names: the version that it was offered some days before.
    func version(_ installation: Int, on day: Int) -> Int {
        let kind = chance(installation, 3)
        if kind < 0.005 { return Self.unknownVersion }
        if kind < 0.03 { return Self.noVersion }
        let offered = day - Int(chance(installation, 4) * 5)
        let place = chance(installation, 5)
        return (1...Self.versionCount).last { share(of: $0, on: offered) > place } ?? 1
    }

    /// Version 2 goes to all in five days, version 3 to half, version 4 has just begun.
    private func share(of version: Int, on day: Int) -> Double {
        switch version {
        case 1: 1
        case 2: min(1, Double(day - 3) * 0.2)
        case 3: min(0.5, Double(day - 12) * 0.1)
        default: min(0.05, Double(day - 20) * 0.01)
        }
    }

    func system(_ installation: Int) -> String {
        let kind = chance(installation, 6)
        return kind < 0.45 ? "ios" : kind < 0.95 ? "android" : ""
    }

    func appVersion(_ installation: Int, on day: Int) -> String {
        let place = chance(installation, 7)
        return "3.\(Int(place * place * 8) + day / 7).0"
    }

    /// 22 letters and digits, as ids of installations have.
    func id(_ installation: Int) -> String {
        let digits = String(UInt64(installation) &* 0x9E37_79B9_7F4A_7C15 ^ seed, radix: 16)
        return "c" + String(repeating: "0", count: 21 - digits.count) + digits
    }

    /// The installations in another order each day.
    func order(_ place: Int, on day: Int) -> Int { (place + day * 7919) % count }
}
