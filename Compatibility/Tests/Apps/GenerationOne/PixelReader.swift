import Firebase

/// Turns an image into a model's input: RGB, row by row.
struct PixelReader {
    let side: Int

    private func context(for image: CGImage) -> CGContext? {
        guard
            let context = CGContext(
                data: nil,
                width: side, height: side,
                bitsPerComponent: 8, bytesPerRow: side * 4,
                space: CGColorSpaceCreateDeviceRGB(),
                bitmapInfo: CGImageAlphaInfo.noneSkipFirst.rawValue
            )
        else { return nil }
        context.draw(image, in: CGRect(x: 0, y: 0, width: side, height: side))
        return context
    }

    /// Numbers from -1 to 1.
    func floats(of image: CGImage) -> Data? {
        guard let context = context(for: image), let imageData = context.data else { return nil }
        var inputData = Data()
        for row in 0..<side {
            for column in 0..<side {
                let offset = 4 * (row * context.width + column)
                // Byte 0 is the unused one.
                for channel in 1...3 {
                    let value = imageData.load(fromByteOffset: offset + channel, as: UInt8.self)
                    var number = (Float32(value) - 127.5) / 127.5
                    let size = MemoryLayout.size(ofValue: number)
                    var bytes = [UInt8](repeating: 0, count: size)
                    memcpy(&bytes, &number, size)
                    inputData.append(&bytes, count: size)
                }
            }
        }
        return inputData
    }

    /// Numbers from 0 to 255.
    func bytes(of image: CGImage) -> Data? {
        guard let context = context(for: image), let imageData = context.data else { return nil }
        var inputData = Data()
        for row in 0..<side {
            for column in 0..<side {
                let offset = 4 * (row * context.width + column)
                var red = imageData.load(fromByteOffset: offset + 1, as: UInt8.self)
                var green = imageData.load(fromByteOffset: offset + 2, as: UInt8.self)
                var blue = imageData.load(fromByteOffset: offset + 3, as: UInt8.self)
                inputData.append(&red, count: 1)
                inputData.append(&green, count: 1)
                inputData.append(&blue, count: 1)
            }
        }
        return inputData
    }
}
