package import HearthWire

/// The numbers of images on which a gate judges.
package struct RehearsalCounts: Sendable, Hashable {
    /// All images, with and without an expected answer.
    package let images: Int
    /// The images of each expected answer.
    package let labels: [Int]

    /// More than any model has. A result from elsewhere may name any number, and says nothing then.
    static let most = 10_000

    package init(images: Int, labels: [Int]) {
        let known = labels.filter { (1...Self.most).contains($0) }
        let all = max(images, known.reduce(0, +))
        (self.images, self.labels) = (0...Self.most).contains(all) ? (all, known) : (0, [])
    }

    /// Of a model's images.
    package init(_ images: [RehearsalBodies.Image]) {
        let labels = Dictionary(grouping: images.compactMap(\.label)) { $0 }
        self.init(images: images.count, labels: labels.values.map(\.count))
    }

    /// Of the images that a rehearsal compared.
    init(_ summary: RehearsalBodies.Summary) {
        self.init(images: summary.compared, labels: (summary.labels ?? []).map(\.images))
    }

    /// Whether a model with so many images can be rehearsed at all.
    package var areEnough: Bool { images >= RehearsalLimits().leastImages }

    /// The images with an expected answer.
    package var labeled: Int { labels.reduce(0, +) }
}
