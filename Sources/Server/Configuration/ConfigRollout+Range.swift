import HearthWire

extension ConfigRollout {
    private static let whole: Int64 = 100_000_000

    /// Who gets its value, in millionths of a percent, from and until: the range if there is one, else the first `percent`. Nil
    /// for what is no part of the whole.
    var microPercents: Range<Int64>? {
        guard let microPercentRange else {
            guard let percent, (0...100).contains(percent) else { return percent == nil ? 0..<0 : nil }
            return 0..<Int64((percent * 1_000_000).rounded())
        }
        // Zeros are left out on the wire.
        let (start, end) = (microPercentRange.microPercentStart ?? 0, microPercentRange.microPercentEnd ?? 0)
        guard 0 <= start, start <= end, end <= Self.whole else { return nil }
        return start..<end
    }
}
