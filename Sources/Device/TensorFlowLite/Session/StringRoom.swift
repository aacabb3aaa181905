/// How much room string outputs get. The engine copies strings out after a run and fails when they do not fit; by how much
/// it tells only its own log.
enum StringRoom {
    /// Address space at first, not memory: pages that nothing touches cost nothing.
    static let first = 1 << 20

    /// nil when there can be no more.
    static func next(after capacity: Int) -> Int? {
        capacity < TensorBuffer.maximumByteCount ? min(capacity * 8, TensorBuffer.maximumByteCount) : nil
    }
}
