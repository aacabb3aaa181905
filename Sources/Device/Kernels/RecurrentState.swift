/// What an operator remembers from one run to the next.
protocol RestorableState {
    func reset()
    func save()
    func restore()
}

/// An array that an operator remembers, with one earlier version of it once one was saved.
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
