import Foundation

/// An opaque colour, sRGB, 8 bits a channel.
public struct RGBColor: Sendable, Hashable {
    public var red: UInt8
    public var green: UInt8
    public var blue: UInt8

    public init(red: UInt8, green: UInt8, blue: UInt8) {
        self.red = red
        self.green = green
        self.blue = blue
    }

    public static let black = RGBColor(red: 0, green: 0, blue: 0)
    public static let white = RGBColor(red: 255, green: 255, blue: 255)

    /// The palette of Okabe and Ito without its black: people with any kind of colour blindness tell these apart.
    public static let colorBlindPalette = [
        RGBColor(red: 230, green: 159, blue: 0),
        RGBColor(red: 86, green: 180, blue: 233),
        RGBColor(red: 0, green: 158, blue: 115),
        RGBColor(red: 240, green: 228, blue: 66),
        RGBColor(red: 0, green: 114, blue: 178),
        RGBColor(red: 213, green: 94, blue: 0),
        RGBColor(red: 204, green: 121, blue: 167),
    ]

    /// WCAG's relative luminance, 0 (black) to 1 (white).
    var luminance: Double {
        func linear(_ channel: UInt8) -> Double {
            let value = Double(channel) / 255
            return value <= 0.04045 ? value / 12.92 : pow((value + 0.055) / 1.055, 2.4)
        }
        return 0.2126 * linear(red) + 0.7152 * linear(green) + 0.0722 * linear(blue)
    }

    /// Black or white: what has more contrast against this colour by WCAG's formula.
    var textColor: RGBColor {
        (luminance + 0.05) * (luminance + 0.05) > 1.05 * 0.05 ? .black : .white
    }
}

/// Gives each class of one image a colour.
///
/// A class has the same colour in every image, unless another class of the image took it before: then it gets the next
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
