/// What an operator remembers from one run to the next.
protocol KeptState {
    func reset()
    func save()
    func restore()
}

/// An array that an operator remembers, with one earlier version of it.
struct RecurrentState<Element: BitwiseCopyable>: KeptState {
    private let initial: Element
    private let current: Memory<Element>
    private let saved: Memory<Element>

    var start: UnsafeMutablePointer<Element> { current.start }

    init(count: Int, initial: Element) {
        self.initial = initial
        current = Memory(count: count, initial: initial)
        saved = Memory(count: count, initial: initial)
    }

    func reset() {
        current.fill(initial)
    }

    func save() {
        saved.copy(from: current)
    }

    func restore() {
        current.copy(from: saved)
    }
}
