import HearthArguments
import HearthCatalog

/// A share of the installations, exact to a millionth: `10%`, `0.1`.
struct Share: Equatable, Comparable {
    /// 0 to 1,000,000.
    let millionths: Int

    static let none = Share(millionths: 0)
    static let whole = Share(millionths: 1_000_000)

    init(millionths: Int) { self.millionths = millionths }

    /// The value in JSON.
    init(fraction: Double) {
        millionths = fraction.isFinite ? Int((min(max(fraction, 0), 1) * 1_000_000).rounded()) : 0
    }

    var fraction: Double { Double(millionths) / 1_000_000 }

    /// `10%`, `0.05%`, `100%`.
    var text: String {
        let whole = millionths / 10_000
        var decimals = String(millionths % 10_000 + 10_000).dropFirst()
        while decimals.hasSuffix("0") { decimals.removeLast() }
        return decimals.isEmpty ? "\(whole)%" : "\(whole).\(decimals)%"
    }

    static func < (left: Share, right: Share) -> Bool { left.millionths < right.millionths }
}

extension Share: ExpressibleByArgument {
    init?(argument: String) {
        guard let millionths = try? ShareText.millionths(argument, plain: .fraction) else { return nil }
        self.init(millionths: millionths)
    }

    var defaultValueDescription: String { text }

    /// Reads the share that follows an option, or says what is wrong with it.
    static func given(_ text: String, _ option: String) throws(ValidationError) -> Share {
        do throws(ShareText.Malformed) {
            return Share(millionths: try ShareText.millionths(text, plain: .fraction))
        } catch {
            // The mistake with the worst effects gets its own message.
            if text == "1" { throw ValidationError("\(option) '1' is ambiguous: write 1% or 100%.") }
            throw ValidationError("\(option) '\(text)': \(error.advice).")
        }
    }
}
