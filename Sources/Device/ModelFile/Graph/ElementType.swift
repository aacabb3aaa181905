/// The type of a tensor's elements, with the file format's numbers (an engine's own may differ).
public struct ElementType: RawRepresentable, Hashable, Sendable, CustomStringConvertible {
    /// The format's number for the type.
    public let rawValue: UInt8

    /// Creates a type from the format's number, which may be unknown.
    public init(rawValue: UInt8) {
        self.rawValue = rawValue
    }

    /// IEEE 754 single precision.
    public static let float32 = ElementType(rawValue: 0)
    /// IEEE 754 half precision.
    public static let float16 = ElementType(rawValue: 1)
    /// Signed, 32 bits.
    public static let int32 = ElementType(rawValue: 2)
    /// Unsigned, 8 bits.
    public static let uint8 = ElementType(rawValue: 3)
    /// Signed, 64 bits.
    public static let int64 = ElementType(rawValue: 4)
    /// Strings of any length.
    public static let string = ElementType(rawValue: 5)
    /// One byte, 0 or 1.
    public static let bool = ElementType(rawValue: 6)
    /// Signed, 16 bits.
    public static let int16 = ElementType(rawValue: 7)
    /// Two numbers of single precision: the real and the imaginary part.
    public static let complex64 = ElementType(rawValue: 8)
    /// Signed, 8 bits.
    public static let int8 = ElementType(rawValue: 9)
    /// IEEE 754 double precision.
    public static let float64 = ElementType(rawValue: 10)
    /// Two numbers of double precision: the real and the imaginary part.
    public static let complex128 = ElementType(rawValue: 11)
    /// Unsigned, 64 bits.
    public static let uint64 = ElementType(rawValue: 12)
    /// The handle of a variable or a table.
    public static let resource = ElementType(rawValue: 13)
    /// A value whose type is known only at run time.
    public static let variant = ElementType(rawValue: 14)
    /// Unsigned, 32 bits.
    public static let uint32 = ElementType(rawValue: 15)
    /// Unsigned, 16 bits.
    public static let uint16 = ElementType(rawValue: 16)
    /// Signed, 4 bits.
    public static let int4 = ElementType(rawValue: 17)
    /// The upper 16 bits of a number of single precision.
    public static let bfloat16 = ElementType(rawValue: 18)
    /// Signed, 2 bits.
    public static let int2 = ElementType(rawValue: 19)
    /// Unsigned, 4 bits.
    public static let uint4 = ElementType(rawValue: 20)
    /// 8 bits, of which 4 are the exponent and 3 the fraction; finite numbers and NaN.
    public static let float8E4M3FN = ElementType(rawValue: 21)
    /// 8 bits, of which 5 are the exponent and 2 the fraction.
    public static let float8E5M2 = ElementType(rawValue: 22)

    /// The name and the bits of one element by raw value; 0 bits for types without a fixed size (string, resource,
    /// variant).
    private static let table: [(name: String, bits: Int)] = [
        ("float32", 32), ("float16", 16), ("int32", 32), ("uint8", 8), ("int64", 64), ("string", 0), ("bool", 8),
        ("int16", 16), ("complex64", 64), ("int8", 8), ("float64", 64), ("complex128", 128), ("uint64", 64),
        ("resource", 0), ("variant", 0), ("uint32", 32), ("uint16", 16), ("int4", 4), ("bfloat16", 16), ("int2", 2),
        ("uint4", 4), ("float8_e4m3fn", 8), ("float8_e5m2", 8),
    ]

    /// Whether the format defines this number.
    public var isKnown: Bool { Int(rawValue) < Self.table.count }

    /// The bits of one element; 0 for types without a fixed size and for unknown numbers.
    public var bitWidth: Int { isKnown ? Self.table[Int(rawValue)].bits : 0 }

    /// The type's name, or its number if the format does not define it.
    public var description: String { isKnown ? Self.table[Int(rawValue)].name : "type \(rawValue)" }
}
