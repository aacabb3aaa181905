/// How many of all places one network of peers may take. Places are connections, or requests that a trusted proxy
/// forwards.
struct NetworkQuota {
    /// `places / partKeptForFew` places are reserved for networks that hold few.
    private static let partKeptForFew = 4
    /// When fewer places are free, a network gets another one only while it holds fewer than the free places divided by
    /// this.
    private static let partOfFree = 8
    /// The number of places that a network may hold in any case.
    static let few = 4

    /// All places.
    let places: Int
    /// The most places of one network; 0 means any number, including the last places.
    let perNetwork: Int

    /// Places are scarce when more than this number are taken.
    var scarceAbove: Int { places - places / Self.partKeptForFew }

    /// - Parameters:
    ///   - held: places that the network has.
    ///   - taken: places that all networks have.
    func admits(held: Int, taken: Int) -> Bool {
        guard perNetwork > 0 else { return true }
        guard held < perNetwork else { return false }
        guard taken >= scarceAbove else { return true }
        return held < max(Self.few, max(places - taken, 0) / Self.partOfFree)
    }
}
