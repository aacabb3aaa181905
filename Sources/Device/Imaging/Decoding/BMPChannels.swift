/// Where red, green and blue stand in a pixel of 16 or 32 bits.
struct BMPChannels {
    let red: BMPChannel
    let green: BMPChannel
    let blue: BMPChannel

    /// - Parameters: The bits of each channel.
    /// - Throws: `ImageError` with code `.unsupportedFormat` when a channel's bits are not side by side.
    init(red: UInt32, green: UInt32, blue: UInt32) throws(ImageError) {
        self.red = try BMPChannel(red)
        self.green = try BMPChannel(green)
        self.blue = try BMPChannel(blue)
    }

    func write(_ pixel: UInt32, to target: UnsafeMutablePointer<UInt8>) {
        target[0] = red.value(in: pixel)
        target[1] = green.value(in: pixel)
        target[2] = blue.value(in: pixel)
    }
}

/// One channel of a pixel. Of more than 8 bits the highest 8 count; fewer are spread over 0...255, rounded to nearest.
struct BMPChannel {
    private let shift: UInt32
    private let mask: UInt32
    /// What spreads the values, as a fraction of 65,536.
    private let scale: UInt32

    init(_ bits: UInt32) throws(ImageError) {
        let lowest = bits == 0 ? 0 : bits.trailingZeroBitCount
        let ones = bits >> lowest
        guard ones & (ones &+ 1) == 0 else {
            throw ImageError(.unsupportedFormat, "this BMP's colours have scattered bits; save it as PNG")
        }
        let surplus = max(ones.nonzeroBitCount - 8, 0)
        shift = UInt32(lowest + surplus)
        mask = ones >> surplus
        // A channel without bits is 0.
        scale = 255 << 16 / max(mask, 1)
    }

    func value(in pixel: UInt32) -> UInt8 {
        // The shift is below 32, and the product at most 255 in 65,536ths.
        UInt8(truncatingIfNeeded: ((pixel &>> shift & mask) &* scale &+ 0x8000) >> 16)
    }
}
