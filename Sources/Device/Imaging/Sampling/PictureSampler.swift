import CSampling

/// Samples a stored picture along a plan: blends, turns and converts it to a tensor's values, row by row.
///
/// Rows are blended in the order in which they are stored. Where the orientation swaps sides they are columns of the
/// upright picture: a band of them is blended first and then read across. All pointers are lent for the life of the value.
struct PictureSampler {
    /// Stored rows to a band: so many that a tensor's cache lines are written once.
    private static let bandRows = 16

    let picture: hearth_picture
    let plan: SamplingPlan
    /// nil for pictures that are red, green and blue already.
    let colors: hearth_color_matrix?
    let encoder: RowEncoder
    let loops: UnsafePointer<hearth_sampling>

    /// - Parameters:
    ///   - target: Where the frame's top left pixel goes.
    ///   - rowBytes: From a row of the target to the next.
    func write(to target: UnsafeMutableRawPointer, rowBytes: Int) {
        if plan.key.orientation.swapsSides {
            writeColumns(to: target, rowBytes: rowBytes)
        } else {
            writeRows(to: target, rowBytes: rowBytes)
        }
    }

    private func writeRows(to target: UnsafeMutableRawPointer, rowBytes: Int) {
        let count = plan.columns.count
        withUnsafeTemporaryAllocation(of: UInt8.self, capacity: count * 4) { row in
            let pixels = row.baseAddress.unsafelyUnwrapped
            for (y, tap) in plan.rows.enumerated() {
                sample(tap, rowsFirst: false, into: pixels)
                encoder.encode(pixels, count: count, into: target + y * rowBytes, loops)
            }
        }
    }

    private func writeColumns(to target: UnsafeMutableRawPointer, rowBytes: Int) {
        let height = plan.columns.count
        let bytesPerPixel = encoder.bytesPerPixel
        withUnsafeTemporaryAllocation(of: UInt32.self, capacity: (height + 1) * Self.bandRows) { memory in
            let band = memory.baseAddress.unsafelyUnwrapped
            let across = band + height * Self.bandRows
            for start in stride(from: 0, to: plan.rows.count, by: Self.bandRows) {
                let count = min(Self.bandRows, plan.rows.count - start)
                for index in 0..<count {
                    let pixels = UnsafeMutableRawPointer(band + index * height).assumingMemoryBound(to: UInt8.self)
                    sample(plan.rows[start + index], rowsFirst: true, into: pixels)
                }
                for y in 0..<height {
                    for index in 0..<count { across[index] = band[index &* height &+ y] }
                    encoder.encode(
                        UnsafeRawPointer(across).assumingMemoryBound(to: UInt8.self), count: count,
                        into: target + (y * rowBytes + start * bytesPerPixel), loops)
                }
            }
        }
    }

    private func sample(_ tap: hearth_tap, rowsFirst: Bool, into pixels: UnsafeMutablePointer<UInt8>) {
        withUnsafePointer(to: picture) { picture in
            plan.columns.withUnsafeBufferPointer { columns in
                loops.pointee.sample_row(picture, tap, columns.baseAddress, columns.count, rowsFirst, pixels)
            }
        }
        if var colors { loops.pointee.convert_colors(&colors, pixels, plan.columns.count) }
    }
}
