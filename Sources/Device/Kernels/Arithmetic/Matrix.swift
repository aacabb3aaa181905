/// Numbers of a model, read in place.
struct Vector<Element: BitwiseCopyable> {
    let start: UnsafePointer<Element>
    let count: Int
    /// Keeps the memory behind `start` alive: the model's bytes, or a copy of them at an aligned address.
    private let owner: AnyObject

    init(start: UnsafePointer<Element>, count: Int, owner: AnyObject) {
        self.start = start
        self.count = count
        self.owner = owner
    }
}

/// A matrix of a model whose rows are stored one after the other.
struct Matrix<Element: BitwiseCopyable> {
    let rows: Int
    let columns: Int
    let elements: Vector<Element>

    var start: UnsafePointer<Element> { elements.start }

    init(rows: Int, columns: Int, elements: Vector<Element>) {
        self.rows = rows
        self.columns = columns
        self.elements = elements
    }
}

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
