/// The line that ends a run over many pictures.
struct PictureSummary: CustomStringConvertible {
    let done: UInt64
    let failed: UInt64
    let elapsed: Duration

    var description: String {
        let parts = [
            "\(done.grouped) \(done == 1 ? "picture" : "pictures")", failed > 0 ? "\(failed.grouped) failed" : nil,
            rate,
        ]
        return parts.compactMap(\.self).joined(separator: ", ")
    }

    private var rate: String? {
        let seconds = elapsed / .seconds(1)
        guard done > 0, seconds > 0 else { return nil }
        // No machine comes near the limit, which keeps the conversion in range.
        let tenths = UInt64(min(Double(done) / seconds, 1e12) * 10)
        return "\((tenths / 10).grouped).\(tenths % 10) pictures/s"
    }
}

extension UInt64 {
    /// With a comma between groups of three digits.
    fileprivate var grouped: String {
        var text = ""
        for (index, digit) in String(self).reversed().enumerated() {
            if index > 0, index.isMultiple(of: 3) { text.append(",") }
            text.append(digit)
        }
        return String(text.reversed())
    }
}
