import CZlib
import HearthErrors

/// Decompression with zlib. Stateless, so safe to call from any thread.
package enum Inflate {
    /// Decompresses a raw deflate stream, the form that zip members have.
    ///
    /// The output is exactly `expectedCount` bytes, and no more than that is allocated for it. The caller must limit
    /// the count.
    /// - Throws: `malformed` if the stream is damaged, shorter or longer than declared, or followed by other bytes.
    package static func raw(
        _ input: UnsafeRawBufferPointer, expectedCount: Int
    ) throws(CompressionError) -> [UInt8] {
        guard expectedCount >= 0 else {
            throw CompressionError(.malformed, "the declared size of the compressed data is negative")
        }
        let stream = try InflateStream(.raw)
        var failure: CompressionError?
        let output = [UInt8](unsafeUninitializedCapacity: expectedCount) { buffer, initialized in
            do throws(CompressionError) {
                try stream.fill(UnsafeMutableRawBufferPointer(buffer), from: input)
                initialized = expectedCount
            } catch {
                failure = error
            }
        }
        if let failure { throw failure }
        return output
    }

    /// Decompresses a gzip file, the form of a request body with `Content-Encoding: gzip`.
    ///
    /// Joins several members in a row. The output grows with the decompressed bytes, whatever length the input
    /// declares.
    /// - Throws: `tooLarge` as soon as the output exceeds `limitBytes`; `malformed` if the input is empty, damaged, cut
    ///   short, or followed by bytes that are not a gzip member.
    package static func gzip(_ input: [UInt8], limitBytes: Int) throws(CompressionError) -> [UInt8] {
        var output: [UInt8] = []
        var failure: CompressionError?
        input.withUnsafeBytes { bytes in
            do throws(CompressionError) {
                try joinMembers(of: bytes, into: &output, limitBytes: limitBytes)
            } catch {
                failure = error
            }
        }
        if let failure { throw failure }
        return output
    }

    private static func joinMembers(
        of input: UnsafeRawBufferPointer, into output: inout [UInt8], limitBytes: Int
    ) throws(CompressionError) {
        let stream = try InflateStream(.gzip)
        var position = 0
        repeat {
            let rest = UnsafeRawBufferPointer(rebasing: input[position...])
            guard rest.starts(with: [0x1F, 0x8B]) else {
                let place = position == 0 ? "is not in gzip form" : "is followed by bytes that are not gzip"
                throw CompressionError(.malformed, "the compressed data \(place)")
            }
            try stream.restart()
            position += try stream.appendMember(of: rest, to: &output, limitBytes: limitBytes)
        } while position < input.count
    }
}

/// Owns one zlib inflate state: created in `init`, ended in `deinit`. One thread at a time.
final class InflateStream {
    /// The format of a compressed stream.
    enum Format: Int32 {
        // zlib's window bits: negative for no header, 16 added for gzip.
        case raw = -15
        case gzip = 31
    }

    /// The most bytes that one call passes to zlib, whose counters have 32 bits.
    private static let maxPieceBytes = 1 << 30
    private static let chunkCount = 64 << 10

    // zlib keeps the address of this structure, so it is on the heap and never moves.
    private let stream: UnsafeMutablePointer<z_stream>

    init(_ format: Format) throws(CompressionError) {
        stream = .allocate(capacity: 1)
        stream.initialize(to: z_stream())
        // After a failure zlib holds nothing, and `inflateEnd` in `deinit` has no effect on the empty state.
        let status = inflateInit2_(stream, format.rawValue, ZLIB_VERSION, Int32(MemoryLayout<z_stream>.size))
        try Self.check(status)
    }

    deinit {
        inflateEnd(stream)
        stream.deallocate()
    }

    /// Drops everything read so far. Wraps `inflateReset`.
    func restart() throws(CompressionError) {
        try Self.check(inflateReset(stream))
    }

