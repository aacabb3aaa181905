import Foundation

/// The coding of `int4` tensors: two elements to a byte, the first in the low four bits.
enum PackedInt4 {
    static let range: ClosedRange<Int8> = -8...7

    /// - Parameter data: The bytes of `count` elements.
    static func unpack(_ data: Data, count: Int) -> [Int8] {
        [Int8](unsafeUninitializedCapacity: count) { elements, initializedCount in
            data.withUnsafeBytes { (bytes: UnsafeRawBufferPointer) in
                for index in 0..<count {
                    let byte = Int8(bitPattern: bytes[index / 2])
                    // The shift to the right copies the sign.
                    elements.initializeElement(at: index, to: index.isMultiple(of: 2) ? (byte << 4) >> 4 : byte >> 4)
                }
            }
            initializedCount = count
        }
    }

    /// - Throws: `.tensorFlowLiteError` when an element is outside ``range``.
    static func pack(_ elements: [Int8]) throws(InterpreterError) -> Data {
        if let index = elements.firstIndex(where: { !range.contains($0) }) {
            throw .tensorFlowLiteError("Element \(index) is \(elements[index]), but an int4 tensor holds -8 to 7 only.")
        }
        var data = Data(count: elements.count / 2 + elements.count % 2)
        data.withUnsafeMutableBytes { bytes in
            for (index, element) in elements.enumerated() {
                let nibble = UInt8(bitPattern: element) & 0x0F
                bytes[index / 2] |= index.isMultiple(of: 2) ? nibble : nibble << 4
            }
        }
        return data
    }
}
