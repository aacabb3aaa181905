import CSampling

/// Samples a stored image along a plan: it blends, rotates and converts the image to a tensor's values, row by row.
///
/// Rows are blended in the order in which they are stored. If the orientation swaps sides, stored rows are columns of
/// the upright image: a band of them is blended first and then read across. All pointers are lent for the lifetime of
/// the value.
struct ImageSampler {
    /// The stored rows of a band: as many as fill a tensor's cache lines, so that each line is written once.
    private static let bandRows = 16

    let image: hearth_image
    let plan: SamplingPlan
    /// nil for images that are already red, green and blue.
    let colors: hearth_color_matrix?
    let encoder: RowEncoder
    let loops: UnsafePointer<hearth_sampling>

    /// - Parameters:
    ///   - target: The address of the frame's top left pixel.
    ///   - rowBytes: The bytes from one row of the target to the next.
    func write(to target: UnsafeMutableRawPointer, rowBytes: Int) {
        if plan.key.orientation.swapsSides {
            writeColumns(to: target, rowBytes: rowBytes)
        } else {
            writeRows(to: target, rowBytes: rowBytes)
        }
    }

    private func writeRows(to target: UnsafeMutableRawPointer, rowBytes: Int) {
        let count = plan.columns.count / plan.columnsPerPixel
        withScratch(pixels: count) { pixels, scratch in
            for y in 0..<(plan.rows.count / plan.rowsPerPixel) {
                sample(y, rowsFirst: false, count: count, into: pixels, scratch)
                encoder.encode(pixels, count: count, into: target + y * rowBytes, loops)
            }
        }
    }

    private func writeColumns(to target: UnsafeMutableRawPointer, rowBytes: Int) {
        let height = plan.columns.count / plan.columnsPerPixel
        let width = plan.rows.count / plan.rowsPerPixel
        let bytesPerPixel = encoder.bytesPerPixel
        withScratch(pixels: (height + 1) * Self.bandRows) { pixels, scratch in
            let band = UnsafeMutableRawPointer(pixels).assumingMemoryBound(to: UInt32.self)
            let across = band + height * Self.bandRows
            for start in stride(from: 0, to: width, by: Self.bandRows) {
                let count = min(Self.bandRows, width - start)
                for index in 0..<count {
                    sample(
                        start + index, rowsFirst: true, count: height, into: pixels + index * height * 4, scratch)
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

    /// Memory in which samples are averaged; none where each pixel has one sample.
    private struct Scratch {
        let samples: UnsafeMutablePointer<UInt8>
        let sums: UnsafeMutablePointer<UInt32>
    }

    /// - Parameter pixels: How many pixels of four bytes to lend, aligned to whole pixels.
    private func withScratch(pixels count: Int, _ body: (UnsafeMutablePointer<UInt8>, Scratch?) -> Void) {
        let averages = plan.rowsPerPixel * plan.columnsPerPixel > 1
        let sampleCount = averages ? plan.columns.count : 0
        let sumCount = averages ? plan.columns.count / plan.columnsPerPixel * 4 : 0
        withUnsafeTemporaryAllocation(of: UInt32.self, capacity: count + sampleCount + sumCount) { memory in
            let start = memory.baseAddress.unsafelyUnwrapped
            let samples = UnsafeMutableRawPointer(start + count).assumingMemoryBound(to: UInt8.self)
            body(
                UnsafeMutableRawPointer(start).assumingMemoryBound(to: UInt8.self),
                averages ? Scratch(samples: samples, sums: start + count + sampleCount) : nil)
        }
    }

    /// Computes the pixels of the stored row that is at `place` among those of the tensor, at the tensor's width.
    private func sample(
        _ place: Int, rowsFirst: Bool, count: Int, into pixels: UnsafeMutablePointer<UInt8>, _ scratch: Scratch?
    ) {
        if let scratch {
            scratch.sums.update(repeating: 0, count: count * 4)
            for row in 0..<plan.rowsPerPixel {
                blend(plan.rows[place * plan.rowsPerPixel + row], rowsFirst: rowsFirst, into: scratch.samples)
                loops.pointee.add_groups(scratch.samples, count, plan.columnsPerPixel, scratch.sums)
            }
            loops.pointee.divide_sums(
                scratch.sums, count, UInt32(plan.rowsPerPixel * plan.columnsPerPixel), pixels)
        } else {
            blend(plan.rows[place], rowsFirst: rowsFirst, into: pixels)
        }
        if var colors { loops.pointee.convert_colors(&colors, pixels, count) }
    }

    private func blend(_ tap: hearth_tap, rowsFirst: Bool, into pixels: UnsafeMutablePointer<UInt8>) {
        withUnsafePointer(to: image) { image in
            plan.columns.withUnsafeBufferPointer { columns in
                loops.pointee.sample_row(image, tap, columns.baseAddress, columns.count, rowsFirst, pixels)
            }
        }
    }
}

/// Selects the C loops.
enum SamplingLoops {
    case fastest
    case portable

    var table: UnsafePointer<hearth_sampling> {
        switch self {
        case .fastest: hearth_sampling_fastest()
        case .portable: hearth_sampling_portable()
        }
    }
}
