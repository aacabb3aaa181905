#if !canImport(CoreGraphics)

    /// Scales a picture into a bitmap: for each target row first the weighted sum of source rows, then along that row.
    struct BitmapScaler {
        /// Rows without padding.
        let source: UnsafeRawBufferPointer
        let sourceWidth: Int
        let sourceLayout: BitmapLayout
        let columns: FilterAxis
        let rows: FilterAxis

        /// - Parameter target: A bitmap of the size that the axes were made for.
        func draw(into target: UnsafeMutableRawPointer, bytesPerRow: Int, layout: BitmapLayout) {
            let needed = columns.source
            let targetOffset = columns.target.lowerBound * layout.bytesPerPixel
            var sums = [Float](repeating: 0, count: needed.count * sourceLayout.bytesPerPixel)
            sums.withUnsafeMutableBufferPointer { sums in
                for (row, window) in zip(rows.target, rows.windows) {
                    add(window, from: needed.lowerBound, into: sums)
                    columns.weights.withUnsafeBufferPointer { weights in
                        write(
                            UnsafeBufferPointer(sums), weights, firstColumn: needed.lowerBound,
                            to: target + row * bytesPerRow + targetOffset, layout: layout)
                    }
                }
            }
        }

        /// All bytes of the pixels alike, so that the loop is one over neighbours.
        private func add(_ window: FilterAxis.Window, from column: Int, into sums: UnsafeMutableBufferPointer<Float>) {
            sums.update(repeating: 0)
            for (offset, weight) in rows.weights[window.weights].enumerated() {
                let start = ((window.first + offset) * sourceWidth + column) * sourceLayout.bytesPerPixel
                let bytes = UnsafeRawBufferPointer(rebasing: source[start..<start + sums.count])
                for index in 0..<sums.count {
                    sums[index] += weight * Float(bytes[index])
                }
            }
        }

        private func write(
            _ sums: UnsafeBufferPointer<Float>, _ weights: UnsafeBufferPointer<Float>, firstColumn: Int,
            to start: UnsafeMutableRawPointer, layout: BitmapLayout
        ) {
            let (from, to) = (sourceLayout.offsets, layout.offsets)
            let (sourceStep, step) = (sourceLayout.bytesPerPixel, layout.bytesPerPixel)
            var pixel = start.assumingMemoryBound(to: UInt8.self)
            for window in columns.windows {
                var position = (window.first - firstColumn) * sourceStep
                var (red, green, blue): (Float, Float, Float) = (0.5, 0.5, 0.5)  // rounds when cut to a whole number
                for index in window.weights {
                    red += weights[index] * sums[position + from.red]
                    green += weights[index] * sums[position + from.green]
                    blue += weights[index] * sums[position + from.blue]
                    position += sourceStep
                }
                pixel[to.red] = UInt8(red)
                pixel[to.green] = UInt8(green)
                pixel[to.blue] = UInt8(blue)
                if let filler = to.filler { pixel[filler] = 255 }
                pixel += step
            }
        }
    }

#endif
