/// Decompression through zlib. Stateless: any thread.
public enum Inflate {
    /// Decompresses a raw deflate stream, the form that zip members have.
    ///
    /// The output is exactly `expectedCount` bytes, and no more than that is allocated for it: the caller caps the count.
    /// - Throws: `malformed` when the stream is damaged, shorter or longer than declared, or followed by other bytes.
    public static func raw(
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
    /// Several members in a row are joined. The output grows with what arrives, whatever the input promises.
    /// - Throws: `tooLarge` as soon as the output passes `limitBytes`; `malformed` when the input is empty, damaged,
    ///   cut short, or followed by bytes that are no gzip member.
    public static func gzip(_ input: [UInt8], limitBytes: Int) throws(CompressionError) -> [UInt8] {
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
