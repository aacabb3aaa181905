/// How a `STRIDED_SLICE` reads its begins and ends; each mask has a bit for each of them.
public struct SliceOptions: Sendable, Equatable {
    public var endMask: Int
    public var ellipsisMask: Int
    public var newAxisMask: Int
    /// Whether ends count from their begin, and not from the start of the dimension.
    public var endsAreOffsets: Bool
}

extension SliceOptions {
    private static let slice = BuiltinOperator.numbers("STRIDED_SLICE")
    private static let kind: UInt8 = 32

    /// nil for other operators, and where the options are absent.
    static func read(_ operator: FlatTable, code: Int) throws(ModelFileError) -> SliceOptions? {
        guard slice.contains(code), try `operator`.integer(3) == kind,
            let options = try `operator`.table(4, "operator's options")
        else { return nil }
        let masks = try [1, 2, 3].map { id throws(ModelFileError) in
            let mask: Int32 = try options.integer(id)
            return Int(mask)
        }
        return SliceOptions(
            endMask: masks[0], ellipsisMask: masks[1], newAxisMask: masks[2], endsAreOffsets: try options.bool(5))
    }
}
