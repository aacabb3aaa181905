import Foundation

/// An opaque colour in sRGB with 8 bits per channel.
public struct RGBColor: Sendable, Hashable {
    /// The red part, 0 to 255.
    public var red: UInt8
    /// The green part, 0 to 255.
    public var green: UInt8
    /// The blue part, 0 to 255.
    public var blue: UInt8

    /// Creates a colour.
    public init(red: UInt8, green: UInt8, blue: UInt8) {
        self.red = red
        self.green = green
        self.blue = blue
    }

    /// Black.
    public static let black = RGBColor(red: 0, green: 0, blue: 0)
    /// White.
    public static let white = RGBColor(red: 255, green: 255, blue: 255)

    /// The palette of Okabe and Ito without its black. People with any kind of colour blindness can distinguish these
    /// colours.
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

    /// Black or white, whichever has more contrast with this colour by WCAG's formula.
    var textColor: RGBColor {
        (luminance + 0.05) * (luminance + 0.05) > 1.05 * 0.05 ? .black : .white
    }
}

/// Chooses a colour for each class in one image.
///
/// A class has the same colour in every image, unless an earlier class of the image already uses it. Then it gets the
/// next free colour, if there is one.
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
