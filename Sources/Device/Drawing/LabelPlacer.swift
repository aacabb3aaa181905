/// Finds a place for the plate of each box: at the box, inside the image, and off the plates before it.
struct LabelPlacer {
    /// Plates among which a free place is searched for.
    private static let maxSearched = 32

    private let bounds: PixelArea
    /// Least distance between two plates, in pixels.
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

    /// Nil where there is no free place near the box: two plates on each other could not be read.
    mutating func place(width: Int, height: Int, at box: PixelArea) -> PixelArea? {
        let usual = Self.preferredPositions(width: width, height: height, at: box).map(clampedHorizontally)
        let place = usual.first(where: isUsable) ?? nearestFreePosition(width: width, height: height, at: box)
        guard let area = place else { return nil }
        reserve(area)
        return area
    }

    /// Best first: over the box, under it, and only then in it, where the plate hides a part of what it names; flush left,
    /// then flush right.
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

    /// Right over, under or beside a plate that is in the way: whichever is nearest to the box's corner.
    private func nearestFreePosition(width: Int, height: Int, at box: PixelArea) -> PixelArea? {
        // Where there are more, the image is covered anyhow, and the search would take for ever.
        guard occupied.count <= Self.maxSearched else { return nil }
        let wanted = clampedHorizontally(PixelArea(left: box.left, top: box.top - height, width: width, height: height))
        // Farther away, it would seem to belong to another box.
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
