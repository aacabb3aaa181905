/// How much room string outputs get. The engine copies strings out after a run and fails when they do not fit; by how much
/// it tells only its own log.
enum StringRoom {
    /// Address space at first, not memory: pages that nothing touches cost nothing.
    static let first = 1 << 20

    /// The most, since a run is repeated for each step, and other failures without a reason look the same.
    static let most = 1 << 29

    /// nil when there is to be no more.
    static func next(after capacity: Int) -> Int? {
        capacity < most ? min(capacity * 8, most) : nil
    }
}
