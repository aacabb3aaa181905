import Foundation

/// Decides from frame to frame which box shows which object. Deterministic: the same frames get the same
/// identifiers.
///
/// A box continues the object of its class that it overlaps most. Pairs with the highest intersection over union are
/// matched first; of equal pairs, the one with the older object, then the one with the earlier box. Any other box is a
/// new object.
struct BoxTracker: Sendable {
    /// The least intersection over union between a box and the place where its object was seen last.
    let minimumOverlap: Double

    /// For how many frames in a row an object may be missing and still be recognized.
    let maximumAge: Int

    /// The most objects to remember. The tracker first forgets those unseen for longest, and of equally old ones the
    /// newest.
    let maximumCount: Int

    private var objects: [TrackedObject] = []
    private var nextIdentifier = 0

    init(minimumOverlap: Double = 0.3, maximumAge: Int = 5, maximumCount: Int = 256) {
        self.minimumOverlap = minimumOverlap
        self.maximumAge = maximumAge
        self.maximumCount = maximumCount
    }

    /// Takes the boxes of the next frame.
    /// - Returns: One identifier for each box, in the order of the boxes. An identifier is never used for a second
    ///   object.
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

    /// Forgets all objects, for example when a new video begins. Identifiers keep counting up.
    mutating func reset() {
        objects = []
    }

    /// The object that each box continues: the box's index to the object's index.
    private func matches(_ boxes: [ScoredBox]) -> [Int: Int] {
        var matches: [Int: Int] = [:]
        var taken: Set<Int> = []
        for pair in pairs(boxes) where matches[pair.box] == nil && !taken.contains(pair.object) {
            matches[pair.box] = pair.object
            taken.insert(pair.object)
        }
        return matches
    }

    /// The best pair first. Objects are in the order in which they were first seen.
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
    /// The number of frames since the object was last seen.
    var age = 0

    mutating func update(_ box: Box) {
        self.box = box
        age = 0
    }
}

extension BoxTracker {
    /// The boxes of the next frame with their tracking ids. Boxes are compared in pixels of the whole image, so the
    /// region that the app reads may move between frames.
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
