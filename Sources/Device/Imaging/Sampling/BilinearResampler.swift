/// Produces rows of the upright picture stretched to another size: plain bilinear, without antialiasing.
///
/// The arithmetic, roundings included, is that of OpenCV's `INTER_LINEAR` for 8-bit pixels. A row is first blended
/// horizontally into 32-bit sums; the two rows that a target row lies between are kept, so that enlarging does not
/// compute them again.
///
/// All pointer work of resampling is in this file. Offsets come from `BilinearAxis`, which keeps them within the source.
final class BilinearResampler: RowSampler {
    /// Byte offsets of a column's two source pixels from the row's start, and their weights.
    private struct Column {
        let first: Int
        let second: Int
        let firstWeight: Int32
        let secondWeight: Int32
    }

    private let source: UnsafePointer<UInt8>
    private let layout: UprightLayout
    private let rows: [BilinearAxis.Tap]
    private let columns: [Column]

    /// Two blended source rows, owned: taken in `init`, given back in `deinit`. Row `r` is in the half `r % 2`, so that
    /// neighbours never displace each other.
    private let blended: UnsafeMutablePointer<Int32>
    private var heldRows = (even: -1, odd: -1)

    /// - Parameters:
    ///   - source: The stored pixels that `layout` was made for; lent for the life of the object.
    ///   - width: Of the target, in pixels, at least 1.
    ///   - height: Of the target, in pixels, at least 1.
    init(source: UnsafeRawBufferPointer, layout: UprightLayout, width: Int, height: Int) {
        self.source = source.bindMemory(to: UInt8.self).baseAddress.unsafelyUnwrapped
        self.layout = layout
        rows = BilinearAxis(source: layout.height, target: height, edge: .repeat).taps
        columns = BilinearAxis(source: layout.width, target: width, edge: .snap).taps.map { tap in
            Column(
                first: tap.first * layout.columnStride, second: tap.second * layout.columnStride,
                firstWeight: tap.firstWeight, secondWeight: tap.secondWeight)
        }
        blended = .allocate(capacity: width * 3 * 2)
    }

    deinit {
        blended.deallocate()
    }

    func sampleRow(_ y: Int, into target: UnsafeMutablePointer<UInt8>) {
        let tap = rows[y]
        let (first, second) = (blendedRow(tap.first), blendedRow(tap.second))
        let (firstWeight, secondWeight) = (tap.firstWeight, tap.secondWeight)
        for index in 0..<(columns.count &* 3) {
            let above = (firstWeight &* (first[index] &>> 4)) &>> 16
            let below = (secondWeight &* (second[index] &>> 4)) &>> 16
            target[index] = UInt8(truncatingIfNeeded: (above &+ below &+ 2) &>> 2)
        }
    }

    private func blendedRow(_ row: Int) -> UnsafeMutablePointer<Int32> {
        let isOdd = row % 2 == 1
        let buffer = isOdd ? blended + columns.count * 3 : blended
        guard row != (isOdd ? heldRows.odd : heldRows.even) else { return buffer }
        blend(row, into: buffer)
        if isOdd {
            heldRows.odd = row
        } else {
            heldRows.even = row
        }
        return buffer
    }

    private func blend(_ row: Int, into target: UnsafeMutablePointer<Int32>) {
        let start = source + (layout.origin + row * layout.rowStride)
        columns.withUnsafeBufferPointer { columns in
            var output = target
            for column in columns {
                let (first, second) = (start + column.first, start + column.second)
                let (firstWeight, secondWeight) = (column.firstWeight, column.secondWeight)
                output[0] = Int32(first[0]) &* firstWeight &+ Int32(second[0]) &* secondWeight
                output[1] = Int32(first[1]) &* firstWeight &+ Int32(second[1]) &* secondWeight
                output[2] = Int32(first[2]) &* firstWeight &+ Int32(second[2]) &* secondWeight
                output += 3
            }
        }
    }
}
