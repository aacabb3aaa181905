/// Sizes for people.
package enum ByteCount {
    package static func text(_ bytes: UInt64) -> String {
        switch bytes {
        case ..<1024: "\(bytes) B"
        case ..<(1 << 20): tenths(bytes, 10) + " KiB"
        case ..<(1 << 30): tenths(bytes, 20) + " MiB"
        default: tenths(bytes, 30) + " GiB"
        }
    }

    /// `bytes / 2^shift` with one decimal, cut.
    private static func tenths(_ bytes: UInt64, _ shift: UInt64) -> String {
        let whole = bytes >> shift
        let rest = bytes & ((1 << shift) - 1)
        return "\(whole).\((rest * 10) >> shift)"
    }
}
