import CGIF

/// Decodes the first frame of a GIF with giflib, and ignores the rest of the file.
struct GIFDecoder: FormatDecoder {
    func decode(
        _ bytes: UnsafeRawBufferPointer, options: ImageDecodeOptions, covering target: DecodeTarget?
    ) throws(ImageError) -> DecodedImage {
        let reader = try GIFReader(bytes)
        let frame = try reader.readHeader()
        try options.limits.check(width: frame.canvasWidth, height: frame.canvasHeight)
        try options.reserve(
            pixelCount: frame.canvasWidth * frame.canvasHeight, fileByteCount: bytes.count)
        var isPartial = false
        let pixels = try PixelImage(
            width: frame.canvasWidth, height: frame.canvasHeight, isCleared: options.allowPartial
        ) { target throws(ImageError) in
            isPartial = try !reader.readPixels(frame, into: target, allowPartial: options.allowPartial)
        }
        return DecodedImage(pixels: pixels, orientation: .up, isPartial: isPartial)
    }
}

/// The first frame of a GIF and its canvas. All sizes are in pixels.
private struct GIFFrame {
    let x: Int
    let y: Int
    let width: Int
    let height: Int
    let isInterlaced: Bool
    /// The size in the file, or larger if the frame reaches beyond it, as browsers show it.
    let canvasWidth: Int
    let canvasHeight: Int
    let palette: ColorPalette
    /// The colour of pixels outside the frame.
    let background: ColorPalette.Color

    /// The frame's rows in the order in which they are stored.
    var rowOrder: [Int] {
        guard isInterlaced else { return Array(0..<height) }
        return [(0, 8), (4, 8), (2, 4), (1, 2)].flatMap { start, step in stride(from: start, to: height, by: step) }
    }
}

/// Owns one `GifFileType` and its source of bytes: opened in `init`, closed in `deinit`. One thread uses it for one
/// image.
private final class GIFReader {
    private let source: UnsafeMutablePointer<hearth_gif_source>
    private let file: UnsafeMutablePointer<GifFileType>

    /// - Parameter bytes: Lent for the lifetime of the object.
    init(_ bytes: UnsafeRawBufferPointer) throws(ImageError) {
        source = .allocate(capacity: 1)
        source.initialize(
            to: hearth_gif_source(
                next: bytes.bindMemory(to: UInt8.self).baseAddress, remaining: bytes.count, truncated: false))
        var status: Int32 = 0
        guard let file = DGifOpen(source, hearth_gif_take, &status) else {
            let error = Self.failure(status, isTruncated: source.pointee.truncated)
            source.deallocate()
            throw error
        }
        self.file = file
    }

    deinit {
        DGifCloseFile(file, nil)
        source.deallocate()
    }

    /// Reads until the first frame's pixels. The corresponding C function is `DGifGetImageDesc`.
    func readHeader() throws(ImageError) -> GIFFrame {
        var record = UNDEFINED_RECORD_TYPE
        repeat {
            try check(DGifGetRecordType(file, &record))
            if record == EXTENSION_RECORD_TYPE { try skipExtension() }
            if record == TERMINATE_RECORD_TYPE { throw .corrupt(.gif, "it contains no image") }
        } while record != IMAGE_DESC_RECORD_TYPE
        try check(DGifGetImageDesc(file))
        let (screen, image) = (file.pointee, file.pointee.Image)
        guard image.Width > 0, image.Height > 0 else { throw .corrupt(.gif, "its first frame has no size") }
        guard let colors = image.ColorMap ?? screen.SColorMap else { throw .corrupt(.gif, "it has no colours") }
        return GIFFrame(
            x: Int(image.Left), y: Int(image.Top), width: Int(image.Width), height: Int(image.Height),
            isInterlaced: image.Interlace, canvasWidth: Int(max(screen.SWidth, image.Left + image.Width)),
            canvasHeight: Int(max(screen.SHeight, image.Top + image.Height)), palette: ColorPalette(colors.pointee),
            background: Self.background(of: screen))
    }

    /// Decodes into `target`, which has `canvasWidth * canvasHeight * 3` bytes. The corresponding C function is
    /// `DGifGetLine`.
    ///
    /// - Returns: Whether the whole frame was read.
    func readPixels(
        _ frame: GIFFrame, into target: UnsafeMutableRawBufferPointer, allowPartial: Bool
    ) throws(ImageError) -> Bool {
        guard let pixels = target.bindMemory(to: UInt8.self).baseAddress else { return false }
        if frame.width < frame.canvasWidth || frame.height < frame.canvasHeight {
            frame.background.fill(pixels, count: frame.canvasWidth * frame.canvasHeight)
        }
        let line = UnsafeMutablePointer<UInt8>.allocate(capacity: frame.width)
        defer { line.deallocate() }
        for (count, row) in frame.rowOrder.enumerated() {
            guard DGifGetLine(file, line, Int32(frame.width)) == GIF_OK else {
                if allowPartial, count > 0 { return false }
                throw failure()
            }
            let place = (frame.y + row) * frame.canvasWidth + frame.x
            frame.palette.write(UnsafeBufferPointer(start: line, count: frame.width), to: pixels + place * 3)
        }
        return true
    }

    private func skipExtension() throws(ImageError) {
        var code: Int32 = 0
        var block: UnsafeMutablePointer<UInt8>?
        try check(DGifGetExtension(file, &code, &block))
        while block != nil {
            try check(DGifGetExtensionNext(file, &block))
        }
    }

    /// The file's colour for pixels outside all frames; black if the file states none.
    private static func background(of screen: GifFileType) -> ColorPalette.Color {
        guard let colors = screen.SColorMap, let index = UInt8(exactly: screen.SBackGroundColor) else {
            return ColorPalette.Color()
        }
        return ColorPalette(colors.pointee)[index]
    }

    /// Converts a giflib status into an error of this module.
    private func check(_ status: Int32) throws(ImageError) {
        guard status != GIF_OK else { return }
        throw failure()
    }

    private func failure() -> ImageError {
        Self.failure(file.pointee.Error, isTruncated: source.pointee.truncated)
    }

    private static func failure(_ status: Int32, isTruncated: Bool) -> ImageError {
        if status == D_GIF_ERR_NOT_ENOUGH_MEM {
            return ImageError(.outOfMemory, "there is not enough memory to decode the GIF")
        }
        let reason = GifErrorString(status).map { String(cString: $0) } ?? "its data cannot be read"
        return isTruncated ? .truncated(.gif, reason) : .corrupt(.gif, reason)
    }
}

extension ColorPalette {
    fileprivate init(_ map: ColorMapObject) {
        self.init(count: Int(map.ColorCount)) { index in
            let color = map.Colors[index]
            return Color(red: color.Red, green: color.Green, blue: color.Blue)
        }
    }
}
