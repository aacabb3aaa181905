package import HearthCalls
package import HearthCatalog
import HearthWire

/// Estimates as they are shown.
package enum AdoptionPresentation {
    /// The most lines of each list; all others are one line.
    package static let lineLimit = 50

    package static func report(_ tally: AdoptionTally, of model: Model, nowMicroseconds: Int64) -> DeviceBodies.Report {
        var total = AdoptionCounts()
        for counts in tally.versions.values { total.add(counts) }
        return DeviceBodies.Report(
            model: model.displayName, time: WireTime.text(nowMicroseconds), devices: devices(total),
            versions: versions(tally.versions), systems: lines(tally.systems), appVersions: lines(tally.appVersions))
    }

    /// The versions with the most devices; all others count as `other`.
    static func versions(_ counts: [Int: AdoptionCounts]) -> [DeviceBodies.Line] {
        let known = counts.filter { $0.key != AdoptionSample.other }.sorted { left, right in
            (right.value.last, right.key) < (left.value.last, left.key)
        }
        var other = counts[AdoptionSample.other] ?? AdoptionCounts()
        for (_, counts) in known.dropFirst(lineLimit) { other.add(counts) }
        let shown = known.prefix(lineLimit).map { number, counts in
            DeviceBodies.Line(
                name: number == AdoptionSample.none ? DeviceBodies.none : String(number), devices: devices(counts))
        }
        return shown + Self.other(other)
    }

    private static func lines(_ counts: [String?: AdoptionCounts]) -> [DeviceBodies.Line] {
        let named = counts.compactMap { name, counts in name.map { ($0, counts) } }
            .sorted { ($1.1.last, $0.0) < ($0.1.last, $1.0) }
        return named.map { DeviceBodies.Line(name: $0.isEmpty ? DeviceBodies.unknown : $0, devices: devices($1)) }
            + other(counts[nil] ?? AdoptionCounts())
    }

    private static func other(_ counts: AdoptionCounts) -> [DeviceBodies.Line] {
        counts == AdoptionCounts() ? [] : [DeviceBodies.Line(name: DeviceBodies.other, devices: devices(counts))]
    }

    private static func devices(_ counts: AdoptionCounts) -> [DeviceBodies.Estimate] {
        zip(AdoptionSample.windows, counts.windows).map { days, estimate in
            DeviceBodies.Estimate(
                days: Int(days), count: Int64(estimate.count.rounded()), margin: Int64(estimate.margin.rounded(.up)))
        }
    }
}

extension AdoptionCounts {
    /// In the longest window.
    fileprivate var last: Double { windows.last?.count ?? 0 }
}
