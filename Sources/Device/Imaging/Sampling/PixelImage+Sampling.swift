import CSampling

extension PixelImage {
    /// Samples along `plan` into `target`, where rows are `rowBytes` apart.
    func sample(
        along plan: SamplingPlan, encoder: RowEncoder, loops: SamplingLoops,
        into target: UnsafeMutableRawPointer, rowBytes: Int
    ) {
        withPicture { picture in
            PictureSampler(
                picture: picture, plan: plan, colors: format.isYUV ? colorSpace.colorMatrix : nil, encoder: encoder,
                loops: loops.table
            ).write(to: target, rowBytes: rowBytes)
        }
    }

    /// The same picture as RGB without padding between rows, which decoded pictures are already. Raw ones take memory for
    /// a second picture.
    ///
    /// - Throws: `ImageError` with code `.outOfMemory`.
    public func rgb() throws(ImageError) -> PixelImage {
        try upright(orientation: .up)
    }

    /// The same picture, turned by `orientation`, as RGB without padding between rows.
    func upright(orientation: ImageOrientation) throws(ImageError) -> PixelImage {
        if orientation == .up, isTightRGB { return self }
        let size = orientation.uprightSize(storedWidth: width, storedHeight: height)
        let key = SamplingPlan.Key(
            frame: try TensorFrame(size: size, target: DecodeTarget(width: size.width, height: size.height)),
            uprightWidth: size.width, uprightHeight: size.height, pixelWidth: width, pixelHeight: height,
            orientation: orientation, resampling: .bilinear)
        let (plan, encoder) = (SamplingPlan(key), try RowEncoder(.uint8))
        return try PixelImage(width: size.width, height: size.height, isCleared: false) { target throws(ImageError) in
            guard let start = target.baseAddress else { return }
            sample(
                along: plan, encoder: encoder, loops: .fastest, into: start, rowBytes: size.width * 3)
        }
    }
}
