import Testing

/// A strict reader of the Prometheus text format, so that no scraper is stricter than the tests.
struct PrometheusText {
    struct Sample: Hashable {
        let name: String
        let labels: [String: String]
    }

    struct Failure: Error, CustomStringConvertible {
        let description: String
    }

    private(set) var samples: [Sample: Double] = [:]
    private(set) var kinds: [String: String] = [:]

    init(_ text: String) throws {
        guard text.hasSuffix("\n") else { throw Failure(description: "The last line has no end.") }
        var family = ""
        var seen: Set<String> = []
        for line in text.dropLast().split(separator: "\n", omittingEmptySubsequences: false) {
            if line.hasPrefix("# HELP ") {
                let words = line.split(separator: " ", maxSplits: 3)
                family = String(words[2])
                guard words.count == 4, Self.isName(family), seen.insert(family).inserted else {
                    throw Failure(description: "HELP: \(line)")
                }
            } else if line.hasPrefix("# TYPE ") {
                let words = line.split(separator: " ")
                guard words.count == 4, words[2] == family, ["counter", "gauge", "histogram"].contains(words[3]) else {
                    throw Failure(description: "TYPE: \(line)")
                }
                kinds[family] = String(words[3])
            } else {
                try readSample(line, of: family)
            }
        }
        try checkHistograms()
    }

    subscript(name: String, labels: [String: String] = [:]) -> Double? { samples[Sample(name: name, labels: labels)] }

    private mutating func readSample(_ line: Substring, of family: String) throws {
        var rest = line
        let name = String(rest.prefix { $0 != "{" && $0 != " " })
        rest.removeFirst(name.count)
        let allowed = kinds[family] == "histogram" ? ["_bucket", "_sum", "_count"].map { family + $0 } : [family]
        guard Self.isName(name), allowed.contains(name) else { throw Failure(description: "name: \(line)") }
        let labels = try rest.hasPrefix("{") ? Self.labels(&rest) : [:]
        guard rest.hasPrefix(" "), let value = Self.number(rest.dropFirst()) else {
            throw Failure(description: "value: \(line)")
        }
        guard samples.updateValue(value, forKey: Sample(name: name, labels: labels)) == nil else {
            throw Failure(description: "twice: \(line)")
        }
    }

    private static func labels(_ rest: inout Substring) throws -> [String: String] {
        var labels: [String: String] = [:]
        rest.removeFirst()
        while !rest.hasPrefix("}") {
            let name = String(rest.prefix { $0 != "=" })
            rest.removeFirst(name.count)
            guard isName(name), rest.hasPrefix("=\"") else { throw Failure(description: "label: \(name)\(rest)") }
            rest.removeFirst(2)
            var value = ""
            while let character = rest.popFirst(), character != "\"" {
                guard character == "\\" else {
                    value.append(character)
                    continue
                }
                switch rest.popFirst() {
                case "\\": value += "\\"
                case "\"": value += "\""
                case "n": value += "\n"
                default: throw Failure(description: "escape in \(name)")
                }
            }
            labels[name] = value
            if rest.hasPrefix(",") { rest.removeFirst() }
        }
        rest.removeFirst()
        return labels
    }

    private static func number(_ text: Substring) -> Double? {
        switch text {
        case "+Inf": .infinity
        case "-Inf": -.infinity
        case "NaN": .nan
        default: text.allSatisfy { $0.isNumber || "+-.e".contains($0) } ? Double(text) : nil
        }
    }

    private static func isName(_ name: String) -> Bool {
        name.first.map { $0.isLetter || $0 == "_" } == true
            && name.allSatisfy { $0.isASCII && ($0.isLetter || $0.isNumber || $0 == "_" || $0 == ":") }
    }

    /// Buckets grow with their bound, and the last one is the count.
    private func checkHistograms() throws {
        for name in kinds.keys where kinds[name] == "histogram" {
            let series = Dictionary(grouping: samples.filter { $0.key.name == name + "_bucket" }) { entry in
                entry.key.labels.filter { $0.key != "le" }
            }
            for (labels, buckets) in series {
                let sorted = buckets.map { (Self.number(Substring($0.key.labels["le"] ?? "")) ?? .nan, $0.value) }
                    .sorted { $0.0 < $1.0 }
                let counts = sorted.map(\.1)
                guard counts == counts.sorted(), sorted.last?.0 == .infinity,
                    counts.last == self[name + "_count", labels],
                    self[name + "_sum", labels] != nil
                else { throw Failure(description: "histogram \(name) \(labels)") }
            }
        }
    }
}
