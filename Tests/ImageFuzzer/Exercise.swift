import Foundation
import HearthImaging

/// Everything that is done to one input. New ways to decode an image are added to `run`.
struct Exercise {
    /// What must hold for every input, and did not.
    struct Violation: Error {
        let text: String
    }

    /// Small enough to make a flood of memory out of a few bytes stand out.
    private static let limits = ImageLimits(maxPixels: 4 << 20)

    /// Smaller than most images here, so that JPEG files are decoded at a smaller size.
    private static let target = DecodeTarget(width: 4, height: 4)

    private let writers: [ImageTensorWriter]

    init() throws {
        writers = [
            try ImageTensorWriter(width: 224, height: 224, format: .uint8),
            try ImageTensorWriter(width: 224, height: 224, format: .float32(mean: [127.5], std: [127.5])),
        ]
    }

    /// - Returns: What came of it by default and with partial images allowed, each `whole`, `part` or an error's code;
    ///   or `VIOLATED` and what did not hold.
    func run(_ data: Data) -> String {
        do {
            let strict = try decode(data, allowPartial: false)
            let lenient = try decode(data, allowPartial: true)
            try compare(strict, lenient)
            try compare(strict, scaled: decode(data, allowPartial: false, covering: Self.target))
            return "\(strict.name) \(lenient.name)"
        } catch {
            return "VIOLATED \((error as? Violation)?.text ?? "\(error)")"
        }
    }

    private enum Outcome {
        case picture(DecodedImage)
        case error(ImageError)

        var name: String {
            switch self {
            case .picture(let image): image.isPartial ? "part" : "whole"
            case .error(let error): error.code.rawValue
            }
        }
    }

    private func decode(_ data: Data, allowPartial: Bool, covering target: DecodeTarget? = nil) throws -> Outcome {
        // Memory that was used before may be larger than the image: the sanitizer would not see a byte too many.
        ImageMemory.releaseUnused()
        do {
            let options = ImageDecodeOptions(limits: Self.limits, allowPartial: allowPartial)
            let image = try ImageDecoder.decode(data, options: options, covering: target)
            try require(image.pixels.width * image.pixels.height <= Self.limits.maxPixels, "more pixels than the limit")
            for writer in writers {
                try write(image, writer)
            }
            return .picture(image)
        } catch let error as ImageError {
            try require(!error.message.isEmpty && !error.message.contains("\n"), "an error's text is not one line")
            return .error(error)
        }
    }

    /// Into memory of just the right size, so that the sanitizer sees a byte too many.
    private func write(_ image: DecodedImage, _ writer: ImageTensorWriter) throws {
        let memory = UnsafeMutableRawBufferPointer.allocate(byteCount: writer.byteCount, alignment: 1)
        defer { memory.deallocate() }
        try writer.write(image, into: memory)
    }

    private func compare(_ strict: Outcome, _ lenient: Outcome) throws {
        switch (strict, lenient) {
        case (.picture(let first), .picture(let second)):
            try require(!first.isPartial, "a partial image by default")
            try require(!second.isPartial, "partial only where partial images are allowed to be")
            try require(haveSamePixels(first.pixels, second.pixels), "other pixels where partial images are allowed")
        case (.picture, .error): throw Violation(text: "an error only where partial images are allowed")
        case (.error, .picture(let second)): try require(second.isPartial, "whole, yet an error by default")
        case (.error, .error): break
        }
    }

    private func compare(_ strict: Outcome, scaled: Outcome) throws {
        try require(strict.name == scaled.name, "\(strict.name), but \(scaled.name) when decoded for a small input")
        guard case (.picture(let first), .picture(let second)) = (strict, scaled) else { return }
        try require(first.storedSize == second.storedSize, "another stored size when decoded for a small input")
        for side in [\PixelImage.width, \PixelImage.height] {
            let (full, reduced) = (first.pixels[keyPath: side], second.pixels[keyPath: side])
            try require(reduced >= min(full, Self.target.width), "fewer pixels than the small input has")
        }
    }

    private func haveSamePixels(_ first: PixelImage, _ second: PixelImage) -> Bool {
        first.withUnsafeBytes { first in
            second.withUnsafeBytes { second in
                first.count == second.count && first.elementsEqual(second)
            }
        }
    }

    private func require(_ condition: Bool, _ text: String) throws {
        guard condition else { throw Violation(text: text) }
    }
}
