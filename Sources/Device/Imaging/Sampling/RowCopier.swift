import Foundation

/// Produces rows of the upright picture at its own size.
struct RowCopier: RowSampler {
    private let source: UnsafePointer<UInt8>
    private let layout: UprightLayout

    /// - Parameter source: The stored pixels that `layout` was made for; lent for the life of the value.
    init(source: UnsafeRawBufferPointer, layout: UprightLayout) {
        self.source = source.bindMemory(to: UInt8.self).baseAddress.unsafelyUnwrapped
        self.layout = layout
    }

    func sampleRow(_ y: Int, into target: UnsafeMutablePointer<UInt8>) {
        var pixel = source + (layout.origin + y * layout.rowStride)
        if layout.columnStride == 3 {
            memcpy(target, pixel, layout.width * 3)
            return
        }
        var output = target
        for _ in 0..<layout.width {
            output[0] = pixel[0]
            output[1] = pixel[1]
            output[2] = pixel[2]
            output += 3
            pixel += layout.columnStride
        }
    }

    /// - Parameter target: Memory for exactly the upright picture.
    func copyAllRows(to target: UnsafeMutableRawBufferPointer) {
        let output = target.bindMemory(to: UInt8.self).baseAddress.unsafelyUnwrapped
        for y in 0..<layout.height {
            sampleRow(y, into: output + y * layout.width * 3)
        }
    }
}
