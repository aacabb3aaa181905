import CCurl

extension CurlTransfer {
    /// Makes curl call back into this object, which must stay alive until the transfer has ended.
    func installCallbacks(on handle: CurlHandle) throws(TransportError) {
        let context = Unmanaged.passUnretained(self).toOpaque()
        try handle.check(hearth_set_header_function(handle.pointer, receiveHeaderLine, context))
        try handle.check(hearth_set_write_function(handle.pointer, receiveBodyPiece, context))
        try handle.check(hearth_set_progress_function(handle.pointer, reportProgress, context))
        try handle.set(CURLOPT_NOPROGRESS, 0)
        guard upload != nil else { return }
        try handle.check(hearth_set_read_function(handle.pointer, provideBodyPiece, context))
        try handle.check(hearth_set_seek_function(handle.pointer, seekInBody, context))
    }

    fileprivate static func from(_ context: UnsafeMutableRawPointer?) -> CurlTransfer? {
        context.map { Unmanaged<CurlTransfer>.fromOpaque($0).takeUnretainedValue() }
    }
}

/// For curl, any number but the one of all bytes means "stop".
private func receiveHeaderLine(
    bytes: UnsafeMutablePointer<CChar>?, size: Int, count: Int, context: UnsafeMutableRawPointer?
) -> Int {
    let line = UnsafeRawBufferPointer(start: bytes, count: size * count)
    return CurlTransfer.from(context)?.receiveHeader(line) == true ? line.count : -1
}

private func receiveBodyPiece(
    bytes: UnsafeMutablePointer<CChar>?, size: Int, count: Int, context: UnsafeMutableRawPointer?
) -> Int {
    let piece = UnsafeRawBufferPointer(start: bytes, count: size * count)
    return CurlTransfer.from(context)?.receiveBody(piece) == true ? piece.count : -1
}

private func provideBodyPiece(
    buffer: UnsafeMutablePointer<CChar>?, size: Int, count: Int, context: UnsafeMutableRawPointer?
) -> Int {
    let space = UnsafeMutableRawBufferPointer(start: buffer, count: size * count)
    return CurlTransfer.from(context)?.provideBody(into: space) ?? Int(CURL_READFUNC_ABORT)
}

private func seekInBody(context: UnsafeMutableRawPointer?, offset: curl_off_t, origin: Int32) -> Int32 {
    // curl seeks from the start only.
    guard origin == SEEK_SET, let position = UInt64(exactly: offset) else { return CURL_SEEKFUNC_FAIL }
    return CurlTransfer.from(context)?.seekBody(to: position) == true ? CURL_SEEKFUNC_OK : CURL_SEEKFUNC_FAIL
}

private func reportProgress(
    context: UnsafeMutableRawPointer?, downloadTotal: curl_off_t, downloaded: curl_off_t, uploadTotal: curl_off_t,
    uploaded: curl_off_t
) -> Int32 {
    let goesOn = CurlTransfer.from(context)?.progress(
        downloaded: UInt64(clamping: downloaded), uploaded: UInt64(clamping: uploaded))
    return goesOn == true ? 0 : 1
}
