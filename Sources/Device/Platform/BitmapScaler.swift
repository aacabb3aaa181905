#if !canImport(CoreGraphics)
    import Foundation

    /// Scales an image into a bitmap. For each target row it first computes the weighted sum of source rows, then the
    /// weighted sums along that row.
    struct BitmapScaler {
        /// The source pixels, rows without padding.
        let source: UnsafeRawBufferPointer
        let sourceWidth: Int
        let sourceLayout: BitmapLayout
        let columns: FilterAxis
        let rows: FilterAxis

        /// - Parameter target: A bitmap of the size for which the axes were created.
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

        /// Processes all bytes of the pixels in the same way, so that the inner loop runs over adjacent bytes.
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
                var (red, green, blue): (Float, Float, Float) = (0.5, 0.5, 0.5)  // so that truncation rounds
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

    /// The source pixels and weights for each target pixel along one axis. The weights form a triangle that reaches one
    /// source pixel to each side or, if that is wider, one target pixel.
    struct FilterAxis {
        struct Window {
            /// The first source pixel.
            var first: Int
            /// The range in `weights`, with at least one element.
            var weights: Range<Int>
        }

        /// The target pixels inside the bitmap.
        let target: Range<Int>
        /// One for each of these target pixels.
        let windows: [Window]
        /// The weights of all windows; those of one window add up to 1.
        let weights: [Float]

        /// - Parameters:
        ///   - start: The left edge of the first source pixel, in target pixels.
        ///   - length: The width of the source, in target pixels.
        /// - Returns: nil when the source covers no target pixel's centre.
        init?(sourceCount: Int, start: CGFloat, length: CGFloat, targetCount: Int) {
            let (start, length) = (Double(start), Double(length))
            guard start.isFinite, length.isFinite, length > 0 else { return nil }
            let limit = Double(targetCount)
            let lower = min(max((start - 0.5).rounded(.up), 0), limit)
            let upper = min(max((start + length - 0.5).rounded(.up), 0), limit)
            guard lower < upper else { return nil }
            target = Int(lower)..<Int(upper)

            let count = Double(sourceCount)
            let reach = min(max(count / length, 1), count)
            var windows: [Window] = []
            var weights: [Float] = []
            windows.reserveCapacity(target.count)
            for pixel in target {
                let center = min(max((Double(pixel) + 0.5 - start) / length, 0), 1) * count
                windows.append(Self.window(center: center, reach: reach, sourceCount: sourceCount, &weights))
            }
            self.windows = windows
            self.weights = weights
        }

        private static func window(center: Double, reach: Double, sourceCount: Int, _ weights: inout [Float]) -> Window
        {
            // The pixels whose centre is nearer than the reach. `center` is inside the source, so there is at least
            // one.
            let first = max(Int((center - reach - 0.5).rounded(.down)) + 1, 0)
            let last = min(Int((center + reach - 0.5).rounded(.up)) - 1, sourceCount - 1)
            let raw = (first...last).map { (pixel: Int) -> Double in
                let distance = abs(Double(pixel) + 0.5 - center)
                return 1 - distance / reach
            }
            let sum = raw.reduce(0, +)
            let start = weights.count
            weights += raw.map { Float($0 / sum) }
            return Window(first: first, weights: start..<weights.count)
        }

        /// The source pixels that are needed.
        var source: Range<Int> {
            let last = windows[windows.count - 1]
            return windows[0].first..<last.first + last.weights.count
        }
    }
#endif
