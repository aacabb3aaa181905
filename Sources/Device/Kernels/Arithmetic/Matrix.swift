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
