/// The state that an operator keeps from one run to the next.
protocol RestorableState {
    func reset()
    func save()
    func restore()
}

/// An array of state, with a saved copy after ``save()``.
final class RecurrentState<Element: BitwiseCopyable>: RestorableState {
    private let initial: Element
    private let count: Int
    private let current: AlignedBuffer<Element>
    private var saved: AlignedBuffer<Element>?

    var start: UnsafeMutablePointer<Element> { current.start }

    init(count: Int, initial: Element) {
        self.initial = initial
        self.count = count
        current = AlignedBuffer(count: count, initial: initial)
    }

    func reset() {
        current.fill(initial)
    }

    func save() {
        let copy = saved ?? AlignedBuffer(count: count, initial: initial)
        copy.copy(from: current)
        saved = copy
    }

    func restore() {
        guard let saved else { return reset() }
        current.copy(from: saved)
    }
}
