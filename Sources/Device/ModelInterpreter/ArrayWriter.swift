/// Writes a nested array into tensor memory, row-major. It checks every level before it writes it, so it never writes
/// past the memory, whatever the array contains.
struct ArrayWriter<Element: ArrayElement> {
    private let index: Int
    private let dimensions: [Int]
    private let target: UnsafeMutableRawBufferPointer
    private var offset = 0

    /// - Parameters:
    ///   - index: The input's index, for error texts.
    ///   - target: Memory for exactly as many elements as `dimensions` have.
    static func write(
        _ array: any NestedArray, input index: Int, dimensions: [Int], into target: UnsafeMutableRawBufferPointer
    ) throws {
        var writer = ArrayWriter(index: index, dimensions: dimensions, target: target)
        try writer.write(array, level: 0)
    }

    private init(index: Int, dimensions: [Int], target: UnsafeMutableRawBufferPointer) {
        self.index = index
        self.dimensions = dimensions
        self.target = target
    }

    private mutating func write(_ array: any NestedArray, level: Int) throws {
        guard array.count == dimensions[level] else {
            throw ragged("an array at level \(level) has \(array.count) elements instead of \(dimensions[level])")
        }
        if level == dimensions.count - 1 {
            try writeNumbers(array)
        } else {
            try array.forEachElement { element in
                guard let next = element as? any NestedArray else {
                    throw ragged("level \(level) has a \(type(of: element)) among its arrays")
                }
                try write(next, level: level + 1)
            }
        }
    }

    private mutating func writeNumbers(_ array: any NestedArray) throws {
        let isCopied = array.withContiguousElements(of: Element.self) { bytes in
            UnsafeMutableRawBufferPointer(rebasing: target[offset...]).copyMemory(from: bytes)
            offset += bytes.count
        }
        if isCopied { return }
        try array.forEachElement { value in
            target.storeBytes(of: try element(value), toByteOffset: offset, as: Element.self)
            offset += MemoryLayout<Element>.size
        }
    }

    private func element(_ value: Any) throws -> Element {
        if value is any NestedArray { throw ragged("it has an array among its numbers") }
        guard let number = Number(value) else {
            throw MachineLearningError.make(
                .invalidArgument, "Input \(index) has a \(type(of: value)) where a number is needed.")
        }
        guard let element = Element(fitting: number) else {
            throw MachineLearningError.make(
                .invalidArgument, "Input \(index) has the number \(number), which does not fit \(Element.self).")
        }
        return element
    }

    private func ragged(_ detail: String) -> any Error {
        MachineLearningError.make(.invalidArgument, "Input \(index) is ragged: \(detail).")
    }
}
