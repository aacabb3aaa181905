import Foundation

/// Tells from frame to frame which box is which object. Pure: the same frames get the same numbers.
///
/// A box continues the object of its class that it overlaps most, pairs with the highest intersection over union first
/// (of equal ones the older object, then the earlier box). Any other box is a new object.
struct BoxTracker: Sendable {
    /// The least intersection over union of a box with the place where its object was seen last.
    let minimumOverlap: Double

    /// For how many frames in a row an object may be missing and still be known again.
    let maximumAge: Int

    /// The most objects to remember; those longest unseen are forgotten first, of the others the newest.
    let maximumCount: Int

    private var objects: [TrackedObject] = []
    private var nextIdentifier = 0

    init(minimumOverlap: Double = 0.3, maximumAge: Int = 5, maximumCount: Int = 256) {
        self.minimumOverlap = minimumOverlap
        self.maximumAge = maximumAge
        self.maximumCount = maximumCount
    }

    /// Takes the boxes of the next frame.
    /// - Returns: One number for each box, in their order; no number ever stands for a second object.
    mutating func identifiers(of boxes: [ScoredBox]) -> [Int] {
        for index in objects.indices { objects[index].age += 1 }
        let known = matches(boxes)
        let identifiers = boxes.indices.map { index in
            if let object = known[index] {
                objects[object].update(boxes[index].box)
                return objects[object].identifier
            }
            return add(boxes[index])
        }
        removeStale()
        return identifiers
    }

    /// Forgets all objects, as when the image changes; numbers go on.
    mutating func reset() {
        objects = []
    }

    /// The object that each box continues, by position.
    private func matches(_ boxes: [ScoredBox]) -> [Int: Int] {
        var matches: [Int: Int] = [:]
        var taken: Set<Int> = []
        for pair in pairs(boxes) where matches[pair.box] == nil && !taken.contains(pair.object) {
            matches[pair.box] = pair.object
            taken.insert(pair.object)
        }
        return matches
    }

    /// Best first. Objects are in the order in which they were first seen.
    private func pairs(_ boxes: [ScoredBox]) -> [(object: Int, box: Int, overlap: Double)] {
        var pairs: [(object: Int, box: Int, overlap: Double)] = []
        for (object, known) in objects.enumerated() {
            for (index, box) in boxes.enumerated() where box.classIndex == known.classIndex {
                let overlap = known.box.intersectionOverUnion(with: box.box)
                if overlap > 0, overlap >= minimumOverlap { pairs.append((object, index, overlap)) }
            }
        }
        return pairs.sorted { ($1.overlap, $0.object, $0.box) < ($0.overlap, $1.object, $1.box) }
    }

    private mutating func add(_ box: ScoredBox) -> Int {
        let identifier = nextIdentifier
        nextIdentifier += 1
        objects.append(TrackedObject(identifier: identifier, classIndex: box.classIndex, box: box.box))
        return identifier
    }

    private mutating func removeStale() {
        objects.removeAll { $0.age > maximumAge }
        guard objects.count > maximumCount else { return }
        let kept = objects.sorted { ($0.age, $0.identifier) < ($1.age, $1.identifier) }.prefix(max(0, maximumCount))
        objects = kept.sorted { $0.identifier < $1.identifier }
    }
}

private struct TrackedObject: Sendable {
    let identifier: Int
    let classIndex: Int
    var box: Box
    /// Frames since it was seen last.
    var age = 0

    mutating func update(_ box: Box) {
        self.box = box
        age = 0
    }
}

extension BoxTracker {
    /// The boxes of the next frame with their tracking ids. Compared in pixels, so that the region may move.
    mutating func tracked(_ boxes: [DetectedBox]) -> [DetectedBox] {
        let identifiers = identifiers(of: boxes.map(\.scoredBox))
        return zip(boxes, identifiers).map { box, identifier in
            var box = box
            box.trackingID = identifier
            return box
        }
    }
}

extension DetectedBox {
    fileprivate var scoredBox: ScoredBox {
        ScoredBox(
            box: Box(
                left: Float(unclippedFrame.minX), top: Float(unclippedFrame.minY),
                right: Float(unclippedFrame.maxX), bottom: Float(unclippedFrame.maxY)),
            classIndex: index, score: confidence)
    }
}