    /// Decompresses all of `input` into exactly all of `output`.
    func fill(
        _ output: UnsafeMutableRawBufferPointer, from input: UnsafeRawBufferPointer
    ) throws(CompressionError) {
        // One extra byte: zlib needs some output space to reach the stream's end, and using it means "longer than
        // declared".
        var surplus: UInt8 = 0
        try withUnsafeMutablePointer(to: &surplus) { (spare) throws(CompressionError) in
            var read = 0
            var written = 0
            while true {
                let isFull = written == output.count
                let room =
                    isFull
                    ? UnsafeMutableRawBufferPointer(start: spare, count: 1)
                    : UnsafeMutableRawBufferPointer(rebasing: output[written...])
                let step = try advance(UnsafeRawBufferPointer(rebasing: input[read...]), room)
                read += step.read
                written += step.written
                guard written <= output.count else { throw Self.wrongLength }
                if step.isEnd { break }
                guard step.read + step.written > 0 else { throw Self.cutShort }
            }
            guard written == output.count, read == input.count else { throw Self.wrongLength }
        }
    }

    /// Decompresses the gzip member at the start of `input` onto the end of `output`.
    /// - Returns: the number of input bytes that the member takes.
    func appendMember(
        of input: UnsafeRawBufferPointer, to output: inout [UInt8], limitBytes: Int
    ) throws(CompressionError) -> Int {
        let chunk = UnsafeMutableRawBufferPointer.allocate(byteCount: Self.chunkCount, alignment: 16)
        defer { chunk.deallocate() }
        var read = 0
        while true {
            let step = try advance(UnsafeRawBufferPointer(rebasing: input[read...]), chunk)
            read += step.read
            guard step.written <= limitBytes - output.count else {
                throw CompressionError(
                    .tooLarge, "the data is longer than \(limitBytes) bytes once decompressed; send less")
            }
            output.append(contentsOf: chunk[..<step.written])
            if step.isEnd { return read }
            guard step.read + step.written > 0 else { throw Self.cutShort }
        }
    }

    /// One call of zlib's `inflate`.
    private func advance(
        _ input: UnsafeRawBufferPointer, _ output: UnsafeMutableRawBufferPointer
    ) throws(CompressionError) -> (read: Int, written: Int, isEnd: Bool) {
        let readable = min(input.count, Self.maxPieceBytes)
        let writable = min(output.count, Self.maxPieceBytes)
        // zlib declares the input as mutable but does not write to it.
        stream.pointee.next_in = UnsafeMutablePointer(
            mutating: input.baseAddress?.assumingMemoryBound(to: UInt8.self))
        stream.pointee.avail_in = UInt32(readable)
        stream.pointee.next_out = output.baseAddress?.assumingMemoryBound(to: UInt8.self)
        stream.pointee.avail_out = UInt32(writable)
        let status = inflate(stream, Z_NO_FLUSH)
        let read = readable - Int(stream.pointee.avail_in)
        let written = writable - Int(stream.pointee.avail_out)
        stream.pointee.next_in = nil
        stream.pointee.next_out = nil
        // Z_BUF_ERROR only says that no byte was processed, which the callers see from the counts.
        if status != Z_BUF_ERROR { try Self.check(status) }
        return (read, written, status == Z_STREAM_END)
    }

    private static let wrongLength = CompressionError(
        .malformed, "the compressed data does not have the length that was declared for it")
    private static let cutShort = CompressionError(.malformed, "the compressed data is cut short")

    /// A zlib status becomes an error only here.
    private static func check(_ status: Int32) throws(CompressionError) {
        switch status {
        case Z_OK, Z_STREAM_END: return
        case Z_MEM_ERROR: throw CompressionError(.outOfMemory, "there is not enough memory to decompress the data")
        default: throw CompressionError(.malformed, "the compressed data is damaged")
        }
    }
}

/// Why compressed bytes were refused. The text is one plain line.
package struct CompressionError: DescribedError, Equatable {
    /// The kind of a `CompressionError`.
    package enum Code {
        /// The compressed bytes are damaged, cut short, or followed by other bytes.
        case malformed
        /// The output would exceed the caller's limit.
        case tooLarge
        /// zlib could not allocate memory.
        case outOfMemory
    }

    package let code: Code
    package let message: String

    package init(_ code: Code, _ message: String) {
        self.code = code
        self.message = message
    }
}
