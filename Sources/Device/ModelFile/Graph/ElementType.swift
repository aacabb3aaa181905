/// The type of a tensor's elements, in the numbering of the file format (an engine's own may differ).
public struct ElementType: RawRepresentable, Hashable, Sendable, CustomStringConvertible {
    public let rawValue: UInt8

    public init(rawValue: UInt8) {
        self.rawValue = rawValue
    }

    public static let float32 = ElementType(rawValue: 0)
    public static let float16 = ElementType(rawValue: 1)
    public static let int32 = ElementType(rawValue: 2)
    public static let uint8 = ElementType(rawValue: 3)
    public static let int64 = ElementType(rawValue: 4)
    public static let string = ElementType(rawValue: 5)
    public static let bool = ElementType(rawValue: 6)
    public static let int16 = ElementType(rawValue: 7)
    public static let complex64 = ElementType(rawValue: 8)
    public static let int8 = ElementType(rawValue: 9)
    public static let float64 = ElementType(rawValue: 10)
    public static let complex128 = ElementType(rawValue: 11)
    public static let uint64 = ElementType(rawValue: 12)
    public static let resource = ElementType(rawValue: 13)
    public static let variant = ElementType(rawValue: 14)
    public static let uint32 = ElementType(rawValue: 15)
    public static let uint16 = ElementType(rawValue: 16)
    public static let int4 = ElementType(rawValue: 17)
    public static let bfloat16 = ElementType(rawValue: 18)
    public static let int2 = ElementType(rawValue: 19)
    public static let uint4 = ElementType(rawValue: 20)
    public static let float8E4M3FN = ElementType(rawValue: 21)
    public static let float8E5M2 = ElementType(rawValue: 22)

    /// Bits of one element by raw value; 0 for the types without a fixed size (string, resource, variant).
    private static let table: [(name: String, bits: Int)] = [
        ("float32", 32), ("float16", 16), ("int32", 32), ("uint8", 8), ("int64", 64), ("string", 0), ("bool", 8),
        ("int16", 16), ("complex64", 64), ("int8", 8), ("float64", 64), ("complex128", 128), ("uint64", 64),
        ("resource", 0), ("variant", 0), ("uint32", 32), ("uint16", 16), ("int4", 4), ("bfloat16", 16), ("int2", 2),
        ("uint4", 4), ("float8_e4m3fn", 8), ("float8_e5m2", 8),
    ]

    /// Whether the format defines this number.
    public var isKnown: Bool { Int(rawValue) < Self.table.count }

    /// Bits of one element; 0 for types without a fixed size and for unknown numbers.
    public var bitWidth: Int { isKnown ? Self.table[Int(rawValue)].bits : 0 }

    public var description: String { isKnown ? Self.table[Int(rawValue)].name : "type \(rawValue)" }
}
