/// Gives each class of one picture a colour.
///
/// A class has the same colour in every picture, unless another class of the picture took it before: then it gets the next
/// colour that is free, as long as there is one.
struct ColorAssignment {
    private let palette: [RGBColor]
    private var slots: [Int: Int] = [:]
    private var isTaken: [Bool]

    /// - Parameter palette: Not empty.
    init(palette: [RGBColor]) {
        self.palette = palette
        isTaken = Array(repeating: false, count: palette.count)
    }

    mutating func color(_ index: Int) -> RGBColor {
        if let slot = slots[index] { return palette[slot] }
        let remainder = index % palette.count
        let wanted = remainder < 0 ? remainder + palette.count : remainder
        let upwards = (0..<palette.count).map { (wanted + $0) % palette.count }
        let slot = upwards.first { !isTaken[$0] } ?? wanted
        slots[index] = slot
        isTaken[slot] = true
        return palette[slot]
    }
}
