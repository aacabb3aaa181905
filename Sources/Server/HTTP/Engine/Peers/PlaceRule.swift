/// How many places one network of peers may take, of all that there are. Places are connections, or requests that a trusted
/// proxy passes on.
struct PlaceRule {
    /// Of all places, this part is kept for those who hold few.
    private static let partKeptForFew = 4
    /// Of the places that are left then, a network gets another one only while it holds less than this part.
    private static let partOfFree = 8
    /// So many a network may hold in any case.
    static let few = 4

    /// All places.
    let places: Int
    /// Most for one network; 0 means any number, also of the last places.
    let perNetwork: Int

    /// Above so many taken places, they are scarce.
    var scarceAbove: Int { places - places / Self.partKeptForFew }

    /// - Parameters:
    ///   - held: places that the network has.
    ///   - taken: places that all have.
    func admits(held: Int, taken: Int) -> Bool {
        guard perNetwork > 0 else { return true }
        guard held < perNetwork else { return false }
        guard taken >= scarceAbove else { return true }
        return held < max(Self.few, max(places - taken, 0) / Self.partOfFree)
    }
}
