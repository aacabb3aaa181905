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
                    write(
                        UnsafeBufferPointer(sums), firstColumn: needed.lowerBound,
                        to: target + row * bytesPerRow + targetOffset, layout: layout)
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
            _ sums: UnsafeBufferPointer<Float>, firstColumn: Int, to start: UnsafeMutableRawPointer,
            layout: BitmapLayout
        ) {
            var pixel = start
            for window in columns.windows {
                var position = (window.first - firstColumn) * sourceLayout.bytesPerPixel
                var (red, green, blue): (Float, Float, Float) = (0.5, 0.5, 0.5)  // rounds when cut to a whole number
                for weight in columns.weights[window.weights] {
                    red += weight * sums[position + sourceLayout.red]
                    green += weight * sums[position + sourceLayout.green]
                    blue += weight * sums[position + sourceLayout.blue]
                    position += sourceLayout.bytesPerPixel
                }
                pixel.storeBytes(of: UInt8(red), toByteOffset: layout.red, as: UInt8.self)
                pixel.storeBytes(of: UInt8(green), toByteOffset: layout.green, as: UInt8.self)
                pixel.storeBytes(of: UInt8(blue), toByteOffset: layout.blue, as: UInt8.self)
                if let filler = layout.filler { pixel.storeBytes(of: 255, toByteOffset: filler, as: UInt8.self) }
                pixel += layout.bytesPerPixel
            }
        }
    }

#endif
