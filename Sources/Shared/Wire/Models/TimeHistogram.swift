/// Counts of times in classes whose limits grow by the eighth root of two: a class contains times that differ by at most
/// 9 %. Histograms of any devices and servers can be added.
///
/// On the wire it is a list of pairs, the number of a class and its count, in order of the classes:
/// `[[80, 3], [81, 12]]`.
package struct TimeHistogram: Codable, Sendable, Hashable {
    /// Class `i` holds times from 2^(i/8) to 2^((i+1)/8) microseconds. Class 0 also holds shorter times, the last one
    /// (71 minutes) also longer ones.
    package static let classCount = 256

    /// In order of the classes, each with a count above 0.
    package private(set) var classes: [Class]

    package struct Class: Sendable, Hashable {
        package var index: Int
        package var count: Int64

        package init(index: Int, count: Int64) {
            self.index = index
            self.count = count
        }
    }

    package init() { classes = [] }

    /// - Parameter counts: by class; those outside of the range and those that are not positive are ignored.
    package init(_ counts: [Int: Int64]) {
        classes = counts.filter { (0..<Self.classCount).contains($0.key) && $0.value > 0 }
            .sorted { $0.key < $1.key }.map { Class(index: $0.key, count: $0.value) }
    }

    package var isEmpty: Bool { classes.isEmpty }
    package var count: Int64 { classes.reduce(0) { $0 + $1.count } }

    /// The mean of the natural logarithms of the times in microseconds, each taken as the geometric middle of its class;
    /// nil without times.
    package var meanLogarithm: Double? {
        let count = classes.reduce(0.0) { $0 + Double($1.count) }
        guard count > 0 else { return nil }
        // ln 2 / 8: the logarithm of the ratio of a class's limits.
        let step = 0.086_643_397_569_993_16
        return classes.reduce(0.0) { $0 + Double($1.count) * (Double($1.index) + 0.5) * step } / count
    }

    package init(from decoder: any Decoder) throws {
        var list = try decoder.unkeyedContainer()
        var found: [Class] = []
        while !list.isAtEnd {
            let pair = try list.decode([Int64].self)
            guard pair.count == 2, (0..<Int64(Self.classCount)).contains(pair[0]),
                pair[0] > found.last.map({ Int64($0.index) }) ?? -1,
                (1...ModelHealth.countLimit).contains(pair[1])
            else {
                throw DecodingError.dataCorruptedError(
                    in: list,
                    debugDescription: "must be pairs of a class from 0 to \(Self.classCount - 1), growing, and a count")
            }
            found.append(Class(index: Int(pair[0]), count: pair[1]))
        }
        classes = found
    }

    package func encode(to encoder: any Encoder) throws {
        var list = encoder.unkeyedContainer()
        for one in classes { try list.encode([Int64(one.index), one.count]) }
    }
}
