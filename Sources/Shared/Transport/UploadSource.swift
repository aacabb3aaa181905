/// A body of known length that can be read again from any position: curl starts over when a kept connection has ended.
protocol UploadSource {
    var length: UInt64 { get }

    /// Fills `buffer` from `position`. Returns the number of bytes, 0 only at the end.
    func read(at position: UInt64, into buffer: UnsafeMutableRawBufferPointer) throws(TransportError) -> Int
}

/// A body in memory.
struct BytesUpload: UploadSource {
    let bytes: [UInt8]

    var length: UInt64 { UInt64(bytes.count) }

    func read(at position: UInt64, into buffer: UnsafeMutableRawBufferPointer) -> Int {
        let piece = bytes.dropFirst(Int(clamping: position)).prefix(buffer.count)
        buffer.copyBytes(from: piece)
        return piece.count
    }
}
