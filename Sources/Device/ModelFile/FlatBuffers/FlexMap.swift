/// The numbers of a map in FlexBuffers coding, which custom operators use for their options. Keys are texts, and values
/// other than numbers are skipped. Init reads the whole map with bounds checks.
struct FlexMap: Sendable, Equatable {
    /// The numbers by key; truth values are 0 and 1.
    let numbers: [String: Double]
    /// Keys whose values are not numbers.
    let nonNumericKeys: Set<String>
    /// Keys whose values are maps, or lists with elements other than plain numbers.
    let nestedKeys: Set<String>
    /// Whether the keys are in ascending order. Other readers search for keys and rely on the order.
    let hasSortedKeys: Bool

    private static let largestByteCount = 1 << 16
    private static let largestEntryCount = 1000
    private static let longestKey = 256

    /// - Throws: `malformed` when the bytes are not such a map or point outside of themselves; `tooLarge`.
    init(_ bytes: [UInt8]) throws(ModelFileError) {
        guard bytes.count <= Self.largestByteCount else {
            throw ModelFileError(.tooLarge, "the operator's options have more than \(Self.largestByteCount) bytes")
        }
        let content = try Reader(bytes: bytes).content(limit: Self.largestEntryCount)
        (numbers, nonNumericKeys) = (content.numbers, content.nonNumericKeys)
        (nestedKeys, hasSortedKeys) = (content.nestedKeys, content.hasSortedKeys)
    }

    /// How one value is stored: the lower two bits are the width of the data that it refers to, the others are the
    /// type.
    private struct PackedType {
        let raw: UInt8

        var kind: UInt8 { raw >> 2 }
        var width: Int { 1 << Int(raw & 3) }

        static let map: UInt8 = 9
        static let list: UInt8 = 10
        static let bool: UInt8 = 26
    }

    private struct Content {
        var numbers: [String: Double] = [:]
        var nonNumericKeys: Set<String> = []
        var nestedKeys: Set<String> = []
        var hasSortedKeys = true
    }

    private struct Reader {
        let bytes: [UInt8]

        /// The buffer ends with the root value, its type, and the width of the root value.
        func content(limit: Int) throws(ModelFileError) -> Content {
            guard bytes.count >= 3 else { throw Self.damaged }
            let width = Int(bytes[bytes.count - 1])
            let type = PackedType(raw: bytes[bytes.count - 2])
            guard type.kind == PackedType.map else { throw Self.damaged }
            let map = try target(ofOffsetAt: bytes.count - 2 - width, width: width)
            return try content(ofMapAt: map, width: type.width, limit: limit)
        }

        /// Before a map's values there are three numbers of the values' width: the offset back to the keys, the keys'
        /// width, and the count. After the values there are the types, one byte each.
        private func content(ofMapAt map: Int, width: Int, limit: Int) throws(ModelFileError) -> Content {
            let keys = try target(ofOffsetAt: map - 3 * width, width: width)
            let keyWidth = try size(at: map - 2 * width, width: width)
            let count = try size(at: map - width, width: width)
            guard count <= limit, keyWidth <= 8 else { throw Self.damaged }
            // Other readers search as many keys as this count states.
            guard try size(at: keys - keyWidth, width: keyWidth) == count else { throw Self.damaged }
            var content = Content()
            var before: ArraySlice<UInt8>?
            for index in 0..<count {
                let key = try text(at: target(ofOffsetAt: keys + index * keyWidth, width: keyWidth))
                if let before, !before.lexicographicallyPrecedes(key) { content.hasSortedKeys = false }
                before = key
                let name = String(decoding: key, as: UTF8.self)
                let type = PackedType(raw: try byte(at: map + count * width + index))
                content.numbers[name] = try number(at: map + index * width, width: width, type)
                if content.numbers[name] == nil { content.nonNumericKeys.insert(name) }
                if try isNested(at: map + index * width, width: width, type) { content.nestedKeys.insert(name) }
            }
            return content
        }

        /// A list has its count before its elements, and their types after them.
        private func isNested(at position: Int, width: Int, _ type: PackedType) throws(ModelFileError) -> Bool {
            guard type.kind == PackedType.list else { return type.kind == PackedType.map }
            let list = try target(ofOffsetAt: position, width: width)
            let count = try size(at: list - type.width, width: type.width)
            let types = list + count * type.width
            guard list >= 0, types + count <= bytes.count else { throw Self.damaged }
            return !bytes[types..<types + count].allSatisfy {
                let kind = PackedType(raw: $0).kind
                return (1...3).contains(kind) || kind == PackedType.bool
            }
        }

        /// Types 1 to 3 are stored in place, types 6 to 8 by offset: signed, unsigned, floating.
        private func number(at position: Int, width: Int, _ type: PackedType) throws(ModelFileError) -> Double? {
            switch type.kind {
            case 1...3: try scalar(at: position, width: width, kind: type.kind)
            case 6...8:
                try scalar(
                    at: target(ofOffsetAt: position, width: width), width: type.width, kind: type.kind - 5)
            case PackedType.bool: try scalar(at: position, width: width, kind: 2)
            default: nil
            }
        }

        private func scalar(at position: Int, width: Int, kind: UInt8) throws(ModelFileError) -> Double? {
            let bits = try unsigned(at: position, width: width)
            switch (kind, width) {
            case (1, _): return Double(Int64(bitPattern: bits << UInt64(64 - 8 * width)) >> Int64(64 - 8 * width))
            case (2, _): return Double(bits)
            case (_, 4): return Double(Float(bitPattern: UInt32(truncatingIfNeeded: bits)))
            case (_, 8): return Double(bitPattern: bits)
            default: return nil
            }
        }

        private func text(at position: Int) throws(ModelFileError) -> ArraySlice<UInt8> {
            let longest = bytes[position...].prefix(FlexMap.longestKey)
            guard let end = longest.firstIndex(of: 0) else { throw Self.damaged }
            return bytes[position..<end]
        }

        /// Offsets count backwards from where they are stored.
        private func target(ofOffsetAt position: Int, width: Int) throws(ModelFileError) -> Int {
            let offset = try size(at: position, width: width)
            guard offset <= position else { throw Self.damaged }
            return position - offset
        }

        /// A count or distance, which is never larger than the buffer.
        private func size(at position: Int, width: Int) throws(ModelFileError) -> Int {
            let value = try unsigned(at: position, width: width)
            guard value <= UInt64(bytes.count) else { throw Self.damaged }
            return Int(value)
        }

        private func byte(at position: Int) throws(ModelFileError) -> UInt8 {
            guard bytes.indices.contains(position) else { throw Self.damaged }
            return bytes[position]
        }

        private func unsigned(at position: Int, width: Int) throws(ModelFileError) -> UInt64 {
            guard [1, 2, 4, 8].contains(width), position >= 0, position <= bytes.count - width else {
                throw Self.damaged
            }
            return bytes[position..<position + width].reversed().reduce(0) { $0 << 8 | UInt64($1) }
        }

        private static let damaged = ModelFileError(
            .malformed, "the model is damaged: the options of a custom operator are not a map, or point outside of it")
    }
}
