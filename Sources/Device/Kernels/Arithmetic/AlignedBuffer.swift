/// An array at a fixed, aligned address, freed with the last reference. All of its elements are initialized.
final class AlignedBuffer<Element: BitwiseCopyable> {
    private static var alignment: Int { 64 }

    let count: Int
    let start: UnsafeMutablePointer<Element>
    private let raw: UnsafeMutableRawPointer

    /// - Parameter count: Limited by the callers, which compute it from the bytes of a file or check it against a
    ///   limit.
    init(count: Int, initial: Element) {
        self.count = count
        raw = .allocate(byteCount: max(count, 1) * MemoryLayout<Element>.stride, alignment: Self.alignment)
        start = raw.bindMemory(to: Element.self, capacity: max(count, 1))
        start.initialize(repeating: initial, count: count)
    }

    deinit {
        raw.deallocate()
    }

    func fill(_ value: Element) {
        start.update(repeating: value, count: count)
    }

    func copy(from other: AlignedBuffer) {
        start.update(from: other.start, count: min(count, other.count))
    }
}
