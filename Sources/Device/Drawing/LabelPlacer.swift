/// Finds a place for the plate of each box: at the box, inside the image, and without overlapping earlier plates.
struct LabelPlacer {
    /// The most plates between which the placer searches for a free place.
    private static let maxSearched = 32

    private let bounds: PixelArea
    /// The least distance between two plates, in pixels.
    private let gap: Int
    private var occupied: [PixelArea] = []

    init(bounds: PixelArea, gap: Int) {
        self.bounds = bounds
        self.gap = gap
    }

    /// Keeps `area` free of plates.
    mutating func reserve(_ area: PixelArea) {
        occupied.append(area)
    }

    /// nil if there is no free place near the box, because overlapping plates would be illegible.
    mutating func place(width: Int, height: Int, at box: PixelArea) -> PixelArea? {
        let usual = Self.preferredPositions(width: width, height: height, at: box).map(clampedHorizontally)
        let place = usual.first(where: isUsable) ?? nearestFreePosition(width: width, height: height, at: box)
        guard let area = place else { return nil }
        reserve(area)
        return area
    }

    /// The best position first: above the box, below it, and then inside it, where the plate hides part of the object;
    /// aligned left, then right.
    private static func preferredPositions(width: Int, height: Int, at box: PixelArea) -> [PixelArea] {
        let rows = [box.top - height, box.bottom, box.top, box.bottom - height]
        return rows.flatMap { top in
            [box.left, box.right - width].map { PixelArea(left: $0, top: top, width: width, height: height) }
        }
    }

    private func clampedHorizontally(_ area: PixelArea) -> PixelArea {
        let left = max(bounds.left, min(area.left, bounds.right - area.width))
        return PixelArea(left: left, top: area.top, width: area.width, height: area.height)
    }

    private func isUsable(_ area: PixelArea) -> Bool {
        guard bounds.contains(area) else { return false }
        let wide = area.outset(by: gap)
        return !occupied.contains { $0.overlaps(wide) }
    }

    /// Finds the free place directly above, below or beside another plate that is nearest to the box's corner.
    private func nearestFreePosition(width: Int, height: Int, at box: PixelArea) -> PixelArea? {
        // With more plates the image is covered anyway, and the search would take too long.
        guard occupied.count <= Self.maxSearched else { return nil }
        let wanted = clampedHorizontally(PixelArea(left: box.left, top: box.top - height, width: width, height: height))
        // At a larger distance, the plate would seem to belong to another box.
        let vicinity = box.outset(by: 2 * height)
        let lefts = [wanted.left] + occupied.flatMap { [$0.right + gap, $0.left - gap - width] }
        let tops = [wanted.top, box.top] + occupied.flatMap { [$0.bottom + gap, $0.top - gap - height] }
        var nearest: (place: PixelArea, distance: Int)?
        for left in lefts {
            for top in tops {
                let place = PixelArea(left: left, top: top, width: width, height: height)
                let distance = abs(left - wanted.left) + abs(top - wanted.top)
                if distance < nearest?.distance ?? .max, place.overlaps(vicinity), isUsable(place) {
                    nearest = (place, distance)
                }
            }
        }
        return nearest?.place
    }
}
