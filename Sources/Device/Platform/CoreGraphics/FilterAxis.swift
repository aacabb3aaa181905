#if !canImport(CoreGraphics)
    import Foundation

    /// Which source pixels make each target pixel along one axis, and with what weights: a triangle that is one source pixel
    /// wide to each side, or one target pixel where that is wider.
    struct FilterAxis {
        struct Window {
            /// The first source pixel.
            var first: Int
            /// In `weights`; at least one.
            var weights: Range<Int>
        }

        /// The target pixels that are seen.
        let target: Range<Int>
        /// One for each of them.
        let windows: [Window]
        /// Those of one window add up to 1.
        let weights: [Float]

        /// - Parameters:
        ///   - start: Where the first source pixel begins, counted in target pixels.
        ///   - length: How many target pixels the source fills.
        /// - Returns: nil when no target pixel's centre is covered.
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
            // Pixels whose centre is nearer than the reach; `center` lies in the source, so that there is at least one.
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
