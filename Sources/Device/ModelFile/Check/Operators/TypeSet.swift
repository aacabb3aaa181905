/// Element types that an operand may have: bits by the format's numbers.
struct TypeSet: Equatable {
    let bits: UInt32

    func contains(_ type: ElementType) -> Bool {
        type.isKnown && bits & 1 << UInt32(type.rawValue) != 0
    }

    /// As error texts list them: "float32, int8 or int16".
    var text: String {
        let names = (0..<32).filter { bits & 1 << $0 != 0 }.map { ElementType(rawValue: UInt8($0)).description }
        return names.count < 2
            ? names.joined() : names.dropLast().joined(separator: ", ") + " or " + names[names.count - 1]
    }

    /// From names as in the tables, separated by commas. Traps on others: callers pass constants.
    init(_ names: some StringProtocol) {
        bits = names.split(separator: ",").reduce(0) { $0 | Self.bits[String($1)]! }
    }

    private static let names = [
        "f32", "f16", "i32", "u8", "i64", "str", "bool", "i16", "c64", "i8", "f64", "c128", "u64", "res", "var", "u32",
        "u16", "i4", "bf16", "i2", "u4", "f8a", "f8b",
    ]

    private static let bits: [String: UInt32] = {
        var bits = Dictionary(uniqueKeysWithValues: names.enumerated().map { ($1, UInt32(1) << UInt32($0)) })
        let all = (UInt32(1) << UInt32(names.count)) - 1
        bits["any"] = all
        // What has a fixed size, so that a tensor's memory follows from its shape.
        bits["plain"] = all & ~(bits["str"]! | bits["res"]! | bits["var"]!)
        return bits
    }()
}
