import CZlib

/// Compression with zlib. Stateless, so safe to call from any thread.
package enum Deflate {
    /// What counts more: time, or bytes.
    package enum Level: Sendable {
        /// For bytes that are compressed while somebody waits.
        case fastest
        /// For bytes that are compressed once and sent often.
        case smallest

        fileprivate var zlib: Int32 { self == .fastest ? Z_BEST_SPEED : Z_BEST_COMPRESSION }
    }

    /// The bytes as a gzip file.
    ///
    /// Wraps `deflate`. Stops the process if memory runs out.
    package static func gzip(_ input: [UInt8], _ level: Level = .smallest) -> [UInt8] {
        var stream = z_stream()
        let isReady = deflateInit2_(
            &stream, level.zlib, Z_DEFLATED, MAX_WBITS + gzipForm, MAX_MEM_LEVEL, Z_DEFAULT_STRATEGY,
            ZLIB_VERSION, Int32(MemoryLayout<z_stream>.size))
        precondition(isReady == Z_OK, "zlib cannot start: \(isReady)")
        defer { deflateEnd(&stream) }
        let room = Int(deflateBound(&stream, UInt(input.count)))
        return input.withUnsafeBufferPointer { source in
            [UInt8](unsafeUninitializedCapacity: room) { target, count in
                // zlib does not write to its input, although its type allows it.
                stream.next_in = UnsafeMutablePointer(mutating: source.baseAddress)
                stream.avail_in = UInt32(source.count)
                stream.next_out = target.baseAddress
                stream.avail_out = UInt32(room)
                let status = deflate(&stream, Z_FINISH)
                precondition(status == Z_STREAM_END, "zlib cannot compress: \(status)")
                count = room - Int(stream.avail_out)
            }
        }
    }

    /// Added to the size of the window, it asks for the gzip form.
    private static let gzipForm: Int32 = 16
}
