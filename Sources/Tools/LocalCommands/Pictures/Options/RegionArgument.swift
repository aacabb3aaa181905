import HearthArguments
import HearthImaging

/// A part of a picture as it is written on the command line: `x,y,width,height`.
struct RegionArgument: ExpressibleByArgument {
    let rect: PixelRect

    init?(argument: String) {
        let numbers = argument.split(separator: ",", omittingEmptySubsequences: false).map { Int($0) }
        guard numbers.count == 4, let x = numbers[0], let y = numbers[1], let width = numbers[2],
            let height = numbers[3],
            x >= 0, y >= 0, width >= 1, height >= 1
        else { return nil }
        rect = PixelRect(x: x, y: y, width: width, height: height)
    }

    var defaultValueDescription: String { "\(rect.x),\(rect.y),\(rect.width),\(rect.height)" }
}
