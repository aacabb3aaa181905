import Foundation

/// The coding of string tensors: an `Int32` count n, n + 1 `Int32` offsets from the start of the data to each string
/// and to the end of the last one, then the strings.
enum StringTensorCoding {
    private static let wordSize = MemoryLayout<Int32>.size

    /// - Throws: `.tensorFlowLiteError` when the result would have 2 GiB or more.
    static func encode(_ strings: [some Collection<UInt8>]) throws(InterpreterError) -> Data {
        var offset = headerSize(count: strings.count)
        var header = [strings.count]
        header.reserveCapacity(strings.count + 2)
        for string in strings {
            header.append(offset)
            offset += string.count
            guard offset <= Int32.max else {
                throw .tensorFlowLiteError("The strings do not fit into a tensor, which holds less than 2 GiB.")
            }
        }
        header.append(offset)
        var bytes = header.map { Int32($0).littleEndian }.withUnsafeBytes { [UInt8]($0) }
        bytes.reserveCapacity(offset)
        for string in strings { bytes.append(contentsOf: string) }
        return Data(bytes)
    }

    /// - Throws: `.tensorFlowLiteError` when the offsets are damaged.
    static func decode(_ data: Data) throws(InterpreterError) -> [Data] {
        try ranges(in: data).map { Data(data.dropFirst($0.lowerBound).prefix($0.count)) }
    }

    /// - Throws: `.tensorFlowLiteError` when the offsets are damaged, or a string is not UTF-8.
    static func decodeText(_ data: Data) throws(InterpreterError) -> [String] {
        let ranges = try ranges(in: data)
        var strings: [String] = []
        strings.reserveCapacity(ranges.count)
        for range in ranges {
            let text = data.withUnsafeBytes { String(validating: $0[range], as: UTF8.self) }
            guard let text else {
                throw .tensorFlowLiteError(
                    "String \(strings.count) of the tensor is not UTF-8; read its bytes with values(as: Data.self).")
            }
            strings.append(text)
        }
        return strings
    }

    /// The byte ranges of the strings. Bytes after the last one are allowed, because a tensor's memory may be larger
    /// than needed.
    private static func ranges(in data: Data) throws(InterpreterError) -> [Range<Int>] {
        let words = data.count / wordSize
        guard words > 0, case let count = word(0, of: data), count >= 0 else { throw damaged("it has no valid count") }
        // Memory without any contents is 0 throughout, which means no strings.
        guard count > 0 else { return [] }
        guard count <= words - 2 else { throw damaged("it is too short for \(count) strings") }
        var ranges: [Range<Int>] = []
        ranges.reserveCapacity(count)
        var start = word(1, of: data)
        guard start >= headerSize(count: count) else { throw damaged("string 0 begins outside of the tensor's bytes") }
        for index in 0..<count {
            let end = word(index + 2, of: data)
            guard start <= end, end <= data.count else {
                throw damaged("string \(index) begins or ends outside of the tensor's bytes")
            }
            ranges.append(start..<end)
            start = end
        }
        return ranges
    }

    /// The bytes of `count` empty strings; nil when a tensor cannot hold so many.
    static func emptyByteCount(_ count: Int) -> Int? {
        count <= Int(Int32.max) / wordSize - 2 ? headerSize(count: count) : nil
    }

    /// Writes `count` empty strings. The memory must have room for them.
    static func writeEmpty(_ count: Int, to memory: UnsafeMutableRawBufferPointer) {
        memory.storeBytes(of: Int32(count).littleEndian, as: Int32.self)
        let end = Int32(headerSize(count: count)).littleEndian
        for word in 1...(count + 1) { memory.storeBytes(of: end, toByteOffset: word * wordSize, as: Int32.self) }
    }

    /// The number of bytes that the strings in `memory` use, which may be fewer than it has; nil when they are damaged.
    static func byteCount(in memory: UnsafeMutableRawBufferPointer) -> Int? {
        func word(_ index: Int) -> Int {
            Int(Int32(littleEndian: memory.loadUnaligned(fromByteOffset: index * wordSize, as: Int32.self)))
        }
        let words = memory.count / wordSize
        guard words >= 2, case let count = word(0), count >= 0, count <= words - 2 else { return nil }
        let end = word(count + 1)
        return (headerSize(count: count)...memory.count).contains(end) ? end : nil
    }

    private static func headerSize(count: Int) -> Int {
        (count + 2) * wordSize
    }

    private static func word(_ index: Int, of data: Data) -> Int {
        data.withUnsafeBytes { bytes in
            Int(Int32(littleEndian: bytes.loadUnaligned(fromByteOffset: index * wordSize, as: Int32.self)))
        }
    }

    private static func damaged(_ reason: String) -> InterpreterError {
        .tensorFlowLiteError("The string tensor is damaged: \(reason).")
    }
}
